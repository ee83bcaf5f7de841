"""The axes of the live dial: where ticks stand, as shares of an axis, and what is written at them."""

from __future__ import annotations

import html
import math
from typing import TypedDict

import numpy as np

from dpengine.formatting import amount
from dpengine.frames import Frame
from pages.question import choice_panels
from pages.question.dial.words import as_text
from pages.question.question_view import QuestionView
from pages.widgets.escaping import code

_TICKS = {1: (-0.8, -0.4, 0.0, 0.4, 0.8), 2: (-1.6, -0.8, 0.0, 0.8, 1.6), 5: (-4.0, -2.0, 0.0, 2.0, 4.0)}
_WORST = {1: (0.0, 0.25, 0.5, 0.75, 1.0), 2: (0.0, 0.5, 1.0, 1.5, 2.0), 5: (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)}
LONGEST_NAME, MOST_NAMES = 9, 7
SMALLEST_PLAIN, AIR = 1e-2, 1.08


class Tick(TypedDict):
    """A label at a share of an axis."""

    at: float
    text: str


class Axis(TypedDict):
    """What the picture of likely answers stands on: `top` is its height in dots, `middle` where the exact one is.

    The dots stand in so many `columns`, each `step` of the axis wide, the middle one at the axis's own middle.
    """

    kind: str
    title: str
    ticks: list[Tick]
    top: float
    reach: float
    middle: float
    columns: int
    step: float


def kind(question: QuestionView) -> str:
    """What the likely answers are: noise around the exact one, a worst case, candidates as numbers or as names."""
    if question.choice is None:
        return "bell"
    if question.chances is None:
        return "worst"
    return "named" if question.choice.names else "chosen"


def answers_axis(question: QuestionView, frame: Frame) -> Axis:
    """The axis that a frame needs, with some air above its highest dot."""
    which, reach = kind(question), frame.bell.reach
    ticks = _named_ticks(question) if which == "named" else _ticks(question, reach, worst=which == "worst")
    middle = 0.0 if which == "worst" else 0.5
    return {
        "kind": which,
        "title": _title(question),
        "ticks": ticks,
        "top": max(float(max(frame.bell.dots, default=0)), float(frame.bell.heights.max(initial=0.0)), 1.0) * AIR,
        "reach": reach,
        "middle": middle,
        "columns": len(frame.bell.dots),
        "step": frame.bell.width / (2.0 * reach),
    }


def _title(question: QuestionView) -> str:
    measure = question.drawn_measure.written(html.unescape)
    if kind(question) == "named":
        return "reported, % of answers"
    if kind(question) == "worst":
        return f"{choice_panels.what_falls_short(question)}, {measure.errors}"
    if question.choice is not None:
        unit = as_text(question.planned.query.unit(question.plan.schema))
        return f"answer, {unit}" if unit else "answer"
    return f"error, {measure.errors}" if question.center is None else f"answer, {measure.answers}"


def _ticks(question: QuestionView, reach: float, *, worst: bool) -> list[Tick]:
    power = 10.0 ** math.floor(math.log10(reach) + 1e-9)
    leading = round(reach / power)
    steps = (_WORST if worst else _TICKS)[leading]
    center, times = None if worst else question.center, question.measure.times
    start, whole = (0.0, leading) if worst else (0.5, 2.0 * leading)
    steps = steps[:: len(steps) // 2] if center is None and times * reach < SMALLEST_PLAIN else steps
    return [{"at": start + step / whole, "text": _length(step * power, center, reach, times)} for step in steps]


def _length(away: float, center: float | None, reach: float, times: float) -> str:
    away, reach = times * away, times * reach
    if center is None:
        return f"{'+' if away > 0 else '−' if away < 0 else ''}{amount(abs(away))}"
    places = max(0, 2 - math.floor(math.log10(reach) + 1e-9))
    written = f"{times * center + away:,.{places}f}"
    return (written.rstrip("0").rstrip(".") if "." in written else written).replace("-", "−")


def _named_ticks(question: QuestionView) -> list[Tick]:
    names = [as_text(code(name)) for name in shown_names(question)]
    cut = [name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…" for name in names]
    return [{"at": (place + 0.5) / len(cut), "text": name} for place, name in enumerate(cut)]


def shown_names(question: QuestionView) -> list[str]:
    """The best candidates by their exact scores, best first, and what the others are called together."""
    names, best = (question.choice.names if question.choice else ()), best_first(question)
    others = len(names) - len(best)
    return [names[place] for place in best] + ([f"{others} others"] if others else [])


def best_first(question: QuestionView) -> list[int]:
    """The places of the candidates that have a column of their own."""
    scores = np.asarray(question.scores)
    order = np.argsort(-scores, kind="stable")
    return [int(place) for place in (order if len(order) <= MOST_NAMES else order[: MOST_NAMES - 1])]
