"""Answers that say nothing: an error as wide as everything that is publicly possible, and values cut to the bounds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpengine.accuracy import nearly_all
from dpengine.data import Schema
from dpengine.formatting import amount, ends_beside, measure_of, unit_after
from dpengine.ledger import Estimate, Release
from dpengine.queries import Query
from pages.phrasing import released_words
from pages.question.question_view import QuestionView
from pages.widgets.escaping import unmarked

ADVICE = "**This says nothing: the noise drowns the answer.** A larger epsilon, or a coarser question, would say more."


def is_everything(question: QuestionView, error: float) -> bool:
    """Whether an error to both sides reaches over all possible answers, or over all rows that a rank may be off.

    Never where nobody has said how many rows there are, and a rank could be off by them.
    """
    if question.choice:
        return question.size != "unsaid" and error >= question.guess.records
    return fills(question.planned.query, question.plan.schema, error)


def says_nothing(question: QuestionView, error: float) -> bool:
    """Whether the question's own error is everything; this is not said of a size that nobody has told."""
    return is_everything(question, error) and not question.unsaid


def fills(query: Query, schema: Schema, half_width: float) -> bool:
    """Whether an interval is as wide as everything that is publicly possible."""
    ends = query.answer_range(schema)
    return ends is not None and bool(nearly_all(2.0 * half_width, ends))


def of_release(shown: Release | Estimate, ends: tuple[NDArray[np.float64], NDArray[np.float64]]) -> str:
    """What of a released answer says nothing, and what was cut to the public bounds; nothing for most answers."""
    if shown.can_only_count and len(shown.labels) == 1:
        return _count(shown, float(ends[0][0]), float(ends[1][0]))
    possible = shown.query.answer_range(shown.schema)
    if possible is None or possible[0] == possible[1]:
        return ""
    many, lost, sentences = len(shown.labels), _lost(possible, ends), []
    if lost == many:
        sentences.append(ADVICE)
    elif lost:
        sentences.append(
            f"**{lost} of the {many} answers {'says' if lost == 1 else 'say'} nothing: the noise drowns "
            f"{'it' if lost == 1 else 'them'}.**"
        )
    cut = int(np.count_nonzero(np.isin(shown.values, possible))) if len(shown.parts) > 1 else 0
    if cut:
        measure = measure_of(shown.query, shown.schema)
        at = possible if many > 1 else shown.values[:1]
        where = " or ".join(amount(measure.times * float(end), 6) for end in at)
        unit = unmarked(unit_after(measure.answers))
        which = "This answer is" if many == 1 else f"{cut} of the {many} answers {'is' if cut == 1 else 'are'}"
        sentences.append(
            f"{which} exactly {where}{unit}: the noise went beyond the public bounds and was cut there "
            "(clamped). It says nothing about people."
        )
    return " ".join(sentences)


def answers_nothing(shown: Release | Estimate) -> bool:
    """Whether each number of a released answer may be anything that is publicly possible."""
    possible = None if shown.is_choice else shown.query.answer_range(shown.schema)
    if possible is None or possible[0] == possible[1]:
        return False
    return _lost(possible, released_words.bounds(shown, released_words.CONFIDENCE)) == len(shown.labels)


def _lost(possible: tuple[float, float], ends: tuple[NDArray[np.float64], NDArray[np.float64]]) -> int:
    """How many intervals are as wide as everything that is possible."""
    return int(np.count_nonzero(nearly_all(ends[1] - ends[0], possible)))


def _count(shown: Release | Estimate, lower: float, upper: float) -> str:
    """A count whose interval begins below zero has an upper end and no more."""
    if not lower < 0.0 <= upper:
        return ""
    most = ends_beside(float(shown.values[0]), lower, upper)[1]
    unit = unmarked(unit_after(shown.unit, most))
    return f"The noise is larger than the answer: all this says is “at most {most}{unit}”."
