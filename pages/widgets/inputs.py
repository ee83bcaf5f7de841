"""What a page asks for: sliders with number boxes beside them, and choices; each returns an engine value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import session
from pages.widgets import number_box, typed_numbers
from pages.widgets.escaping import unmarked
from pages.widgets.moving_dial import moving_dial
from pages.widgets.typed_numbers import LARGEST_EPSILON, Limits

DELTA_HELP = (
    "Comes on top of ε: any event may be more likely by up to this much. Laplace noise needs none; advanced and "
    "Gaussian noise do."
)
CHANGES_THE_NOISE = "Changes the noise: the smaller δ, the more of it."
"""What delta does where noise is calibrated with it."""
_STEPS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Round steps for a slider, and what the number box beside it takes, and how it looks."""

    steps: tuple[float, ...]
    box_format: str
    limits: Limits


EPSILON = Scale(
    steps=(*(float(f"{step * 10.0**power:.6g}") for power in (-2, -1, 0) for step in _STEPS), 10.0),
    box_format="%.4g",
    limits=typed_numbers.epsilon(),
)
_TICKS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


def dial(*, key: str, kept: float, owner: object = None, most: float = LARGEST_EPSILON, named: str = "ε") -> float:
    """The epsilon dial: a slider on a logarithmic scale with round steps, both ends labeled, and a number box.

    It starts at `kept`, and again whenever it comes to belong to another `owner`. What is typed above `most`, the
    largest epsilon that the page can show, gets a sentence. The box is `named` where epsilon alone does not say whose.
    """
    _starts_over(key, kept=kept, owner=owner)
    scale, box_key = _epsilons_up_to(most), session.moving(f"{key}_box")
    session.widget_starts_at(box_key, kept)
    value, problem = _last_good(session.widget_held(box_key), scale.limits, key=key, kept=kept)
    slider, box = st.columns([8, 1.3], vertical_alignment="center")
    with slider:
        moving_dial.show(
            scale.steps,
            _nearest(scale.steps, value),
            ticks=_TICKS,
            key=f"{key}_dial",
            turned=lambda step: session.move(f"{key}_box", step),
        )
        _say(st.container(), problem)
    box.number_input(named, value=None, key=box_key, step=None, format=scale.box_format, persist_state="page")
    return value


def _starts_over(key: str, *, kept: float, owner: object) -> None:
    if session.moves_over(f"{key}_box", kept, owner=owner):
        session.remember(f"{key}_good", kept)


def epsilon_held(*, key: str, kept: float, owner: object = None) -> tuple[float, str]:
    """The epsilon of a live dial, before anything is drawn, and a sentence where its box holds none."""
    _starts_over(key, kept=kept, owner=owner)
    box = session.moving(f"{key}_box")
    session.widget_starts_at(box, kept)
    return _last_good(session.widget_held(box), EPSILON.limits, key=key, kept=kept)


def epsilon_box(place: DeltaGenerator, *, key: str) -> None:
    """The number box of a live dial, for whoever has no live dial."""
    place.number_input(
        "epsilon (ε): smaller is more private and noisier, larger more exact and more revealing",
        value=None,
        key=session.moving(f"{key}_box"),
        step=None,
        persist_state="page",
        format=EPSILON.box_format,
    )


def _epsilons_up_to(most: float) -> Scale:
    steps = tuple(step for step in EPSILON.steps if step <= most)
    return replace(EPSILON, steps=steps, limits=typed_numbers.epsilon(most=most))


def delta_box(place: DeltaGenerator, *, does: str, key: str, kept: float, owner: object = None) -> float:
    """Delta: a box that takes 1e-6, starting at `kept`, again for another `owner`; below it what it `does` here."""
    _starts_over(key, kept=kept, owner=owner)
    box_key = session.moving(f"{key}_box")
    session.widget_starts_at(box_key, kept)
    value, problem = _last_good(session.widget_held(box_key), typed_numbers.DELTA, key=key, kept=kept)
    place.number_input(
        "delta (δ)", value=None, key=box_key, step=None, format="%.1e", persist_state="page", help=DELTA_HELP
    )
    place.caption(does if value else f"{does} δ is 0, as is any number below 10⁻³²³.")
    _say(place, problem)
    return value


def _slider_and_box(place: DeltaGenerator, box: DeltaGenerator, scale: Scale, *, key: str, kept: float) -> float:
    """Both show one value, the box's: a slider moved by hand is copied into it, a typed value moves the slider.

    Where the box holds nothing that can be shown, the slider stays at what the pictures show.
    """
    box_key = session.moving(f"{key}_box")
    session.widget_starts_at(box_key, kept)
    value, problem = _last_good(session.widget_held(box_key), scale.limits, key=key, kept=kept)
    session.move(key, _nearest(scale.steps, value))
    place.select_slider(
        "epsilon",
        scale.steps,
        key=session.moving(key),
        format_func="{:g}".format,
        on_change=session.move_along,
        args=(key, f"{key}_box"),
        label_visibility="collapsed",
        persist_state="page",
    )
    box.number_input("ε", value=None, key=box_key, step=None, format=scale.box_format, persist_state="page")
    _say(place, problem)
    return value


def _last_good(held: object, limits: Limits, *, key: str, kept: float) -> tuple[float, str]:
    """What a box holds if it can be shown; else the last value that could, and a sentence. An empty box holds None."""
    last = min(float(str(session.remembered(f"{key}_good", kept))), limits.most)
    typed_now = None if held is None else float(str(held))
    problem = limits.problem(typed_now, last=last)
    value = last if problem or typed_now is None else typed_now
    session.remember(f"{key}_good", value)
    return value, problem


def _say(place: DeltaGenerator, problem: str) -> None:
    if problem:
        place.error(unmarked(problem))


def _nearest(steps: Sequence[float], value: float) -> float:
    return min(steps, key=lambda step: abs(math.log(step / value))) if value > 0 else steps[0]


def number(place: DeltaGenerator, label: str, *, key: str, start: float) -> float:
    """A number box for a budget."""
    session.widget_starts_at(key, start)
    value, problem = _last_good(session.widget_held(key), EPSILON.limits, key=key, kept=start)
    place.number_input(label, value=None, key=key, step=None, format="%.6g")
    _say(place, problem)
    return value


def whole(place: DeltaGenerator, label: str, *, key: str, start: int, most: int) -> int:
    """A whole number from 1 on."""
    return int(number_box.kept(place, label, key=key, start=start, min_value=1, max_value=most, step=1))


def share(place: DeltaGenerator, *, key: str, start: float) -> float:
    """The epsilon of one question in a list: a slider and a number box beside it."""
    left, right = place.columns([3, 1.2], vertical_alignment="center")
    return _slider_and_box(left, right, EPSILON, key=key, kept=start)


def share_held(held: object, last: float) -> float:
    """What the box of a share holds if it can be shown, else the last value."""
    typed_now = None if held is None else float(str(held))
    return last if typed_now is None or EPSILON.limits.problem(typed_now, last=last) else typed_now
