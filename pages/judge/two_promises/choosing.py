"""What is compared: two promises, how long, for whom, and what one person does a day; nothing of it is guessed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.promises import UNITS, Promise, stated
from dpengine.promises.comparing import MOST_DEVICES, MOST_EVENTS
from dpengine.promises.recorded import RECORDED
from dpengine.reports.evaluations.figures import SUBJECTS
from pages import session
from pages.lesson import pickers
from pages.lesson.lesson import choice
from pages.widgets.escaping import short, unmarked

KEY = "two_promises"
IN_HAND = "From “Judge a promise”: {}"
FIRST, SECOND = "iPhone health types", "US Census people"
"""The one with the smaller epsilon is the weaker within a year."""
DAYS = (1, 7, 30, 90, 180, 365, 730, 1_825, 3_650)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenPair:
    """Both promises and what they are compared for; what nobody has typed is None."""

    one: Promise
    other: Promise
    days: int
    whom: str
    one_events: float | None
    other_events: float | None
    devices: int | None


def chosen() -> ChosenPair:
    """The card above the picture."""
    promises = _promises()
    with st.container(border=True, key=f"card_{KEY}_choice"):
        left, right = st.columns(2)
        one, other = (
            promises[pickers.listed(place, f"{which} promise", list(promises), key=f"{KEY}_{which}", start=start)]
            for place, which, start in ((left, "First", next(iter(promises))), (right, "Second", SECOND))
        )
        for place, promise in ((left, one), (right, other)):
            if promise.name in RECORDED:
                place.caption(unmarked(RECORDED[promise.name].in_full))
        left, right = st.columns(2, vertical_alignment="center")
        days = pickers.stop(left, "Days", DAYS, key=f"{KEY}_days", start=365)
        with right:
            whom = choice("For whom", list(SUBJECTS), key=f"{KEY}_whom")
        return _with_boxes(one, other, days, whom)


def _promises() -> dict[str, Promise]:
    """The promise in hand, if there is one, and those that were read, each by its short name."""
    read = {name: replace(one.promise, name=name) for name, one in RECORDED.items()}
    held = session.promise_in_hand()
    if held is None:
        return {FIRST: read[FIRST], **read}
    known = next((name for name, one in RECORDED.items() if one.promise == held), held.name)
    return {IN_HAND.format(short(known)): replace(held, name=known), **read}


def _with_boxes(one: Promise, other: Promise, days: int, whom: str) -> ChosenPair:
    """A box for each number that a figure needs and no promise can know."""
    asked = [
        (name, label)
        for name, label, needed in (
            ("one_events", "Events a day of one person, first promise", _protects(one, "event")),
            ("other_events", "Events a day of one person, second promise", _protects(other, "event")),
            ("devices", "Devices of one person", _protects(one, "device") or _protects(other, "device")),
        )
        if needed
    ]
    places = st.columns(len(asked)) if asked else []
    typed = {name: _box(place, label, name) for place, (name, label) in zip(places, asked, strict=True)}
    devices = typed.get("devices")
    return ChosenPair(
        one=one,
        other=other,
        days=days,
        whom=whom,
        one_events=typed.get("one_events"),
        other_events=typed.get("other_events"),
        devices=None if devices is None else int(devices),
    )


def _box(place: DeltaGenerator, label: str, name: str) -> float | None:
    """Empty until somebody types."""
    key = f"{KEY}_{name}"
    least, most, step = (1, MOST_DEVICES, 1) if name == "devices" else (1e-6, MOST_EVENTS, None)
    session.widget_starts_at(key, None)
    look: dict[str, Any] = {"min_value": least, "max_value": most, "step": step, "placeholder": "type a number"}
    held = place.number_input(label, value=None, key=key, persist_state="session", **look)
    return None if held is None else float(held)


def _protects(promise: Promise, whose: str) -> bool:
    unit = stated(promise.unit)
    return unit is not None and UNITS[unit].of == whose
