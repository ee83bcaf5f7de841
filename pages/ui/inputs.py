"""What a page asks for: sliders with number boxes beside them, and choices; each returns an engine value."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.errors import InvalidParameterError, require_between, require_positive
from pages.ui import session
from pages.ui.names import unmarked

LabelVisibility = Literal["visible", "hidden", "collapsed"]
SMALLEST_EPSILON, LARGEST_EPSILON = 1e-6, 1e4
DELTA_HELP = (
    "How much more often than ε allows anything may happen. Laplace noise needs none; advanced adding and "
    "Gaussian noise do."
)
_STEPS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)


def _epsilon_makes_sense(value: float) -> None:
    require_positive("epsilon", value)
    require_between("epsilon", value, SMALLEST_EPSILON, LARGEST_EPSILON)


def _delta_makes_sense(value: float) -> None:
    require_between("delta", value, 0.0, 1.0, open_at="upper")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Round steps for a slider, and how the number box beside it looks."""

    steps: tuple[float, ...]
    sign: str
    box_format: str
    require: Callable[[float], None]
    help: str | None = None
    label_visibility: LabelVisibility = "visible"


EPSILON = Scale(
    steps=(*(float(f"{step * 10.0**power:.6g}") for power in (-2, -1, 0) for step in _STEPS), 10.0),
    sign="ε",
    box_format="%.4g",
    require=_epsilon_makes_sense,
    label_visibility="collapsed",
)
_ENDS = (
    '<div class="ends"><span><b>more private</b>, noisier</span><span><b>more exact</b>, more revealing</span></div>'
)
_TICKS = '<div class="ticks" aria-hidden="true"><span>0.01</span><span>0.1</span><span>1</span><span>10</span></div>'
DELTA = Scale(
    steps=tuple(float(f"1e-{power}") for power in range(12, 1, -1)),
    sign="δ",
    box_format="%.1e",
    require=_delta_makes_sense,
    help=DELTA_HELP,
)


def dial(*, key: str, kept: float, owner: object = None) -> float:
    """The epsilon dial: a slider on a logarithmic scale with round steps, both ends labeled, and a number box.

    It starts at `kept`, and again whenever it comes to belong to another `owner`.
    """
    if session.remembered(f"{key}_owner", owner) != owner:
        session.set_widget(f"{key}_box", kept)
        session.remember(f"{key}_good", kept)
    session.remember(f"{key}_owner", owner)
    slider, box = st.columns([8, 1.3], vertical_alignment="center")
    slider.html(_ENDS)
    value = _slider_and_box(slider, box, EPSILON, key=key, kept=kept, label="epsilon")
    slider.html(_TICKS)
    return value


def delta_dial(place: DeltaGenerator, *, key: str, kept: float, owner: object = None) -> float:
    """Delta: a slider over powers of ten and a number box, starting at `kept`, and again for another `owner`."""
    session.widget_starts_over(f"{key}_box", kept, owner=owner)
    left, right = place.columns([3, 2], vertical_alignment="bottom")
    return _slider_and_box(left, right, DELTA, key=key, kept=kept, label="delta (δ)")


def _slider_and_box(
    place: DeltaGenerator, box: DeltaGenerator, scale: Scale, *, key: str, kept: float, label: str
) -> float:
    """Both show one value, the box's: a slider moved by hand is copied into it, a typed value moves the slider."""
    box_key = f"{key}_box"
    session.widget_starts_at(box_key, kept)
    value = session.widget_value(box_key) or kept
    session.set_widget(key, _nearest(scale.steps, value))
    place.select_slider(
        label,
        scale.steps,
        key=key,
        format_func=_format_step,
        on_change=session.copy_widget,
        args=(key, box_key),
        label_visibility=scale.label_visibility,
        help=scale.help,
    )
    typed = box.number_input(scale.sign, key=box_key, step=None, format=scale.box_format)
    return _last_good(place, typed, scale.require, key=key, kept=kept)


def _last_good(
    place: DeltaGenerator, typed: float | None, require: Callable[[float], None], *, key: str, kept: float
) -> float:
    """What was typed (an empty box counts as 0) if it makes sense, else the last value that did, and a sentence."""
    value = float(typed or 0.0)
    try:
        require(value)
    except InvalidParameterError as error:
        last = float(str(session.remembered(f"{key}_good", kept)))
        place.error(unmarked(f"{error} The pictures still show {last:g}."))
        return last
    session.remember(f"{key}_good", value)
    return value


def _nearest(steps: Sequence[float], value: float) -> float:
    return min(steps, key=lambda step: abs(math.log(step / value))) if value > 0 else steps[0]


def _format_step(step: float) -> str:
    return f"{step:g}" if step >= 1e-3 else f"{step:.0e}".replace("e-0", "e-")


def number(place: DeltaGenerator, label: str, *, key: str, start: float) -> float:
    """A number box for a budget."""
    session.widget_starts_at(key, start)
    typed = place.number_input(label, key=key, step=None, format="%.6g")
    return _last_good(place, typed, _epsilon_makes_sense, key=key, kept=start)


def whole(place: DeltaGenerator, label: str, *, key: str, start: int, most: int) -> int:
    """A whole number from 1 on."""
    session.widget_starts_at(key, start)
    return int(place.number_input(label, min_value=1, max_value=most, key=key, step=1) or 1)


def share(place: DeltaGenerator, *, key: str, start: float) -> float:
    """The epsilon of one question in a list: a slider and a number box beside it."""
    left, right = place.columns([3, 1.2], vertical_alignment="center")
    return _slider_and_box(left, right, EPSILON, key=key, kept=start, label="epsilon")
