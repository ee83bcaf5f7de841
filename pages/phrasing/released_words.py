"""A released answer in words: the number with its interval, many numbers, or what was chosen; no markdown in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpengine.formatting import amount, beside, ends_beside, error_in, interval, measure_of, unit_after
from dpengine.ledger import Estimate, Release
from dpengine.queries import (
    HistogramQuery,
    QuantileQuery,
    Query,
)
from dpengine.queries.forms import ByGroup, ChoiceForm
from dpengine.reports import exact_answer
from pages.phrasing import wording

Array = NDArray[np.float64]
Known = Release | Estimate
CONFIDENCE = 0.95
"""Of the intervals beside released answers."""
WIDTH_IS_DRAWN = (
    "Its width follows from the noisy numbers that were drawn, so it may be wider or narrower than the ± that was "
    "planned with a guess."
)


def headline(released: Known, confidence: float) -> str:
    """The answer in one line; of many numbers how many there are, and how far they may be off."""
    if released.answer_is_number:
        return named(released) + _single(released, confidence)
    what = f"{len(released.labels)} {wording.cells(released.query)}"
    if len(released.parts) > 1:
        return f"{what}, each with its interval"
    return f"{what}, all within ±{_of_all(released, confidence)}"


def origin(tidy: Known, known: Known, confidence: float) -> str:
    """From which released number a tidied one comes; nothing where both read the same."""
    now, before = _single(tidy, confidence), _single(known, confidence)
    return "" if now == before else f", from the released {before}"


def one_line(released: Known, confidence: float) -> str:
    """The whole answer for one cell of a table; of many numbers their error first, since a cell may be cut off."""
    if released.answer_is_number:
        return named(released) + _single(released, confidence, digits=6)
    measure, by = measure_of(released.query, released.schema), _by(released.query)
    numbers = zip(released.labels, (measure.times * float(value) for value in released.values), strict=True)
    if len(released.parts) > 1:
        ends = zip(*((measure.times * side).tolist() for side in bounds(released, confidence)), strict=True)
        shown = (
            f"{label} → {beside(value, (high - low) / 2)}{measure.sign} ({' to '.join(interval(low, high))})"
            for (label, value), (low, high) in zip(numbers, ends, strict=True)
        )
        return f"{by}: {'; '.join(shown)}" if by else "; ".join(shown)
    cells = "; ".join(f"{label} → {amount(value, measure.digits)}{measure.sign}" for label, value in numbers)
    error = f"all ± {_of_all(released, confidence)}"
    return f"{error}, {by}: {cells}" if by else f"{error}: {cells}"


def _of_all(released: Known, confidence: float) -> str:
    """The error that all numbers stay within at once, where they have one part."""
    half_width = released.half_width(confidence, simultaneous=True)
    return error_in(measure_of(released.query, released.schema), half_width)


def _by(query: Query) -> str:
    """The columns whose values name the cells: "by ward", without which a group called 1 reads like a number."""
    if isinstance(query, HistogramQuery):
        return f"by {query.column}"
    return f"by {query.for_each()}" if isinstance(query, ByGroup) else ""


def named(released: Known) -> str:
    """The one category of an answer that has a single cell, before its number; nothing for a plain number."""
    label = "" if released.is_choice else released.labels[0]
    return f"{label}: " if label else ""


def meaning(released: Known, confidence: float) -> str:
    """What the interval of a single answer means, or how good a choice is."""
    if released.is_choice:
        return _of_choice(released, confidence)
    measure, ((lower,), (upper,)) = measure_of(released.query, released.schema), bounds(released, confidence)
    lowest, highest = ends_beside(*(measure.times * float(each) for each in (released.answer, lower, upper)))
    unit = unit_after(measure.answers)
    drawn = f" {WIDTH_IS_DRAWN}" if len(released.parts) > 1 else ""
    return (
        f"In {confidence * 100:g}% of such releases the interval holds {exact_answer(released)}; here it reaches "
        f"from {lowest} to {highest}{unit}. It covers the privacy noise only, not sampling error."
        f"{drawn}"
    )


def all_at_once(released: Known) -> str:
    """What the intervals of an answer with many numbers mean."""
    return (
        f"The intervals hold for all numbers at once (simultaneous): for {exact_answer(released)}. They cover the "
        "privacy noise only, not sampling error."
    )


def bounds(released: Known, confidence: float) -> tuple[Array, Array]:
    """Lower and upper ends, one a number, which hold for all numbers at once."""
    lower, upper = released.interval(confidence, simultaneous=True)
    return np.atleast_1d(np.asarray(lower)), np.atleast_1d(np.asarray(upper))


def _single(released: Known, confidence: float, digits: int = 3) -> str:
    if isinstance(released.answer, str):
        return released.answer
    measure = measure_of(released.query, released.schema)
    unit = unit_after(measure.answers)
    if released.is_choice:
        query = released.query
        listed = isinstance(query, QuantileQuery) and query.candidates is not None
        return f"{amount(float(released.answer), 6 if listed else digits)}{unit}"
    value, ((lower,), (upper,)) = float(released.answer), bounds(released, confidence)
    above, below = float(upper) - value, value - float(lower)
    shown = beside(measure.times * value, measure.times * (above + below) / 2)
    if abs(above - below) <= 1e-6 * max(above, below):
        named_once = "" if measure.answers == measure.errors else unit
        return f"{shown}{named_once} ± {error_in(measure, above)}"
    lowest, highest = interval(measure.times * float(lower), measure.times * float(upper))
    return f"{shown}{unit_after(measure.answers, shown)} ({lowest} to {highest})"


def _of_choice(released: Known, confidence: float) -> str:
    query, often = released.query, f"In {confidence * 100:g}% of such releases"
    short = error_in(measure_of(query, released.schema), released.half_width(confidence))
    if isinstance(query, ChoiceForm) and query.falls_short_in == "rank":
        return (
            f"{often}, its place in the sorted list is at most {short} off. How far that is in "
            f"{released.unit or 'its own unit'} depends on the rows, so there is no interval around it."
        )
    return (
        f"{often} this value is at most {short} short of the most frequent one. How many have it was "
        "not released: that is another question."
    )
