"""Choices inside a lesson: sliders with round stops, and lists; each stays where it was while the session lasts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from streamlit.delta_generator import DeltaGenerator

from pages import session
from pages.widgets import inputs
from pages.widgets.options import apart

Stop = TypeVar("Stop", int, float)

COUNTS = (1, 2, 3, 5, 8, 10, 20, 30, 50, 80, 100, 200, 300, 500, 1000)
PEOPLE = (*(step * 10**power for power in range(1, 5) for step in (1, 2, 5)), 100_000)


def stop(
    place: DeltaGenerator,
    label: str,
    stops: Sequence[Stop],
    *,
    key: str,
    start: Stop,
    written: Callable[[float], str] = "{:,g}".format,
) -> Stop:
    """A slider over round numbers, without a point that says nothing."""
    session.widget_starts_at(key, start)
    chosen: Stop = place.select_slider(
        label, list(stops), key=key, format_func=apart(stops, written), persist_state="session"
    )
    return chosen


def half_steps(place: DeltaGenerator, label: str, *, key: str, span: tuple[int, int], start: float) -> float:
    """A slider in steps of one half."""
    low, high = span
    session.widget_starts_at(key, float(start))
    return float(place.slider(label, float(low), float(high), step=0.5, key=key, format="%g", persist_state="session"))


def listed(place: DeltaGenerator, label: str, options: Sequence[str], *, key: str, start: str) -> str:
    """One of several names, in a list that opens."""
    session.widget_starts_at(key, start)
    return str(place.selectbox(label, list(options), key=key, persist_state="session") or start)


def pills(place: DeltaGenerator, label: str, options: Sequence[str], *, key: str) -> str:
    """One of a few words, inside a column."""
    session.widget_starts_at(key, options[0])
    chosen = place.pills(label, list(options), key=key, required=True, wrap=True, persist_state="session")
    return str(chosen or options[0])


def delta(place: DeltaGenerator, *, does: str, key: str, start: float) -> float:
    """The delta of one step, and what it `does` there; it stays where it was while the session lasts."""
    return inputs.delta_box(place, does=does, key=key, kept=float(str(session.remembered(f"{key}_good", start))))
