"""The lesson on truncation: may the noise be cut off?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpengine.charts import amount, at_least, cut_charts, tiny_from_log
from dpengine.charts.cut_charts import CostLine
from dpengine.losses import loss_distribution
from dpengine.losses.arrays import Array
from dpengine.mechanisms import TruncatedLaplaceMechanism
from dpengine.mechanisms.ending_noise import (
    EndingNoise,
    log_delta_of_clamped,
    log_delta_of_truncated,
    log_least_delta_of_ending_noise,
)
from pages.ui import outputs
from pages.ui.lessons import pickers, truncation_clamps
from pages.ui.lessons.check import Answer, Check
from pages.ui.lessons.lesson import Lesson, Shown, Step, choice, dial, formula, picture_and_words
from pages.ui.lessons.truncation_worlds import CASES, CUTS, answers_of, given_away, small, with_and_without

KEY = "truncation"
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
        f"Now an answer above {CASES - 1 + cut} is **possible with you alone**. It gives you away for certain, so no ε "
        "is kept, not even a huge one.\n\n"
        f"| | ε | δ |\n|---|---|---|\n| not cut | {amount(epsilon)} | 0 |\n| cut, no δ allowed | **∞** | 0 |\n"
        f"| cut, with a δ | {amount(epsilon)} | **{small(log_delta)}** |\n\n"
        "That δ is the purple patch on the right. No larger ε makes it smaller."
        + formula(r"\delta=\frac{e^{\varepsilon}-1}{2\,(e^{\varepsilon T/\Delta}-1)}")
    )
    finding = f"Noise cut off at ±{cut}: no ε is left, and {answers_of(log_delta)} give you away"
    return Shown(finding=finding, pictures=(picture,))


FAR_CUTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def _cost() -> Shown:
    epsilon = dial(f"{KEY}_cost_epsilon", start=1.0)
    place, words = picture_and_words(f"{KEY}_cost")
    cut = pickers.stop(place, "Noise is cut off at ±, people", FAR_CUTS, key=f"{KEY}_cost_at", start=1000)
    cuts = np.linspace(1.0, max(10.0, 1.25 * cut), 121)
    palette = outputs.palette()
    drawn = [
        CostLine(label=label, log_deltas=np.array([law(epsilon=epsilon, reach=float(one)) for one in cuts]), **look)
        for label, law, look in (
            ("put on the limit", log_delta_of_clamped, {"color": palette.spent}),
            ("drawn again", log_delta_of_truncated, {"color": palette.text}),
            ("least of any noise", log_least_delta_of_ending_noise, {"color": palette.muted, "dash": "dot"}),
        )
    ]
    picture = cut_charts.costs(cuts=cuts, drawn=drawn, here=float(cut), unit="people", palette=palette)
    outputs.chart(place, picture, key=f"{KEY}_cost_chart")
    words.markdown(
        f"Cut at {cut:,}, the promise changes from ε = {amount(epsilon)} to none (ε = ∞) unless a δ is allowed. How "
        "large a δ? Each further step out makes it smaller, by nearly the same factor."
        + (" On this scale the three lines lie on each other." if epsilon * cut > TOGETHER else "")
    )
    words.markdown(_costs(epsilon, float(cut)))
    words.markdown(
        "So a far cut does no harm in practice, but it is another promise: say (ε, δ), never ε alone.\n\n"
        "A slip to know: e⁻¹⁰⁰⁰/2 is about 10⁻⁴³⁵. Some course notes print 10⁻⁴³."
    )
    delta = small(log_delta_of_truncated(epsilon=epsilon, reach=float(cut)))
    finding = f"Cut at {cut:,}: ε jumps from {amount(epsilon)} to infinity, for a δ of {delta}"
    return Shown(finding=finding, pictures=(picture,))


def _costs(epsilon: float, cut: float) -> str:
    least = log_least_delta_of_ending_noise(epsilon=epsilon, reach=cut)
    return (
        "| what lies beyond | δ |\n|---|---|\n"
        f"| drawn again | **{small(log_delta_of_truncated(epsilon=epsilon, reach=cut))}** |\n"
        f"| put on the limit | {small(log_delta_of_clamped(epsilon=epsilon, reach=cut))} |\n"
        f"| least of any noise with this end | {tiny_from_log(least, bound=at_least)} |"
    )


SHAPES = {"Flat": "flat", "Like a tent": "pointed", "Truncated Laplace": "laplace"}
EPSILON, TOGETHER = 1.0, 40.0


def _any_end() -> Shown:
    name = choice("Which noise?", list(SHAPES), key=f"{KEY}_end_shape")
    place, words = picture_and_words(f"{KEY}_end")
    cut = pickers.stop(place, "Its end, ± people", CUTS, key=f"{KEY}_end_at", start=8)
    density, leak = _ending(SHAPES[name], cut)
    picture = with_and_without(density, given_away(cut), palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_end_chart")
    least = tiny_from_log(log_least_delta_of_ending_noise(epsilon=EPSILON, reach=cut), bound=at_least)
    words.markdown(
        "Choose any shape. It ends somewhere, and one person moves that end by one step. The last step on either side "
        "belongs to one world alone.\n\n"
        f"This noise gives you away for certain in **{amount(100 * leak)} of 100** answers, so δ is at least that.\n\n"
        "Could a better shape avoid it? No. If the last step is rare, the step before it may be at most e^ε times as "
        "frequent (and δ more), the one before that again, and all steps together must come to 100 of 100. Noise "
        f"that ends at ±{cut} has, at ε = 1, a δ of **at least {least}**, whatever its "
        "shape."
        + formula(r"\delta\ge\frac{e^{\varepsilon}-1}{2\,(e^{n\varepsilon}-1)},\quad n=\lfloor T/\Delta\rfloor+1")
    )
    finding = f"{name}: noise that ends gives somebody away, in {amount(100 * leak)} of 100 answers"
    return Shown(finding=finding, pictures=(picture,))


def _ending(shape: str, cut: float) -> tuple[Density, float]:
    """The density of noise with this end, and how often it gives somebody away for certain."""
    if shape == "laplace":
        noise = TruncatedLaplaceMechanism(scale=1.0 / EPSILON, truncation=cut, l1_sensitivity=1.0)
        return noise.density, loss_distribution(noise.event).infinite
    ending = EndingNoise(shape=shape, reach=cut)
    return ending.density, ending.given_away


CHECK = Check(
    question="A noisy count of 3 patients comes out as −4. Before it is published, everything below 0 is set to 0. "
    "What does that cost?",
    answers=(
        Answer(
            text="It breaks ε, like every cut.",
            feedback="Cutting the noise does, because its ends move with the exact count. Here the limit is 0, "
            "whatever the count: anybody could have done it afterwards.",
        ),
        Answer(
            text="Nothing at all: it is free and only makes the answer better.",
            feedback="Free for privacy, yes, and closer to the truth on average. But small counts now come out too "
            "large on average, and adding up many of them adds up the lean.",
        ),
        Answer(
            text="No privacy, but small counts come out too large on average.",
            feedback="The limit is public and does not depend on the count, so ε stays (post-processing). Only "
            "downward errors are cut, so the answer leans upward near 0.",
            right=True,
        ),
        Answer(
            text="A δ: the chance that the answer had to be set to 0.",
            feedback="That chance is nearly the same with you and without you, within e^ε. A δ is needed only where "
            "some answers are possible in one world alone.",
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
        Step(name="The lean", show=truncation_clamps.lean),
        Step(name="Any end", show=_any_end),
    ),
    check=CHECK,
)
