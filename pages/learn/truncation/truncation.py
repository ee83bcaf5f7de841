"""The lesson on truncation: may the noise be cut off?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpengine.charts.privacy import cut_charts
from dpengine.charts.privacy.cut_charts import CostLine
from dpengine.formatting import amount, at_least
from dpengine.losses import loss_distribution
from dpengine.losses.arrays import Array
from dpengine.mechanisms import TruncatedLaplaceMechanism
from dpengine.mechanisms.additive.bounded_noise import (
    EndingNoise,
    log_delta_of_clamped,
    log_delta_of_truncated,
    log_least_delta_of_ending_noise,
)
from pages.learn.truncation import truncation_clamps
from pages.learn.truncation.truncation_worlds import CASES, CUTS, answers_of, given_away, small, with_and_without
from pages.lesson import pickers
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import Lesson, Shown, Step, choice, dial, picture_and_words
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "truncation"
DELTA_OF_CUT = (
    formula(
        "The δ of Laplace noise drawn again until it lies within ±T",
        r"\delta=\frac{e^{\varepsilon}-1}{2\,(e^{\varepsilon T/\Delta}-1)}",
    )
    + "T is the cut and Δ what one person can change, here 1; e is about 2.72. Source: Geng, Ding, Guo and Kumar "
    "2020.\n\n"
)
MISPRINT = "A misprint to know: at ε = 1 and T = 1,000, some course notes print 10⁻⁴³ for e⁻¹⁰⁰⁰/2 ≈ 2.5·10⁻⁴³⁵."
LEAST_OF_ANY = (
    formula(
        "The δ of any noise on whole numbers up to ±T, at least",
        r"\delta\ge\Big(2\,\frac{e^{\varepsilon T}-1}{e^{\varepsilon}-1}+e^{\varepsilon T}\Big)^{-1}",
    )
    + "T is the largest noise, and e is about 2.72: from one step to the next, chances grow by at most the factor of "
    "ε, and they add up to 1. Idea: Geng, Ding, Guo and Kumar 2020."
)
Density = Callable[[Array], Array]


def _cut() -> Shown:
    epsilon = dial(f"{KEY}_cut_epsilon", start=0.5)
    place, words = picture_and_words(f"{KEY}_cut")
    cut = pickers.stop(place, "Noise is cut off at ±, people", CUTS, key=f"{KEY}_cut_at", start=5)
    noise = TruncatedLaplaceMechanism(scale=1.0 / epsilon, truncation=cut, l1_sensitivity=1.0)
    picture = with_and_without(noise.density, given_away(cut), palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_cut_chart")
    log_delta = log_delta_of_truncated(epsilon=epsilon, reach=cut)
    words.markdown(
        f"“No published number should be off by more than {cut}.” So noise beyond ±{cut} is drawn again. The count is "
        f"{CASES} with you, {CASES - 1} without you.\n\n"
        f"Now an answer above {CASES - 1 + cut} is **possible only with you**. It gives you away for certain, so even "
        "a huge ε fails.\n\n"
        f"| noise | ε | δ |\n|---|---|---|\n| not cut | {amount(epsilon)} | 0 |\n| cut, no δ allowed | **∞** | 0 |\n"
        f"| cut, with a δ | {amount(epsilon)} | **{small(log_delta)}** |\n\n"
        f"That δ is the area of each shaded patch{_seen(noise, cut)}. A larger ε cannot make the patch "
        "smaller."
    )
    finding = f"Noise cut at ±{cut}: {answers_of(log_delta)} give you away"
    return Shown(finding=finding, pictures=(picture,), computed=DELTA_OF_CUT)


def _seen(noise: TruncatedLaplaceMechanism, cut: float) -> str:
    """Where the patch is lower than a line is wide, the words say so."""
    return " (too small to see here)" if noise.density(cut - 1.0) < LEAST_SEEN * noise.density(0.0) else ""


FAR_CUTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def _cost() -> Shown:
    epsilon = dial(f"{KEY}_cost_epsilon", start=1.0)
    place, words = picture_and_words(f"{KEY}_cost")
    cut = pickers.stop(place, "Noise is cut off at ±, people", FAR_CUTS, key=f"{KEY}_cost_at", start=20)
    cuts = np.unique(np.linspace(1.0, max(10.0, 1.25 * cut), 121).round())
    drawn = _cost_lines(epsilon, cuts)
    picture = cut_charts.costs(cuts=cuts, drawn=drawn, here=float(cut), unit="people", palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_cost_chart")
    words.markdown(
        f"For noise cut at ±{cut:,} no ε holds alone (ε = ∞). With a δ it does. How large a δ? Each further step out "
        "makes it smaller, by nearly the same factor."
        f"{_together(*(line.log_deltas for line in drawn))}"
    )
    words.markdown(_costs(epsilon, float(cut)))
    words.markdown("So a far cut does no harm in practice, but it is another promise: say (ε, δ) instead of ε alone.")
    delta = small(log_delta_of_truncated(epsilon=epsilon, reach=float(cut)))
    finding = f"Cut at {cut:,}: ε = {amount(epsilon)} holds only with δ = {delta}"
    return Shown(finding=finding, pictures=(picture,), computed=DELTA_OF_CUT + MISPRINT)


def _cost_lines(epsilon: float, cuts: Array) -> list[CostLine]:
    palette = outputs.palette()
    looks = (
        ("set to the limit", log_delta_of_clamped, {"color": palette.sampling}),
        ("drawn again", log_delta_of_truncated, {"color": palette.text}),
        ("least of any noise", log_least_delta_of_ending_noise, {"color": palette.muted, "dash": "dot"}),
    )
    return [
        CostLine(label=label, log_deltas=np.array([law(epsilon=epsilon, reach=float(one)) for one in cuts]), **look)
        for label, law, look in looks
    ]


def _together(put_there: Array, drawn_again: Array, least: Array) -> str:
    """Which lines cannot be told apart on this scale."""
    height = TOGETHER * -float(np.min(least))
    first, second = (float(np.max(above - below)) for above, below in ((put_there, drawn_again), (drawn_again, least)))
    if first + second < height:
        return " On this scale the three lines cover each other."
    return " On this scale the upper two lines cover each other." if first < height else ""


def _costs(epsilon: float, cut: float) -> str:
    least = log_least_delta_of_ending_noise(epsilon=epsilon, reach=cut)
    return (
        "| noise beyond the cut is | δ |\n|---|---|\n"
        f"| drawn again | **{small(log_delta_of_truncated(epsilon=epsilon, reach=cut))}** |\n"
        f"| set to the limit | {small(log_delta_of_clamped(epsilon=epsilon, reach=cut))} |\n"
        f"| (smallest possible, for counts) | {small(least)} |"
    )


SHAPES = {"Flat": "flat", "Like a tent": "pointed", "Truncated Laplace": "laplace"}
EPSILON, TOGETHER, LEAST_SEEN = 1.0, 0.012, 0.02


def _any_end() -> Shown:
    name = choice("Which noise?", list(SHAPES), key=f"{KEY}_end_shape")
    place, words = picture_and_words(f"{KEY}_end")
    cut = pickers.stop(place, "Largest noise, ± people", CUTS, key=f"{KEY}_end_at", start=8)
    density, leak = _ending(SHAPES[name], cut)
    picture = with_and_without(density, given_away(cut), palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_end_chart")
    least = small(log_least_delta_of_ending_noise(epsilon=EPSILON, reach=cut), at_least)
    words.markdown(
        "Choose any shape. It has a largest value, and one person moves the end of the answers by one step. The last "
        "step on either side is possible in one world only.\n\n"
        f"This noise gives you away for certain in **{amount(100 * leak)}%** of answers, so δ is at least that.\n\n"
        "Could a better shape avoid it? No. ε and δ limit how much more frequent each step may be than the next one "
        "towards the end. If the last is too rare, all steps together cannot come to 100%. "
        f"Noise up to ±{cut} has, at ε = 1, a δ of **at least {least}**, whatever its shape. A tent on whole numbers, "
        "cut there, reaches it: nothing is better for counts."
    )
    finding = f"{name}: noise that ends exposes you in {amount(100 * leak)}% of answers"
    return Shown(finding=finding, pictures=(picture,), computed=LEAST_OF_ANY)


def _ending(shape: str, cut: float) -> tuple[Density, float]:
    """The density of noise with this end, and how often it gives somebody away for certain."""
    if shape == "laplace":
        noise = TruncatedLaplaceMechanism(scale=1.0 / EPSILON, truncation=cut, l1_sensitivity=1.0)
        return noise.density, loss_distribution(noise.event).infinite
    ending = EndingNoise(shape=shape, reach=cut)
    return ending.density, ending.given_away


CHECK = Check(
    question="3 patients; with noise the count comes out as −4. Before it is published, everything below 0 is set to "
    "0. What does that cost?",
    answers=(
        Answer(
            text="It breaks ε, like every cut.",
            feedback="Cutting the noise does, because its limits move with the exact count. Here the limit is 0, "
            "whatever the count: anybody could do it afterwards.",
        ),
        Answer(
            text="Nothing at all: it is free and only makes the answer better.",
            feedback="It is free for privacy, and each count gets closer to the truth. But small counts now come out "
            "too large on average (an upward bias), and adding up many of them adds up that bias.",
        ),
        Answer(
            text="It costs no privacy, but small counts come out too large on average.",
            feedback="The limit is public and does not depend on the count, so ε stays (post-processing). Only "
            "downward errors are cut, so what is published near 0 is too large on average (an upward bias).",
            right=True,
        ),
        Answer(
            text="A δ: the chance that the answer had to be set to 0.",
            feedback="That chance differs with you and without you by no more than ε allows. A δ is needed only where "
            "some answers are possible in one world only.",
        ),
    ),
)
LESSON = Lesson(
    key=KEY,
    question="May I cut off the noise?",
    steps=(
        Step(name="The cut", show=_cut),
        Step(name="What it costs", show=_cost),
        Step(name="Three cuts", show=truncation_clamps.three_cuts),
        Step(name="Upward bias", show=truncation_clamps.upward_bias),
        Step(name="Any end", show=_any_end),
    ),
    checks=(CHECK,),
)
