"""What to change where no epsilon meets both targets: the least change of each kind, each enough by itself."""

from __future__ import annotations

from dataclasses import dataclass

from dpengine.accuracy.numerical import tails
from dpengine.accuracy.numerical.whole_numbers import least_whole
from dpengine.feasible.asked import Asked
from dpengine.feasible.targets import Targets, belief_at, most_epsilon
from dpengine.plan import UNLIKELY

SMALLEST_PLANNED = 1e-8
_LEAST_DELTA = 1e-17
_HAIR = 1e-13


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Each alone makes some epsilon meet both targets, and a little less of it does not; None where it cannot help.

    `error` is accepted instead, in the answer's unit; `belief` is tolerated instead; `records` are asked about instead
    (means and shares); `times_as_large` is the table whose answer may be off by the same share of itself (counts, sums
    and choices, whose noise no number of rows shrinks); `groups` is how many there may be; `delta` is promised instead;
    `laplace` says whether Laplace noise, which needs no delta, would do instead of Gaussian noise.
    """

    error: float | None = None
    belief: float | None = None
    records: int | None = None
    times_as_large: float | None = None
    groups: int | None = None
    delta: float | None = None
    laplace: bool = False


def changes(asked: Asked, targets: Targets, *, least: float | None, most: float | None) -> Changes:
    """The least changes, where `least` meets the target for the error and `most` that for the belief."""
    epsilon = least if targets.belief is not None else None
    belief = None if epsilon is None else belief_at(asked.planned, prior=targets.prior, epsilon=epsilon)
    if most is None or most < SMALLEST_PLANNED:
        return Changes(belief=belief, delta=_delta(asked, targets), laplace=_laplace(asked, targets))
    if targets.error is None:
        return Changes()
    error = accepted(asked, targets, most)
    shrinks = asked.shrinks_with_records
    return Changes(
        error=error,
        belief=belief,
        records=_records(asked, targets, most, error) if shrinks else None,
        times_as_large=None if shrinks else error / targets.error * (1.0 + _HAIR),
        groups=_groups(asked, targets, most),
        laplace=_laplace(asked, targets),
    )


def enough(asked: Asked, targets: Targets, epsilon: float) -> bool:
    """Whether the error stays within its target at this epsilon."""
    return planned_is_enough(asked.at(epsilon), targets)


def planned_is_enough(asked: Asked, targets: Targets) -> bool:
    """Whether the error stays within its target as it is planned."""
    return targets.error is None or bool(asked.planned_law.tail(targets.error) <= targets.level(asked.coordinates))


def accepted(asked: Asked, targets: Targets, epsilon: float) -> float:
    """Least error that can be kept at this epsilon; at most 1e-9 of itself above it."""
    law, level = asked.law(epsilon), targets.level(asked.coordinates)
    found = law.quantile(targets.confidence, targets.counted(asked.coordinates))
    if float(law.tail(found)) <= level:
        return found
    return tails.half_width(law.tail, level, unit=found)


def _records(asked: Asked, targets: Targets, epsilon: float, error: float) -> int | None:
    """Least number of rows at which the target for the error is met."""
    near = max(asked.records, 1.0) * error / (targets.error or error)
    return least_whole(lambda records: enough(asked.with_records(records), targets, epsilon), near=near)


def _groups(asked: Asked, targets: Targets, epsilon: float) -> int | None:
    """Largest number of groups with which the target for the error is met."""
    low, high = 0, asked.coordinates
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if enough(asked.with_groups(middle), targets, epsilon) else (low, middle)
    return low or None


def _laplace(asked: Asked, targets: Targets) -> bool:
    """Whether the same question with noise that needs no delta meets both targets."""
    if not asked.planned.noise.needs_delta or targets.belief is None:
        return False
    other = asked.without_delta()
    most = most_epsilon(other.planned, prior=targets.prior, belief=targets.belief)
    return most is not None and most >= SMALLEST_PLANNED and enough(other, targets, most)


def _delta(asked: Asked, targets: Targets) -> float | None:
    """Largest power of ten below the present delta that meets both targets; None for noise without a delta."""
    if not asked.planned.noise.needs_delta or targets.belief is None:
        return None
    tried = (float(f"1e-{power}") for power in range(1, 18))
    for delta in (delta for delta in tried if _LEAST_DELTA <= delta < asked.planned.guarantee.delta):
        other = asked.with_delta(delta)
        most = most_epsilon(other.planned, prior=targets.prior, belief=targets.belief)
        if most is not None and most >= SMALLEST_PLANNED and enough(other, targets, most):
            return delta
        if delta < 1e-4 * UNLIKELY:
            return None
    return None
