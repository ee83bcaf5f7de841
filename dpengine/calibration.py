"""The dial turned the other way: from a wanted error or a tolerable belief to the epsilon that allows it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import singledispatch

from dpengine.accuracy import ErrorLaw, Guess, answer_error
from dpengine.accuracy.numerical.tails import level_of_one
from dpengine.data import Schema
from dpengine.errors import InvalidParameterError, RefusedQueryError, require_between, require_one_of, require_positive
from dpengine.mechanisms import ReleasedMechanism
from dpengine.mechanisms.kinds import NoiseKind, NumbersMoved, SelectionKind
from dpengine.mechanisms.released import NOISES, PURE_NOISE, SELECTIONS, kind_of
from dpengine.privacy import Neighbors, nanos_down
from dpengine.privacy.amounts import ATTO, NANO, attos_down
from dpengine.privacy.rounding import rounded_down
from dpengine.queries import AnyPart, Choice, Part, Query

LOWEST_EPSILON, HIGHEST_EPSILON = 1e-4, 1e3
_DIGITS = 4
_PER_DECADE: int = 9 * 10 ** (_DIGITS - 1)
_DECADES = range(-4, 4)
_STRIDE = 4


def smallest_epsilon(
    law_at: Callable[[float], ErrorLaw], *, error: float, confidence: float, coordinates: int = 1
) -> float:
    """Least epsilon of four digits whose law has P(any |error| > error) <= 1 - confidence, from 0.0001 to 1000.

    `law_at` tells the law at an epsilon; its tail must not grow with epsilon. Raises InvalidParameterError where even
    epsilon 1000 is not enough.
    """
    require_positive("error", error)
    level = level_of_one(confidence, coordinates)
    found = least_epsilon(lambda epsilon: bool(law_at(epsilon).tail(error) <= level))
    if found is None:
        raise InvalidParameterError("error", error, f"larger: not even epsilon {HIGHEST_EPSILON:g} keeps it that small")
    return found


def least_epsilon(enough: Callable[[float], bool], *, near: float | None = None) -> float | None:
    """Least epsilon of four digits, from 0.0001 to 1000, such that it and every larger one is enough; or None.

    `near` is where the search begins: the closer to what is found, the fewer epsilons are asked.
    """
    return least_of_four_digits(enough, decades=_DECADES, near=near)


def least_of_four_digits(enough: Callable[[float], bool], *, decades: range, near: float | None = None) -> float | None:
    """Least number of four digits from the first power of ten to the last one such that all from it on are enough."""
    last = _PER_DECADE * (len(decades) - 1)

    def is_enough(place: int) -> bool:
        return enough(_number_at(place, decades))

    low, high = _bracket(is_enough, last, last if near is None else _place_near(near, decades))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return _number_at(high, decades) if high <= last else None


def epsilon_for_error(  # noqa: PLR0913  # a question and its target in full
    query: Query,
    schema: Schema,
    neighbors: Neighbors,
    *,
    error: float,
    confidence: float,
    guess: Guess | None = None,
    coordinates: int = 1,
    mechanism: str = PURE_NOISE.name,
    delta: float = 0.0,
) -> float:
    """Least epsilon of four digits at which the released noise stays within `error` at the confidence.

    Solved on the law that is released, so a question planned at the result never misses the target. A mean or a share
    has its own split between sum and count; `PlannedQuery.least_epsilon` knows another one.
    """
    require_one_of("mechanism", mechanism, NOISES)
    parts = query.parts(schema, neighbors)
    deltas = delta_shares(parts, delta)

    def law_at(epsilon: float) -> ErrorLaw:
        amounts = zip(parts, shares(parts, epsilon), deltas, strict=True)
        noises = tuple(mechanism_for(part, mechanism, share, delta_share) for part, share, delta_share in amounts)
        return answer_error(query, parts, noises, guess)

    return smallest_epsilon(law_at, error=error, confidence=confidence, coordinates=coordinates)


def epsilon_for_belief(*, prior: float, belief: float) -> float:
    """Largest epsilon of four digits at which nobody with this prior can come to believe more than `belief`.

    logit(belief) - logit(prior), rounded down. Raises InvalidParameterError unless belief > prior.
    Source: Bayes' rule with a likelihood ratio of at most e^epsilon.
    """
    require_between("prior", prior, 0.0, 1.0, open_at="both")
    require_between("belief", belief, 0.0, 1.0, open_at="both")
    if belief <= prior:
        raise InvalidParameterError(
            "belief", belief, f"above the prior, {prior:g}: an attacker already believes that much"
        )
    return four_digits_down(_log_odds_gained(prior, belief))


def epsilon_for_likely_belief(*, prior: float, belief: float, delta: float, failure_probability: float) -> float:
    """The same under (epsilon, delta), where the bound holds for all answers but a share `failure_probability`.

    Raises InvalidParameterError where delta alone allows more. Source: beliefs.likely_posterior_bounds, solved for
    epsilon.
    """
    epsilon_for_belief(prior=prior, belief=belief)
    share_lost = 2.0 * delta / failure_probability
    room = math.log1p(-share_lost) if share_lost < 1.0 else -math.inf
    epsilon = _log_odds_gained(prior, belief) + room
    if epsilon <= 0.0:
        raise InvalidParameterError("delta", delta, "smaller: by itself it allows more than that belief")
    return four_digits_down(epsilon)


def epsilon_for_odds(*, odds: float) -> float:
    """Largest epsilon of four digits at which nobody's data makes an answer more than `odds` times as likely."""
    require_between("odds", odds, 1.0, math.inf, open_at="both")
    return four_digits_down(math.log(odds))


def shares(parts: Sequence[AnyPart], epsilon: float) -> tuple[Fraction, ...]:
    """Epsilon of each part, in whole billionths; they sum to the epsilon of the question, rounded down."""
    return _split(parts, nanos_down(epsilon), NANO)


def delta_shares(parts: Sequence[AnyPart], delta: float) -> tuple[Fraction, ...]:
    """Delta of each part, in whole units of 1e-18; they sum to the delta of the question, rounded down."""
    return _split(parts, attos_down(delta), ATTO)


def _split(parts: Sequence[AnyPart], total: int, units: int) -> tuple[Fraction, ...]:
    """What does not divide goes to the last part; none goes without where each can have a unit."""
    least = int(total >= len(parts))
    amounts = [max(total * part.share.numerator // part.share.denominator, least) for part in parts]
    amounts[-1] += total - sum(amounts)
    return tuple(Fraction(amount, units) for amount in amounts)


def numbers_moved(part: Part) -> NumbersMoved:
    """How far one person moves a part, and whether only a single number of it: then the noise's exact loss is known."""
    sensitivity = part.grid_sensitivity
    alone = sensitivity.l2 == sensitivity.linf and (part.coordinates == 1 or sensitivity.l1 == 1)
    return NumbersMoved(sensitivity=sensitivity, one_coordinate=alone)


@singledispatch
def mechanism_for(part: AnyPart, noise: str, share: Fraction, delta: Fraction) -> ReleasedMechanism:
    """What answers one part at its shares of epsilon and delta, in grid steps of the part.

    Raises RefusedQueryError where the part cannot be answered so.
    """
    raise RefusedQueryError(f"Nothing is known that answers {type(part).__name__}.")


@mechanism_for.register
def _(part: Part, noise: str, share: Fraction, delta: Fraction) -> ReleasedMechanism:
    mechanism: ReleasedMechanism = NOISES[noise].calibrated(numbers_moved(part), share, delta)
    return mechanism


@mechanism_for.register
def _(part: Choice, noise: str, share: Fraction, delta: Fraction) -> ReleasedMechanism:
    if noise != PURE_NOISE.name:
        raise RefusedQueryError(
            "The answer to this question is selected at random and gets no noise: it has no use for "
            f"{NOISES[noise].label} noise. Choose {PURE_NOISE.label}."
        )
    mechanism: ReleasedMechanism = SELECTIONS[part.chosen_by].calibrated(part.score_sensitivity, rounded_down(share))
    return mechanism


def prepare(asked: Iterable[tuple[AnyPart, str, Fraction, Fraction]]) -> None:
    """Work out at once what `mechanism_for` is going to be asked for; it answers the same without."""
    by_noise = defaultdict[str, list[tuple[NumbersMoved, Fraction, Fraction]]](list)
    for part, noise, share, delta in asked:
        if isinstance(part, Part):
            by_noise[noise].append((numbers_moved(part), share, delta))
    for noise, amounts in by_noise.items():
        NOISES[noise].prepare(amounts)


@singledispatch
def covers(part: AnyPart, mechanism: ReleasedMechanism, share: Fraction, delta: Fraction) -> bool:
    """Whether what answers a part costs at most its shares of epsilon and delta, by our own exact arithmetic."""
    raise RefusedQueryError(f"Nothing is known that answers {type(part).__name__}.")


@covers.register
def _(part: Part, mechanism: ReleasedMechanism, share: Fraction, delta: Fraction) -> bool:
    kind = kind_of(mechanism)
    return isinstance(kind, NoiseKind) and kind.covers(mechanism, numbers_moved(part), share, delta)


@covers.register
def _(part: Choice, mechanism: ReleasedMechanism, share: Fraction, delta: Fraction) -> bool:
    kind = kind_of(mechanism)
    return isinstance(kind, SelectionKind) and kind.covers(mechanism, part.score_sensitivity, share)


def _number_at(place: int, decades: range) -> float:
    """The four-digit numbers from the first power of ten to the last one, in order."""
    decade, digits = divmod(place, _PER_DECADE)
    return float(f"{10 ** (_DIGITS - 1) + digits}e{decades[decade] - (_DIGITS - 1)}")


def _place_near(number: float, decades: range) -> int:
    """Of the least of them that is not clearly below the number, and within their range."""
    power = math.floor(math.log10(number))
    digits = math.ceil(number / float(f"1e{power - (_DIGITS - 1)}") - 1e-9) - _PER_DECADE // 9
    place = _PER_DECADE * (power - decades[0]) + digits
    return min(max(place, 0), _PER_DECADE * (len(decades) - 1))


def _bracket(is_enough: Callable[[int], bool], last: int, place: int) -> tuple[int, int]:
    """A place that is not enough, or -1, and one above it that is, or the one after the last: in growing steps."""
    step = 1 if place < last else last + 1
    if is_enough(place):
        low, high = place - step, place
        while low > -1 and is_enough(low):
            step *= _STRIDE
            low, high = low - step, low
        return max(low, -1), high
    low, high = place, place + step
    while high <= last and not is_enough(high):
        step *= _STRIDE
        low, high = high, high + step
    return low, min(high, last + 1)


def four_digits_down(epsilon: float) -> float:
    """At most four digits, never above; a hair is taken off first, for the logarithm's own rounding."""
    reduced = epsilon * (1.0 - 1e-14)
    power = math.floor(math.log10(reduced)) - (_DIGITS - 1)
    digits = math.floor(reduced / 10.0**power)
    return float(f"{digits}e{power}")


def four_digits_around(epsilon: float) -> tuple[float, float]:
    """The numbers of four digits just below and not below it, within the range of what is looked for."""
    place = max(_place_near(epsilon, _DECADES), 1)
    return _number_at(place - 1, _DECADES), _number_at(place, _DECADES)


def _log_odds_gained(prior: float, belief: float) -> float:
    """logit(belief) - logit(prior), without loss where the two are close."""
    gain = (belief - prior) / prior / (1.0 - belief)
    if gain < 1.0:
        return math.log1p(gain)
    return math.log(belief) - math.log1p(-belief) - math.log(prior) + math.log1p(-prior)
