"""The slider of a dial: what moves in the browser, and what the server hears of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import streamlit as st

from pages import session
from pages.widgets import outputs

_HERE = Path(__file__).parent


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


TRACK, DRAWING = _read("track.css"), _read("drawing.js")
"""How every dial looks, and how those draw that have their pictures in the browser."""
_DIAL = st.components.v2.component(
    "moving_dial",
    html=_read("moving_dial.html"),
    css=TRACK + _read("moving_dial.css"),
    js=_read("moving_dial.js"),
    isolate_styles=False,
)


def show(
    steps: Sequence[float], nearest: float, *, ticks: Sequence[float], key: str, turned: Callable[[float], None]
) -> None:
    """Draw it over these steps, at the nearest one; `turned` hears each step at which the hand is."""

    def heard() -> None:
        said = session.widget_held(key)
        if isinstance(said, Mapping) and said["turned"]:
            turned(steps[int(said["turned"]["index"])])

    drawn = {
        "labels": [f"{step:g}" for step in steps],
        "index": steps.index(nearest),
        "ticks": [(steps.index(tick), f"{tick:g}") for tick in ticks if tick in steps],
        "colors": asdict(outputs.palette()),
    }
    _DIAL(key=key, data=drawn, on_turned_change=heard)
