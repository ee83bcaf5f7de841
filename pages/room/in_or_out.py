"""In or out: two large buttons, whose tap says of which round it is.

Streamlit's own buttons would need another key for each round, and old ones stay on the screen where a look at the room
falls into the moment of the tap (measured with 1.67: one tap of twenty).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from pages import session

IN, OUT = "in", "out"
_HTML = (
    '<div class="in-or-out"><button type="button" value="in">In</button>'
    '<button type="button" value="out">Out</button></div>'
)
_CSS = """
.in-or-out { display: flex; gap: 1rem; }
.in-or-out button { flex: 1; min-height: 5.5rem; font: inherit; font-size: 1.7rem; font-weight: 700; color: #ffffff;
  background: var(--st-primary-color); border: 0; border-radius: .6rem; cursor: pointer; touch-action: manipulation; }
.in-or-out button:active { opacity: .8; }
.in-or-out button:focus-visible { outline: 3px solid var(--st-text-color); outline-offset: 2px; }
"""
_BUTTONS = st.components.v2.component(
    "in_or_out",
    html=_HTML,
    css=_CSS,
    js=(Path(__file__).parent / "in_or_out.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def buttons(number: int, tapped: Callable[[int, str], None], *, key: str) -> None:
    """Draw them for the round of this number; `tapped` hears of which a tap was, and IN or OUT."""
    _BUTTONS(key=key, data={"round": number}, on_tapped_change=lambda: _heard(tapped, key))


def _heard(tapped: Callable[[int, str], None], key: str) -> None:
    """What a browser sends is taken for nothing but a number and one of two words."""
    held = session.widget_held(key)
    said = held["tapped"] if isinstance(held, Mapping) else None
    if isinstance(said, Mapping) and type(said.get("round")) is int and said.get("word") in (IN, OUT):
        tapped(said["round"], said["word"])
