"""What has to be assumed before two promises can be compared for one person: a sentence for each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dpengine.formatting import amount
from dpengine.privacy import Neighbors
from dpengine.promises.assumptions import Assumption
from dpengine.promises.promise import MOST_RUNS, Promise
from dpengine.promises.totals import Total
from dpengine.promises.units import UNITS, Subject
from dpengine.promises.unsaid import Unsaid, stated

MOST_WORDS, MOST_LETTERS = 5, 40
"""Of a name that a title of twelve words can carry."""
_GAPS = {
    Assumption.RELEASES_UNKNOWN: (
        "every_days",
        "how often results are published was {}, so its loss has no upper end.",
    ),
    Assumption.UNIT_UNKNOWN: ("unit", "whom it protects was {}, so its loss has no upper end."),
    Assumption.DELTA_IS_ZERO: ("delta", "its δ was {}, so its loss has no upper end."),
}

_SAID_APART = (Assumption.ONE_DEVICE, Assumption.EVENTS_OF_A_RELEASE, *_GAPS)
_WITHOUT_LAST_DIGITS = 1.0 - 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One of two promises for a subject; its `events` a day and `devices` of a person are None until somebody says."""

    promise: Promise
    name: str
    days: float
    subject: Subject
    events: float | None = None
    devices: int | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """What somebody has to say before this promise has a figure for one person."""
        reasons = (
            (self.promise.event is None, "neither ε nor ρ nor the noise is stated, so it has no size."),
            (
                self._of == "event" and self.events is None,
                "it protects single events. Say how many a day one person has.",
            ),
            (self._of == "device" and self.devices is None, "it protects devices. Say how many one person has."),
        )
        return tuple(f"{self.name}: {reason}" for missing, reason in reasons if missing)

    def total(self, *, replaced: bool, delta: float | None = None) -> Total:
        """The loss over the days; only where nothing is missing."""
        found = self.promise.over(days=self.days, subject=self._counted, delta=delta, replaced=replaced)
        if found is None:
            raise LookupError(self.name)
        if not self._is_open_about_releases:
            return found
        one_by_one = self._one_by_one.over(
            days=self.days, subject=Subject(people=self.subject.people), delta=delta, replaced=replaced
        )
        less = min((found, one_by_one or found), key=lambda total: total.least)
        return replace(less, most=math.inf, runs=found.runs, assumed=found.assumed)

    @property
    def _is_open_about_releases(self) -> bool:
        """Whether nobody says how many of somebody's single events meet in one release."""
        return self._of == "event" and isinstance(self.promise.every_days, Unsaid)

    @property
    def _one_by_one(self) -> Promise:
        """The same promise with a release for each event, which costs less where it sums up better than a crowd."""
        return replace(self.promise, every_days=self._lasting / min(self._counted.events, MOST_RUNS))

    @property
    def _lasting(self) -> float:
        """How many of the days it goes on."""
        return min(self.days, stated(self.promise.for_days) or self.days)

    @property
    def _counted(self) -> Subject:
        """The subject in the units of this promise: with its events in one release, or with its devices."""
        if self._of == "event":
            in_days = min(stated(self.promise.every_days) or self._lasting, self._lasting) * self.subject.events
            events = max(1, math.ceil((self.events or 0.0) * in_days * _WITHOUT_LAST_DIGITS))
            return Subject(people=self.subject.people, events=events)
        if self._of == "device":
            return Subject(people=self.subject.people * (self.devices or 1), events=self.subject.events)
        return self.subject

    def open_ends(self, total: Total) -> tuple[str, ...]:
        """Why its range has no upper end."""
        known = [
            sentence.format(_gap(getattr(self.promise, field)))
            for one, (field, sentence) in _GAPS.items()
            if one in total.assumed
        ]
        by_delta = math.isinf(total.most) and not total.promises_nothing and not known
        known += ["at this total δ its largest loss has no upper end."] if by_delta else []
        return tuple(f"{self.name}: {sentence}" for sentence in known)

    @property
    def assumed(self) -> tuple[str, ...]:
        """What a person does under it, and how long it goes on."""
        events = min(self._counted.events, stated(self.promise.contribution) or math.inf)
        own = (
            (self._is_open_about_releases, f"each person has {self._counted.events:,} events in all."),
            (
                self._of == "event" and not self._is_open_about_releases,
                f"{events:,} events of each person count in one release.",
            ),
            (self._of == "device", f"each person has {self.devices or 1:,} of these devices."),
            (self._lasting < self.days, f"it goes on for {amount(self._lasting)} days only."),
        )
        return tuple(f"{self.name}: {words}" for holds, words in own if holds)

    @property
    def _of(self) -> str:
        """Whose data one unit is; nobody's where that is not stated."""
        unit = stated(self.promise.unit)
        return UNITS[unit].of if unit else ""


def names_of(one: Promise, other: Promise) -> tuple[str, str]:
    """What the two are called: by their own names where these are short and differ."""
    short = all(len(name.split()) <= MOST_WORDS and len(name) <= MOST_LETTERS for name in (one.name, other.name))
    if short and one.name.strip() and other.name.strip() and one.name != other.name:
        return one.name, other.name
    return "Promise 1", "Promise 2"


def relations(one: Judged, other: Judged) -> tuple[bool, tuple[str, ...]]:
    """Whether both have to be judged for somebody who is replaced, and what is said about that."""
    both = (one.promise.relation, other.promise.relation)
    if both[0] is both[1] and not isinstance(both[0], Unsaid):
        return False, ()
    unsaid = all(isinstance(relation, Unsaid) for relation in both)
    then = "Both are taken to mean the same." if unsaid else "Replacing costs at most twice that: its range says so."
    return not unsaid, tuple(
        f"{who.name}: {_SPEAKS[relation]} {then}"
        for who, relation in zip((one, other), both, strict=True)
        if relation is not Neighbors.REPLACE_ONE
    )


_SPEAKS = {
    Neighbors.ADD_REMOVE: "it is about somebody added or removed.",
    Unsaid.NOT_SAID: "whether people are added, removed or replaced was not said.",
    Unsaid.NOT_LOOKED_UP: "whether people are added, removed or replaced was not looked up.",
}


def all_assumed(totals: Sequence[tuple[Judged, Total]]) -> tuple[str, ...]:
    """What the figures of both rest on, each sentence once."""
    found: dict[str, list[str]] = {}
    for judged, total in totals:
        for assumption in total.assumed:
            if assumption not in _SAID_APART:
                found.setdefault(assumption.sentence, []).append(judged.name)
    own = [sentence for judged, _ in totals for sentence in judged.assumed]
    shared = [sentence for sentence, who in found.items() if len(who) > 1]
    alone = [f"{who[0]}: {sentence[0].lower()}{sentence[1:]}" for sentence, who in found.items() if len(who) == 1]
    return (*own, *shared, *alone)


def differences(one: Judged, other: Judged) -> tuple[str, ...]:
    """What the figures of both leave out: whole homes, and whom somebody has to trust."""
    found: list[str] = []
    for who, beside in ((one, other), (other, one)):
        if _is_of_homes(who) and not _is_of_homes(beside):
            found.append(f"{who.name}: it protects everybody at home together; for one person its figure is a limit.")
        if who.promise.model == "local" and beside.promise.model != "local":
            found.append(f"{who.name}: nobody has to be trusted with raw data. No figure here counts that.")
    return tuple(found)


def _is_of_homes(who: Judged) -> bool:
    unit = stated(who.promise.unit)
    return unit is not None and UNITS[unit].of == "household"


def _gap(value: object) -> str:
    return value.value if isinstance(value, Unsaid) else "said"
