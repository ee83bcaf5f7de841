"""What a page asks for: sliders with number boxes beside them, and choices; each returns an engine value."""

from __future__ import annotations

import math
from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui import session

_STEPS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
EPSILONS = tuple(float(f"{step * 10.0**power:.6g}") for power in (-2, -1, 0) for step in _STEPS) + (10.0,)
DELTAS = tuple(10.0**-power for power in range(12, 1, -1))


def dial(*, key: str, kept: float) -> float:
    """The epsilon dial: a slider on a logarithmic scale with round steps, both ends labeled, and a number box."""
    left, middle, right, box = st.columns([1.5, 6, 1.6, 1.5], vertical_alignment="center")
    left.markdown("**more private**  \n:gray[noisier]", text_alignment="right")
    right.markdown("**more exact**  \n:gray[more revealing]")
    return _slider_and_box(middle, box, EPSILONS, key=key, kept=kept, label="epsilon", limits=(1e-4, 100.0), box_format="%.4g")


def delta_dial(place: DeltaGenerator, *, key: str, kept: float) -> float:
    """Delta: a slider over powers of ten and a number box."""
    left, right = place.columns([3, 2], vertical_alignment="bottom")
    return _slider_and_box(left, right, DELTAS, key=key, kept=kept, label="delta", limits=(1e-15, 0.1), box_format="%.1e")


def _slider_and_box(
    place: DeltaGenerator,
    box: DeltaGenerator,
    steps: Sequence[float],
    *,
    key: str,
    kept: float,
    label: str,
    limits: tuple[float, float],
    box_format: str,
) -> float:
    slider_key, box_key = key, f"{key}_box"
    session.widget_starts_at(box_key, kept)
    value = float(session.widget_value(box_key))
    session.set_widget(slider_key, _nearest(steps, value))
    place.select_slider(
        label,
        steps,
        key=slider_key,
        format_func=_format_step,
        on_change=session.copy_widget,
        args=(slider_key, box_key),
        label_visibility="collapsed" if label == "epsilon" else "visible",
    )
    shown = "ε" if label == "epsilon" else "δ"
    lowest, highest = limits
    typed = box.number_input(
        shown, min_value=lowest, max_value=highest, key=box_key, step=None, format=box_format, label_visibility="visible"
    )
    return float(typed if typed is not None else value)


def _nearest(steps: Sequence[float], value: float) -> float:
    return min(steps, key=lambda step: abs(math.log(step / value)))


def _format_step(step: float) -> str:
    return f"{step:g}" if step >= 1e-3 else f"{step:.0e}".replace("e-0", "e-")
