"""Answers that might have been, shown one after another: drawn from the law of the noise, never released."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpengine.formatting import beside
from dpengine.frames import possible_answers
from dpengine.privacy.amounts import nanos_up
from pages.question.dial.axes import kind
from pages.question.question_view import QuestionView

COUNT = 20


def plays(question: QuestionView, reach: float) -> list[dict[str, Any]]:
    """So many answers as places on an axis of this reach, with what is written at them; of a choice none.

    Around the exact value where that may be drawn, else around 0. The same for the same setting, however often they
    are asked for, so that nothing is learned by asking again.
    """
    if kind(question) != "bell":
        return []
    rng = np.random.default_rng([COUNT, nanos_up(question.epsilon)])
    errors = possible_answers(question.law, count=COUNT, rng=rng)
    return [_play(question, float(error), reach) for error in errors]


def _play(question: QuestionView, error: float, reach: float) -> dict[str, Any]:
    place = 0.5 + error / (2.0 * reach)
    times = question.measure.times
    written = beside(times * ((question.center or 0.0) + error), times * question.half_width).replace("-", "−")
    sign = "+" if question.center is None and error > 0.0 else ""
    return {"at": min(max(place, 0.0), 1.0), "text": f"{sign}{written}"}
