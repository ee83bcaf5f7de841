"""Discrete Gaussian noise on a grid: what is released for (epsilon, delta) and for concentrated privacy."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from dpengine.errors import (
    InvalidParameterError,
    named,
    require_between,
    require_kind,
    require_non_negative,
    require_positive,
    require_whole,
)
from dpengine.losses import delta_of, discrete_gaussian_scale, least_scales, rho_from_guarantee
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.losses.discrete_gaussian_tails import log_probability, log_tail
from dpengine.mechanisms.additive.gaussian import GaussianMechanism
from dpengine.mechanisms.additive.inversion import last_before_edge
from dpengine.mechanisms.additive.protocol import any_of, log_share_of_misses
from dpengine.mechanisms.kinds import NoiseKind, NumbersMoved
from dpengine.privacy import ConcentratedEvent, DiscreteGaussianEvent, Guarantee, require_guarantee
from dpengine.privacy.rounding import noise_multiplier_of, promise_of

_LARGEST_SCALE, _LARGEST_SUMMED_SCALE, _LARGEST_LISTED_SCALE, _NEARLY_CONTINUOUS = 1e300, 1000.0, 100.0, 10.0
_FARTHEST = 1e308


@named
@dataclass(frozen=True, slots=True, kw_only=True, init=False, repr=False)
class DiscreteGaussianMechanism:
    """Adds a whole number k of grid steps with probability proportional to e^(-k^2 / (2 scale^2)).

    `scale` is what the constructor calls the standard deviation: that of the continuous Gaussian on the same grid,
    never below the noise's own.

    With a whole l2_sensitivity the event is that of ONE number that moves, alone or as the only one of a vector that
    does. For a vector of which no more than l2_sensitivity is known pass one_coordinate=False, and the event is its
    rho: on a grid this coarse a move by (1, 1, 1, 1) reveals more than one by (2, 0, 0, 0) of the same length (at
    scale 1.091 delta .0138 at epsilon 5 where the latter has .01).
    Source: Canonne, Kamath, Steinke 2020, Definition 1 and Theorem 4.
    """

    scale: float
    l2_sensitivity: float
    one_coordinate: bool

    def __init__(self, *, standard_deviation: float, l2_sensitivity: float, one_coordinate: bool | None = None) -> None:
        """Lengths are in grid steps; left out, one_coordinate is taken to be true of every whole l2_sensitivity.

        That is wrong for a vector of which several coordinates may move at once: pass False there.
        """
        require_between("standard_deviation", standard_deviation, 0.0, _LARGEST_SCALE, open_at="lower")
        require_positive("l2_sensitivity", l2_sensitivity)
        require_positive("standard_deviation / l2_sensitivity", float(standard_deviation / l2_sensitivity))
        whole = l2_sensitivity == math.floor(l2_sensitivity)
        if one_coordinate is not None:
            require_kind("one_coordinate", one_coordinate, bool)
            if one_coordinate and not whole:
                rule = "a whole number of grid steps where one coordinate moves"
                raise InvalidParameterError("l2_sensitivity", l2_sensitivity, rule)
        object.__setattr__(self, "scale", float(standard_deviation))
        object.__setattr__(self, "l2_sensitivity", int(l2_sensitivity) if whole else float(l2_sensitivity))
        object.__setattr__(self, "one_coordinate", whole if one_coordinate is None else one_coordinate)

    @classmethod
    def from_guarantee(
        cls, guarantee: Guarantee, *, l2_sensitivity: float, one_coordinate: bool | None = None
    ) -> DiscreteGaussianMechanism:
        """The least noise that keeps the guarantee: by its exact loss where one coordinate moves, else by rho.

        Pass one_coordinate=False for a vector of which several coordinates may move at once.
        """
        require_guarantee("guarantee", guarantee)
        exact = cls(standard_deviation=l2_sensitivity, l2_sensitivity=l2_sensitivity, one_coordinate=one_coordinate)
        if exact.one_coordinate:
            scale = discrete_gaussian_scale(
                epsilon=guarantee.epsilon, delta=guarantee.delta, sensitivity=int(exact.l2_sensitivity)
            )
        else:
            scale = _scale_of(rho_from_guarantee(guarantee), exact.l2_sensitivity)
        return cls(standard_deviation=scale, l2_sensitivity=l2_sensitivity, one_coordinate=one_coordinate)

    @classmethod
    def from_error(
        cls,
        error: float,
        *,
        confidence: float,
        coordinates: int = 1,
        l2_sensitivity: float = 1,
        one_coordinate: bool | None = None,
    ) -> DiscreteGaussianMechanism:
        """The most noise, so the least loss, whose error_quantile at this confidence is at most `error` grid steps."""
        require_non_negative("error", error)
        guess = GaussianMechanism.from_error(math.floor(error) + 0.5, confidence=confidence, coordinates=coordinates)

        def mechanism(scale: float) -> DiscreteGaussianMechanism:
            return cls(standard_deviation=scale, l2_sensitivity=l2_sensitivity, one_coordinate=one_coordinate)

        def within(scale: float) -> bool:
            return mechanism(scale).error_quantile(confidence, coordinates) <= error

        return mechanism(last_before_edge(guess.standard_deviation, within))

    @classmethod
    def from_expected_error(
        cls, expected_absolute_error: float, *, l2_sensitivity: float = 1, one_coordinate: bool | None = None
    ) -> DiscreteGaussianMechanism:
        """The most noise whose mean error on one coordinate is at most this many grid steps."""
        require_positive("expected_absolute_error", expected_absolute_error)
        guess = max(expected_absolute_error, 0.1) * math.sqrt(math.pi / 2.0)

        def mechanism(scale: float) -> DiscreteGaussianMechanism:
            return cls(standard_deviation=scale, l2_sensitivity=l2_sensitivity, one_coordinate=one_coordinate)

        def within(scale: float) -> bool:
            return mechanism(scale).expected_absolute_error <= expected_absolute_error

        return mechanism(last_before_edge(guess, within))

    @property
    def exact_rho(self) -> Fraction:
        """What one run costs under concentrated privacy; a sensitivity that is not whole is raised by a last digit."""
        return _square_above(self.l2_sensitivity) / (2 * Fraction(self.scale) ** 2)

    @property
    def event(self) -> DiscreteGaussianEvent | ConcentratedEvent:
        """The exact loss where one coordinate moves, else rho; its numbers are rounded towards more loss."""
        if self.one_coordinate:
            sensitivity = int(self.l2_sensitivity)
            return DiscreteGaussianEvent(
                noise_multiplier=noise_multiplier_of(self.scale, sensitivity), sensitivity=sensitivity
            )
        return ConcentratedEvent(rho=_up(self.exact_rho))

    @property
    def standard_deviation(self) -> float:
        """Of the noise itself; below `scale` on a coarse grid, equal to it to 1e-300 from scale 10 on."""
        if self.scale >= _NEARLY_CONTINUOUS:
            return self.scale
        steps = np.arange(1.0, math.ceil(40.0 * self.scale) + 2.0)
        return math.sqrt(2.0 * float(np.sum(steps**2 * self.probability(steps))))

    @property
    def expected_absolute_error(self) -> float:
        return self.expected_largest_error(1)

    def expected_capped_error(self, cap: Numbers) -> Numbers:
        """Mean of min(|noise|, cap) for cap >= 0: what lies up to the cap, which need not be whole, and the rest at it.

        Wide noise by Euler and Maclaurin's formula: right to 12 digits.
        """
        reach = numbers("cap", cap, 0.0)
        whole = np.floor(reach)
        within = self._sum_up_to(whole) if self.scale <= _LARGEST_SUMMED_SCALE else self._wide_sum_up_to(whole)
        return like(cap, within + reach * np.exp(self._log_tail(whole)))

    def probability(self, k: Numbers) -> Numbers:
        """Of the noise being k; 0 where k is not whole."""
        steps = numbers("k", k)
        return like(k, np.where(steps == np.floor(steps), np.exp(log_probability(np.array(self.scale), steps)), 0.0))

    def tail(self, t: Numbers) -> Numbers:
        """P(|noise| > t), strictly greater: twice P(noise >= floor(t) + 1) for t >= 0; an equality."""
        steps = numbers("t", t, infinite=True)
        return like(t, np.where(steps < 0.0, 1.0, np.exp(self._log_tail(np.floor(np.clip(steps, 0.0, _FARTHEST))))))

    def error_quantile(self, confidence: float, coordinates: int = 1) -> int:
        """Least whole t with P(every |noise| <= t) >= confidence."""
        allowed = log_share_of_misses(confidence, coordinates)
        guess = max(0, math.floor(-self.scale * float(ndtri(0.5 * math.exp(allowed))) - 0.5))
        near = max(guess - 2.0, -1.0) + np.arange(5.0)
        enough = (near >= 0.0) & (self._log_tail(near) <= allowed)
        first = int(np.argmax(enough))
        if enough[first] and first > 0 and near[first] == near[first - 1] + 1.0:
            return int(near[first])
        return self._searched_quantile(guess, allowed)

    def expected_largest_error(self, coordinates: int) -> float:
        """The sum of P(largest error > t) over t = 0, 1, ...; by Euler and Maclaurin's formula for wide noise.

        Right to 10 digits. Source: Euler-Maclaurin at the middles, whose remainder is of order 1 / scale^3.
        """
        require_whole("coordinates", coordinates)
        if self.scale > _LARGEST_SUMMED_SCALE:
            narrower = 1.0 - 1.0 / self.scale / self.scale / 24.0
            start = math.sqrt(2.0 / math.pi) / self.scale / 24.0 if coordinates == 1 else 0.0
            normal = GaussianMechanism(standard_deviation=1.0, l2_sensitivity=1.0)
            return self.scale * narrower * normal.expected_largest_error(coordinates) - start
        reach = self.scale * math.sqrt(2.0 * (math.log(coordinates) + 45.0)) + 3.0
        steps = np.arange(math.ceil(reach), dtype=np.float64)
        return float(np.sum(any_of(np.exp(self._log_tail(steps)), coordinates)))

    def simulate(self, answer: npt.ArrayLike, rng: np.random.Generator) -> Array:
        """A noisy answer in grid steps for pictures only, above scale 100 by rounding; exact_noise draws releases."""
        exact = numbers("answer", answer)
        if self.scale > _LARGEST_LISTED_SCALE:
            return np.asarray(exact + np.rint(rng.normal(0.0, self.scale, size=exact.shape)))
        reach = math.ceil(40.0 * self.scale)
        steps = np.arange(-reach, reach + 1.0)
        cumulative = np.cumsum(self.probability(steps))
        places = np.searchsorted(cumulative, rng.random(size=exact.shape) * cumulative[-1], side="right")
        return np.asarray(exact + steps[places])

    def _sum_up_to(self, whole: Array) -> Array:
        """Sum of |k| P(noise = k) over |k| <= whole."""
        steps = np.arange(math.ceil(40.0 * self.scale) + 2.0)
        sums = 2.0 * np.cumsum(steps * self.probability(steps))
        return np.asarray(sums[np.minimum(whole, steps[-1]).astype(np.intp)])

    def _wide_sum_up_to(self, whole: Array) -> Array:
        """The same by the integral of x e^(-x^2 / (2 scale^2)), half its last value and a twelfth of the slopes."""
        z = np.minimum(whole / self.scale, 40.0)
        end, slopes = np.exp(-z * z / 2.0), np.expm1(-z * z / 2.0) - z * z * np.exp(-z * z / 2.0)
        integral = -self.scale * np.expm1(-z * z / 2.0)
        return np.asarray(math.sqrt(2.0 / math.pi) * (integral + z * end / 2.0 + slopes / 12.0 / self.scale))

    def __repr__(self) -> str:
        lengths = f"standard_deviation={self.scale!r}, l2_sensitivity={self.l2_sensitivity!r}"
        return f"{type(self).__name__}({lengths}, one_coordinate={self.one_coordinate!r})"

    def _searched_quantile(self, guess: int, allowed: float) -> int:
        low, high = -1, guess + 2
        while self._log_tail(float(high)) > allowed:
            low, high = high, 2 * high + 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._log_tail(float(middle)) <= allowed else (middle, high)
        return high

    def _log_tail(self, t: npt.ArrayLike) -> Array:
        return np.minimum(math.log(2.0) + log_tail(self.scale, np.asarray(t, dtype=np.float64) + 1.0), 0.0)


def _square_above(l2_sensitivity: float) -> Fraction:
    """Never below the square of a length that was rounded to this float."""
    if l2_sensitivity == math.floor(l2_sensitivity):
        return Fraction(l2_sensitivity) ** 2
    return Fraction(math.nextafter(l2_sensitivity, math.inf)) ** 2


def _scale_of(rho: float, l2_sensitivity: float) -> float:
    """Least scale whose exact rho is at most the one given."""
    require_positive("rho", rho)
    scale = l2_sensitivity / math.sqrt(2.0 * rho)
    while _square_above(l2_sensitivity) > 2 * Fraction(rho) * Fraction(scale) ** 2:
        scale = math.nextafter(scale, math.inf)
    return scale


def _up(value: Fraction) -> float:
    nearest = float(value)
    return nearest if nearest >= value else math.nextafter(nearest, math.inf)


def _calibrated(moved: NumbersMoved, share: Fraction, delta: Fraction) -> DiscreteGaussianMechanism:
    return _found(promise_of(share, delta), moved.sensitivity.l2, moved.one_coordinate)


def _prepare(asked: Iterable[tuple[NumbersMoved, Fraction, Fraction]]) -> None:
    promises = ((moved, promise_of(share, delta)) for moved, share, delta in asked if moved.one_coordinate and delta)
    least_scales((promise.epsilon, promise.delta, int(moved.sensitivity.l2)) for moved, promise in promises)


@lru_cache(maxsize=1024)
def _found(promise: Guarantee, l2_sensitivity: float, one_coordinate: bool) -> DiscreteGaussianMechanism:  # noqa: FBT001  # a key
    """Found by a search, and asked for again with every look at a release."""
    return DiscreteGaussianMechanism.from_guarantee(
        promise, l2_sensitivity=l2_sensitivity, one_coordinate=one_coordinate
    )


def _covers(mechanism: DiscreteGaussianMechanism, moved: NumbersMoved, share: Fraction, delta: Fraction) -> bool:
    """Epsilon and delta by the exact loss where one number moves, else through rho.

    Sources: Canonne, Kamath, Steinke 2020, Theorem 7 and Proposition 12.
    """
    promise, event = promise_of(share, delta), mechanism.event
    if isinstance(event, ConcentratedEvent):
        kept = mechanism.exact_rho <= Fraction(rho_from_guarantee(promise))
    else:
        kept = moved.one_coordinate and delta_of(event, epsilon=promise.epsilon) <= promise.delta
    return bool(kept) and mechanism.l2_sensitivity == moved.sensitivity.l2


def _log_moment(mechanism: DiscreteGaussianMechanism, rates: Array) -> Array:
    """At most that of the continuous law. Source: Canonne, Kamath, Steinke 2020, Lemma 22."""
    return np.asarray((rates * mechanism.scale) ** 2 / 2.0)


GAUSSIAN = NoiseKind(
    name="gaussian",
    label="Gaussian",
    in_words=lambda _: "discrete Gaussian noise",
    mechanism=DiscreteGaussianMechanism,
    needs_delta=True,
    measured_in="rho",
    size_is="standard deviation",
    size=lambda mechanism: mechanism.standard_deviation,
    scale=lambda mechanism: mechanism.scale,
    moved=lambda mechanism: mechanism.l2_sensitivity,
    farthest=10,
    calibrated=_calibrated,
    prepare=_prepare,
    rho=lambda mechanism, _: mechanism.exact_rho,
    covers=_covers,
    drawn="gaussian",
    highest_rate=lambda _: math.inf,
    log_moment=_log_moment,
)
