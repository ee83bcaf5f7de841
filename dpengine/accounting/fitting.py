"""What still fits in a budget: amounts count to the billionth, and no rule is asked more often than it takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dpengine.accounting.composition import ask, checked, counts_of
from dpengine.accounting.drawn import ask_at, asked_places, caps, cumulated, drawn, where_understood
from dpengine.accounting.protocol import Counts
from dpengine.losses.arrays import Array
from dpengine.privacy import Event, Guarantee, nanos_down, require_guarantee
from dpengine.privacy.amounts import NANO

MOST_REPETITIONS = 1_000_000
BILLIONTH = 1e-9
_LAST_DIGITS = 1e-12
_MOST_IDLE = 2
"""Guesses in a row that may leave most of the bracket standing."""


def affordable(
    events: Mapping[Event, int], *, budget: Guarantee, accountant: str, after: Mapping[Event, int] | None = None
) -> int:
    """How often a planned question fits in a budget, up to MOST_REPETITIONS, on top of what was run before it."""
    require_guarantee("budget", budget)
    columns = counts_of([after or {}, events])

    def spent(times: int) -> float:
        counts = checked({event: runs[:1] + times * runs[1:] for event, runs in columns.items()})
        return float(ask(counts, budget.delta, accountant, columns=1)[0])

    known = [affordable(events, budget=budget, accountant=cap, after=after) for cap in _understood(columns, accountant)]
    return last_within(spent, budget=budget.epsilon, known=max(known, default=0))


def _understood(counts: Counts, accountant: str) -> list[str]:
    """The cheap rules that a dear one is never above, as far as they understand these events."""
    return [cap for cap in caps(counts, accountant) if np.all(np.isfinite(where_understood(counts, 0.5, cap, 2)))]


def first_beyond(spent: Array, *, budget: float) -> int | None:
    """Place of the first step that does not fit, from 0; None if all do. Amounts count to the billionth."""
    beyond = np.flatnonzero(spent > _limit(budget))
    return int(beyond[0]) if beyond.size else None


def first_refused(steps: Sequence[Mapping[Event, int]], *, budget: Guarantee, accountant: str) -> int | None:
    """Number of the first step that does not fit in a budget, from 1; None if all fit.

    The same as looking for it in the whole of `consumption`, without asking a dear rule after every step.
    """
    require_guarantee("budget", budget)
    place = _place_refused(cumulated(steps), len(steps), budget, accountant, said={})
    return None if place is None else place + 1


def drawn_to_budget(steps: Sequence[Mapping[Event, int]], *, budget: Guarantee, accountant: str) -> Array:
    """Like `drawn_consumption`, asked exactly after the first step that does not fit and after the one before it."""
    require_guarantee("budget", budget)
    counts, columns, said = cumulated(steps), len(steps), dict[int, float]()
    place = _place_refused(counts, columns, budget, accountant, said)
    exactly = np.array([] if place is None else [max(place - 1, 0), place], dtype=np.intp)
    return drawn(counts, budget.delta, accountant, columns=columns, exactly=exactly, said=said)


def _place_refused(
    counts: Counts, columns: int, budget: Guarantee, accountant: str, said: dict[int, float]
) -> int | None:
    spent = drawn(counts, budget.delta, accountant, columns=columns, exactly=np.array([], dtype=np.intp), said=said)
    place = first_beyond(spent, budget=budget.epsilon)
    if place is None:
        return None
    asked = asked_places(counts, accountant, columns)
    low, high = place - 1, int(asked[np.searchsorted(asked, place)])
    while high - low > 1:
        middle = (low + high) // 2
        value = ask_at([middle], counts, budget.delta, accountant, said)
        low, high = (low, middle) if first_beyond(value, budget=budget.epsilon) == 0 else (middle, high)
    return high


def _limit(budget: float) -> float:
    """The whole billionths that are granted, and the last digits that a sum of floats may be off by."""
    return nanos_down(budget) / NANO * (1.0 + _LAST_DIGITS)


def last_within(spent: Callable[[int], float], *, budget: float, known: int = 0) -> int:
    """The largest number up to MOST_REPETITIONS at which a growing amount is within a budget; 0 if none is.

    `known` is within it.
    What grows like a power of the number is a straight line in logarithms: its root is guessed, and halving takes over
    where guesses leave most of the bracket standing.
    """
    limit = _limit(budget)
    low, high, at_low, growth = 0, max(known, 1), 0.0, 0.5 if known else 2.0
    at_high = spent(high)
    while at_high <= limit:
        if high == MOST_REPETITIONS:
            return high
        low, at_low = high, at_high
        high, growth = _farther(high, at_high, limit, growth), min(2.0 * growth, 2.0)
        at_high = spent(high)
    idle = 0
    while high - low > 1:
        middle = _between(low, high, _share(low, high, at_low, at_high, limit) if idle < _MOST_IDLE else 0.5)
        value, width = spent(middle), high - low
        if value <= limit:
            low, at_low = middle, value
        else:
            high, at_high = middle, value
        idle = 0 if idle == _MOST_IDLE or high - low < width / 2 else idle + 1
    return low


def _farther(reached: int, value: float, limit: float, growth: float) -> int:
    """Where a root would reach the limit, and a little more; at least so many times as far."""
    reach = (limit / value) ** 2 if value > limit / MOST_REPETITIONS else MOST_REPETITIONS
    return min(max(int(growth * reached), math.ceil(1.05 * reached * reach)), MOST_REPETITIONS)


def _share(low: int, high: int, at_low: float, at_high: float, limit: float) -> float:
    """How far between both ends the limit lies."""
    if not 0.0 < at_low < at_high < math.inf:
        return 0.5
    along = math.log(limit / at_low) / math.log(at_high / at_low)
    return (low * math.exp(along * math.log(high / low)) - low) / (high - low)


def _between(low: int, high: int, share: float) -> int:
    return min(max(low + round(share * (high - low)), low + 1), high - 1)
