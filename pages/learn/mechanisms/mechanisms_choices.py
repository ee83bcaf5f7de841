"""A step on mechanisms: reporting which candidate is best, without telling any number."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dpengine.charts.accuracy import choice_charts
from dpengine.formatting import amount, at_most, out_of_100
from dpengine.mechanisms import ExponentialMechanism, PermuteAndFlip, ReportNoisyMax, SelectionMechanism
from pages.lesson import pickers
from pages.lesson.lesson import Shown, choice, dial, picture_and_words
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "mechanisms"
PATIENTS = {"flu": 38, "asthma": 33, "mumps": 30, "gout": 18, "measles": 6}
RELATIONS = ("one patient added or removed", "one patient replaced")
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
    "Exponential": "Every disease may be named; each further patient makes it more likely by the same factor.",
    "Permute and flip": "Diseases come up in random order, and a coin that favors frequent ones decides whether to "
    "name each. On average its error is never larger than that of the exponential way.",
    "Noisy max": "Every count gets Laplace noise, and the name with the largest noisy count is published.",
    ALL: "Three ways with the same ε: the same promise, slightly different chances.",
}


def choosing() -> Shown:
    """Which disease is most frequent? The chance of each to be named, on a small public table."""
    name = choice("How is it chosen?", [*WAYS, ALL], key=f"{KEY}_choice_way")
    epsilon = dial(f"{KEY}_choice_epsilon", start=0.5)
    place, words = picture_and_words(f"{KEY}_choice", picture=1.4)
    relation = pickers.pills(place, "How two tables may differ", RELATIONS, key=f"{KEY}_choice_relation")
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
    words.markdown(f"{HOW[name]}\n\n{_table(ways, scores)}")
    words.markdown(
        "Only the name is published; its noisy count would cost extra. Where all noisy counts are published anyway, "
        "picking the largest is free."
    )
    likeliest = [float(way.probabilities(scores)[0]) for way in ways.values()]
    rates = " to ".join(dict.fromkeys(f"{out_of_100(rate)}%" for rate in (min(likeliest), max(likeliest))))
    return Shown(
        finding=f"The most frequent disease is named in {rates} of draws",
        pictures=(picture,),
        computed=_formula(relation) + SOURCES,
    )


def _table(ways: Mapping[str, SelectionMechanism], scores: list[int]) -> str:
    lines = [
        f"| {name} | {amount(way.expected_shortfall(scores))} | {at_most(way.utility_bound(CONFIDENCE, len(scores)))} |"
        for name, way in ways.items()
    ]
    heading = "| how many fewer patients than the most frequent | on average | at most, in 95% of draws |"
    return "\n".join([heading, "|---|---|---|", *lines])


def _formula(relation: str) -> str:
    factor = r"\varepsilon\,s/\Delta" if relation == RELATIONS[0] else r"\varepsilon\,s/(2\Delta)"
    words = "Exponential: the chance of a name with score s (its patients)"
    return formula(words, rf"\Pr(\text{{name with score }}s)\propto e^{{{factor}}}")


SOURCES = (
    "Δ is what one patient changes in a score, here 1. Sources: McSherry and Talwar 2007 (exponential mechanism), "
    "McKenna and Sheldon 2020 (permute and flip), Dwork and Roth 2014 (report noisy max)."
)
