"""Pictures on the wall, in the measure of the projector's window."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.charts import Chart, for_projector
from pages import session
from pages.widgets import outputs

DRAWN_FOR, LOWEST, HIGHEST = 1080, 400, 4400
"""The height in pixels for which everything is laid out, and between which windows it follows them."""
_SHARE = "wall_share"
_WINDOW = st.components.v2.component(
    "room_window",
    html="<span hidden></span>",
    js=(Path(__file__).parent / "wall.js").read_text(encoding="utf-8"),
)


def measure() -> None:
    """Ask the browser how high its window is; what it says is taken for nothing but a number."""
    said = _WINDOW(key="room_window", on_height_change=lambda: None).height
    if isinstance(said, int | float) and LOWEST <= said <= HIGHEST:
        session.remember(_SHARE, said / DRAWN_FOR)


def picture(place: DeltaGenerator, drawn: Chart, *, height: int, key: str) -> None:
    """A chart in letters that ten meters do not make small; `height` is in pixels of 1,080."""
    share = session.remembered(_SHARE, 1.0)
    large = for_projector(drawn, height=height, share=share if isinstance(share, float) else 1.0)
    outputs.chart(place, large, key=key)
