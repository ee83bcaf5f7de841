"""A released answer as cells: each number with its ends, and what kind of interval they make."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpengine.accuracy import nearly_all
from dpengine.formatting import amount, beside, ends_beside, error_in, measure_of
from dpengine.ledger.answers.estimate import Estimate
from dpengine.queries.forms import ChoiceForm
from dpengine.reports.exact_answer import exact_answer

CONFIDENCE = 0.95
OFTEN = f"{CONFIDENCE * 100:g}%"
SAYS_NOTHING = "This answer says nothing: its interval covers all possible values. Do not report it as a finding."


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One released number, or the name of what was chosen; the ends are None for a choice, which has no interval."""

    label: str
    value: float | str
    lower: float | None = None
    upper: float | None = None

    @property
    def shown(self) -> str:
        """The value as exact as its interval deserves."""
        if isinstance(self.value, str):
            return self.value
        if self.lower is None or self.upper is None:
            return amount(self.value, 6)
        return beside(self.value, (self.upper - self.lower) / 2)

    @property
    def ends(self) -> str:
        """The interval, rounded outward; empty where there is none."""
        if isinstance(self.value, str) or self.lower is None or self.upper is None:
            return ""
        return " to ".join(ends_beside(self.value, self.lower, self.upper))


def cells_of(estimate: Estimate, times: float = 1.0) -> tuple[Cell, ...]:
    """Every number of an answer, so many times as large; the ends of many hold for all of them at once."""
    if estimate.is_choice:
        answer = estimate.answer
        return (Cell(label="", value=answer if isinstance(answer, str) else times * float(estimate.values[0])),)
    ends = estimate.interval(CONFIDENCE, simultaneous=True)
    lower, upper = (np.atleast_1d(np.asarray(side, dtype=float)) for side in ends)
    columns = zip(estimate.labels, estimate.values, lower, upper, strict=True)
    return tuple(
        Cell(label=label, value=times * float(value), lower=times * float(low), upper=times * float(high))
        for label, value, low, high in columns
    )


def interval_kind(estimate: Estimate) -> str:
    """Which kind of interval stands beside the answer, or why there is none."""
    if estimate.is_choice:
        return f"none: {_shortfall(estimate)}"
    return OFTEN if estimate.answer_is_number else f"{OFTEN}, all {len(estimate.labels)} numbers at once"


def interval_sentence(estimate: Estimate) -> str:
    """What the interval means, for somebody who reads nothing else."""
    if estimate.is_choice:
        return f"{_shortfall(estimate)[:1].upper()}{_shortfall(estimate)[1:]}."
    held = f"interval holds {exact_answer(estimate)}. It covers"
    if not estimate.answer_is_number:
        held = f"intervals hold, all at once, {exact_answer(estimate)}. They cover"
    return f"{_says_nothing(estimate)}In {OFTEN} of such releases the {held} privacy noise only."


def _says_nothing(estimate: Estimate) -> str:
    """That every interval is as wide as all that is publicly possible; empty for most answers."""
    possible = estimate.query.answer_range(estimate.schema)
    if possible is None or possible[0] == possible[1]:
        return ""
    lower, upper = estimate.interval(CONFIDENCE, simultaneous=True)
    if not nearly_all(np.asarray(upper) - np.asarray(lower), possible).all():
        return ""
    return f"{SAYS_NOTHING} "


def _shortfall(estimate: Estimate) -> str:
    short = error_in(measure_of(estimate.query, estimate.schema), estimate.half_width(CONFIDENCE))
    if isinstance(estimate.query, ChoiceForm) and estimate.query.falls_short_in == "rank":
        return f"in {OFTEN} of such releases its rank is within {short} of the best candidate's"
    return f"in {OFTEN} of such releases this value is at most {short} short of the most frequent one"
