"""Steps on the definition: which two tables are compared, and what epsilons mean as ratios and odds."""

from __future__ import annotations

import numpy as np

from dpengine.beliefs import EpsilonMeaning, posterior_bounds
from dpengine.charts.privacy import belief_charts
from dpengine.data import sample_schema
from dpengine.formatting import amount
from dpengine.formatting.near_neutral import between_of_100, times
from dpengine.mechanisms.listed import LARGEST_EPSILON
from dpengine.privacy import Neighbors
from dpengine.queries import CountQuery, HistogramQuery, Query, SumQuery
from pages.lesson.drawings import SmallTable, side_by_side
from pages.lesson.lesson import Shown, choice, dial, formula, picture_and_words
from pages.widgets import outputs

KEY = "definition"
COLUMNS = ("name", "age", "disease")
ROWS = (("Ben", "34", "flu"), ("Cleo", "71", "none"), ("Dan", "52", "asthma"))
YOU, ANOTHER = ("You", "40", "mumps"), ("Eve", "19", "none")
RELATIONS = {
    "You are there or not": Neighbors.ADD_REMOVE,
    "You are exchanged": Neighbors.REPLACE_ONE,
}
QUESTIONS: tuple[tuple[str, Query], ...] = (
    ("count of patients with mumps", CountQuery()),
    ("counts of all diseases", HistogramQuery("disease")),
    ("sum of ages from 0 to 120", SumQuery("age")),
)
EPSILONS = (0.0, 0.01, 0.1, 1.0, 10.0)
PRIORS = np.linspace(0.0, 1.0, 61)


def two_tables() -> Shown:
    """The two neighbor relations, as two small tables, and how far one person moves answers under each."""
    relation = RELATIONS[choice("Which two tables?", list(RELATIONS), key=f"{KEY}_relation")]
    place, words = picture_and_words(f"{KEY}_tables", picture=1.3)
    added = relation is Neighbors.ADD_REMOVE
    other = (*ROWS,) if added else (*ROWS, ANOTHER)
    tables = (
        SmallTable(heading="This table …", columns=COLUMNS, rows=(*ROWS, YOU), marked=len(ROWS)),
        SmallTable(heading="… or this one?", columns=COLUMNS, rows=other, marked=None if added else len(ROWS)),
    )
    side_by_side(place, tables, outputs.palette())
    name = "add/remove, also: unbounded" if added else "replace one, also: bounded"
    hidden = "whether you are there at all" if added else "what your row says; how many there are is public"
    words.markdown(
        f"Answers must be hard to tell apart for **every** such pair of tables ({name}). It hides {hidden}.\n\n"
        f"| question | you move it by at most |\n|---|---|\n{_sensitivities(relation)}\n\n"
        "Both are sound promises, but ε in one is not ε in the other. A list of counts is the usual trap: "
        "1 in one relation, 2 in the other, because an exchange lowers one count and raises another."
    )
    moved = _moved(HistogramQuery("disease"), relation)
    return Shown(finding=f"Two tables that differ in one person: a list of counts moves by {moved}")


def _sensitivities(relation: Neighbors) -> str:
    return "\n".join(f"| {words} | {_moved(query, relation)} |" for words, query in QUESTIONS)


def _moved(query: Query, relation: Neighbors) -> str:
    (part,) = query.parts(sample_schema("patients"), relation)
    return amount(part.sensitivity.l1)


def size_of_epsilon() -> Shown:
    """What some epsilons mean, in a table, and what the chosen one does to any belief."""
    epsilon = dial(f"{KEY}_size_epsilon", start=1.0, most=LARGEST_EPSILON)
    lower, upper = posterior_bounds(PRIORS, epsilon=epsilon)
    at_half = posterior_bounds(0.5, epsilon=epsilon)
    place, words = picture_and_words(f"{KEY}_size", picture=1.1)
    picture = belief_charts.posterior(
        priors=PRIORS,
        lower=lower,
        upper=upper,
        prior=0.5,
        after=at_half,
        at_half=at_half,
        palette=outputs.palette(),
    )
    outputs.chart(place, picture, key=f"{KEY}_size_chart")
    words.markdown(
        _odds(EpsilonMeaning(epsilon=epsilon))
        + "\n\n| ε | times as likely, at worst | 1 + ε | 50 of 100 becomes |\n|---|---|---|---|\n"
        + "\n".join(_meaning(EpsilonMeaning(epsilon=one)) for one in EPSILONS)
        + "\n\nSmall ε: just read it as a percentage, 0.01 is about 1 %. All this is the worst case over every way to "
        "answer, for somebody who knows all other rows; a given noise may reveal less. With a belief $p$ before:"
        + formula(r"\frac{p}{p+(1-p)\,e^{\varepsilon}}\le\text{belief after}\le\frac{p}{p+(1-p)\,e^{-\varepsilon}}")
    )
    low, high = between_of_100(at_half, before=0.5)
    return Shown(finding=f"Whoever was undecided about you ends between {low} and {high} of 100", pictures=(picture,))


def _odds(meaning: EpsilonMeaning) -> str:
    """The chosen epsilon as odds: how often an attacker says so, and what one bet becomes."""
    absent, present = _span(meaning)
    return (
        f"**If your record is in the table, at most {present} of 100 answers make an attacker say so; if it is not, at "
        f"least {absent} do**, as long as the attacker errs as often one way as the other. In the worst case, odds of "
        f"1 to 1 become {times(meaning.ratio)} to 1."
    )


def _span(meaning: EpsilonMeaning) -> tuple[str, str]:
    odds = meaning.odds
    return between_of_100((odds.without_data / 100, odds.with_data / 100), before=0.5)


def _meaning(meaning: EpsilonMeaning) -> str:
    lowest, highest = _span(meaning)
    rule = times(meaning.small_number_rule)
    return f"| {meaning.epsilon:g} | {times(meaning.ratio)} | {rule} | {lowest} to {highest} |"
