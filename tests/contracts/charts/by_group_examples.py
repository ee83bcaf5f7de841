"""Charts of whom the noise hurts, as examples for the contract of charts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from dpengine.charts import Chart, Palette
from dpengine.charts.accuracy import by_group_charts
from dpengine.charts.accuracy.by_group_charts import GroupRow

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


EXAMPLES: Mapping[str, Callable[[Palette], Chart]] = {
    "who pays": _drawn(FEW),
    "who pays, of a thousand": _drawn(MANY),
    "who pays, without noise": _drawn(EXACT),
}
