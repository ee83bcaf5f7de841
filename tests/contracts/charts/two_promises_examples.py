"""Two promises side by side, as examples for the contract of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dpengine.charts import Chart, Palette
from dpengine.charts.privacy import two_promises_charts
from dpengine.promises import Promise
from dpengine.promises.comparing import compared

_DAILY = Promise(name="Daily", epsilon=2.0, delta=0.0, unit="person-day", every_days=1.0)
_EVENTS = Promise(name="<a href='https://example.org'>Events</a>", epsilon=1.0, delta=0.0, unit="event", every_days=1.0)


def _beside(one: Promise, other: Promise) -> Callable[[Palette], Chart]:
    found = compared(one, other, days=365.0)
    return lambda palette: two_promises_charts.side_by_side(found, whom="one person", palette=palette)


EXAMPLES: Mapping[str, Callable[[Palette], Chart]] = {
    "two promises": _beside(_DAILY, Promise(name="Once", rho=2.56, unit="person", every_days=365.0)),
    "two promises, one without an end": _beside(_DAILY, Promise(name="Open", epsilon=1.0, delta=0.0, unit="person")),
    "two promises, one without a figure": _beside(_DAILY, _EVENTS),
}
