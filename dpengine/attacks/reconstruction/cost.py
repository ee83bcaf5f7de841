"""What so many noisy counts cost together, what no attacker can beat, and the error that was there before."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from dpengine.accounting import epsilon
from dpengine.attacks.reconstruction.published import GroupCounts
from dpengine.beliefs import best_success
from dpengine.errors import require_between, require_one_of, require_positive, require_whole
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from dpengine.mechanisms.additive.protocol import AdditiveMechanism
from dpengine.privacy import Event, Guarantee

LAPLACE, GAUSSIAN = "laplace", "gaussian"
_DELTAS = (1e-9, 1e-6, 1e-4, 1e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconstructionBill:
    """The total epsilon, at one total delta, of all the counts together: shares added up, advanced, and exact.

    Of one person who may be in every group: never below the truth.
    """

    delta: float
    naive: float
    advanced: float
    exact: float


def bill(noise: AdditiveMechanism, *, questions: int, delta: float) -> ReconstructionBill:
    """What so many counts with this noise cost under three accountants. Raises UnsupportedEventError."""
    require_whole("questions", questions)
    require_between("delta", delta, 0.0, 1.0, open_at="both")
    events: Mapping[Event, int] = {noise.event: questions}
    naive, advanced, exact = (
        epsilon(events, delta=delta, accountant=accountant) for accountant in ("basic", "advanced", "exact")
    )
    return ReconstructionBill(delta=delta, naive=naive, advanced=advanced, exact=exact)


def noise_of_size(
    standard_deviation: float, *, kind: str = LAPLACE
) -> DiscreteLaplaceMechanism | DiscreteGaussianMechanism:
    """The noise on whole numbers that a release of a count draws, of about this standard deviation (in people).

    Its own standard deviation is exact; that of discrete noise below one person differs a little from the one asked.
    """
    require_one_of("kind", kind, (LAPLACE, GAUSSIAN))
    require_positive("standard_deviation", standard_deviation)
    if kind == LAPLACE:
        return DiscreteLaplaceMechanism(scale=standard_deviation / math.sqrt(2.0), l1_sensitivity=1)
    return DiscreteGaussianMechanism(standard_deviation=standard_deviation, l2_sensitivity=1.0)


def noise_for_budget(
    guarantee: Guarantee, *, questions: int, kind: str = LAPLACE
) -> DiscreteLaplaceMechanism | DiscreteGaussianMechanism:
    """The noise of each count when all together keep the guarantee.

    Laplace: every count gets an equal share of epsilon, and delta is not used. Gaussian: the counts are one vector of
    which one person moves every number by at most 1.
    """
    require_whole("questions", questions)
    require_one_of("kind", kind, (LAPLACE, GAUSSIAN))
    if kind == LAPLACE:
        return DiscreteLaplaceMechanism.from_epsilon(guarantee.epsilon / questions, l1_sensitivity=1)
    together = DiscreteGaussianMechanism.from_guarantee(
        guarantee, l2_sensitivity=math.sqrt(questions), one_coordinate=False
    )
    return DiscreteGaussianMechanism(standard_deviation=together.scale, l2_sensitivity=1.0)


@lru_cache(maxsize=256)
def success_bound(counts: GroupCounts) -> float:
    """The largest chance with which any attacker, even one who knows everybody else, tells one person's bit.

    The bits are drawn independently, and another bit of one person moves each count by at most 1. The least of the
    bounds that follow from the exact epsilon at several deltas; never below the truth, and 1 where the noise promises
    nothing.
    """
    event: Event | None = getattr(counts.noise, "event", None)
    if event is None:
        return 1.0
    found = (_bound_at(event, counts, delta) for delta in _DELTAS)
    return min(1.0, max(counts.chance, min(found)))


def _bound_at(event: Event, counts: GroupCounts, delta: float) -> float:
    total = epsilon({event: counts.questions}, delta=delta, accountant="exact")
    if not math.isfinite(total):
        return 1.0
    return float(best_success(Guarantee(epsilon=total, delta=delta), prior=counts.share))


def sampling_error(*, people: int, share: float) -> float:
    """The standard error, in people, of a count of everybody if they are a sample: sqrt(n p (1 - p))."""
    return math.sqrt(people * share * (1.0 - share))
