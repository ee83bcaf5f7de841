"""From a planned question and a public guess to the law of its error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch

from dpengine.accuracy.guess import Guess
from dpengine.accuracy.noise import NoiseError
from dpengine.accuracy.ratio import Noise, RatioError
from dpengine.accuracy.sampling import SamplingError
from dpengine.data import FixedPointSum
from dpengine.errors import InvalidParameterError, RefusedQueryError
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    HistogramQuery,
    MeanQuery,
    Part,
    ProportionQuery,
    Query,
    SumQuery,
)


def answer_error(
    query: Query, parts: Sequence[Part], mechanisms: Sequence[Noise], guess: Guess | None = None
) -> NoiseError | RatioError:
    """The law of the privacy noise in the answer (of each coordinate), in the unit of the answer.

    One part needs no guess. Two parts, a sum and a count, need the guessed number of records and the guessed answer.
    Raises InvalidParameterError where the guess is missing or outside the public bounds.
    """
    if len(parts) == 1:
        return NoiseError(mechanism=mechanisms[0], step=parts[0].step)
    if guess is None:
        raise InvalidParameterError("guess", guess, "given: the error of a mean or a share depends on its count")
    answer = guess.single_answer()
    lower, center, upper = answer_bounds(query, parts)
    if not lower <= answer <= upper:
        raise InvalidParameterError("answer", answer, f"within the public bounds, {lower:g} to {upper:g}")
    return RatioError(
        numerator=mechanisms[0],
        denominator=mechanisms[1],
        numerator_step=parts[0].step,
        denominator_step=parts[1].step,
        ratio=answer - center,
        records=float(guess.records),
        lowest=lower - answer,
        highest=upper - answer,
    )


def largest_shift(query: Query, parts: Sequence[Part], guess: Guess) -> float:
    """How far one person moves any coordinate of the answer, in its unit; never below the truth at the guessed size.

    A ratio moves by at most (what one person does to the sum, plus ratio times what they do to the count) over the
    count that is left, and never beyond its public range.
    """
    if len(parts) == 1:
        return parts[0].sensitivity.linf
    lower, center, upper = answer_bounds(query, parts)
    total, count = (part.sensitivity.linf for part in parts)
    left = guess.records - count
    moved = total + abs(guess.single_answer() - center) * count
    return min(upper - lower, moved / left) if left > 0.0 else upper - lower


@singledispatch
def answer_bounds(query: object, parts: Sequence[Part]) -> tuple[float, float, float]:
    """Least answer, the middle from which its sum counts, and largest answer of a question with two parts."""
    raise RefusedQueryError(f"Nothing is known about the error of {type(query).__name__} with {len(parts)} parts.")


@answer_bounds.register
def _(query: MeanQuery, parts: Sequence[Part]) -> tuple[float, float, float]:
    aggregate = parts[0].aggregate
    if not isinstance(aggregate, FixedPointSum):
        raise RefusedQueryError(f"A mean counts a sum first, not {aggregate!r}.")
    grid = math.ldexp(1.0, -aggregate.fraction_bits)
    return aggregate.lower * grid, aggregate.center * grid, aggregate.upper * grid


@answer_bounds.register
def _(query: ProportionQuery, parts: Sequence[Part]) -> tuple[float, float, float]:
    return 0.0, 0.5, 1.0


def sampling_error(query: Query, guess: Guess) -> SamplingError | None:
    """The law of the error that the same table would have without privacy, as a sample of a large population.

    None where the guess says too little, or where nothing varies. Several coordinates: the widest of them.
    """
    deviation = sampling_deviation(query, guess)
    return None if not deviation else SamplingError(standard_deviation=deviation)


@singledispatch
def sampling_deviation(query: object, guess: Guess) -> float | None:
    """Standard deviation of the sampling error; None where the guess says too little."""
    raise RefusedQueryError(f"Nothing is known about the sampling error of {type(query).__name__}.")


@sampling_deviation.register(CountQuery)
@sampling_deviation.register(CountPeopleQuery)
@sampling_deviation.register(HistogramQuery)
def _(query: CountQuery | CountPeopleQuery | HistogramQuery, guess: Guess) -> float | None:
    """sqrt(n p (1 - p)) with p = answer / n."""
    return max((_binomial(guess.records, answer) for answer in guess.answers), default=None)


@sampling_deviation.register
def _(query: SumQuery, guess: Guess) -> float | None:
    """sqrt(n) spread; with a condition, whose number of rows varies too, at most sqrt(n (spread^2 + mean^2))."""
    if guess.spread is None:
        return None
    if query.where is None or not guess.records:
        return math.sqrt(guess.records) * guess.spread
    return math.sqrt(guess.records) * math.hypot(guess.spread, guess.single_answer() / guess.records)


@sampling_deviation.register
def _(query: MeanQuery, guess: Guess) -> float | None:
    """spread / sqrt(n)."""
    return None if guess.spread is None or not guess.records else guess.spread / math.sqrt(guess.records)


@sampling_deviation.register
def _(query: ProportionQuery, guess: Guess) -> float | None:
    """sqrt(p (1 - p) / n)."""
    if not guess.answers or not guess.records:
        return None
    return _binomial(guess.records, guess.single_answer() * guess.records) / guess.records


@singledispatch
def resized(query: object, guess: Guess, records: float) -> Guess:
    """The same guess for another number of records: shares, means and spreads stay, counts and sums grow."""
    factor = records / guess.records if guess.records else 0.0
    return replace(guess, records=records, answer=tuple(answer * factor for answer in guess.answers) or None)


@resized.register(MeanQuery)
@resized.register(ProportionQuery)
def _(query: MeanQuery | ProportionQuery, guess: Guess, records: float) -> Guess:
    return replace(guess, records=records)


def _binomial(records: float, answer: float) -> float:
    if not 0.0 <= answer <= records * (1.0 + 1e-12):
        raise InvalidParameterError("answer", answer, f"between 0 and the number of records, {records:g}")
    return math.sqrt(max(answer * (1.0 - answer / records), 0.0)) if records else 0.0
