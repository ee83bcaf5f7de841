"""A step on mechanisms: what a choice costs in computing, since every candidate has to be scored."""

from __future__ import annotations

import math

import numpy as np

from dpengine.charts import Chart
from dpengine.charts.tables import line_charts
from dpengine.charts.tables.line_charts import Line, LineView
from dpengine.formatting import amount
from pages.lesson.lesson import Shown, picture_and_words, whole_number
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "mechanisms"
MOST_COLUMNS, SCORES_A_SECOND, A_DAY = 40, 1e6, 86400.0
UNITS = (("days", A_DAY), ("hours", 3600.0), ("minutes", 60.0), ("seconds", 1.0))
COST = (
    formula(
        "The chance that a candidate with score s is chosen (exponential mechanism), over all candidates c",
        r"\frac{e^{\varepsilon s/(2\Delta)}}{\sum_c e^{\varepsilon s_c/(2\Delta)}}",
    )
    + "Δ is what one person can change in any score. The sum below the line needs the score of each candidate: all "
    "sets of d columns are $2^d$, all pairs $d(d-1)/2$. The error grows far more slowly, with the logarithm of their "
    "number. Source: McSherry and Talwar 2007."
)


def scoring_all() -> Shown:
    """How many candidates have to be scored, and how long that takes, as columns are added."""
    place, words = picture_and_words(f"{KEY}_scores")
    columns = whole_number(
        place, "Columns to choose from", key=f"{KEY}_scores_columns", span=(2, MOST_COLUMNS), start=30
    )
    picture = _picture(columns)
    outputs.chart(place, picture, key=f"{KEY}_scores_chart")
    sets, time = 2**columns, _time(2**columns / SCORES_A_SECOND)
    words.markdown(
        "Before one candidate is chosen, **every candidate has to be scored**, even those that are hardly ever named. "
        f"May the answer be any set of {columns} columns? That is {sets:,} scores: {time} at a million scores a "
        f"second. Each further column doubles it. For any two of the columns {math.comb(columns, 2):,} are enough."
    )
    return Shown(finding=f"Any set of {columns} columns: {sets:,} scores, {time}", pictures=(picture,), computed=COST)


def _picture(columns: int) -> Chart:
    palette, at = outputs.palette(), np.arange(2.0, MOST_COLUMNS + 1.0)
    over_a_day = math.floor(math.log2(SCORES_A_SECOND * A_DAY)) + 1
    view = LineView(
        at=at,
        x_title="columns to choose from",
        y_title="candidates to be scored",
        here=float(columns),
        crossing=float(over_a_day),
        crossing_words=f"any set: over a day<br>from {over_a_day} columns on",
    )
    sets = Line(label="any set of columns", values=2.0**at, here=2.0**columns, color=palette.attacker)
    pairs = Line(
        label="any two columns", values=at * (at - 1.0) / 2.0, here=float(math.comb(columns, 2)), color=palette.text
    )
    return line_charts.lines(view, (sets, pairs), palette)


def _time(seconds: float) -> str:
    if seconds < 1.0:
        return "under a second"
    unit, length = next(((unit, length) for unit, length in UNITS if seconds >= 2.0 * length), UNITS[-1])
    return f"{amount(seconds / length)} {unit}"
