"""Whom a promise protects: units of privacy, each with whose data it is and how many days of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from dpengine.errors import require_between, require_whole

WEEK, MONTH, YEAR = 7.0, 365.0 / 12.0, 365.0
"""Days; twelve months are a year."""
MOST_TOGETHER = 10**12
"""People of a group, or events of one of them, for whom a promise is judged."""
SAME = 1.0 + 1e-9
"""Times that differ by less are one time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What cannot be told apart: all of somebody's data, or so many `days` of it; `of` says whose.

    An event is one thing that somebody does: its `days` are 0.
    """

    words: str
    of: str
    days: float = math.inf

    @property
    def is_whole(self) -> bool:
        """Whether all data of that person, household or device are covered at once."""
        return math.isinf(self.days)


UNITS: Mapping[str, Unit] = MappingProxyType(
    {
        "person": Unit(words="a person", of="person"),
        "household": Unit(words="a household", of="household"),
        "device": Unit(words="a device", of="device"),
        "event": Unit(words="one event, such as a visit or a click", of="event", days=0.0),
        "person-day": Unit(words="a person's day", of="person", days=1.0),
        "person-week": Unit(words="a person's week", of="person", days=WEEK),
        "person-month": Unit(words="a person's month", of="person", days=MONTH),
        "device-six-hours": Unit(words="a device's six hours", of="device", days=0.25),
        "device-day": Unit(words="a device's day", of="device", days=1.0),
    }
)


def periods_touched(days: float, period: float, *, every: float) -> tuple[int, int]:
    """How many protected periods a release touches that has so many days in a row, at least and at most.

    `every` is the time from one release to the next. Where releases and periods do not begin together, the most is one
    more than fit. Months begin with a day, but an average one ends within it.
    """
    if period in (0.0, math.inf) or days == 0.0:
        return 1, 1
    fewest, most = math.floor(days / period * SAME), math.ceil(days / period / SAME)
    together = any(_begin_together(one, period) for one in (every, days))
    return max(1, fewest if period <= 1.0 else most), most + (0 if together else 1)


def _begin_together(one: float, other: float) -> bool:
    short, long = sorted((one, other))
    return _is_whole(long / short) or (short <= 1.0 and _is_whole(long / MONTH) and _is_whole(1.0 / short))


def _is_whole(number: float) -> bool:
    return math.isfinite(number) and math.isclose(number, max(1, round(number)), rel_tol=SAME - 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """For whom a promise is judged: so many `people` together, each with so many `events` in one release.

    Both are whole numbers from 1 to MOST_TOGETHER; `events` matters where single events are protected, or no bound is
    stated.
    """

    people: int = 1
    events: int = 1

    def __post_init__(self) -> None:
        for name in ("people", "events"):
            require_whole(name, getattr(self, name))
            require_between(name, getattr(self, name), 1, MOST_TOGETHER)


ONE_PERSON = Subject()
FAMILY_OF_FOUR = Subject(people=4)
TEN_TIMES_THE_EVENTS = Subject(events=10)
