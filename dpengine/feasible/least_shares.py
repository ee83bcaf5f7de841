"""The least epsilon at which a question's own error law stays within its target, each different question asked once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import singledispatch

import numpy as np

from dpengine import calibration
from dpengine.accuracy import Guess
from dpengine.errors import UnsupportedEventError
from dpengine.feasible.asked import Asked
from dpengine.feasible.changes import enough
from dpengine.feasible.targets import Targets
from dpengine.feasible.wishes import Wish, noises
from dpengine.losses import discrete_gaussian_epsilon
from dpengine.losses.arrays import Array
from dpengine.losses.concentrated import concentrated_epsilon
from dpengine.plan import PlannedQuery
from dpengine.privacy import ConcentratedEvent, DiscreteGaussianEvent, Event
from dpengine.queries import Query

_Kind = tuple[Query, Guess, float, bool, str, float]
_SLOPES = (-2.0, -0.25)
"""What two points tell of a slope in logarithms is believed between these."""


class LeastShares:
    """Shares of four digits, kept while a list of questions of one table is priced, and where to look for the next."""

    def __init__(self) -> None:
        self._known: dict[tuple[_Kind, float], float | None] = {}
        self._enough: dict[tuple[_Kind, float, float], bool] = {}
        self._last: dict[_Kind, list[tuple[float, float]]] = {}

    def kept_or_pure(self, wish: Wish) -> list[PlannedQuery]:
        """The question with each noise that needs no delta and can keep the error; or as planned, where it stays so."""
        if wish.is_kept:
            return [wish.asked.planned]
        return self._planned(wish, noises(wish, needing_delta=False), 0.0, None)

    def with_delta(
        self, wish: Wish, delta: float, *, near: float | None = None, most: float = math.inf
    ) -> list[PlannedQuery]:
        """The question with each noise that needs a delta and can keep the error at this one, with at most a share."""
        kinds = noises(wish, needing_delta=True)
        if most <= calibration.HIGHEST_EPSILON:
            kinds = tuple(kind for kind in kinds if self._is_enough(wish.with_noise(kind, delta), wish.targets, most))
        return self._planned(wish, kinds, delta, near)

    def _planned(self, wish: Wish, kinds: Iterable[str], delta: float, near: float | None) -> list[PlannedQuery]:
        """Each at the least share, from 0.0001 to 1000, that keeps the error."""
        asked = (wish.with_noise(kind, delta) for kind in kinds)
        found = [(one.planned, self._least(one, wish.targets, near)) for one in asked]
        return [planned.at(share) for planned, share in found if share is not None]

    def _is_enough(self, asked: Asked, targets: Targets, share: float) -> bool:
        key = (_kind(asked, targets), targets.error or math.inf, share)
        if key not in self._enough:
            self._enough[key] = enough(asked, targets, share)
        return self._enough[key]

    def _least(self, asked: Asked, targets: Targets, near: float | None) -> float | None:
        kind, error = _kind(asked, targets), targets.error or math.inf
        if (kind, error) not in self._known:
            last = self._last.setdefault(kind, [])
            share = calibration.least_epsilon(
                lambda epsilon: enough(asked, targets, epsilon), near=near or extrapolated(last, error, slope=-1.0)
            )
            self._known[kind, error] = share
            if share is not None:
                last.append((error, share))
        return self._known[kind, error]


def _kind(asked: Asked, targets: Targets) -> _Kind:
    """All that the least share for an error depends on, in questions of one table."""
    planned = asked.planned
    delta = planned.guarantee.delta
    return planned.query, asked.guess, targets.confidence, targets.together, planned.mechanism, delta


def extrapolated(points: Sequence[tuple[float, float]], at: float, *, slope: float) -> float | None:
    """About the value at another place, by the latest two in logarithms, or by the latest and a slope."""
    if not points:
        return None
    place, value = points[-1]
    if len(points) > 1 and points[-2][0] != place:
        slope = math.log(value / points[-2][1]) / math.log(place / points[-2][0])
    return value * math.exp(min(max(slope, _SLOPES[0]), _SLOPES[1]) * math.log(at / place))


def shares_at(planned: PlannedQuery, asked: Asked, deltas: Array) -> Array:
    """The share that buys the planned noise at other deltas; close enough to split a delta by.

    It is exact for an answer with one noise, up to the digits of the share and kinks of coarse grids; several noises
    are taken for the same ones at each delta.
    """
    parts = planned.parts(asked.schema, asked.neighbors)
    own = [
        _epsilon_at(mechanism.event, deltas * float(part.share)) / float(part.share)
        for part, mechanism in zip(parts, planned.mechanisms(asked.schema, asked.neighbors), strict=True)
    ]
    return np.asarray(np.max(own, axis=0))


@singledispatch
def _epsilon_at(event: Event, deltas: Array) -> Array:
    """The least epsilon that one run keeps at each delta."""
    raise UnsupportedEventError(event, "the split of delta")


@_epsilon_at.register
def _(event: DiscreteGaussianEvent, deltas: Array) -> Array:
    return discrete_gaussian_epsilon(event, deltas)


@_epsilon_at.register
def _(event: ConcentratedEvent, deltas: Array) -> Array:
    return concentrated_epsilon(np.array(event.rho), deltas)
