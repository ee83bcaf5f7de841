"""Words for noise, for ways to add it, and for how wrong an answer may be."""

from __future__ import annotations

from pages.phrasing.glossary.term import Term

NOISE: tuple[Term, ...] = (
    Term(
        name="noise",
        meaning="A random amount added to an answer, so that one person's part in it cannot be made out.",
        theme="noise",
        shown_as=("noise",),
    ),
    Term(
        name="mechanism",
        meaning="The recipe by which an answer is made random: which noise, how much, or which choice by chance.",
        theme="noise",
        shown_as=("mechanism",),
    ),
    Term(
        name="sensitivity",
        meaning="How far one person can move the true answer, at most; noise is sized by it.",
        theme="noise",
        shown_as=(
            "one person moves",
            "one person can move",
            "moves it by",
            "you move it",
            "can move",
            "move the count",
        ),
    ),
    Term(
        name="l1 and l2 sensitivity",
        meaning="For several numbers: one person's moves added up (l1), or the root of their summed squares (l2).",
        theme="noise",
        shown_as=("Δ one person's effect", "sensitivity of a list"),
    ),
    Term(
        name="Laplace noise",
        meaning="Noise with a sharp peak, whose chance falls by the same factor at every step outward; it needs no δ.",
        theme="noise",
        shown_as=("Laplace",),
    ),
    Term(
        name="Gaussian noise",
        meaning="Noise in the shape of a bell; it needs a δ, and pays when many numbers are told at once.",
        theme="noise",
        shown_as=("Gaussian",),
    ),
    Term(
        name="discrete noise",
        meaning="Noise in whole steps, as it is really released: the last digits of decimal noise give things away.",
        theme="noise",
        shown_as=("discrete", "whole numbers"),
    ),
    Term(
        name="scale",
        meaning="How wide Laplace noise is, its average distance from 0: the sensitivity divided by ε.",
        theme="noise",
        shown_as=("scale",),
    ),
    Term(
        name="randomized response",
        meaning="Everybody answers by the truth or by a coin, secretly, so that no single answer proves anything.",
        theme="noise",
        shown_as=("randomized response", "a coin"),
    ),
    Term(
        name="local model",
        meaning="Each person's own device adds the noise, so that nobody ever holds the true answers.",
        theme="noise",
        shown_as=("local model", "local noise", "(local)"),
    ),
    Term(
        name="central model",
        meaning="A trusted curator holds the true table and adds noise to answers only.",
        theme="noise",
        shown_as=("central noise", "(central)", "curator"),
    ),
    Term(
        name="unary encoding",
        meaning="A local way for many options: a row of bits, one for each option, each flipped by chance.",
        theme="noise",
        shown_as=("unary encoding", "row of bits"),
    ),
    Term(
        name="exponential mechanism",
        meaning="Chooses one of several candidates by chance, better ones more often by a factor that ε sets.",
        theme="noise",
        shown_as=("exponential mechanism", "Exponential"),
    ),
    Term(
        name="report noisy max",
        meaning="Adds noise to every candidate's count and names the largest, without its count.",
        theme="noise",
        shown_as=("noisy max",),
    ),
    Term(
        name="permute and flip",
        meaning="Candidates come up in random order, each taken or passed over by a coin that favors better ones.",
        theme="noise",
        shown_as=("permute and flip",),
    ),
    Term(
        name="truncated noise",
        meaning="Noise that is cut off at a limit; it needs a δ, as some answers are possible in one table alone.",
        theme="noise",
        shown_as=("truncated", "cut off"),
    ),
    Term(
        name="clamping",
        meaning="Setting whatever lies beyond a limit to the limit: a value before the noise, or an answer after it.",
        theme="noise",
        shown_as=("clamped", "on the limit", "set to the limit", "moved to the"),
    ),
)
ERROR: tuple[Term, ...] = (
    Term(
        name="confidence",
        meaning="In how many of 100 such answers a stated limit is kept, for example in 95.",
        theme="error",
        shown_as=("95 of 100", "of 100 answers"),
    ),
    Term(
        name="interval",
        meaning="The span around an answer in which the true value lies, with a stated confidence.",
        theme="error",
        shown_as=("interval", "within ±", "±"),
    ),
    Term(
        name="tail bound",
        meaning="How often noise is larger than a given amount, at most.",
        theme="error",
        shown_as=("is off by more than", "farther off", "off by more", "the answer is off"),
    ),
    Term(
        name="standard deviation",
        meaning="The usual measure of how widely something varies: about 68 of 100 draws of a bell lie within it.",
        theme="error",
        shown_as=("standard deviation",),
    ),
    Term(
        name="sampling error",
        meaning="How wrong an answer is about everybody because only some people were asked; noise comes on top of it.",
        theme="error",
        shown_as=("sampling error", "who was asked", "were asked"),
    ),
    Term(
        name="bias",
        meaning="An error that does not average out: it points the same way every time.",
        theme="error",
        shown_as=("bias", "on average too", "too high on average"),
    ),
    Term(
        name="contribution bound",
        meaning="How many rows of one person count at most; further rows are left out before the noise.",
        theme="error",
        shown_as=("contribution bound", "rows of each", "so many rows", "at most 1 row", "rows each"),
    ),
)
