"""What somebody accepts: an error, a belief, or both; and the two ways between a belief and an epsilon."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpengine import calibration
from dpengine.accuracy.numerical.tails import level_of_one
from dpengine.beliefs import posterior
from dpengine.errors import InvalidParameterError, require_between, require_positive
from dpengine.plan import UNLIKELY, PlannedQuery

_HAIR = 1e-13


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """An error that is accepted, in the answer's unit, and a belief that is tolerated; None where nothing is asked for.

    The error holds in `confidence` of all answers, of each number by itself or of all `together`; the belief is that of
    an attacker who had the `prior` before, both as shares of 1.
    """

    error: float | None = None
    belief: float | None = None
    confidence: float = 0.95
    prior: float = 0.5
    together: bool = False

    def __post_init__(self) -> None:
        require_between("confidence", self.confidence, 0.0, 1.0, open_at="both")
        require_between("prior", self.prior, 0.0, 1.0, open_at="both")
        if self.error is not None:
            require_positive("error", self.error)
        if self.belief is not None:
            calibration.epsilon_for_belief(prior=self.prior, belief=self.belief)

    def counted(self, coordinates: int) -> int:
        """How many numbers the error has to hold for at once."""
        return coordinates if self.together else 1

    def level(self, coordinates: int) -> float:
        """How often one number may be off by more than the error."""
        return level_of_one(self.confidence, self.counted(coordinates))


def most_epsilon(planned: PlannedQuery, *, prior: float, belief: float) -> float | None:
    """Largest epsilon of four digits that keeps the belief; None where the delta alone allows more.

    Under a delta the belief is kept in all but one in a thousand answers.
    """
    if not planned.noise.needs_delta:
        return calibration.epsilon_for_belief(prior=prior, belief=belief)
    try:
        return calibration.epsilon_for_likely_belief(
            prior=prior, belief=belief, delta=planned.guarantee.delta, failure_probability=UNLIKELY
        )
    except InvalidParameterError:
        return None


def belief_at(planned: PlannedQuery, *, prior: float, epsilon: float) -> float | None:
    """Least belief at which this epsilon is allowed, rounded up; None where no belief short of certainty allows it."""
    lost = 2.0 * planned.guarantee.delta / UNLIKELY if planned.noise.needs_delta else 0.0
    if lost >= 1.0:
        return None
    gained, hair = epsilon - math.log1p(-lost), _HAIR
    while hair < 1.0:
        belief = float(posterior(prior, log_likelihood_ratio=gained * (1.0 + hair)))
        if belief >= 1.0:
            return None
        most = most_epsilon(planned, prior=prior, belief=belief) if belief > prior else None
        if most is not None and most >= epsilon:
            return belief
        hair *= 4.0
    return None
