"""A planned question: what is asked, how much privacy it may cost, and which noise answers it. It has seen no row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from dpengine import accuracy, calibration
from dpengine.accuracy import ErrorLaw, Guess
from dpengine.data import Schema
from dpengine.errors import InvalidParameterError, require_between, require_fields, require_one_of, require_positive
from dpengine.mechanisms import DiscreteLaplaceMechanism, GaussianMechanism
from dpengine.privacy import Event, Guarantee, Neighbors, nanos_down
from dpengine.queries import Part, Query


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedQuery:
    """A query with its guarantee; epsilon counts in billionths, and everything the parts cost sums to exactly that.

    "laplace" is discrete Laplace noise on the query's grid, the law that is released. "gaussian" is the continuous
    Gaussian, calibrated exactly on the same grid: for comparing, not yet for releasing.
    """

    query: Query
    guarantee: Guarantee
    mechanism: str = "laplace"

    def __post_init__(self) -> None:
        require_fields(self)
        require_one_of("mechanism", self.mechanism, calibration.NOISES)
        require_positive("epsilon", self.guarantee.epsilon)
        require_between("delta", self.guarantee.delta, 0.0, 1.0, open_at="upper")
        if nanos_down(self.guarantee.epsilon) < 10:
            raise InvalidParameterError("epsilon", self.guarantee.epsilon, "at least 0.00000001")
        if self.mechanism == "gaussian" and self.guarantee.delta == 0:
            raise InvalidParameterError(
                "delta", self.guarantee.delta, "above 0 for Gaussian noise, which is never pure"
            )

    def at(self, epsilon: float) -> PlannedQuery:
        """The same question at another epsilon."""
        return replace(self, guarantee=Guarantee(epsilon=epsilon, delta=self.guarantee.delta))

    def with_mechanism(self, mechanism: str, *, delta: float) -> PlannedQuery:
        """The same question answered with other noise; delta counts only where the noise needs one."""
        needed = delta if mechanism == "gaussian" else 0.0
        guarantee = Guarantee(epsilon=self.guarantee.epsilon, delta=needed)
        return replace(self, mechanism=mechanism, guarantee=guarantee)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """The noisy pieces of the question."""
        return self.query.parts(schema, neighbors)

    def shares(self, schema: Schema, neighbors: Neighbors) -> tuple[Fraction, ...]:
        """Epsilon of each part, in whole billionths; they sum to the epsilon of the question, rounded down."""
        return calibration.shares(self.parts(schema, neighbors), self.guarantee.epsilon)

    def mechanisms(
        self, schema: Schema, neighbors: Neighbors
    ) -> tuple[DiscreteLaplaceMechanism | GaussianMechanism, ...]:
        """One mechanism per part; their noise is in grid steps of that part."""
        noise = calibration.NOISES[self.mechanism]
        parts, shares = self.parts(schema, neighbors), self.shares(schema, neighbors)
        return tuple(noise(part, share, self.guarantee.delta) for part, share in zip(parts, shares, strict=True))

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
