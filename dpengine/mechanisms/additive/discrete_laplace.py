"""Two-sided geometric noise on a grid: what is released for pure differential privacy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from scipy.special import digamma

from dpengine.errors import (
    InvalidParameterError,
    named,
    require_between,
    require_non_negative,
    require_positive,
    require_whole,
)
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.mechanisms.additive.inversion import edge, lowered_until, raised_until
from dpengine.mechanisms.additive.protocol import any_of, log_share_of_misses
from dpengine.mechanisms.kinds import NoiseKind, NumbersMoved, pure_rho
from dpengine.privacy import DiscreteLaplaceEvent, exact_decimal
from dpengine.privacy.rounding import noise_multiplier_of

_LARGEST_SUMMED_SCALE, _LARGEST_SCALE = 1000.0, 1e300


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class DiscreteLaplaceMechanism:
    """Adds a whole number k of grid steps with probability proportional to e^(-|k| / scale).

    Both fields are in grid steps; pure differential privacy with epsilon = l1_sensitivity / scale.
    Source: Ghosh, Roughgarden, Sundararajan 2009; Canonne, Kamath, Steinke 2020, section 5.2.
    """

    scale: float
    l1_sensitivity: int

    def __post_init__(self) -> None:
        require_between("scale", self.scale, 0.0, _LARGEST_SCALE, open_at="lower")
        require_whole("l1_sensitivity", self.l1_sensitivity)
        require_positive("scale / l1_sensitivity", noise_multiplier_of(self.scale, self.l1_sensitivity))

    @classmethod
    def from_epsilon(cls, epsilon: float | Fraction, *, l1_sensitivity: int) -> DiscreteLaplaceMechanism:
        """The least scale of this machine whose event costs at most the epsilon that was written down.

        A float means the decimal that a person typed: 0.1 is one tenth.
        """
        wanted = epsilon if isinstance(epsilon, Fraction) else _exact_epsilon(epsilon)
        require_whole("l1_sensitivity", l1_sensitivity)
        if wanted <= 0:
            raise InvalidParameterError("epsilon", epsilon, "above 0")
        try:
            scale = float(int(l1_sensitivity) / wanted)
        except OverflowError as error:
            raise InvalidParameterError("epsilon", epsilon, "large enough for a finite scale") from error

        def costs_no_more(raised: float) -> bool:
            most, units = noise_multiplier_of(raised, l1_sensitivity).as_integer_ratio()
            return most * wanted.numerator >= units * wanted.denominator

        return cls(scale=raised_until(scale, costs_no_more), l1_sensitivity=int(l1_sensitivity))

    @classmethod
    def from_error(
        cls, error: float, *, confidence: float, coordinates: int = 1, l1_sensitivity: int = 1
    ) -> DiscreteLaplaceMechanism:
        """The most noise, so the least epsilon, whose error_quantile at this confidence is at most `error` grid steps.

        By the exact tail at the whole steps in `error`; an error below 1 asks for noise that is nearly always 0.
        """
        require_non_negative("error", error)
        allowed, steps = log_share_of_misses(confidence, coordinates), math.floor(error)

        def within(scale: float) -> bool:
            mechanism = cls(scale=scale, l1_sensitivity=l1_sensitivity)
            outside = float(mechanism._log_tail(float(steps)))
            return outside <= allowed and mechanism.error_quantile(confidence, coordinates) <= steps

        least = lowered_until((steps + 1.0) / (math.log(2.0) - allowed), within)
        most = min(2.0 * (steps + 1.0) / max(-allowed, 1e-300), _LARGEST_SCALE)
        return cls(scale=most if within(most) else edge(least, most, within)[0], l1_sensitivity=l1_sensitivity)

    @classmethod
    def from_expected_error(
        cls, expected_absolute_error: float, *, l1_sensitivity: int = 1
    ) -> DiscreteLaplaceMechanism:
        """The most noise whose mean error is at most this: scale = 1 / arsinh(1 / mean error)."""
        require_positive("expected_absolute_error", expected_absolute_error)

        def within(scale: float) -> bool:
            return cls(scale=scale, l1_sensitivity=l1_sensitivity).expected_absolute_error <= expected_absolute_error

        most = 1.0 / math.asinh(1.0 / expected_absolute_error)
        return cls(scale=lowered_until(most, within), l1_sensitivity=l1_sensitivity)

    @property
    def exact_epsilon(self) -> Fraction:
        """What one run costs, without rounding."""
        return int(self.l1_sensitivity) / Fraction(float(self.scale))

    @property
    def event(self) -> DiscreteLaplaceEvent:
        """Its noise multiplier is rounded down, so that 1 / noise_multiplier is never below `exact_epsilon`."""
        sensitivity = int(self.l1_sensitivity)
        return DiscreteLaplaceEvent(
            noise_multiplier=noise_multiplier_of(self.scale, sensitivity), sensitivity=sensitivity
        )

    @property
    def standard_deviation(self) -> float:
        """sqrt(2 q) / (1 - q) with q = e^(-1 / scale)."""
        return math.sqrt(2.0) * math.exp(-0.5 / self.scale) / -math.expm1(-1.0 / self.scale)

    @property
    def expected_absolute_error(self) -> float:
        """2 q / (1 - q^2) with q = e^(-1 / scale)."""
        return 2.0 * math.exp(-1.0 / self.scale) / -math.expm1(-2.0 / self.scale)

    def expected_capped_error(self, cap: Numbers) -> Numbers:
        """Mean of min(|noise|, cap) for cap >= 0: the sum of the tail up to the cap, which need not be whole."""
        reach = numbers("cap", cap, 0.0)
        whole = np.floor(reach)
        with np.errstate(over="ignore"):
            steps = -self.expected_absolute_error * np.expm1(-whole / self.scale)
        return like(cap, steps + (reach - whole) * np.exp(self._log_tail(whole)))

    def probability(self, k: Numbers) -> Numbers:
        """Of the noise being k; 0 where k is not whole."""
        steps = np.abs(numbers("k", k))
        with np.errstate(over="ignore"):
            whole = math.tanh(0.5 / self.scale) * np.exp(-steps / self.scale)
        return like(k, np.where(steps == np.floor(steps), whole, 0.0))

    def tail(self, t: Numbers) -> Numbers:
        """P(|noise| > t), strictly greater: 2 q^(floor(t) + 1) / (1 + q) for t >= 0; an equality."""
        steps = numbers("t", t, infinite=True)
        return like(t, np.where(steps < 0.0, 1.0, np.exp(self._log_tail(np.floor(np.maximum(steps, 0.0))))))

    def error_quantile(self, confidence: float, coordinates: int = 1) -> int:
        """Least whole t with P(every |noise| <= t) >= confidence."""
        allowed = log_share_of_misses(confidence, coordinates)
        guess = math.floor(self.scale * (math.log(2.0) - math.log1p(math.exp(-1.0 / self.scale)) - allowed))
        t = max(0, guess - 2)
        while self._log_tail(float(t)) > allowed and t <= guess + 2:
            t += 1
        return t

    def expected_largest_error(self, coordinates: int) -> float:
        """The sum of P(largest error > t) over t = 0, 1, ...; by Euler and Maclaurin's formula for wide noise.

        Right to 10 digits. Source: Euler-Maclaurin with two end terms, whose remainder is of order 1 / scale^3.
        """
        require_whole("coordinates", coordinates)
        if self.scale > _LARGEST_SUMMED_SCALE:
            return self._expected_largest_of_wide_noise(coordinates)
        reach = self.scale * (math.log(coordinates) + 45.0) + 2.0
        steps = np.arange(math.ceil(reach), dtype=np.float64)
        return float(np.sum(any_of(np.exp(self._log_tail(steps)), coordinates)))

    def simulate(self, answer: npt.ArrayLike, rng: np.random.Generator) -> Array:
        """A noisy answer in grid steps for pictures only; never a release, which exact_noise draws."""
        exact = numbers("answer", answer)
        up, down = (np.floor(rng.exponential(self.scale, size=exact.shape)) for _ in range(2))
        return exact + up - down

    def _log_tail(self, t: npt.ArrayLike) -> Array:
        with np.errstate(over="ignore"):
            decay = (np.asarray(t, dtype=np.float64) + 1.0) / self.scale
        return math.log(2.0) - math.log1p(math.exp(-1.0 / self.scale)) - decay

    def _expected_largest_of_wide_noise(self, coordinates: int) -> float:
        """Integral + g(0) / 2 - g'(0) / 12 for g(t) = P(largest error > t); zero = P(noise = 0) is small here."""
        zero = math.tanh(0.5 / self.scale)
        powers = np.arange(1.0, min(coordinates, 60) + 1.0)
        harmonic = float(digamma(coordinates + 1.0)) + float(np.euler_gamma)
        integral = self.scale * (harmonic - float(np.sum(zero**powers / powers)))
        start = -math.expm1(coordinates * math.log(zero))
        slope = -coordinates * zero ** (coordinates - 1.0) * (1.0 - zero) / self.scale
        return float(integral + start / 2.0 - slope / 12.0)


def _exact_epsilon(epsilon: float) -> Fraction:
    require_positive("epsilon", epsilon)
    return exact_decimal(epsilon)


def _calibrated(moved: NumbersMoved, share: Fraction, delta: Fraction) -> DiscreteLaplaceMechanism:
    return DiscreteLaplaceMechanism.from_epsilon(share, l1_sensitivity=int(moved.sensitivity.l1))


def _covers(mechanism: DiscreteLaplaceMechanism, moved: NumbersMoved, share: Fraction, delta: Fraction) -> bool:
    return mechanism.exact_epsilon <= share and mechanism.l1_sensitivity == int(moved.sensitivity.l1)


def _log_moment(mechanism: DiscreteLaplaceMechanism, rates: Array) -> Array:
    decay = 1.0 / mechanism.scale
    apart = np.log(-np.expm1(rates - decay)) + np.log(-np.expm1(-rates - decay))
    return np.asarray(2.0 * math.log(-math.expm1(-decay)) - apart)


LAPLACE = NoiseKind(
    name="laplace",
    label="Laplace",
    in_words=lambda _: "discrete Laplace noise",
    mechanism=DiscreteLaplaceMechanism,
    needs_delta=False,
    measured_in="epsilon",
    size_is="scale",
    size=lambda mechanism: mechanism.scale,
    scale=lambda mechanism: mechanism.scale,
    moved=lambda mechanism: mechanism.l1_sensitivity,
    farthest=45,
    calibrated=_calibrated,
    prepare=lambda _: None,
    rho=pure_rho,
    covers=_covers,
    drawn="laplace",
    highest_rate=lambda mechanism: 1.0 / mechanism.scale,
    log_moment=_log_moment,
)
