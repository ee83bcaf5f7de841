"""The least epsilon at which a question's own error law stays within its target, each different question asked once.

Of a mean or a share, which has a sum and a count, it is the epsilon of the split that costs least.
"""

from __future__ import annotations

import math
from bisect import insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import singledispatch

import numpy as np

from dpengine import calibration
from dpengine.accuracy import Guess, RatioError
from dpengine.errors import UnsupportedEventError
from dpengine.feasible.asked import Asked
from dpengine.feasible.changes import enough, planned_is_enough
from dpengine.feasible.share_searches import ShareSearch, interpolated, prepare_all, step_together
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

Wanted = tuple[Wish, str, float, float | None]
"""A question, the noise that answers it, its delta, and about the share that it needs, where that is known."""
_Sought = tuple[Asked, Targets, float | None]
_Kind = tuple[Query, Guess, float, bool, str, float, int | None]
_Key = tuple[_Kind, float]
_WORTHWHILE = 1e-3
"""What another split between sum and count has to save, as a share of the cost, to be planned."""
_CLEARLY = 0.01
"""What the first order has to say that another split saves before that is believed without asking the law."""
_ABOUT = 1.05
_PILOTS = 8
"""How many questions of a kind, beside the first, are looked at before all others: these lie between them."""
_TOGETHER = 256
"""How many searches go side by side: as many as caches of noise have room for."""
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
        self._by_error: dict[_Kind, list[tuple[float, float]]] = {}

    def kept_or_pure(self, wish: Wish) -> list[PlannedQuery]:
        """The question with each noise that needs no delta and can keep the error; or as planned, where it stays so."""
        if wish.is_kept:
            return [wish.asked.planned]
        return self._planned(wish, noises(wish, needing_delta=False), 0.0, None)

    def with_delta(
        self, wish: Wish, delta: float, *, near: float | None = None, kinds: Iterable[str] | None = None
    ) -> list[PlannedQuery]:
        """The question with each noise that needs a delta, or each of these, and keeps the error at this one."""
        return self._planned(wish, noises(wish, needing_delta=True) if kinds is None else kinds, delta, near)

    def kinds_within(self, wishes: Sequence[tuple[Wish, PlannedQuery | None]], delta: float) -> list[list[str]]:
        """For each wish the noises that need a delta, and keep the error at this one for no more than what it has."""
        found = [list[str]() for _ in wishes]
        tried = [
            (kinds, kind, wish.with_noise(kind, delta), wish.targets, other)
            for (wish, other), kinds in zip(wishes, found, strict=True)
            for kind in noises(wish, needing_delta=True)
        ]
        self._prepare_sizes((asked, targets) for _, _, asked, targets, _ in tried)
        at = [
            None if other is None else self._at_share_of(other, asked, targets) for _, _, asked, targets, other in tried
        ]
        prepare_all([one for one in at if one is not None])
        for (kinds, kind, _, targets, _), one in zip(tried, at, strict=True):
            if one is None or self.is_enough(one, targets):
                kinds.append(kind)
        return found

    def find_pure(self, wishes: Iterable[Wish]) -> None:
        """Look together for what `kept_or_pure` is going to be asked for."""
        self.find(
            (wish, kind, 0.0, None) for wish in wishes if not wish.is_kept for kind in noises(wish, needing_delta=False)
        )

    def find(self, wanted: Iterable[Wanted]) -> None:
        """Look for many shares together, which is faster: asked for one by one they are the same."""
        asked = [(wish.with_noise(noise, delta), wish.targets, near) for wish, noise, delta, near in wanted]
        self._prepare_sizes((one, targets) for one, targets, _ in asked)
        split = ((self._first_split(one, targets), targets, near) for one, targets, near in asked)
        for some in _rounds((one, targets, near) for one, targets, near in split if one is not None):
            searches = {_key(one, targets): (one, targets, near) for one, targets, near in some}
            open_ = [(key, self._search(*search)) for key, search in searches.items() if key not in self._known]
            for first in range(0, len(open_), _TOGETHER):
                step_together([search for _, search in open_[first : first + _TOGETHER]])
                for key, search in open_[first : first + _TOGETHER]:
                    self._keep(key, search)

    def _prepare_sizes(self, asked: Iterable[tuple[Asked, Targets]]) -> None:
        kinds = {_kind(one, targets): one for one, targets in asked if one.has_sum_and_count}
        prepare_all([one.at(1.0) for kind, one in kinds.items() if kind not in self._by_size])

    def _first_split(self, asked: Asked, targets: Targets) -> Asked | None:
        """The question with the per cent that first order says; None where that is not relied on."""
        if not asked.has_sum_and_count:
            return asked
        size = self._first_order(asked, targets)
        return with_percent(asked, size.percent) if size.is_reliable(targets.error or math.inf) else None

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
        if _is_certain(size, error):
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

    def certain_split(self, wish: Wish, noise: str) -> Asked | None:
        """The question with noise that needs no delta, split as it will be; None where its law has to be asked how."""
        asked = wish.with_noise(noise, 0.0)
        if not asked.has_sum_and_count:
            return asked
        size = self._first_order(asked, wish.targets)
        return with_percent(asked, size.percent) if _is_certain(size, wish.targets.error or math.inf) else None

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

    def _at_share_of(self, other: PlannedQuery, asked: Asked, targets: Targets) -> Asked:
        """At the other's share; at a little more, where only its split is known to be about best."""
        share = other.guarantee.epsilon
        if asked.has_sum_and_count:
            size = self._first_order(asked, targets)
            if size.is_reliable(targets.error or math.inf):
                asked = with_percent(asked, size.percent)
            else:
                asked, share = with_percent(asked, other.percent_for_sum or OWN), share * _ABOUT
        return asked.at(share)

    def is_enough(self, asked: Asked, targets: Targets) -> bool:
        """Whether the error is kept at the share that is planned, each asked once."""
        key = *_key(asked, targets), asked.planned.guarantee.epsilon
        if key not in self._enough:
            self._enough[key] = planned_is_enough(asked, targets)
        return self._enough[key]

    def _least(self, asked: Asked, targets: Targets, near: float | None) -> float | None:
        key = _key(asked, targets)
        if key not in self._known:
            self._keep(key, self._search(asked, targets, near))
        return self._known[key]

    def _search(self, asked: Asked, targets: Targets, near: float | None) -> ShareSearch:
        kind, error = _key(asked, targets)
        size = self._by_size.get((*kind[:-1], None))
        near = near or interpolated(self._by_error.get(kind, ()), error, slope=-1.0)
        if near is None and size is not None:
            near = min(max(size.share(error), calibration.LOWEST_EPSILON), calibration.HIGHEST_EPSILON)
        return ShareSearch(asked, targets, near)

    def _keep(self, key: _Key, search: ShareSearch) -> None:
        kind, error = key
        share = self._known[key] = search.found()
        if share is not None:
            insort(self._by_error.setdefault(kind, []), (error, search.near or share))


def _is_certain(size: FirstOrder, error: float) -> bool:
    return size.is_reliable(error) and size.own_costs > 1.0 + _CLEARLY


def _key(asked: Asked, targets: Targets) -> _Key:
    return _kind(asked, targets), asked.first_beyond(targets.error or math.inf)


def _kind(asked: Asked, targets: Targets) -> _Kind:
    """All that the least share for an error depends on, in questions of one table."""
    planned = asked.planned
    delta = planned.guarantee.delta
    asks = planned.query, asked.guess, targets.confidence, targets.together
    return *asks, planned.mechanism, delta, planned.percent_for_sum


def _rounds(searches: Iterable[_Sought]) -> Iterator[list[_Sought]]:
    """Those with a guess and the first of each kind, then some that lie between all others, then these.

    Of a kind whose noise has a known size, which is a guess, some are among the first.
    """
    first, pilots, others = list[_Sought](), list[_Sought](), list[_Sought]()
    by_kind = defaultdict[_Kind, list[_Sought]](list)
    for one in searches:
        if one[2]:
            first.append(one)
        else:
            by_kind[_kind(*one[:2])].append(one)
    for some in by_kind.values():
        some.sort(key=lambda one: one[1].error or math.inf)
        first += some[:1]
        between = some[:: max(len(some) // _PILOTS, 1)] + some[-1:]
        (first if some[0][0].has_sum_and_count else pilots).extend(between)
        others += some
    return iter((first, pilots, others))


def _nearest_asked(error: float) -> float:
    return math.exp2(round(math.log2(error) * _ERRORS_PER_DOUBLING) / _ERRORS_PER_DOUBLING)


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
