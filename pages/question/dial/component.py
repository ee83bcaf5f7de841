"""The live dial on a page: its frames handed over once, its present setting told, and the same in words without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from dpengine.feasible import Feasible
from dpengine.frames import EPSILONS, position
from dpengine.plan import PlannedQuery
from pages import session
from pages.question import consequences
from pages.question.consequences import Detail
from pages.question.dial import frame_cache, possible
from pages.question.dial.dial_numbers import numbers_of
from pages.question.dial.drawn_frame import DialScales, drawn
from pages.question.dial.frame_cache import FrameRequest
from pages.question.question_view import QuestionView
from pages.widgets import inputs, outputs
from pages.widgets.escaping import unmarked
from pages.widgets.moving_dial import moving_dial

_HERE = Path(__file__).parent
_PLACES = {epsilon: place for place, epsilon in enumerate(EPSILONS)}


def _read(*names: str) -> str:
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)


_DIAL = st.components.v2.component(
    "epsilon_dial",
    html=_read("dial.html"),
    css=moving_dial.TRACK + _read("dial.css"),
    js=moving_dial.DRAWING + _read("frames.js", "panels.js", "dial.js"),
    isolate_styles=False,
)
_NOW = st.components.v2.component("epsilon_dial_now", html="<span hidden></span>", js=_read("now.js"))


def epsilon(*, key: str, kept: float, owner: object = None) -> float:
    """What the dial stands at, and a sentence where its box holds no epsilon.

    The sentence has a place of its own above the dial, which else would be drawn anew when it comes and goes.
    """
    value, problem = inputs.epsilon_held(key=key, kept=kept, owner=owner)
    if problem:
        st.error(unmarked(problem))
    return value


def show(
    question: QuestionView, *, key: str, detail: Detail, feasible: Feasible | None = None, public: bool | None = None
) -> None:
    """Draw the dial at the question's epsilon, with what moves along; below it the same in words, where it fails.

    What it shows is public where that is said, else where this session's table is.
    """
    shared = session.is_built_in() if public is None else public
    request = FrameRequest(question=question, key=key, detail=detail, palette=outputs.palette(), public=shared)
    made = frame_cache.of(request)
    heard = _DIAL(
        key=f"{key}_dial",
        data=made.packed,
        on_chosen_change=lambda: _turned(key, "chosen"),
        on_typed_change=lambda: _turned(key, "typed"),
        on_pinned_change=lambda: None,
        on_played_change=lambda: None,
    )
    if heard.pinned:
        _pin(question, key, str(heard.pinned["value"]))
    _NOW(key=f"{key}_now", data=_now(question, made.scales, key, feasible, heard.played))
    with st.container(key=f"still_{key}"):
        _still(question, key, detail)


def _turned(key: str, event: str) -> None:
    """The hand has let go, or a number was typed; text that is no number empties the box, which then says so.

    Nothing was said where another page is drawn meanwhile.
    """
    said = session.widget_held(f"{key}_dial")
    if not isinstance(said, Mapping) or not said[event]:
        return
    text = str(said[event]["value"]).strip().replace(",", ".")
    try:
        session.move(f"{key}_box", float(text))
    except ValueError:
        session.move(f"{key}_box", None)


def _pin(question: QuestionView, key: str, label: str) -> None:
    """Keep a setting beside which others are drawn, or let it go; nothing of what may be seen of the rows now."""
    value = next((one for one in EPSILONS if f"{one:g}" == label), question.epsilon)
    session.remember(f"{key}_pinned", question.at(value).planned if label else None)


def _pinned(question: QuestionView, key: str) -> QuestionView | None:
    """The setting that was pinned for this very question, with what may be seen now."""
    kept = session.remembered(f"{key}_pinned", None)
    return (
        replace(question, planned=kept)
        if isinstance(kept, PlannedQuery) and kept.query == question.planned.query
        else None
    )


def _now(
    question: QuestionView, scales: DialScales, key: str, feasible: Feasible | None, played: Any
) -> dict[str, Any]:
    """The present setting, and what is drawn beside it."""
    numbers, pinned = numbers_of(question), _pinned(question, key)
    plays = {"plays": possible.plays(question, numbers.axis["reach"]), "turn": played["turn"]} if played else {}
    return {
        "dial": key,
        "index": _PLACES.get(question.epsilon),
        "frame": drawn(numbers, scales).as_json(),
        "pinned": drawn(numbers_of(pinned), scales).as_json() if pinned else None,
        "shade": _shade(feasible),
        "wanted": _wanted(question, scales, feasible),
    } | plays


def _shade(feasible: Feasible | None) -> list[float] | None:
    """The stretch of the dial that meets the targets, None where there is none or no target."""
    if feasible is None or feasible.is_empty or (feasible.least is None and feasible.most is None):
        return None
    return [
        0.0 if feasible.least is None else position(feasible.least),
        1.0 if feasible.most is None else position(feasible.most),
    ]


def _wanted(question: QuestionView, scales: DialScales, feasible: Feasible | None) -> dict[str, float] | None:
    """The corner of errors and beliefs that the targets allow, on the axes of the trade-off; one target bounds one.

    Its errors hold for all numbers at once: an error of each number alone stands where it is met.
    """
    error, belief = (None, None) if feasible is None else (feasible.targets.error, feasible.targets.belief)
    if feasible is not None and feasible.least is not None and not feasible.targets.together:
        error = question.at(feasible.least).together
    if error is None and belief is None:
        return None
    span = scales.span
    return {
        "error": 1.0 if error is None else span.error(error),
        "risk": 1.0 if belief is None else span.risk(belief),
    }


def _still(question: QuestionView, key: str, detail: Detail) -> None:
    """The page without its live dial: the finding, a box for epsilon, and the consequences in words."""
    outputs.finding(consequences.finding(question), consequences.whole(question, detail))
    inputs.epsilon_box(st.container(), key=key)
    st.markdown(f"{consequences.seen(question)}\n\n{consequences.believed(question)}\n\n{consequences.cost(question)}")
