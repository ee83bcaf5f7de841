"""Charts of many answers at once, whom the noise hurts and which noise, as examples for the contract of charts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from dpengine.charts import Chart, Palette
from dpengine.charts.accuracy import by_group_charts, many_counts_charts
from dpengine.charts.accuracy.by_group_charts import GroupRow
from dpengine.charts.accuracy.many_counts_charts import Compared

AXIS = "error of 95% of answers, as a share of the group's own count"
FEW = (
    GroupRow(label="<a href='x'>nobody</a>", size=0.0, relative=math.inf, coarser=2.4),
    GroupRow(label="some", size=31.0, relative=0.97, coarser=0.97),
    GroupRow(label="left out", size=90.0, relative=0.33),
    GroupRow(label="many", size=5_000_000.0, relative=0.000006, coarser=0.000003),
)
MANY = tuple(GroupRow(label=f"g{size}", size=float(size), relative=3.0 / size) for size in range(1, 1001))
EXACT = (GroupRow(label="certain", size=7.0, relative=0.0),)


def _drawn(rows: tuple[GroupRow, ...]) -> Callable[[Palette], Chart]:
    return lambda palette: by_group_charts.by_group(rows, axis=AXIS, palette=palette)


def _ways(palette: Palette) -> Chart:
    compared = [
        Compared(measure="one count", errors=[6.0, 12.0]),
        Compared(measure="all 60 at once", errors=[14.0, 27.0], least=7.0),
        Compared(measure="the range (30 bins)", errors=[24.0, 16.0]),
    ]
    ways = ["Laplace noise", "2 histograms, Laplace"]
    return many_counts_charts.side_by_side(ways, compared, unit="people", palette=palette)


EXAMPLES: Mapping[str, Callable[[Palette], Chart]] = {
    "who pays": _drawn(FEW),
    "who pays, of a thousand": _drawn(MANY),
    "who pays, without noise": _drawn(EXACT),
    "which noise": _ways,
}
