"""What promises come to, as examples for the contract of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dpengine.charts import Chart, Palette
from dpengine.charts.privacy import promise_charts
from dpengine.charts.privacy.promise_charts import LossRow
from dpengine.promises import FAMILY_OF_FOUR, MONTH, ONE_PERSON, TEN_TIMES_THE_EVENTS, YEAR, Promise

_WHOM = {"one person": ONE_PERSON, "a family of four": FAMILY_OF_FOUR, "10 × the events": TEN_TIMES_THE_EVENTS}


def rows_of(promise: Promise) -> list[LossRow]:
    """A month and a year of a promise, and a stretch of which nothing is told."""
    told = [
        LossRow(
            heading=words,
            totals={
                whom: total
                for whom, subject in _WHOM.items()
                if (total := promise.over(days=days, subject=subject)) is not None
            },
        )
        for words, days in {"a month": MONTH, "a year": YEAR}.items()
    ]
    return [*told, LossRow(heading="the whole time", untold="not said")]


def _ranges(promise: Promise) -> Callable[[Palette], Chart]:
    return lambda palette: promise_charts.ranges(rows_of(promise), palette)


EXAMPLES: Mapping[str, Callable[[Palette], Chart]] = {
    "a promise each day": _ranges(Promise(epsilon=2.19, delta=1e-5, unit="person-day", every_days=1.0)),
    "a tiny promise": _ranges(Promise(epsilon=1e-7, delta=0.0, unit="person", contribution=1, every_days=1.0)),
    "a promise of which little is said": _ranges(Promise(epsilon=1.0)),
    "a promise that comes to nothing": _ranges(Promise(epsilon=1.0, delta=0.5, unit="person", every_days=1.0)),
}
