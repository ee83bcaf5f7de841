"""Two promises on one scale: the epsilons of each over the same days, and the odds that they stand for."""

from __future__ import annotations

from dataclasses import replace

from dpengine.charts.drawing.labels import on_axis
from dpengine.charts.drawing.theme import Chart, Palette
from dpengine.charts.privacy.promise_charts import LossRow, between, ranges
from dpengine.promises import Total
from dpengine.promises.comparing import PromiseComparison

NO_FIGURE = "no figure yet"


def side_by_side(found: PromiseComparison, *, whom: str, palette: Palette) -> Chart:
    """Both ranges below each other, each with its promise's name; where one has no figure its line says so."""
    totals = (found.first, found.second)
    drawn = ranges([_row(name, whom, one) for name, one in zip(on_axis(found.names), totals, strict=True)], palette)
    told = [(name, one) for name, one in zip(found.names, totals, strict=True) if one is not None]
    words = dict(told)
    said = "; ".join(f"{name}: {between(words[name]) if name in words else NO_FIGURE}" for name in found.names)
    return replace(
        drawn,
        alt=f"ε in all over {found.in_days} for {whom}. {said}.",
        numbers={"promise": [name for name, _ in told], **{k: v for k, v in drawn.numbers.items() if k != "time"}},
    )


def _row(name: str, whom: str, total: Total | None) -> LossRow:
    return LossRow(heading=name, untold=NO_FIGURE) if total is None else LossRow(heading=name, totals={whom: total})
