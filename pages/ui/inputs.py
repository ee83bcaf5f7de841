"""What a page asks for: sliders with number boxes beside them, and choices; each returns an engine value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui import session

LabelVisibility = Literal["visible", "hidden", "collapsed"]
_STEPS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Round steps for a slider, and how the number box beside it looks."""

    steps: tuple[float, ...]
    sign: str
    box_format: str
    label_visibility: LabelVisibility = "visible"


EPSILON = Scale(
    steps=(*(float(f"{step * 10.0**power:.6g}") for power in (-2, -1, 0) for step in _STEPS), 10.0),
    sign="ε",
    box_format="%.4g",
    label_visibility="collapsed",
)
_ENDS = (
    '<div class="ends"><span><b>more private</b>, noisier</span><span><b>more exact</b>, more revealing</span></div>'
)
_TICKS = '<div class="ticks" aria-hidden="true"><span>0.01</span><span>0.1</span><span>1</span><span>10</span></div>'
DELTA = Scale(steps=tuple(float(f"1e-{power}") for power in range(12, 1, -1)), sign="δ", box_format="%.1e")


def dial(*, key: str, kept: float, owner: object = None) -> float:
    """The epsilon dial: a slider on a logarithmic scale with round steps, both ends labeled, and a number box.

    It starts at `kept`, and again whenever it comes to belong to another `owner`.
    """
    if session.remembered(f"{key}_owner", owner) != owner:
        session.set_widget(f"{key}_box", kept)
    session.remember(f"{key}_owner", owner)
    slider, box = st.columns([8, 1.3], vertical_alignment="center")
    slider.html(_ENDS)
    value = _slider_and_box(slider, box, EPSILON, key=key, kept=kept, label="epsilon")
    slider.html(_TICKS)
    return value


def delta_dial(place: DeltaGenerator, *, key: str, kept: float) -> float:
    """Delta: a slider over powers of ten and a number box."""
    left, right = place.columns([3, 2], vertical_alignment="bottom")
    return _slider_and_box(left, right, DELTA, key=key, kept=kept, label="delta, beyond what ε allows")


def _slider_and_box(
    place: DeltaGenerator, box: DeltaGenerator, scale: Scale, *, key: str, kept: float, label: str
) -> float:
    """Both show one value, the box's: a slider moved by hand is copied into it, a typed value moves the slider."""
    box_key = f"{key}_box"
    session.widget_starts_at(box_key, kept)
    value = float(session.widget_value(box_key) or kept)
    session.set_widget(key, _nearest(scale.steps, value))
    place.select_slider(
        label,
        scale.steps,
        key=key,
        format_func=_format_step,
        on_change=session.copy_widget,
        args=(key, box_key),
        label_visibility=scale.label_visibility,
    )
    typed = box.number_input(scale.sign, key=box_key, step=None, format=scale.box_format)
    return float(typed if typed is not None else 0.0)


def _nearest(steps: Sequence[float], value: float) -> float:
    return min(steps, key=lambda step: abs(math.log(step / value))) if value > 0 else steps[0]


def _format_step(step: float) -> str:
    return f"{step:g}" if step >= 1e-3 else f"{step:.0e}".replace("e-0", "e-")


def number(place: DeltaGenerator, label: str, *, key: str, start: float) -> float:
    """A number box; an empty one counts as 0, which the engine answers with a sentence."""
    session.widget_starts_at(key, start)
    return float(place.number_input(label, key=key, step=None, format="%.6g") or 0.0)


def whole(place: DeltaGenerator, label: str, *, key: str, start: int, most: int) -> int:
    """A whole number from 1 on."""
    session.widget_starts_at(key, start)
    return int(place.number_input(label, min_value=1, max_value=most, key=key, step=1) or 1)


def share(place: DeltaGenerator, *, key: str, start: float) -> float:
    """The epsilon of one question in a list: a slider and a number box beside it."""
    left, right = place.columns([3, 1.2], vertical_alignment="center")
    return _slider_and_box(left, right, EPSILON, key=key, kept=start, label="epsilon")
