"""A clamped output: the noisy answer is moved into public limits afterwards, which costs no privacy but biases it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpengine.errors import InvalidParameterError, named, require_finite
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.mechanisms.additive.protocol import CappedErrors
from dpengine.privacy import Event


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class ClampedOutput:
    """What a mechanism answers, moved to the nearest point of [lower, upper]; the limits never depend on the rows.

    Post-processing: the event is that of the mechanism inside, a pure one stays pure. Not clamped noise, whose limits
    move with the answer, and not truncated noise. Drawing again until the answer fits is something else, and not free.
    All lengths are in the unit of the answer. Source: Dwork and Roth 2014, Proposition 2.1.
    """

    mechanism: CappedErrors
    lower: float
    upper: float

    def __post_init__(self) -> None:
        knows = callable(getattr(self.mechanism, "expected_capped_error", None))
        if not knows or isinstance(self.mechanism, type):
            rule = "additive noise that knows its expected_capped_error, such as LaplaceMechanism(...)"
            raise InvalidParameterError("mechanism", self.mechanism, rule)
        require_finite("lower", self.lower)
        require_finite("upper", self.upper)
        if self.lower >= self.upper:
            raise InvalidParameterError("upper", self.upper, f"above the lower limit, {self.lower:g}")
        require_finite("upper - lower", self.upper - self.lower)

    @property
    def event(self) -> Event:
        """That of the mechanism inside: clamping afterwards is free."""
        return self.mechanism.event

    def bias(self, answer: Numbers) -> Numbers:
        """Mean of the released value minus the exact answer: 0 in the middle, towards the inside elsewhere.

        The mean of min(|noise|, room) on either side, for noise that is symmetric; an equality.
        """
        exact = self._answers(answer)
        above, below = self._rooms(exact)
        return like(answer, np.clip(exact, self.lower, self.upper) - exact + (above - below) / 2.0)

    def expected_absolute_error(self, answer: Numbers) -> Numbers:
        """Mean distance of the released value from the exact answer: less than without limits, if they hold it."""
        exact = self._answers(answer)
        above, below = self._rooms(exact)
        inside = (exact >= self.lower) & (exact <= self.upper)
        return like(answer, np.where(inside, (above + below) / 2.0, np.abs(self.bias(exact))))

    def simulate(self, answer: npt.ArrayLike, rng: np.random.Generator) -> Array:
        """A clamped noisy answer for pictures only; never a release."""
        return np.clip(self.mechanism.simulate(answer, rng), self.lower, self.upper)

    def _answers(self, answer: Numbers) -> Array:
        exact = numbers("answer", answer)
        with np.errstate(over="ignore"):
            numbers("answer", self.upper - exact)
            numbers("answer", exact - self.lower)
        return exact

    def _rooms(self, exact: Array) -> tuple[Array, Array]:
        """Mean of the noise's size up to the upper limit, and up to the lower one."""
        limits = np.abs(self.upper - exact), np.abs(exact - self.lower)
        above, below = (np.asarray(self.mechanism.expected_capped_error(limit)) for limit in limits)
        return above, below
