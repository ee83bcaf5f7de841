"""A number box that is never without a number: while it is empty the last one stays, with a sentence."""

from __future__ import annotations

from typing import Any

from streamlit.delta_generator import DeltaGenerator

from pages.ui import session
from pages.ui.typed import plain


def kept(place: DeltaGenerator, label: str, *, key: str, start: float, **options: Any) -> float:
    """What the box holds, at first `start`; `options` go to Streamlit.

    A box that Streamlit may fill by itself fills with its least number, which nobody has typed: on a slow machine a
    browser sends that before it has learned what the box holds.
    """
    session.widget_starts_at(key, start)
    last = float(str(session.remembered(f"{key}_good", start)))
    held = place.number_input(label, value=None, key=key, **options)
    if held is None:
        place.error(f"Type a number; until then it is {plain(last)}.")
        return last
    session.remember(f"{key}_good", held)
    return float(held)
