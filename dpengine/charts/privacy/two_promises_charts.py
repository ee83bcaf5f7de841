"""Two promises on one scale: the epsilons of each over the same days, and the odds that they stand for."""

from __future__ import annotations

from dataclasses import replace

from dpengine.charts.drawing.labels import on_axis
from dpengine.charts.drawing.theme import Chart, Palette
from dpengine.charts.privacy.promise_charts import LossRow, ranges
from dpengine.promises import Total
from dpengine.promises.comparing import PromiseComparison

NO_FIGURE = "no figure yet"


def side_by_side(found: PromiseComparison, *, whom: str, palette: Palette) -> Chart:
    """Both ranges below each other, each with its promise's name; where one has no figure its line says so."""
    names = on_axis(found.names)
    rows = [_row(name, whom, total) for name, total in zip(names, (found.first, found.second), strict=True)]
    drawn = ranges(rows, palette)
    numbers = dict(drawn.numbers)
    return replace(drawn, numbers={"promise": numbers.pop("time"), **numbers})


def _row(name: str, whom: str, total: Total | None) -> LossRow:
    return LossRow(heading=name, untold=NO_FIGURE) if total is None else LossRow(heading=name, totals={whom: total})
