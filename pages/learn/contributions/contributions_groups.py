"""One person in several groups: how much of them counts, what they change, and the noise that it needs."""

from __future__ import annotations

import numpy as np

from dpengine.charts.tables import line_charts
from dpengine.charts.tables.line_charts import Line, LineView
from dpengine.formatting import amount, at_most
from dpengine.mechanisms import GaussianMechanism, LaplaceMechanism
from dpengine.privacy import Guarantee, Neighbors, Sensitivity
from dpengine.queries.sensitivity.sensitivities import Contribution, of_grouped_counts
from pages.lesson import pickers
from pages.lesson.lesson import Shown, dial, picture_and_words
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "contributions_groups"
GROUPS = (1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100)
ROWS = (1, 2, 3, 5, 10)
DELTA, CONFIDENCE = 1e-6, 0.95
MOST_EPSILON = 100.0
CHANGED = (
    formula("What one person can change all counts by, added up (L1)", r"\text{groups}\times\text{rows}")
    + formula("The root of the squares of these changes, added up (L2)", r"\sqrt{\text{groups}}\times\text{rows}")
    + "Laplace noise has the scale L1 divided by ε; the smallest Gaussian noise for L2, ε and δ: Balle and Wang 2018."
)


def by_group() -> Shown:
    """The step: a count for each group, one person in several of them."""
    epsilon = dial(f"{KEY}_epsilon", start=0.1, most=MOST_EPSILON)
    place, words = picture_and_words(KEY)
    left, right = place.columns(2)
    groups = pickers.stop(left, "Groups in which one person counts, at most", GROUPS, key=f"{KEY}_groups", start=5)
    rows = pickers.stop(right, "Rows that count in each, at most", ROWS, key=f"{KEY}_rows", start=2)
    moved = _moved(groups, rows)
    laplace, gaussian = _laplace(moved, epsilon), _gaussian(moved, epsilon)
    crossing = _crossing(rows, epsilon)
    view = LineView(
        at=np.array(GROUPS, dtype=np.float64),
        x_title="groups of one person, at most",
        y_title="95% interval in each group, ± rows",
        here=float(groups),
        crossing=None if crossing is None else float(crossing),
        crossing_words="" if crossing is None else f"from {crossing} groups on<br>Gaussian is smaller",
    )
    picture = line_charts.lines(view, _lines(groups, rows, epsilon), outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_chart")
    words.markdown(_words(groups, rows, laplace, gaussian))
    better = "Gaussian" if gaussian < laplace else "Laplace"
    least = min(laplace, gaussian)
    finding = f"{better} noise is smaller here: ±{at_most(least)} rows in each group"
    return Shown(finding=finding, pictures=(picture,), computed=CHANGED)


def _words(groups: int, rows: int, laplace: float, gaussian: float) -> str:
    moved = _moved(groups, rows)
    return (
        "Count rows by clinic, all clinics at once. **You choose how many clinics of a person count, and how many rows "
        "in each.** A low limit needs less noise, but rows beyond it are dropped at random: the counts are too low "
        "(bias).\n\n"
        "| noise | one person can change all counts together by | noise in each |\n|---|---|---|\n"
        f"| Laplace | **{amount(moved.l1)}** (L1 sensitivity) | **±{at_most(laplace)}** |\n"
        f"| Gaussian | **{amount(moved.l2)}** (L2 sensitivity) | **±{at_most(gaussian)}** |\n\n"
        f"Laplace noise has to hide the changes of all counts added up ({groups} times {rows}); for Gaussian noise the "
        "root of their squares added up is enough. Each ± is a 95% interval; Gaussian noise also needs a δ, here 10⁻⁶. "
        "A group with fewer rows than the noise shows nothing. So choose limits that few people exceed, **without "
        "looking**."
    )


def _moved(groups: int, rows: int) -> Sensitivity:
    return of_grouped_counts(Contribution(groups=groups, rows_per_group=rows), Neighbors.ADD_REMOVE)


def _laplace(moved: Sensitivity, epsilon: float) -> float:
    return LaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=moved.l1).error_quantile(CONFIDENCE)


def _gaussian(moved: Sensitivity, epsilon: float) -> float:
    guarantee = Guarantee(epsilon=epsilon, delta=DELTA)
    return GaussianMechanism.from_guarantee(guarantee, l2_sensitivity=moved.l2).error_quantile(CONFIDENCE)


def _lines(groups: int, rows: int, epsilon: float) -> list[Line]:
    palette, here = outputs.palette(), _moved(groups, rows)
    each = [_moved(count, rows) for count in GROUPS]
    return [
        Line(
            label="Laplace noise",
            values=np.array([_laplace(moved, epsilon) for moved in each]),
            here=_laplace(here, epsilon),
            color=palette.with_person,
        ),
        Line(
            label="Gaussian noise",
            values=np.array([_gaussian(moved, epsilon) for moved in each]),
            here=_gaussian(here, epsilon),
            color=palette.exact,
        ),
    ]


def _crossing(rows: int, epsilon: float) -> int | None:
    """The first number of groups at which Gaussian noise is smaller, if it is drawn."""
    counts = range(1, GROUPS[-1] + 1)
    every = ((count, _moved(count, rows)) for count in counts)
    return next((count for count, moved in every if _gaussian(moved, epsilon) < _laplace(moved, epsilon)), None)
