"""Where the textbook formula is true, where it is false, and from where it pays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
import numpy.typing as npt

from dpengine.accounting.advanced import AdvancedAccountant, least_form
from dpengine.accounting.basic import BasicAccountant
from dpengine.accounting.composition import counts_of
from dpengine.accounting.concentrated import rho_of
from dpengine.accounting.optimal import optimal_epsilon
from dpengine.accounting.protocol import Accountant, Counts
from dpengine.accounting.renyi import RenyiAccountant
from dpengine.accounting.shares import SLIDING_PART, Shares, common_share, left_by_product, share, shares_of, slides
from dpengine.accounting.textbook import TextbookAccountant, log_inverse, textbook_value
from dpengine.errors import named, require_between
from dpengine.losses import gaussian_epsilon
from dpengine.losses.arrays import Array, whole_numbers
from dpengine.privacy import ConcentratedEvent, Event, GaussianEvent, PureEvent, require_event

_LARGEST_SEARCHED, _LEAST_RHO, _LARGEST_RHO = 1e9, 1e-300, 1e290
_BASIC = BasicAccountant()


class Validity(Enum):
    """What is known of the textbook formula for all mechanisms with these shares."""

    PROVED = "proved"
    TRUE = "true"
    FALSE = "false"
    UNPROVED = "unproved"

    @property
    def sentence(self) -> str:
        """The same in plain words."""
        return _SENTENCES[self]


_SENTENCES = {
    Validity.PROVED: "The textbook formula is proved for this many questions.",
    Validity.TRUE: "The textbook formula is true here, but its own proof does not reach this far.",
    Validity.FALSE: "The textbook formula is false here: the real privacy loss can be larger.",
    Validity.UNPROVED: "The textbook formula is not proved for this mix. Do not rely on it.",
}


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Crossover:
    """First number of repetitions at which a rule asks for less epsilon than adding up; None if never up to 1e9."""

    textbook: int | None
    advanced: int | None


def textbook_validity(events: Mapping[Event, int], *, delta: float) -> Validity:
    """What is known of the textbook accountant's value for these runs at this total delta."""
    require_between("delta", delta, 0.0, 1.0)
    counts = counts_of([events])
    return _validity(counts, delta)[0] if counts else Validity.PROVED


def textbook_validity_curve(event: Event, *, repetitions: npt.ArrayLike, delta: float) -> list[Validity]:
    """The same for each number of repetitions of one event."""
    require_event("event", event)
    require_between("delta", delta, 0.0, 1.0)
    runs = whole_numbers("repetitions", repetitions, least=0).ravel()
    return _validity({event: runs}, delta)


def textbook_validity_of_steps(steps: Sequence[Mapping[Event, int]], *, delta: float) -> list[Validity]:
    """The same after the 1st, 2nd, ... step of a list of planned questions."""
    require_between("delta", delta, 0.0, 1.0)
    counts = {event: np.cumsum(runs) for event, runs in counts_of(steps).items()}
    return _validity(counts, delta) if counts else [Validity.PROVED] * len(steps)


def crossover(event: Event, *, delta: float) -> Crossover:
    """From how many repetitions the textbook formula and the sound advanced rule are below adding up.

    For pure events the textbook formula crosses at the first number above 8 ln(1/delta).
    """
    require_event("event", event)
    require_between("delta", delta, 0.0, 1.0)
    return Crossover(
        textbook=_first_below(TextbookAccountant(), event, delta),
        advanced=_first_below(AdvancedAccountant(), event, delta),
    )


def _validity(counts: Counts, delta: float) -> list[Validity]:
    """Each collection is judged by the events that it runs, whatever the others run."""
    shares = shares_of(counts, delta=delta, for_sliding=SLIDING_PART)
    value, reach = textbook_value(shares), 8.0 * log_inverse(shares.free)
    proved = (value <= reach) | (np.sum(shares.counts, axis=0) <= reach)
    verdicts, left = np.full(proved.size, Validity.PROVED, dtype=object), np.flatnonzero(~proved)
    patterns, place = np.unique(shares.counts[:, left] > 0.0, axis=1, return_inverse=True)
    for i, pattern in enumerate(patterns.T):
        columns = left[place.ravel() == i]
        ran = {event: runs[columns] for (event, runs), here in zip(counts.items(), pattern, strict=True) if here}
        verdicts[columns] = _unproved(ran, value[columns], delta)
    return list(verdicts)


def _unproved(counts: Counts, value: Array, delta: float) -> list[Validity]:
    """What is known of values without a proof, for collections that all run the same events."""
    least, most = _range_of_truth(counts, shares_of(counts, delta=delta, for_sliding=SLIDING_PART), delta)
    verdicts = np.select([value >= most, value < least], [0, 1], default=2)
    order = (Validity.TRUE, Validity.FALSE, Validity.UNPROVED)
    return [order[verdict] for verdict in verdicts]


def _range_of_truth(counts: Counts, shares: Shares, delta: float) -> tuple[Array, Array]:
    """A lower and an upper bound on what these runs can cost; the same where it is known exactly.

    Laplace and other pure runs are judged by their share alone, that is by the worst mechanism with that share, and
    concentrated ones by the worst with that rho; Gaussian ones by their own law.
    """
    if all(isinstance(event, GaussianEvent) for event in counts):
        exact = _gaussian_cost(counts, delta)
        return exact, exact
    fixed = {event: runs for event, runs in counts.items() if not slides(event)}
    each = common_share(counts) if len(fixed) == len(counts) else None
    if each is not None:
        tight = optimal_epsilon(*each, np.sum(shares.counts, axis=0), delta)
        return tight, tight
    upper = least_form(replace(shares, free=left_by_product(shares, delta)))
    upper = np.minimum(upper, _renyi_bound(counts, delta))
    return np.maximum(_lower_bound(fixed, delta), _gaussian_cost(counts, delta)), upper


def _renyi_bound(counts: Counts, delta: float) -> npt.ArrayLike:
    """What Rényi accounting knows of the worst mechanisms with these shares; infinite where one has a delta."""
    worst: dict[Event, Array] = {}
    for event, runs in counts.items():
        epsilon, own_delta = (0.0, 0.0) if slides(event) else share(event)
        if own_delta > 0.0 or epsilon > _LARGEST_RHO:
            return np.inf
        stand_in = event if slides(event) else PureEvent(epsilon=epsilon)
        worst[stand_in] = worst.get(stand_in, 0.0) + runs
    return RenyiAccountant().epsilon(worst, delta=delta)


def _gaussian_cost(counts: Counts, delta: float) -> Array:
    """What the Gaussian runs alone cost, with the concentrated ones as the Gaussian runs that they may be."""
    smooth = [(event, runs) for event, runs in counts.items() if isinstance(event, GaussianEvent | ConcentratedEvent)]
    rho = np.sum([runs * min(rho_of(event), _LARGEST_RHO) for event, runs in smooth], axis=0)
    noise = np.sqrt(0.5 / np.clip(rho, _LEAST_RHO, _LARGEST_RHO))
    return np.where(rho > 0.0, gaussian_epsilon(noise_multiplier=noise, delta=delta), 0.0)


def _lower_bound(counts: Counts, delta: float) -> npt.ArrayLike:
    """The most that any group of largest epsilons costs if each were only as large as the least of them, delta 0.

    Source: Kairouz, Oh, Viswanath 2015, Theorem 3.3; randomized response at a larger epsilon can imitate a smaller one.
    """
    if not counts:
        return 0.0
    largest_first = sorted(counts, key=lambda event: -share(event)[0])
    runs = np.cumsum([counts[event] for event in largest_first], axis=0)
    bounds = [optimal_epsilon(share(event)[0], 0.0, runs[i], delta) for i, event in enumerate(largest_first)]
    return np.asarray(np.max(bounds, axis=0))


def _first_below(rule: Accountant, event: Event, delta: float) -> int | None:
    """First repetition at which the rule is strictly below adding up: found on a grid, then halved down to one."""

    def below(runs: Array) -> npt.NDArray[np.bool_]:
        counts = {event: runs}
        return rule.epsilon(counts, delta=delta) < _BASIC.epsilon(counts, delta=delta)

    grid = np.unique(np.rint(np.geomspace(1.0, _LARGEST_SEARCHED, 500)))
    hits = np.flatnonzero(below(grid))
    if not hits.size:
        return None
    first, last_above = grid[hits[0]], grid[max(hits[0] - 1, 0)]
    while first - last_above > 1.0:
        middle = np.floor((first + last_above) / 2.0)
        first, last_above = (middle, last_above) if below(np.array([middle]))[0] else (first, middle)
    return int(first)
