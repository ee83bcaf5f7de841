"""Runs as (epsilon, delta) shares: what the accountants see that know nothing better of an event.

A Gaussian run has many shares, one per delta: it slides. Each accountant says how much delta its sliding runs get,
and all of them get the same part.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, singledispatch

import numpy as np
import numpy.typing as npt

from dpengine.accounting.protocol import Counts
from dpengine.accounting.sums import sum_of_decimals
from dpengine.errors import UnsupportedEventError
from dpengine.losses import concentrated_epsilon, delta_of, discrete_gaussian_epsilon, gaussian_epsilon
from dpengine.losses.arrays import Array
from dpengine.privacy import (
    ApproximateEvent,
    BoundedRangeEvent,
    ConcentratedEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
    TruncatedLaplaceEvent,
    exact_decimal,
    require_event,
)
from dpengine.privacy.rounding import LARGEST, loss_of_noise

SLIDING_PART = 0.5
"""How much of the delta left by others the sliding runs get where the rest is the slack of a theorem."""
_ROUNDING = 4.0 * float(np.finfo(np.float64).eps)


@singledispatch
def share(event: Event) -> tuple[float, float]:
    """The (epsilon, delta) of one run of anything that does not slide; epsilon's decimal is never below the truth."""
    require_event("event", event)
    raise UnsupportedEventError(event, "Composition of (epsilon, delta) guarantees")


@share.register
def _noise_share(event: LaplaceEvent | DiscreteLaplaceEvent) -> tuple[float, float]:
    return loss_of_noise(event.noise_multiplier), 0.0


@share.register
def _pure_share(event: PureEvent | RandomizedResponseEvent | BoundedRangeEvent) -> tuple[float, float]:
    return event.epsilon, 0.0


@share.register
def _approximate_share(event: ApproximateEvent) -> tuple[float, float]:
    return event.epsilon, event.delta


@share.register
def _truncated_share(event: TruncatedLaplaceEvent) -> tuple[float, float]:
    """The least epsilon at which its delta is as small as it ever gets."""
    epsilon = loss_of_noise(event.noise_multiplier)
    return epsilon, delta_of(event, epsilon=min(epsilon, LARGEST))


@singledispatch
def epsilon_at(event: Event, delta: Array) -> Array:
    """Epsilon of one run at each delta, of anything that slides; infinite at delta 0."""
    require_event("event", event)
    raise UnsupportedEventError(event, "Composition of (epsilon, delta) guarantees")


@epsilon_at.register
def _gaussian_epsilon(event: GaussianEvent, delta: Array) -> Array:
    return gaussian_epsilon(noise_multiplier=event.noise_multiplier, delta=delta)


@epsilon_at.register
def _discrete_gaussian_epsilon(event: DiscreteGaussianEvent, delta: Array) -> Array:
    return _kept(event, delta.tobytes())


@lru_cache(maxsize=1000)
def _kept(event: DiscreteGaussianEvent, deltas: bytes) -> Array:
    """A dear root: a list in which one question changes asks for those of all others again."""
    return discrete_gaussian_epsilon(event, np.frombuffer(deltas))


@epsilon_at.register
def _concentrated_epsilon(event: ConcentratedEvent, delta: Array) -> Array:
    return concentrated_epsilon(np.array(event.rho), delta)


def slides(event: Event) -> bool:
    """Whether the epsilon of one run depends on the delta that it is given."""
    return epsilon_at.dispatch(type(event)) is not epsilon_at.dispatch(Event)


def largest_loss(event: Event) -> float:
    """Epsilon of one run at delta 0; infinite where no epsilon holds."""
    if slides(event):
        return math.inf
    epsilon, delta = share(event)
    return epsilon if delta == 0.0 else math.inf


def common_share(events: Iterable[Event]) -> tuple[float, float] | None:
    """The one share that all the events have, a few last digits of epsilon aside and rounded up; None if they differ.

    Equal epsilons reach the events through different sensitivities, and so with different roundings.
    """
    epsilons, deltas = zip(*map(share, events), strict=True)
    equal = min(epsilons) >= max(epsilons) * (1.0 - _ROUNDING) and min(deltas) == max(deltas)
    return (max(epsilons), deltas[0]) if equal else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """One row per kind of event, one column per collection of runs, and each column's delta that is still free."""

    counts: Array
    epsilons: Array
    deltas: Array
    free: Array

    def total(self, cost_of_one: npt.ArrayLike) -> Array:
        """Sum over all runs of a column; a kind that was never run adds nothing, whatever it would cost."""
        cost = np.broadcast_to(np.asarray(cost_of_one, dtype=np.float64), self.counts.shape)
        with np.errstate(over="ignore"):
            added = np.multiply(self.counts, cost, out=np.zeros(self.counts.shape), where=self.counts > 0.0)
            return np.asarray(np.sum(added, axis=0))

    @property
    def sum(self) -> Array:
        """Of all epsilons, as the decimals that were written down."""
        return sum_of_decimals(self.counts, self.epsilons)

    @property
    def sum_of_squares(self) -> Array:
        """Of all epsilons squared."""
        with np.errstate(over="ignore"):
            return self.total(self.epsilons**2)

    @property
    def sum_of_means(self) -> Array:
        """Of epsilon tanh(epsilon / 2), the largest mean loss of an epsilon-private run."""
        return self.total(self.epsilons * np.tanh(self.epsilons / 2.0))


def shares_of(counts: Counts, *, delta: float, for_sliding: float) -> Shares:
    """The shares of all runs when the sliding ones together get the part `for_sliding` of the delta left by others.

    `free` is what then remains of delta by addition; negative where the runs' own deltas alone are too much.
    Own deltas are added as the decimals that were written down, so 100 times 1e-8 fits exactly in 1e-6.
    """
    left = _left_by_addition(counts, delta)
    sliding_runs = np.sum([runs for event, runs in counts.items() if slides(event)] or [left * 0.0], axis=0)
    each = np.maximum(left, 0.0) * for_sliding / np.maximum(sliding_runs, 1.0)
    rows = [_row(event, each) for event in counts]
    free = np.where(sliding_runs > 0.0, left * (1.0 - for_sliding), left)
    return Shares(
        counts=np.array(list(counts.values())),
        epsilons=np.array([epsilons for epsilons, _ in rows]),
        deltas=np.array([deltas for _, deltas in rows]),
        free=np.where(left < 0.0, left, free),
    )


def most_generous(counts: Counts, *, delta: float) -> Shares:
    """As if every sliding run, and the theorem as well, had the whole delta: no rule of shares says less."""
    columns = len(next(iter(counts.values())))
    each = [float(_row(event, np.array([delta]))[0][0]) for event in counts]
    return Shares(
        counts=np.array(list(counts.values())),
        epsilons=np.repeat(np.array(each)[:, None], columns, axis=1),
        deltas=np.zeros((len(counts), columns)),
        free=np.full(columns, delta),
    )


def left_by_product(shares: Shares, delta: float) -> Array:
    """What delta leaves when the runs' own deltas add as 1 - prod(1 - delta_i); negative where they are too much.

    Rounded down by a few last digits. Source: Kairouz, Oh, Viswanath 2015, Theorem 3.5.
    """
    if not np.any(shares.deltas[shares.counts > 0.0]):
        return np.full(shares.counts.shape[1], delta)
    with np.errstate(divide="ignore", over="ignore"):
        log_kept = shares.total(np.log1p(-shares.deltas))
        left = -np.expm1(np.log1p(-delta) - log_kept) if delta < 1.0 else np.ones_like(log_kept)
    return np.where(left > 0.0, np.maximum(left - _ROUNDING * delta, 0.0), left)


def _row(event: Event, each: Array) -> tuple[Array, Array]:
    if slides(event):
        return epsilon_at(event, each), each
    epsilon, delta = share(event)
    return np.full(each.shape, epsilon), np.full(each.shape, delta)


def _left_by_addition(counts: Counts, delta: float) -> Array:
    own = [(share(event)[1], runs) for event, runs in counts.items() if not slides(event)]
    own = [(each, runs) for each, runs in own if each > 0.0]
    columns = len(next(iter(counts.values())))
    if not own:
        return np.full(columns, delta)
    exact = [(exact_decimal(each), runs) for each, runs in own]
    total = exact_decimal(delta)
    left = [total - sum((each * int(runs[j]) for each, runs in exact), Fraction()) for j in range(columns)]
    return np.array([float(amount) for amount in left])
