"""Truncated Laplace noise: no error beyond a limit, at the price of a delta that no epsilon removes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from scipy.special import gammainc

from dpengine.errors import InvalidParameterError, named, require_between, require_positive, require_whole
from dpengine.losses import delta_of
from dpengine.losses.arrays import Array, Numbers, like, log_complement, numbers
from dpengine.mechanisms.additive.inversion import edge, raised_until
from dpengine.mechanisms.additive.protocol import log_share_of_hits
from dpengine.privacy import Guarantee, TruncatedLaplaceEvent, exact_decimal, require_guarantee
from dpengine.privacy.rounding import noise_multiplier_of

_LARGEST, _FLAT = 1e300, 1e-8
_LEAST_EPSILON, _LARGEST_EPSILON = 1e-9, 1e3
_CONDITION = (
    "in (0, 1/2] for truncated Laplace noise: beyond 1/2 the cut would fall within one sensitivity, where the formula "
    "is not proved (Geng, Ding, Guo, Kumar 2020, Theorem 1)"
)
_LOG_STEPS = np.arange(-40.0, 7.0, 0.125)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class TruncatedLaplaceMechanism:
    """Adds noise with density proportional to e^(-|x| / scale) on [-truncation, truncation] and none outside.

    The law is renormalized: drawn again until it fits. Not clamped noise, whose ends are atoms, and not a clamped
    output, which is free. All fields are in the unit of the answer. Never pure. For mathematics and pictures: what is
    released is discrete. Source: Geng, Ding, Guo, Kumar 2020.
    """

    scale: float
    truncation: float
    l1_sensitivity: float

    def __post_init__(self) -> None:
        require_between("scale", self.scale, 0.0, _LARGEST, open_at="lower")
        require_between("truncation", self.truncation, 0.0, _LARGEST, open_at="lower")
        require_positive("l1_sensitivity", self.l1_sensitivity)
        require_positive("scale / l1_sensitivity", noise_multiplier_of(self.scale, self.l1_sensitivity))
        require_positive("truncation / l1_sensitivity", noise_multiplier_of(self.truncation, self.l1_sensitivity))

    @classmethod
    def from_guarantee(cls, guarantee: Guarantee, *, l1_sensitivity: float = 1.0) -> TruncatedLaplaceMechanism:
        """The least noise of this kind with scale l1_sensitivity / epsilon that keeps the guarantee.

        truncation = scale ln(1 + (e^epsilon - 1) / (2 delta)), rounded up. Raises InvalidParameterError for epsilon 0
        and for a delta outside (0, 1/2]. Source: Geng, Ding, Guo, Kumar 2020, Theorem 1, solved for the cut.
        """
        require_guarantee("guarantee", guarantee)
        epsilon, delta = guarantee.epsilon, guarantee.delta
        require_positive("epsilon", epsilon)
        require_positive("l1_sensitivity", l1_sensitivity)
        if not 0.0 < delta <= 0.5:
            raise InvalidParameterError("delta", delta, _CONDITION)
        least = 1 / exact_decimal(epsilon)
        scale = raised_until(
            l1_sensitivity / epsilon, lambda raised: Fraction(noise_multiplier_of(raised, l1_sensitivity)) >= least
        )
        log_odds = epsilon + math.log(-math.expm1(-epsilon)) - math.log(2.0) - math.log(delta)

        def keeps(cut: float) -> bool:
            event = cls(scale=scale, truncation=cut, l1_sensitivity=l1_sensitivity).event
            return delta_of(event, epsilon=epsilon) <= delta

        cut = raised_until(scale * float(np.logaddexp(0.0, log_odds)), keeps)
        return cls(scale=scale, truncation=cut, l1_sensitivity=l1_sensitivity)

    @classmethod
    def from_error(
        cls, error: float, *, confidence: float, delta: float, coordinates: int = 1, l1_sensitivity: float = 1.0
    ) -> TruncatedLaplaceMechanism:
        """The mechanism of from_guarantee with the least epsilon whose error_quantile is at most `error`.

        Raises InvalidParameterError where no epsilon up to 1000 is enough, or where none is needed at this delta.
        """
        require_positive("error", error)

        def mechanism(epsilon: float) -> TruncatedLaplaceMechanism:
            guarantee = Guarantee(epsilon=epsilon, delta=delta)
            return cls.from_guarantee(guarantee, l1_sensitivity=l1_sensitivity)

        def too_wrong(epsilon: float) -> bool:
            return mechanism(epsilon).error_quantile(confidence, coordinates) > error

        if not too_wrong(_LEAST_EPSILON):
            raise InvalidParameterError("error", error, f"smaller: at delta {delta:g} it needs no epsilon at all")
        if too_wrong(_LARGEST_EPSILON):
            raise InvalidParameterError("error", error, f"larger: not even epsilon {_LARGEST_EPSILON:g} is enough")
        return mechanism(edge(_LEAST_EPSILON, _LARGEST_EPSILON, too_wrong)[1])

    @property
    def event(self) -> TruncatedLaplaceEvent:
        """Both are rounded down: less noise, and a cut that comes sooner."""
        noise, cut = (noise_multiplier_of(one, self.l1_sensitivity) for one in (self.scale, self.truncation))
        return TruncatedLaplaceEvent(noise_multiplier=noise, truncation=cut)

    @property
    def standard_deviation(self) -> float:
        """Its square is scale^2 (2 - c (c + 2) / (e^c - 1)) with c = truncation / scale."""
        if self._cut < _FLAT:
            return self.truncation / math.sqrt(3.0)
        return self.scale * math.sqrt(2.0 * float(gammainc(3.0, self._cut)) / self._kept)

    @property
    def expected_absolute_error(self) -> float:
        """scale (1 - c / (e^c - 1)) with c = truncation / scale."""
        return self.expected_capped_error(self.truncation)

    def expected_capped_error(self, cap: Numbers) -> Numbers:
        """Mean of min(|noise|, cap) for cap >= 0: the integral of the tail up to the cap."""
        reach = np.minimum(numbers("cap", cap, 0.0), self.truncation)
        if self._cut < _FLAT:
            return like(cap, reach - reach / self.truncation * reach / 2.0)
        steps = reach / self.scale
        return like(cap, self.scale / self._kept * (gammainc(2.0, steps) + self._left(steps) * steps))

    def density(self, x: Numbers) -> Numbers:
        """Of the noise at x; 0 beyond the truncation."""
        points = np.abs(numbers("x", x))
        inside = points <= self.truncation
        steps = np.where(inside, points, 0.0) / self.scale
        log_height = math.log(2.0) + math.log(self._kept) + math.log(self.scale)
        with np.errstate(over="ignore"):
            return like(x, np.where(inside, np.exp(-steps - log_height), 0.0))

    def tail(self, t: Numbers) -> Numbers:
        """P(|noise| > t); an equality, and 0 from the truncation on."""
        steps = np.clip(numbers("t", t, infinite=True), 0.0, self.truncation) / self.scale
        return like(t, self._left(steps) / self._kept)

    def error_quantile(self, confidence: float, coordinates: int = 1) -> float:
        """The half-width that all coordinates obey at once with this confidence; never beyond the truncation."""
        return float(self._quantile(log_share_of_hits(confidence, coordinates)))

    def expected_largest_error(self, coordinates: int) -> float:
        """The mean of the quantile at e^(-y / coordinates) over exponential y, by the trapezoidal rule in ln y.

        Right to 12 digits. Source: Trefethen and Weideman 2014, section 5 (the rule on the whole line).
        """
        require_whole("coordinates", coordinates)
        y = np.exp(_LOG_STEPS)
        weights = (_LOG_STEPS[1] - _LOG_STEPS[0]) * y * np.exp(-y)
        return float(np.sum(weights * self._quantile(-y / coordinates)))

    def simulate(self, answer: npt.ArrayLike, rng: np.random.Generator) -> Array:
        """A noisy answer for pictures only; never a release."""
        exact = numbers("answer", answer)
        size = -self.scale * np.log1p(-rng.uniform(size=exact.shape) * self._kept)
        return exact + np.where(rng.uniform(size=exact.shape) < 0.5, -size, size)

    @property
    def _cut(self) -> float:
        return min(self.truncation / self.scale, _LARGEST)

    @property
    def _kept(self) -> float:
        """The share of Laplace noise that falls within the truncation."""
        return -math.expm1(-self._cut)

    def _left(self, steps: Array) -> Array:
        """e^-steps - e^-cut."""
        return np.asarray(-np.exp(-steps) * np.expm1(np.minimum(steps - self._cut, 0.0)))

    def _quantile(self, log_hits: npt.ArrayLike) -> Array:
        """The |noise| that is exceeded but with this logarithm of a probability."""
        hits = np.exp(log_hits)
        if self._cut <= 1.0:
            return np.asarray(-self.scale * np.log1p(-hits * self._kept))
        from_hits = -np.log1p(-np.minimum(hits, 0.5) * self._kept)
        from_misses = -np.logaddexp(-self._cut, log_complement(log_hits) + math.log(self._kept))
        return np.asarray(self.scale * np.where(hits < 0.5, from_hits, from_misses))
