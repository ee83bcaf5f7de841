"""Whom a promise protects: units of privacy, each with whose data it is and how many days of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

WEEK, MONTH, YEAR = 7.0, 365.0 / 12.0, 365.0
"""Days; twelve months are a year."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """For whom a promise is judged: so many `people` together, each with so many `events` in one release.

    Both are whole numbers from 1; `events` matters where single events are protected, or no bound is stated.
    """

    people: int = 1
    events: int = 1


ONE_PERSON = Subject()
FAMILY_OF_FOUR = Subject(people=4)
TEN_TIMES_THE_EVENTS = Subject(events=10)
