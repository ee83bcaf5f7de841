"""Steps on the definition: which two tables are compared, and what epsilons mean as ratios and odds."""

from __future__ import annotations

import numpy as np

from dpengine.beliefs import EpsilonMeaning, posterior_bounds
from dpengine.charts.privacy import belief_charts
from dpengine.data import sample_schema
from dpengine.formatting import amount, at_least, at_most, between_of_100
from dpengine.formatting.near_neutral import times
from dpengine.mechanisms.listed import LARGEST_EPSILON
from dpengine.privacy import Neighbors
from dpengine.queries import CountQuery, HistogramQuery, Query, SumQuery
from pages.lesson.check import Answer, Check
from pages.lesson.drawings import SmallTable, side_by_side
from pages.lesson.lesson import Shown, choice, dial, picture_and_words
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "definition"
COLUMNS = ("name", "age", "disease")
ROWS = (("Ben", "34", "flu"), ("Cleo", "71", "none"), ("Dan", "52", "asthma"))
YOU, ANOTHER = ("You", "40", "mumps"), ("Eve", "19", "none")
RELATIONS = {
    "You are added or removed": Neighbors.ADD_REMOVE,
    "You are replaced": Neighbors.REPLACE_ONE,
}
QUESTIONS: tuple[tuple[str, Query], ...] = (
    ("count of patients with mumps", CountQuery()),
    ("counts of all diseases", HistogramQuery("disease")),
    ("sum of ages from 0 to 120", SumQuery("age")),
)
EPSILONS = (0.0, 0.01, 0.1, 1.0, 10.0)
PRIORS = np.linspace(0.0, 1.0, 61)
PLAIN_FROM = 1.1
BELIEFS = (
    formula("Times as likely, at worst", r"e^{\varepsilon}")
    + formula(
        "What becomes of a belief p (a number from 0 to 1; posterior belief)",
        r"\frac{p}{p+(1-p)\,e^{\varepsilon}}\le\text{belief after}\le\frac{p}{p+(1-p)\,e^{-\varepsilon}}",
    )
    + "This is Bayes' rule at the largest and the smallest ratio of both chances that ε allows; e is about 2.72."
)


def two_tables() -> Shown:
    """The two neighbor relations, as two small tables, and how far one person moves answers under each."""
    relation = RELATIONS[choice("Which two tables?", list(RELATIONS), key=f"{KEY}_relation")]
    place, words = picture_and_words(f"{KEY}_tables", picture=1.3)
    added = relation is Neighbors.ADD_REMOVE
    other = (*ROWS,) if added else (*ROWS, ANOTHER)
    tables = (
        SmallTable(heading="This table …", columns=COLUMNS, rows=(*ROWS, YOU), marked=[len(ROWS)]),
        SmallTable(heading="… or this one?", columns=COLUMNS, rows=other, marked=[] if added else [len(ROWS)]),
    )
    side_by_side(place, tables, outputs.palette())
    name = "added or removed" if added else "replaced"
    hidden = "whether you are in the table" if added else "what your row says; the number of rows is public"
    words.markdown(
        f"Answers must be hard to tell apart for **every** such pair of tables ({name}). That hides {hidden}.\n\n"
        f"| question (query) | you can change it by at most (sensitivity) |\n|---|---|\n{_sensitivities(relation)}\n\n"
        "Both are sound promises, but the same ε means different things. Take a list of counts: you can change it by 1 "
        "if you are added or removed, by 2 if you are replaced, because one count falls and another rises."
    )
    moved = _moved(HistogramQuery("disease"), relation)
    return Shown(finding=f"One person can change a list of counts by at most {moved}")


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
        + "\n\n| ε | times as likely, at worst | 1 + ε | 50 out of 100 becomes |\n|---|---|---|---|\n"
        + "\n".join(_meaning(EpsilonMeaning(epsilon=one)) for one in EPSILONS)
        + "\n\nRead a small ε as a percentage: 0.01 is about 1%. Course notes that say “less than 1%” and, at 0.1, "
        f"“less than 10%” are slightly off: it can be {_percent(0.01)} and {_percent(0.1)}. All this is the worst case "
        "over every way to answer, for somebody who knows all other rows; the noise that is used may reveal less. What "
        "a reader believes after the answer (posterior belief) lies inside the band."
    )
    low, high = between_of_100(at_half)
    finding = f"A belief of 50 ends between {low} and {high} out of 100"
    return Shown(finding=finding, pictures=(picture,), computed=BELIEFS)


def _percent(epsilon: float) -> str:
    """By how many per cent a chance can grow, in four digits and never above it."""
    return f"{at_least(100.0 * float(np.expm1(epsilon)), 4)}%"


def at_most_times(ratio: float) -> str:
    """A largest ratio in three digits, never below it; close to 1, in three digits of what lies above 1."""
    return times(ratio) if 1.0 < ratio < PLAIN_FROM else at_most(ratio)


def _odds(meaning: EpsilonMeaning) -> str:
    """The chosen epsilon as odds: how often any attacker can be right, and what one bet becomes."""
    _, present = _span(meaning)
    return (
        "An attacker who thinks it 50:50 whether you are in the table, even knowing everybody else, can be right in at "
        f"most **{present} out of 100** cases (50 is pure chance). In the worst case, odds of 1 to 1 become "
        f"{at_most_times(meaning.ratio)} to 1."
    )


def _span(meaning: EpsilonMeaning) -> tuple[str, str]:
    odds = meaning.odds
    return between_of_100((odds.without_data / 100, odds.with_data / 100))


def _meaning(meaning: EpsilonMeaning) -> str:
    lowest, highest = _span(meaning)
    rule = at_most_times(meaning.small_number_rule)
    return f"| {meaning.epsilon:g} | {at_most_times(meaning.ratio)} | {rule} | {lowest} to {highest} |"


OF_SHARES = Check(
    question="A school's number of pupils is public: 400. It publishes the share of pupils who smoke, and the "
    "shares of "
    "two other habits. One pupil is replaced by another. How far can the three shares move, added up?",
    answers=(
        Answer(
            text="By at most 0.75 percentage points.",
            feedback="Each share can move by 1 divided by 400, which is 0.25 points, and one pupil may be in all "
            "three.",
            right=True,
        ),
        Answer(
            text="By at most 0.25 percentage points, as each pupil counts once.",
            feedback="That holds for one share. One pupil may have all three habits, and so move each of them.",
        ),
        Answer(
            text="By at most 3 percentage points, one for each share.",
            feedback="A count moves by 1 pupil. A share of 400 pupils moves by 1 divided by 400.",
        ),
        Answer(
            text="That depends on how many of them smoke.",
            feedback="The limit has to hold for every table, so it depends on what is public alone: 400 pupils, three "
            "shares.",
        ),
    ),
)
