"""The least epsilon at which a question's own error law stays within its target, each different question asked once."""

from __future__ import annotations

import math
from collections.abc import Iterable
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

_Kind = tuple[Query, Guess, float, bool, str]


class LeastShares:
    """Shares of four digits, kept while a list of questions of one table is priced, and where to look for the next."""

    def __init__(self) -> None:
        self._known: dict[tuple[_Kind, float, float], float | None] = {}
        self._last: dict[_Kind, tuple[float, float]] = {}

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
            kinds = tuple(kind for kind in kinds if enough(wish.with_noise(kind, delta), wish.targets, most))
        return self._planned(wish, kinds, delta, near)

    def _planned(self, wish: Wish, kinds: Iterable[str], delta: float, near: float | None) -> list[PlannedQuery]:
        """Each at the least share, from 0.0001 to 1000, that keeps the error."""
        asked = (wish.with_noise(kind, delta) for kind in kinds)
        found = [(one.planned, self._least(one, wish.targets, near)) for one in asked]
        return [planned.at(share) for planned, share in found if share is not None]

    def _least(self, asked: Asked, targets: Targets, near: float | None) -> float | None:
        planned, error = asked.planned, targets.error or math.inf
        kind = (planned.query, asked.guess, targets.confidence, targets.together, planned.mechanism)
        key = (kind, error, planned.guarantee.delta)
        if key not in self._known:
            near = near or self._guessed(kind, error)
            share = calibration.least_epsilon(lambda epsilon: enough(asked, targets, epsilon), near=near)
            self._known[key] = share
            if share is not None:
                self._last[kind] = error, share
        return self._known[key]

    def _guessed(self, kind: _Kind, error: float) -> float | None:
        """The share of noise grows as the error shrinks."""
        if kind not in self._last:
            return None
        before, share = self._last[kind]
        return share * before / error


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
