"""From a planned question and a public guess to the law of its error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch

from dpengine.accuracy.guess import Guess, require_guess
from dpengine.accuracy.laws.chosen import SelectionError
from dpengine.accuracy.laws.noise import NoiseError
from dpengine.accuracy.laws.ratio import Noise, RatioError
from dpengine.accuracy.laws.sampling import SamplingError
from dpengine.accuracy.laws.variance_error import VarianceError
from dpengine.data import FixedPointMoments, Schema
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import ExponentialMechanism, ReleasedMechanism, ReportNoisyMax
from dpengine.queries import (
    AnyPart,
    Choice,
    Query,
    largest_variance,
)
from dpengine.queries.forms import (
    ByGroup,
    ChoiceForm,
    CountForm,
    OfNumbers,
    RatioForm,
    SumForm,
    VarianceForm,
    people_or_rows,
)

AnswerError = NoiseError | RatioError | SelectionError | VarianceError


def answer_error(
    query: Query, parts: Sequence[AnyPart], mechanisms: Sequence[ReleasedMechanism], guess: Guess | None = None
) -> AnswerError:
    """The law of the privacy noise in the answer (of each coordinate), in the unit of the answer.

    One part needs no guess; of a choice it is the law of the rows that its rank may be off. Several parts need the
    guessed number of records and the guessed answer; of means by group it is the law in a group of average size with
    the answer that is farthest from the middle. Raises InvalidParameterError where the guess is missing or outside the
    public bounds.
    """
    require_guess(guess)
    if len(parts) == 1:
        return _of_one_part(parts[0], mechanisms[0])
    if guess is None:
        rule = "given, from what is public and never from the rows, as in Guess(records=1000, answer=40)"
        raise InvalidParameterError("guess", guess, f"{rule}: this error depends on the number of records")
    return error_of_parts(query, parts, mechanisms, guess)


def _of_one_part(part: AnyPart, mechanism: ReleasedMechanism) -> NoiseError | SelectionError:
    if isinstance(part, Choice) and isinstance(mechanism, ExponentialMechanism | ReportNoisyMax):
        return SelectionError(mechanism=mechanism, candidates=len(part.values), step=part.step)
    return NoiseError(mechanism=_noise(mechanism), step=part.step)


@singledispatch
def error_of_parts(
    query: object, parts: Sequence[AnyPart], mechanisms: Sequence[ReleasedMechanism], guess: Guess
) -> RatioError | VarianceError:
    """The law of the error of an answer that is put together from several parts, at the guessed size."""
    raise TypeError(query)


@error_of_parts.register
def _(query: RatioForm, parts: Sequence[AnyPart], mechanisms: Sequence[ReleasedMechanism], guess: Guess) -> RatioError:
    answer, records = _representative(query, parts, guess)
    lower, center, upper = query.ends(parts)
    return RatioError(
        numerator=_noise(mechanisms[0]),
        denominator=_noise(mechanisms[1]),
        numerator_step=parts[0].step,
        denominator_step=parts[1].step,
        ratio=answer - center,
        records=records,
        lowest=lower - answer,
        highest=upper - answer,
    )


@error_of_parts.register
def _(
    query: VarianceForm, parts: Sequence[AnyPart], mechanisms: Sequence[ReleasedMechanism], guess: Guess
) -> VarianceError:
    largest = largest_variance(parts[0].aggregate)
    variance = guess.single_answer()
    if not 0.0 <= variance <= largest:
        raise InvalidParameterError("answer", variance, f"within the public bounds, 0 to {largest:g}")
    return VarianceError(
        squares=_noise(mechanisms[0]),
        distances=_noise(mechanisms[1]),
        count=_noise(mechanisms[2]),
        step=parts[1].step,
        variance=variance,
        mean=_distance_of_mean(parts[0], guess.mean, math.sqrt(max(largest - variance, 0.0))),
        records=float(guess.records),
        largest=largest,
    )


def _distance_of_mean(part: AnyPart, mean: float | None, farthest: float) -> float:
    """How far the mean lies from the middle of the bounds; as far as the variance allows where nobody guessed it."""
    if mean is None or not isinstance(part.aggregate, FixedPointMoments):
        return farthest
    return min(abs(mean - math.ldexp(float(part.aggregate.center), -part.aggregate.fraction_bits)), farthest)


def _representative(query: RatioForm, parts: Sequence[AnyPart], guess: Guess) -> tuple[float, float]:
    """The answer and the number of records of one coordinate: by group the average size, of several the hardest."""
    lower, center, upper = query.ends(parts)
    if not guess.answers or (len(guess.answers) > 1 and parts[0].coordinates == 1):
        guess.single_answer()
    for answer in guess.answers:
        if not lower <= answer <= upper:
            raise InvalidParameterError("answer", answer, f"within the public bounds, {lower:g} to {upper:g}")
    return max(guess.answers, key=lambda answer: abs(answer - center)), guess.records / parts[1].coordinates


def _noise(mechanism: ReleasedMechanism) -> Noise:
    if isinstance(mechanism, ExponentialMechanism | ReportNoisyMax):
        raise InvalidParameterError("mechanism", mechanism, "one that adds noise")
    return mechanism


def error_unit(query: Query, schema: Schema) -> str:
    """The unit in which an answer's error is told: its own, and for a choice people or rows.

    What is chosen has no error of its own unit: its rank or its count falls short.
    """
    return people_or_rows(schema) if isinstance(query, ChoiceForm) else query.unit(schema)


def error_sign(parts: Sequence[AnyPart]) -> str:
    """What stands before an answer's error: one that depends on how many rows there are is a guess, as they are.

    The error of a choice, which falls short and is never too high, has no sign.
    """
    if isinstance(parts[0], Choice):
        return ""
    return "±" if len(parts) == 1 else "about ±"


def largest_shift(query: Query, parts: Sequence[AnyPart], guess: Guess) -> float:
    """How far one person moves any coordinate of the answer, in its unit; never below the truth at the guessed size.

    A ratio moves by at most (what one person does to the sum, plus ratio times what they do to the count) over the
    count that is left, and never beyond its public range. A choice: how far any score moves, in rows.
    """
    require_guess(guess)
    if len(parts) == 1:
        return parts[0].sensitivity.linf
    if isinstance(query, VarianceForm):
        return _largest_shift_of_variance(parts, guess)
    if not isinstance(query, RatioForm):
        raise TypeError(query)
    lower, center, upper = query.ends(parts)
    total, count = (part.sensitivity.linf for part in parts)
    answer, records = _representative(query, parts, guess)
    left = records - count
    moved = total + abs(answer - center) * count
    return min(upper - lower, moved / left) if left > 0.0 else upper - lower


def _largest_shift_of_variance(parts: Sequence[AnyPart], guess: Guess) -> float:
    """share (1 - share) (upper - lower)^2, where one person has this share of the records, a half at most.

    Exact for adding or removing: everybody else at one bound, this person at the other. Replacing is both, which shows
    in the sum of distances, moved by the whole range then and by half of it otherwise.
    """
    largest, rows = largest_variance(parts[0].aggregate), parts[2].sensitivity.linf
    share = min(rows / guess.records, 0.5) if guess.records else 0.5
    steps = parts[1].sensitivity.linf / (rows * math.sqrt(largest))
    return min(largest, steps * 4.0 * largest * share * (1.0 - share))


def sampling_error(query: Query, guess: Guess) -> SamplingError | None:
    """The law of the error that the same table would have without privacy, as a sample of a large population.

    None where the guess says too little, or where nothing varies. Several coordinates: the widest of them.
    """
    require_guess(guess)
    if not sampling_is_known(query):
        return None
    deviation = sampling_deviation(query, guess)
    return None if not deviation else SamplingError(standard_deviation=deviation)


def sampling_is_known(query: Query) -> bool:
    """Whether it follows from a size: not of choices and variances, nor of sums and ratios by group.

    There it depends on the shape of the values, or on the sizes of the groups.
    """
    by_shape = isinstance(query, VarianceForm | ChoiceForm)
    return not by_shape and (not isinstance(query, ByGroup) or isinstance(query, CountForm))


@singledispatch
def sampling_deviation(query: Query, guess: Guess) -> float | None:
    """Standard deviation of the sampling error where it is known; None where the guess says too little."""
    raise TypeError(query)


@sampling_deviation.register
def _(query: CountForm, guess: Guess) -> float | None:
    """sqrt(n p (1 - p)) with p = answer / n."""
    return max((_binomial(guess.records, answer) for answer in guess.answers), default=None)


@sampling_deviation.register
def _(query: SumForm, guess: Guess) -> float | None:
    """sqrt(n) spread; with a condition, whose number of rows varies too, at most sqrt(n (spread^2 + mean^2))."""
    if guess.spread is None:
        return None
    if query.where is None or not guess.records:
        return math.sqrt(guess.records) * guess.spread
    return math.sqrt(guess.records) * math.hypot(guess.spread, guess.single_answer() / guess.records)


@sampling_deviation.register
def _(query: RatioForm, guess: Guess) -> float | None:
    """spread / sqrt(n); of a share sqrt(p (1 - p) / n), of several the largest."""
    if not guess.records:
        return None
    if isinstance(query, OfNumbers):
        return None if guess.spread is None else guess.spread / math.sqrt(guess.records)
    counts = (_binomial(guess.records, answer * guess.records) for answer in guess.answers)
    return max((count / guess.records for count in counts), default=None)


@singledispatch
def resized(query: Query, guess: Guess, records: float) -> Guess:
    """The same guess for another number of records: shares, means and spreads stay, counts and sums grow."""
    raise TypeError(query)


@resized.register
def _(query: CountForm | SumForm, guess: Guess, records: float) -> Guess:
    factor = records / guess.records if guess.records else 0.0
    return replace(guess, records=records, answer=tuple(answer * factor for answer in guess.answers) or None)


@resized.register
def _(query: RatioForm | VarianceForm | ChoiceForm, guess: Guess, records: float) -> Guess:
    return replace(guess, records=records)


def _binomial(records: float, answer: float) -> float:
    if not 0.0 <= answer <= records * (1.0 + 1e-12):
        raise InvalidParameterError("answer", answer, f"between 0 and the number of records, {records:g}")
    return math.sqrt(max(answer * (1.0 - answer / records), 0.0)) if records else 0.0
