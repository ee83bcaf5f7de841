"""Words for the promise itself, and for what an attacker may believe in spite of it."""

from __future__ import annotations

from pages.phrasing.glossary.term import Term

PROMISE: tuple[Term, ...] = (
    Term(
        name="differential privacy",
        meaning="A promise about how answers are made: whatever comes out is nearly as likely without you as with you.",
        theme="promise",
        shown_as=("differential privacy",),
    ),
    Term(
        name="epsilon (ε)",
        meaning="How much one person may change the chance of any answer: at most 1.11 times at ε 0.1, 2.72 times at "
        "ε 1, 22,027 times at ε 10.",
        theme="promise",
        shown_as=("ε",),
    ),
    Term(
        name="delta (δ)",
        meaning="How much more often than ε allows anything may happen; with n people, keep it far below 1/n.",
        theme="promise",
        shown_as=("δ",),
    ),
    Term(
        name="privacy loss",
        meaning="How strongly the answer that came out speaks for one of two tables and against the other.",
        theme="promise",
        shown_as=("privacy loss",),
    ),
    Term(
        name="neighboring tables",
        meaning="Two tables that differ in one person, and that answers must make hard to tell apart.",
        theme="promise",
        shown_as=("neighbor", "two tables", "with you and without you"),
    ),
    Term(
        name="add/remove",
        meaning="Neighbors of which only one has a person's rows; how many people there are stays private.",
        theme="promise",
        shown_as=("add/remove", "there or not", "is in the table", "you are there at all"),
    ),
    Term(
        name="replace one",
        meaning="Neighbors that differ in what one person's rows say; how many people there are is public.",
        theme="promise",
        shown_as=("replace one", "exchanged", "what your row says"),
    ),
    Term(
        name="pure and approximate",
        meaning="A promise of ε alone is pure; one that needs a δ beside it is approximate.",
        theme="promise",
        shown_as=("(ε, δ)", "ε alone", "without any δ", "without a δ"),
    ),
    Term(
        name="privacy profile",
        meaning="The smallest δ that holds, for every ε: one mechanism keeps many promises at once.",
        theme="promise",
        shown_as=("smallest δ", "every ε", "for each ε"),
    ),
    Term(
        name="loss distribution",
        meaning="How often which privacy loss happens, when answers are drawn again and again.",
        theme="promise",
        shown_as=("privacy loss", "losses"),
    ),
    Term(
        name="group privacy",
        meaning="What is promised to several people together, such as a family: to twice as many people, twice the ε.",
        theme="promise",
        shown_as=("group privacy", "people together", "a family"),
    ),
    Term(
        name="post-processing",
        meaning="Whatever is done with a noisy answer, without looking at the table again, costs nothing more.",
        theme="promise",
        shown_as=("post-processing", "rounding it"),
    ),
)
BELIEF: tuple[Term, ...] = (
    Term(
        name="prior",
        meaning="What an attacker believes before an answer, as a chance.",
        theme="belief",
        shown_as=("belief before", "before any answer", "believed before", "attacker was", "before the answer"),
    ),
    Term(
        name="posterior",
        meaning="What the attacker may believe after an answer; ε sets a limit to it, whatever the answer is.",
        theme="belief",
        shown_as=("belief after", "belief of", "come to believe", "after the answer", "after the report"),
    ),
    Term(
        name="odds",
        meaning="A chance said as “so many to so many”; one answer multiplies it by at most e to the ε.",
        theme="belief",
        shown_as=("odds",),
    ),
    Term(
        name="false alarms and hits",
        meaning="How often an attacker says “in” of somebody who is not, and how often of somebody who is.",
        theme="belief",
        shown_as=("false alarm", "hits"),
    ),
    Term(
        name="trade-off curve",
        meaning="The fewest people that an attacker can miss, for every share of false alarms.",
        theme="belief",
        shown_as=("false alarm",),
    ),
    Term(
        name="advantage",
        meaning="How far an attacker can do better than by chance: share of hits less share of false alarms, at most.",
        theme="belief",
        shown_as=("nobody more",),
    ),
    Term(
        name="membership inference",
        meaning="Guessing from answers whether somebody is in the table at all.",
        theme="belief",
        shown_as=("guesses", "were they in"),
    ),
    Term(
        name="chance line",
        meaning="What an attacker wins who sees no answer at all; only what lies above it is the attack's.",
        theme="belief",
        shown_as=("chance",),
    ),
)
