"""A bound that is too small drops rows, one that is too large needs noise: both errors, and the best bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from dpengine.accuracy import Guess
from dpengine.accuracy.lessons.bounded_people import bounded_sum
from dpengine.charts.tables import contribution_charts
from dpengine.charts.tables.contribution_charts import BoundView
from dpengine.data import Comparison, Schema, sample_frame, sample_schema
from dpengine.formatting import amount, out_of_100
from dpengine.losses.arrays import Array
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, MeanQuery, Query
from pages.lesson.lesson import Shown, choice, dial, picture_and_words
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "contributions_bound"
TABLE, SPENDING = "rand_hie", "medical_dollars"
BOUNDS = (1, 2, 3, 4, 5)
MOST_EPSILON = 100.0
BOTH = (
    formula("Both errors together", r"\text{both}=\sqrt{\text{dropped}^2+\text{noise}^2}")
    + "All three are roots of mean squared errors: the error by dropping is what the mean answer is off, and how much "
    "that varies with the rows that are dropped; the noise has its standard deviation."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyQuestion:
    """A question about the study: what of each row it adds up, whether it is a mean, and its unit."""

    query: Query
    values: Array
    mean: bool
    unit: str


@cache
def _people() -> Array:
    return np.unique(sample_frame(TABLE)["person"].to_numpy(), return_inverse=True)[1].astype(np.float64)


@cache
def _questions() -> Mapping[str, StudyQuestion]:
    """What may be asked; the rows of the study are public."""
    frame = sample_frame(TABLE)
    column = sample_schema(TABLE).number(SPENDING)
    dollars: Array = frame[SPENDING].to_numpy(dtype=np.float64)
    spending: Array = np.minimum(np.maximum(dollars, column.lower), column.upper)
    often: Array = np.where(frame["hospital_stays"].to_numpy(dtype=np.float64) >= 2.0, 1.0, 0.0)
    stays = CountQuery(where=Comparison("hospital_stays", ">=", 2))
    return {
        "Years with 2 or more hospital stays": StudyQuestion(query=stays, values=often, mean=False, unit="years"),
        "All years": StudyQuestion(query=CountQuery(), values=np.ones(len(often)), mean=False, unit="years"),
        "Mean spending a year": StudyQuestion(query=MeanQuery(SPENDING), values=spending, mean=True, unit="dollars"),
    }


def too_small_or_too_large() -> Shown:
    """The step: what the bound drops against the noise that it needs, for three questions."""
    name = choice("Question", list(_questions()), key=f"{KEY}_question")
    epsilon = dial(f"{KEY}_epsilon", start=0.1, most=MOST_EPSILON)
    place, words = picture_and_words(KEY)
    asked = _questions()[name]
    view = _view(asked, epsilon)
    picture = contribution_charts.bias_and_noise(view, outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_chart")
    words.markdown(_words(name, asked, view))
    finding = f"At ε = {amount(epsilon)}, keeping {view.best} row{'s' if view.best > 1 else ''} per person errs least"
    return Shown(finding=finding, pictures=(picture,), computed=BOTH)


def _words(name: str, asked: StudyQuestion, view: BoundView) -> str:
    """What the best bound drops and what it needs, beside the largest bound; why; and that this was peeking."""
    best, last = BOUNDS.index(view.best), len(BOUNDS) - 1
    shares, together = _dropped_shares(), view.together
    rows = "\n".join(
        f"| at most {BOUNDS[i]} | {out_of_100(shares[i])}% | {amount(view.dropped[i])} | {amount(view.noise[i])} "
        f"| **{amount(together[i])}** |"
        for i in sorted({0, best, last})
    )
    return (
        f"{name}: **{view.exact:,.0f}{' dollars' if asked.mean else ''}** without noise. How far off is an answer "
        "typically (root mean square)? Both together: the root of the two squares added up.\n\n"
        f"| rows per person | rows dropped | error by dropping | by noise | both |\n|---|---|---|---|---|\n{rows}\n\n"
        f"{_why(asked, view)}\n\n"
        "You may see this because the table is public. Choose your own bound **without looking**: from a similar "
        "public table, or from how many rows a person could have."
    )


def _why(asked: StudyQuestion, view: BoundView) -> str:
    if asked.mean and view.best < BOUNDS[-1]:
        return "Dropped rows look like the others, so the mean hardly changes, and a smaller bound needs less noise."
    if view.best == BOUNDS[-1]:
        return "Every dropped row is missing from the answer, and the noise is small beside that: keep all five."
    return "The best bound drops rows on purpose: the noise they would need is the larger error."


def _view(asked: StudyQuestion, epsilon: float) -> BoundView:
    """Both errors for every bound, in the unit of the answer."""
    rows = len(asked.values)
    exact = float(asked.values.mean() if asked.mean else asked.values.sum())
    kept = [bounded_sum(_people(), asked.values, bound=bound) for bound in BOUNDS]
    counted = [one.rows if asked.mean else 1 for one in kept]
    pairs = list(zip(kept, counted, strict=True))
    noise = [
        _noise(asked, epsilon, bound, Guess(records=one.rows if asked.mean else rows, answer=one.mean / count))
        for bound, (one, count) in zip(BOUNDS, pairs, strict=True)
    ]
    dropped = [float(np.hypot(exact - one.mean / count, one.standard_deviation / count)) for one, count in pairs]
    return BoundView(bounds=BOUNDS, dropped=dropped, noise=noise, exact=exact, unit=asked.unit)


def _noise(asked: StudyQuestion, epsilon: float, bound: int, guess: Guess) -> float:
    """The standard deviation of the noise where so many rows of a person count."""
    planned = PlannedQuery(query=asked.query, guarantee=Guarantee(epsilon=epsilon))
    return planned.error(_schema(bound), Neighbors.ADD_REMOVE, guess).standard_deviation


def _schema(bound: int) -> Schema:
    schema = sample_schema(TABLE)
    return replace(schema, unit=replace(schema.unit, rows=bound))


@cache
def _dropped_shares() -> Sequence[float]:
    people = _people()
    counted = [bounded_sum(people, np.ones(len(people)), bound=bound).rows for bound in BOUNDS]
    return [1.0 - rows / len(people) for rows in counted]
