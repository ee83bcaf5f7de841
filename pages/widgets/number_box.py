"""A number box that is never without a number: while it is empty the last one stays, with a sentence."""

from __future__ import annotations

from typing import Any

from streamlit.delta_generator import DeltaGenerator

from pages import session
from pages.widgets.typed_numbers import plain


def kept(place: DeltaGenerator, label: str, *, key: str, start: float, **options: Any) -> float:
    """What the box holds, at first `start`; `options` go to Streamlit, and a range that has shrunk moves the number.

    A box that Streamlit may fill by itself fills with its least number, which nobody has typed: on a slow machine a
    browser sends that before it has learned what the box holds.
    """
    session.widget_starts_at(key, start)
    least, most = options.get("min_value"), options.get("max_value")
    last = _within(session.remembered(f"{key}_good", start), least, most)
    if (inside := _within(session.widget_held(key), least, most)) != session.widget_held(key):
        session.set_widget(key, inside)
    held = place.number_input(label, value=None, key=key, **options)
    if held is None:
        place.error(f"Type a number; until then it is {plain(last)}.")
        return float(last)
    session.remember(f"{key}_good", held)
    return float(held)


def shown(key: str, start: float) -> float:
    """What a box will show, before it is drawn: its own number, or the last one while it is empty."""
    held = session.widget_held(key)
    return float(str(session.remembered(f"{key}_good", start) if held is None else held))


def _within(held: Any, least: float | None, most: float | None) -> Any:
    """The number inside its range, of the kind that it is; None stays None."""
    if held is None:
        return None
    held = held if least is None else max(held, least)
    return held if most is None else min(held, most)
