"""A step on mechanisms: reporting which candidate is best, without telling any number."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dpengine.charts.accuracy import choice_charts
from dpengine.formatting import amount, at_most, out_of_100
from dpengine.mechanisms import ExponentialMechanism, PermuteAndFlip, ReportNoisyMax, SelectionMechanism
from pages.lesson import pickers
from pages.lesson.lesson import Shown, choice, dial, formula, picture_and_words
from pages.widgets import outputs

KEY = "mechanisms"
PATIENTS = {"flu": 38, "asthma": 33, "mumps": 30, "gout": 18, "measles": 6}
RELATIONS = ("one more or one fewer", "one exchanged")
CONFIDENCE = 0.95
WAYS: Mapping[str, Callable[[float, bool], SelectionMechanism]] = {
    "Exponential": lambda epsilon, monotone: ExponentialMechanism(
        epsilon=epsilon, score_sensitivity=1.0, monotone=monotone
    ),
    "Permute and flip": lambda epsilon, monotone: PermuteAndFlip(
        epsilon=epsilon, score_sensitivity=1.0, monotone=monotone
    ),
    "Noisy max": lambda epsilon, monotone: ReportNoisyMax(epsilon=epsilon, score_sensitivity=1.0, monotone=monotone),
}
ALL = "All three"
HOW = {
    "Exponential": "Every disease may be named; each patient more makes it more likely by the same factor.",
    "Permute and flip": "Diseases come up in random order, and each is named or passed over by a coin that favors "
    "frequent ones. Never a larger error, on average, than the exponential way.",
    "Noisy max": "Laplace noise on every count, and the name with the largest noisy count is told.",
    ALL: "Three ways with the same ε: the same promise, slightly different chances.",
}


def choosing() -> Shown:
    """Which disease is most frequent? The chance of each to be named, on a small public table."""
    name = choice("How is it chosen?", [*WAYS, ALL], key=f"{KEY}_choice_way")
    epsilon = dial(f"{KEY}_choice_epsilon", start=0.5)
    place, words = picture_and_words(f"{KEY}_choice", picture=1.4)
    relation = pickers.pills(place, "Two tables differ in a patient:", RELATIONS, key=f"{KEY}_choice_relation")
    ways = {one: WAYS[one](epsilon, relation == RELATIONS[0]) for one in (WAYS if name == ALL else [name])}
    palette = outputs.palette()
    colors = (palette.answers, palette.advanced, palette.text)
    scores = list(PATIENTS.values())
    picture = choice_charts.choices(
        labels=[f"{disease}<br>{patients}" for disease, patients in PATIENTS.items()],
        axis="disease, and patients who have it",
        ways=[(one, way.probabilities(scores), color) for (one, way), color in zip(ways.items(), colors, strict=False)],
        palette=palette,
    )
    outputs.chart(place, picture, key=f"{KEY}_choice_chart")
    words.markdown(f"{HOW[name]}\n\n{_table(ways, scores)}" + _formula(name, relation))
    words.markdown(
        "Only the name is told; its noisy count would cost extra. Where all noisy counts are published anyway, picking "
        "the largest is free."
    )
    likeliest = [float(way.probabilities(scores)[0]) for way in ways.values()]
    rates = " to ".join(dict.fromkeys(out_of_100(rate) for rate in (min(likeliest), max(likeliest))))
    return Shown(
        finding=f"The most frequent disease is named {rates} of 100 times, at ε = {amount(epsilon)}",
        pictures=(picture,),
    )


def _table(ways: Mapping[str, SelectionMechanism], scores: list[int]) -> str:
    lines = [
        f"| {name} | {amount(way.expected_shortfall(scores))} | {at_most(way.utility_bound(CONFIDENCE, len(scores)))} |"
        for name, way in ways.items()
    ]
    heading = "| patients short of the best | here, on average | 95 of 100 times at most, whatever the counts |"
    return "\n".join([heading, "|---|---|---|", *lines])


def _formula(name: str, relation: str) -> str:
    if name != "Exponential":
        return ""
    factor = r"\varepsilon\,s/\Delta" if relation == RELATIONS[0] else r"\varepsilon\,s/(2\Delta)"
    words = "\n\nBelow, s is the score of a name (its patients) and Δ what one patient changes in it, here 1."
    return words + formula(rf"\Pr(\text{{name with score }}s)\propto e^{{{factor}}}")
