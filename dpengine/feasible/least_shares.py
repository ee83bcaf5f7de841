"""The least epsilon at which a question's own error law stays within its target, each different question asked once.

Of a mean or a share, which has a sum and a count, it is the epsilon of the split that costs least.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import singledispatch

import numpy as np

from dpengine import calibration
from dpengine.accuracy import Guess, RatioError
from dpengine.errors import UnsupportedEventError
from dpengine.feasible.asked import Asked
from dpengine.feasible.changes import enough
from dpengine.feasible.sum_shares import (
    OWN,
    FirstOrder,
    cheapest_percent,
    cost_factor,
    first_order,
    with_percent,
)
from dpengine.feasible.targets import Targets
from dpengine.feasible.wishes import Wish, noises
from dpengine.losses import discrete_gaussian_epsilon
from dpengine.losses.arrays import Array
from dpengine.losses.concentrated import concentrated_epsilon
from dpengine.plan import PlannedQuery
from dpengine.privacy import ConcentratedEvent, DiscreteGaussianEvent, Event
from dpengine.queries import Query

_Kind = tuple[Query, Guess, float, bool, str, float, int | None]
_SLOPES = (-2.0, -0.25)
"""What two points tell of a slope in logarithms is believed between these."""
_WORTHWHILE = 1e-3
"""What another split between sum and count has to save, as a share of the cost, to be planned."""
_CLEARLY = 0.01
"""What the first order has to say that another split saves before that is believed without asking the law."""
_ABOUT = 1.05
_POWER, _POWERS, _STEPS = 1.5, (0.5, 4.0), 3
"""The power of a share that the logarithm of its tail is about, and how often a guess is mended by it."""
_ERRORS_PER_DOUBLING = 8
"""Errors at which the law is asked for its best split; between these it is that of the nearest one."""


class LeastShares:
    """Shares of four digits, kept while a list of questions of one table is priced, and where to look for the next."""

    def __init__(self, rule: str) -> None:
        self._rule = rule
        self._by_size: dict[_Kind, FirstOrder] = {}
        self._by_law: dict[tuple[RatioError, float, float, float], int] = {}
        self._known: dict[tuple[_Kind, float], float | None] = {}
        self._enough: dict[tuple[_Kind, float, float], bool] = {}
        self._last: dict[_Kind, list[tuple[float, float]]] = {}

    def kept_or_pure(self, wish: Wish) -> list[PlannedQuery]:
        """The question with each noise that needs no delta and can keep the error; or as planned, where it stays so."""
        if wish.is_kept:
            return [wish.asked.planned]
        return self._planned(wish, noises(wish, needing_delta=False), 0.0, None)

    def with_delta(
        self, wish: Wish, delta: float, *, near: float | None = None, other: PlannedQuery | None = None
    ) -> list[PlannedQuery]:
        """The question with each noise that needs a delta and keeps the error at this one; at no more than `other`."""
        kinds = noises(wish, needing_delta=True)
        if other is not None:
            kinds = tuple(kind for kind in kinds if self._is_enough(wish.with_noise(kind, delta), wish.targets, other))
        return self._planned(wish, kinds, delta, near)

    def _planned(self, wish: Wish, kinds: Iterable[str], delta: float, near: float | None) -> list[PlannedQuery]:
        """Each at the least share, from 0.0001 to 1000, that keeps the error."""
        asked = (self._best_split(wish.with_noise(kind, delta), wish.targets, near) for kind in kinds)
        found = [(one.planned, self._least(one, wish.targets, near)) for one in asked]
        return [planned.at(share) for planned, share in found if share is not None]

    def _best_split(self, asked: Asked, targets: Targets, near: float | None) -> Asked:
        """Of a mean or a share: with the per cent for its sum that costs least, where that saves something."""
        if not asked.has_sum_and_count:
            return asked
        size, error = self._first_order(asked, targets), targets.error or math.inf
        if size.is_reliable(error) and size.own_costs > 1.0 + _CLEARLY:
            return with_percent(asked, size.percent)
        found = with_percent(asked, size.percent if size.is_reliable(error) else self._percent(asked, targets, size))
        share, factor = self._least(found, targets, near), self._factor(found)
        if share is None:
            return asked
        alike = share * factor / self._factor(asked) * (1.0 + _WORTHWHILE)
        if not enough(asked, targets, min(alike, calibration.HIGHEST_EPSILON)):
            return found
        own = self._least(asked, targets, alike)
        return found if own is None or own > alike else asked

    def _factor(self, asked: Asked) -> float:
        return cost_factor(self._rule, asked.planned.percent_for_sum or OWN)

    def _first_order(self, asked: Asked, targets: Targets) -> FirstOrder:
        kind = _kind(asked, targets)
        if kind not in self._by_size:
            self._by_size[kind] = first_order(asked, targets, rule=self._rule)
        return self._by_size[kind]

    def _percent(self, asked: Asked, targets: Targets, size: FirstOrder) -> int:
        """By the law of the error, where that of first order is not relied on."""
        error = targets.error or math.inf
        error = _nearest_asked(error) if size.is_smooth(error) else error
        key = size.law, targets.level(asked.coordinates), asked.planned.used_delta, error
        if key not in self._by_law:
            about = replace(targets, error=error)
            self._by_law[key] = cheapest_percent(
                asked,
                about,
                rule=self._rule,
                start=size.percent,
                least=lambda percent: self._least(with_percent(asked, percent), about, None),
            )
        return self._by_law[key]

    def _is_enough(self, asked: Asked, targets: Targets, other: PlannedQuery) -> bool:
        """Whether the other's share keeps the error; a little more, where only its split is known to be about best."""
        share = other.guarantee.epsilon
        if asked.has_sum_and_count:
            size = self._first_order(asked, targets)
            if size.is_reliable(targets.error or math.inf):
                asked = with_percent(asked, size.percent)
            else:
                asked, share = with_percent(asked, other.percent_for_sum or OWN), share * _ABOUT
        key = (_kind(asked, targets), targets.error or math.inf, share)
        if key not in self._enough:
            self._enough[key] = enough(asked, targets, share)
        return self._enough[key]

    def _least(self, asked: Asked, targets: Targets, near: float | None) -> float | None:
        kind, error = _kind(asked, targets), targets.error or math.inf
        if (kind, error) not in self._known:
            last = self._last.setdefault(kind, [])
            near = near or extrapolated(last, error, slope=-1.0) or self._near(kind, error)
            law = _Tail(asked, targets)
            share = calibration.least_epsilon(law.is_enough, near=near and law.closer(near))
            self._known[kind, error] = share
            if share is not None:
                last.append((error, share))
        return self._known[kind, error]

    def _near(self, kind: _Kind, error: float) -> float | None:
        """About the least share of a mean or a share, before any was found."""
        size = self._by_size.get((*kind[:-1], None))
        return None if size is None else min(max(size.share(error), 1e-4), calibration.HIGHEST_EPSILON)


class _Tail:
    """How much of a question's error is beyond its target, each share asked once."""

    def __init__(self, asked: Asked, targets: Targets) -> None:
        self._asked, self._error = asked, targets.error or math.inf
        self._level = targets.level(asked.coordinates)
        self._known: dict[float, float] = {}

    def is_enough(self, share: float) -> bool:
        """Whether the error stays within its target."""
        return self._at(share) <= self._level

    def closer(self, near: float) -> float:
        """A share nearer to the least one: the logarithm of what is beyond is about a power of the share."""
        slope, before = _POWER, None
        for _ in range(_STEPS):
            share = calibration.four_digits_down(near)
            beyond = self._at(share)
            if not 0.0 < beyond < 1.0:
                return near
            miss = math.log(math.log(beyond) / math.log(self._level))
            if before is not None and before[0] != share:
                slope = (miss - before[1]) / math.log(share / before[0])
            before = share, miss
            near = share * math.exp(-miss / min(max(slope, _POWERS[0]), _POWERS[1]))
            near = min(max(near, calibration.LOWEST_EPSILON), calibration.HIGHEST_EPSILON)
        return near

    def _at(self, share: float) -> float:
        if share not in self._known:
            self._known[share] = float(self._asked.law(share).tail(self._error))
        return self._known[share]


def _kind(asked: Asked, targets: Targets) -> _Kind:
    """All that the least share for an error depends on, in questions of one table."""
    planned = asked.planned
    delta = planned.guarantee.delta
    asks = planned.query, asked.guess, targets.confidence, targets.together
    return *asks, planned.mechanism, delta, planned.percent_for_sum


def _nearest_asked(error: float) -> float:
    return math.exp2(round(math.log2(error) * _ERRORS_PER_DOUBLING) / _ERRORS_PER_DOUBLING)


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
