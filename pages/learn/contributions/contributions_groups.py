"""One person in several groups: three ways to measure what they change, and the noise that each mechanism needs."""

from __future__ import annotations

import numpy as np

from dpengine.charts.tables import line_charts
from dpengine.charts.tables.line_charts import Line, LineView
from dpengine.formatting import amount
from dpengine.mechanisms import GaussianMechanism, LaplaceMechanism
from dpengine.privacy import Guarantee, Neighbors, Sensitivity
from dpengine.queries.sensitivity.sensitivities import Contribution, of_grouped_counts
from pages.lesson import pickers
from pages.lesson.lesson import Shown, dial, formula, picture_and_words
from pages.widgets import outputs

KEY = "contributions_groups"
GROUPS = (1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100)
ROWS = (1, 2, 3, 5, 10)
DELTA = 1e-6
MOST_EPSILON = 100.0


def by_group() -> Shown:
    """The step: a count for each group, one person in several of them."""
    epsilon = dial(f"{KEY}_epsilon", start=0.1, most=MOST_EPSILON)
    place, words = picture_and_words(KEY)
    left, right = place.columns(2)
    groups = pickers.stop(left, "Groups of one person, at most", GROUPS, key=f"{KEY}_groups", start=5)
    rows = pickers.stop(right, "Their rows in each, at most", ROWS, key=f"{KEY}_rows", start=2)
    moved = _moved(groups, rows)
    laplace, gaussian = _laplace(moved, epsilon), _gaussian(moved, epsilon)
    crossing = _crossing(rows, epsilon)
    view = LineView(
        at=np.array(GROUPS, dtype=np.float64),
        x_title="groups of one person, at most",
        y_title="noise in each group, rows",
        here=float(groups),
        crossing=None if crossing is None else float(crossing),
        crossing_words="" if crossing is None else f"from {crossing} groups on<br>Gaussian is smaller",
    )
    picture = line_charts.lines(view, _lines(groups, rows, epsilon), outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_chart")
    words.markdown(_words(moved, laplace, gaussian))
    better = "Gaussian" if gaussian < laplace else "Laplace"
    least = min(laplace, gaussian)
    finding = f"{groups} group{'s' if groups > 1 else ''} with {rows} row{'s' if rows > 1 else ''} in each: "
    return Shown(finding=f"{finding}{better} noise is smaller, ±{amount(least)} rows", pictures=(picture,))


def _words(moved: Sensitivity, laplace: float, gaussian: float) -> str:
    return (
        "Count rows by clinic, all clinics at once. One person may be in several, with several rows in each. By how "
        "much can they change **all counts together** (sensitivity)?\n\n"
        f"| distance | is | here |\n|---|---|---|\n| L1 | groups × rows | **{amount(moved.l1)}** |\n"
        f"| L2 | √groups × rows | **{amount(moved.l2)}** |\n| L∞ | rows in one group | **{amount(moved.linf)}** |\n\n"
        f"Laplace noise is sized by L1: **±{amount(laplace)}** in each group. Gaussian noise is sized by L2, and needs "
        f"a δ, here 10⁻⁶: **±{amount(gaussian)}** (standard deviations).\n\n"
        "So bound the groups of a person as well as their rows. A group with fewer rows than the noise shows nothing."
        + formula(r"L_1=k\,r,\quad L_2=\sqrt{k}\,r,\quad L_\infty=r")
    )


def _moved(groups: int, rows: int) -> Sensitivity:
    return of_grouped_counts(Contribution(groups=groups, rows_per_group=rows), Neighbors.ADD_REMOVE)


def _laplace(moved: Sensitivity, epsilon: float) -> float:
    return LaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=moved.l1).standard_deviation


def _gaussian(moved: Sensitivity, epsilon: float) -> float:
    guarantee = Guarantee(epsilon=epsilon, delta=DELTA)
    return GaussianMechanism.from_guarantee(guarantee, l2_sensitivity=moved.l2).standard_deviation


def _lines(groups: int, rows: int, epsilon: float) -> list[Line]:
    palette, here = outputs.palette(), _moved(groups, rows)
    each = [_moved(count, rows) for count in GROUPS]
    return [
        Line(
            label="Laplace, by L1",
            values=np.array([_laplace(moved, epsilon) for moved in each]),
            here=_laplace(here, epsilon),
            color=palette.with_person,
        ),
        Line(
            label="Gaussian, by L2",
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
