"""From a question to its frames: what the engine is asked for at each step of the dial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpengine.frames import EPSILONS, Candidates, Frame, FrameView, frame
from pages.question import choice_panels
from pages.question.dial import axes, words
from pages.question.dial.axes import Axis, Span
from pages.question.question_view import QuestionView


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A question at one epsilon with its frame and its words."""

    question: QuestionView
    frame: Frame
    words: Mapping[str, str]

    @property
    def error(self) -> float:
        """The half-width that holds for all coordinates at once."""
        return self.question.together

    @property
    def price(self) -> float:
        """The share of what is left that one such answer takes, 1 where it takes more."""
        return self.question.balance.share(self.question.cost)


@dataclass(frozen=True, kw_only=True)
class Film:
    """All frames of a question, and what their pictures have in common: one axis a reach, one range of trade-offs."""

    steps: Sequence[Seen]
    axes: Sequence[Axis]
    span: Span

    def axis_of(self, seen: Seen) -> int:
        """The place of the axis that a frame stands on."""
        return next(place for place, axis in enumerate(self.axes) if axis["reach"] == seen.frame.bell.reach)


def seen(question: QuestionView) -> Seen:
    """The present frame alone."""
    view = FrameView(
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
    return Seen(question=question, frame=frame(view), words=words.of(question))


def _candidates(question: QuestionView) -> Candidates | None:
    if question.choice is None or question.chances is None:
        return None
    if not question.choice.names:
        return Candidates(
            chances=question.chances, away=choice_panels.as_numbers(question.choice.values) - (question.center or 0.0)
        )
    best = axes.best_first(question)
    own = question.chances[best]
    others = [max(1.0 - float(own.sum()), 0.0)] if len(best) < len(question.chances) else []
    return Candidates(chances=np.append(own, others))


def film(question: QuestionView) -> Film:
    """Every frame of the dial."""
    steps = [seen(question.at(epsilon)) for epsilon in EPSILONS]
    errors = [step.error for step in steps if step.error > 0.0] or [1.0]
    span = Span(least_error=min(errors), largest_error=max(errors), prior=question.prior)
    return Film(steps=steps, axes=_axes(steps), span=span)


def _axes(steps: Sequence[Seen]) -> list[Axis]:
    """One axis for each reach, as high as its highest frame."""
    tops: dict[float, float] = {}
    first: dict[float, Seen] = {}
    for step in steps:
        reach = step.frame.bell.reach
        tops[reach] = max(tops.get(reach, 0.0), height(step.frame))
        first.setdefault(reach, step)
    return [axes.answers_axis(first[reach].question, first[reach].frame, top) for reach, top in tops.items()]


def height(one: Frame) -> float:
    """How many dots of a column high a frame is, with some air above."""
    return max(float(max(one.bell.dots, default=0)), float(one.bell.heights.max(initial=0.0)), 1.0) * 1.08
