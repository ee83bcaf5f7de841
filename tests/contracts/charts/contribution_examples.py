"""Charts of what one person counts with, as examples for the contract of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dpengine.charts import Chart, Palette
from dpengine.charts.tables import contribution_charts
from dpengine.charts.tables.contribution_charts import BoundView
from dpengine.data import PrivacyUnit
from pages.plan.table.person_picture import invented

Drawing = Callable[[Palette], Chart]
FEW, MANY = {1: 300, 2: 90, 3: 12, 7: 1}, {size: 10_000 // size for size in (1, 2, 40, 41, 999_999)}


def _person(**bounds: int) -> Drawing:
    view = invented(PrivacyUnit(identifier="person", **bounds))
    return lambda palette: contribution_charts.one_person(view, palette)


def _people(people_with: Mapping[int, int], bound: int) -> Drawing:
    return lambda palette: contribution_charts.people_by_rows(people_with, bound=bound, palette=palette)


def _losses(palette: Palette) -> Chart:
    return contribution_charts.loss_by_rows(
        rows=[1, 2, 5], losses=[0.5, 1.0, 2.5], people=[300, 20, 1], palette=palette
    )


def _bounds(*dropped: float) -> Drawing:
    bounds = range(1, len(dropped) + 1)
    view = BoundView(bounds=bounds, dropped=dropped, noise=[10.0 * bound for bound in bounds], exact=7.0, unit="years")
    return lambda palette: contribution_charts.bias_and_noise(view, palette)


EXAMPLES: Mapping[str, Drawing] = {
    "one person, one visit counts": _person(rows=1),
    "one person, all visits count": _person(rows=100),
    "one person, fewer by clinic": _person(rows=6, groups=2, rows_per_group=2),
    "loss by rows": _losses,
    "bias and noise": _bounds(90.0, 40.0, 10.0, 0.0),
    "bias and noise, nothing dropped": _bounds(0.0),
    "people by rows": _people(FEW, 2),
    "people by rows, nobody cut": _people(FEW, 7),
    "people by rows, everybody cut in part": _people(MANY, 1),
    "people by rows, very many": _people(MANY, 500_000),
    "people by rows, nobody there": _people({}, 3),
}
