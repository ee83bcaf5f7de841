"""From a question to its numbers at one epsilon: all that the dial shows there, in the units of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpengine.frames import Candidates, Frame, FrameView, frame
from pages.question import choice_panels
from pages.question.dial import axes, words
from pages.question.dial.axes import Axis
from pages.question.question_view import QuestionView


@dataclass(frozen=True, kw_only=True)
class DialNumbers:
    """What one epsilon shows: likely answers and beliefs in `frame`, on an axis that is as high as they need.

    `error` holds for all coordinates at once; `price` is the share of what is left that one answer takes, 1 where it
    takes more.
    """

    epsilon: float
    frame: Frame
    axis: Axis
    error: float
    price: float
    words: Mapping[str, str]


def numbers_of(question: QuestionView) -> DialNumbers:
    """The numbers at the question's own epsilon."""
    found = frame(
        FrameView(
            epsilon=question.epsilon,
            law=question.law,
            half_width=question.half_width,
            shift=0.0 if question.choice else question.shift,
            belief=question.belief,
            confidence=question.confidence,
            prior=question.prior,
            one_sided=question.choice is not None,
            candidates=_candidates(question),
        )
    )
    return DialNumbers(
        epsilon=question.epsilon,
        frame=found,
        axis=axes.answers_axis(question, found),
        error=question.together,
        price=question.balance.share(question.cost),
        words=words.of(question),
    )


def _candidates(question: QuestionView) -> Candidates | None:
    if question.choice is None or question.chances is None:
        return None
    if not question.choice.names:
        away = choice_panels.as_numbers(question.choice.values) - (question.center or 0.0)
        return Candidates(chances=question.chances, away=away)
    best = axes.best_first(question)
    own = question.chances[best]
    others = [max(1.0 - float(own.sum()), 0.0)] if len(best) < len(question.chances) else []
    return Candidates(chances=np.append(own, others))
