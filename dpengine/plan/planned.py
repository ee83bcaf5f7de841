"""A planned question: what is asked, how much privacy it may cost, and which noise answers it. It has seen no row."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dpengine import accuracy, calibration
from dpengine.accuracy import ErrorLaw, Guess
from dpengine.data import Schema
from dpengine.errors import (
    InvalidParameterError,
    UnusedDeltaWarning,
    named,
    require_between,
    require_fields,
    require_one_of,
    require_positive,
)
from dpengine.mechanisms import ReleasedMechanism
from dpengine.mechanisms.kinds import NoiseKind
from dpengine.mechanisms.released import NOISES, PURE_NOISE
from dpengine.privacy import Event, Guarantee, Neighbors, nanos_down
from dpengine.privacy.amounts import attos_down
from dpengine.queries import AnyPart, Query
from dpengine.queries.forms import RatioForm

_NEED_DELTA = " or ".join(noise.label for noise in NOISES.values() if noise.needs_delta)
_WHO_PLANNED = 4
"""Frames from the warning to the line that plans the question: three of them make the value."""


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedQuery:
    """A query with its guarantee; epsilon counts in billionths, and everything the parts cost sums to exactly that.

    The noise is the law that is released, on the query's grid: "laplace" is discrete Laplace noise, which needs no
    delta; "gaussian" is discrete Gaussian noise, whose parts share the delta in units of 1e-18. It is calibrated on
    its own exact loss where one person moves one number, and through rho where they may move several. A delta that is
    not needed is warned of, and not charged.

    `percent_for_sum` is the whole per cent of epsilon, and of delta, that the sum of a mean or a share gets, from 1 to
    99; its count gets the rest. None stands for the question's own 60. It is without effect on other questions, and
    where the number of records is public.
    """

    query: Query
    guarantee: Guarantee
    mechanism: str = PURE_NOISE.name
    percent_for_sum: int | None = None

    def __post_init__(self) -> None:
        require_fields(self)
        require_one_of("mechanism", self.mechanism, NOISES)
        require_positive("epsilon", self.guarantee.epsilon)
        require_between("delta", self.guarantee.delta, 0.0, 1.0, open_at="upper")
        if nanos_down(self.guarantee.epsilon) < 10:
            raise InvalidParameterError("epsilon", self.guarantee.epsilon, "at least 0.00000001")
        if self.percent_for_sum is not None:
            require_between("percent_for_sum", self.percent_for_sum, 1, 99)
        if self.noise.needs_delta:
            self._require_delta()
        elif self.guarantee.delta:
            warnings.warn(self.unused_delta, UnusedDeltaWarning, stacklevel=_WHO_PLANNED)

    @property
    def noise(self) -> NoiseKind[Any]:
        """What is known of its kind of noise."""
        return NOISES[self.mechanism]

    @property
    def used_delta(self) -> float:
        """The delta that is charged: that of the guarantee, or 0 where the noise needs none."""
        return self.guarantee.delta if self.noise.needs_delta else 0.0

    @property
    def unused_delta(self) -> str:
        """That a delta was given to noise that needs none, in a sentence; empty where it was not."""
        unused = "" if self.used_delta == self.guarantee.delta else f"{self.guarantee.delta:g}"
        return unused and f"delta {unused} is not used: only {_NEED_DELTA} noise needs one. None is charged."

    def at(self, epsilon: float) -> PlannedQuery:
        """The same question at another epsilon, with the delta that its noise uses."""
        return replace(self, guarantee=Guarantee(epsilon=epsilon, delta=self.used_delta))

    def with_mechanism(self, mechanism: str, *, delta: float) -> PlannedQuery:
        """The same question answered with other noise; delta counts only where the noise needs one."""
        needed = delta if NOISES[mechanism].needs_delta else 0.0
        guarantee = Guarantee(epsilon=self.guarantee.epsilon, delta=needed)
        return replace(self, mechanism=mechanism, guarantee=guarantee)

    def asking(self, query: Query) -> PlannedQuery:
        """Another question at the same guarantee; one of another kind has its own split between sum and count."""
        percent = self.percent_for_sum if type(query) is type(self.query) else None
        return replace(self, query=query, percent_for_sum=percent)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[AnyPart, ...]:
        """The noisy pieces of the question, each with its share of epsilon."""
        return _parts(_Same(self.query), _Same(schema), neighbors, self.percent_for_sum)

    def has_sum_and_count(self, schema: Schema, neighbors: Neighbors) -> bool:
        """Whether it is a mean or a share of a private number of records, so that two parts share its epsilon."""
        return isinstance(self.query, RatioForm) and len(self.parts(schema, neighbors)) == 2

    def shares(self, schema: Schema, neighbors: Neighbors) -> tuple[Fraction, ...]:
        """Epsilon of each part, in whole billionths; they sum to the epsilon of the question, rounded down."""
        return calibration.shares(self.parts(schema, neighbors), self.guarantee.epsilon)

    def delta_shares(self, schema: Schema, neighbors: Neighbors) -> tuple[Fraction, ...]:
        """Delta of each part, in whole units of 1e-18; they sum to at most that of the question, to 0 for Laplace."""
        return calibration.delta_shares(self.parts(schema, neighbors), self.used_delta)

    def part_shares(self, schema: Schema, neighbors: Neighbors) -> Iterator[tuple[AnyPart, Fraction, Fraction]]:
        """Each part with its shares of epsilon and delta."""
        parts = self.parts(schema, neighbors)
        shares = calibration.shares(parts, self.guarantee.epsilon)
        return zip(parts, shares, calibration.delta_shares(parts, self.used_delta), strict=True)

    def mechanisms(self, schema: Schema, neighbors: Neighbors) -> tuple[ReleasedMechanism, ...]:
        """One mechanism per part, in grid steps of that part; a choice is never made by Gaussian noise."""
        amounts = self.part_shares(schema, neighbors)
        return tuple(calibration.mechanism_for(part, self.mechanism, share, delta) for part, share, delta in amounts)

    def events(self, schema: Schema, neighbors: Neighbors) -> Mapping[Event, int]:
        """What the accountants see: each part's event and how often it happens."""
        return Counter(mechanism.event for mechanism in self.mechanisms(schema, neighbors))

    def error(self, schema: Schema, neighbors: Neighbors, guess: Guess | None = None) -> ErrorLaw:
        """The law of the error of each coordinate of the answer, in its unit; ratios need a guess of their size."""
        return accuracy.answer_error(
            self.query, self.parts(schema, neighbors), self.mechanisms(schema, neighbors), guess
        )

    def shift(self, schema: Schema, neighbors: Neighbors, guess: Guess) -> float:
        """How far one person moves any coordinate of the answer; a ratio at its guessed size."""
        return accuracy.largest_shift(self.query, self.parts(schema, neighbors), guess)

    def least_epsilon(
        self, schema: Schema, neighbors: Neighbors, guess: Guess, *, error: float, confidence: float
    ) -> float:
        """The smallest epsilon at which each coordinate's error stays within `error` with this confidence."""
        return calibration.smallest_epsilon(
            lambda epsilon: self.at(epsilon).error(schema, neighbors, guess), error=error, confidence=confidence
        )

    def _require_delta(self) -> None:
        if self.guarantee.delta == 0:
            rule = f"above 0 for {self.noise.label} noise, which is never pure"
            raise InvalidParameterError("delta", self.guarantee.delta, rule)
        if attos_down(self.guarantee.delta) < 10:
            raise InvalidParameterError("delta", self.guarantee.delta, f"at least 1e-17 for {self.noise.label} noise")


def prepare(planned: Iterable[PlannedQuery], schema: Schema, neighbors: Neighbors) -> None:
    """Work out the noise of many questions at once, in a fraction of the time; each answers the same without."""
    calibration.prepare(
        (part, one.mechanism, share, delta)
        for one in planned
        for part, share, delta in one.part_shares(schema, neighbors)
    )


class _Same:
    """A value that is equal to itself alone: an equal one may hold 1 where this one holds True."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


@lru_cache(maxsize=2048)
def _parts(query: _Same, schema: _Same, neighbors: Neighbors, percent_for_sum: int | None) -> tuple[AnyPart, ...]:
    """Kept, since they are asked for many times at each epsilon and do not depend on it."""
    if percent_for_sum is None:
        own: tuple[AnyPart, ...] = query.value.parts(schema.value, neighbors)
        return own
    parts = _parts(query, schema, neighbors, None)
    if not isinstance(query.value, RatioForm) or len(parts) == 1:
        return parts
    total, count = parts
    share = Fraction(percent_for_sum, 100)
    return replace(total, share=share), replace(count, share=1 - share)
