"""What an attacker may learn from the answer to a planned question: beliefs about one person, and their limit."""

from __future__ import annotations

from dpengine import beliefs
from dpengine.losses.arrays import Numbers
from dpengine.plan.planned import PlannedQuery
from dpengine.privacy import Guarantee

UNLIKELY = 0.001
"""The share of answers for which the bounds on beliefs need not hold where there is a delta."""


def beliefs_after(planned: PlannedQuery, prior: Numbers) -> tuple[Numbers, Numbers]:
    """Least and largest belief after the answer; under a delta for all but one in a thousand answers."""
    if not planned.noise.needs_delta:
        return beliefs.posterior_bounds(prior, epsilon=planned.guarantee.epsilon)
    return beliefs.likely_posterior_bounds(prior, guarantee=planned.guarantee, failure_probability=UNLIKELY)


def right_at_most(planned: PlannedQuery) -> float:
    """The chance of being right that no attacker at 50:50 exceeds: (e^epsilon + delta) / (1 + e^epsilon)."""
    promise = Guarantee(epsilon=planned.guarantee.epsilon, delta=planned.used_delta)
    return beliefs.odds_out_of_100(promise).with_data / 100.0
