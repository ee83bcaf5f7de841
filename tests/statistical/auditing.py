"""What released numbers betray: lower bounds of epsilon and delta, from draws made by the very code of a release.

Exact noise takes no seed, so each bound leaves a chance of one in a million for a false alarm, and an alarm needs two
such accidents at once. Sources: Clopper and Pearson 1934; Jagielski, Ullman, Oprea 2020.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import opendp.prelude as dp
import pytest
from numpy.typing import NDArray
from scipy import stats

from dpengine import release as door
from dpengine.data import Table
from dpengine.ledger import Entry
from dpengine.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    ExponentialMechanism,
    ReleasedMechanism,
    ReportNoisyMax,
    SelectionMechanism,
    exact_noise,
)
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors

DRAWS = 20_000
FALSE_ALARM = 1e-6
MOST_EDGES = 100
AT_ONCE = 500
Numbers = NDArray[Any]
Measure = Callable[[Numbers, Numbers], Numbers]
Look = Callable[[Numbers], Numbers]


@dataclass(kw_only=True)
class Drawer:
    """Draws answers by the code of a release, all at once; what was drawn for equal integers is kept."""

    number: int = DRAWS
    kept: dict[Any, Numbers] = field(default_factory=dict)

    def answers(self, planned: PlannedQuery, table: Table, neighbors: Neighbors) -> Numbers:
        """Everything that would be stored, shape (draws, numbers)."""
        entry = SimpleNamespace(planned_query=planned, schema=table.schema, neighbors=neighbors)
        parts = itertools.count()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(exact_noise, "answer", lambda mechanism, exact: self._many(next(parts), mechanism, exact))
            return np.hstack(door._drawn(cast("Entry", entry), table))

    def _many(self, part: int, mechanism: ReleasedMechanism, exact: Numbers) -> Numbers:
        key = part, repr(mechanism), tuple(exact.tolist())
        if key not in self.kept:
            self.kept[key] = (
                many_choices(mechanism, exact, self.number)
                if isinstance(mechanism, ExponentialMechanism | ReportNoisyMax)
                else exact_noise.draw(mechanism, np.tile(exact, (self.number, 1)))
            )
        return self.kept[key]


def handed_over(planned: PlannedQuery, table: Table, neighbors: Neighbors) -> list[tuple[ReleasedMechanism, Numbers]]:
    """What a release gives to the sampler, part by part: the noise, and the integers that it would be added to."""
    entry = SimpleNamespace(planned_query=planned, schema=table.schema, neighbors=neighbors)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact_noise, "answer", lambda *handed: handed)
        return cast("list[tuple[ReleasedMechanism, Numbers]]", door._drawn(cast("Entry", entry), table))


def many_choices(mechanism: SelectionMechanism, scores: Numbers, number: int) -> Numbers:
    """The measurement that `choose` runs, composed with itself: opendp crosses into its own language more rarely."""
    at_once = min(AT_ONCE, number)
    composed = dp.c.make_composition([exact_noise._selection(mechanism)] * at_once)
    runs = [composed(scores.tolist()) for _ in range(math.ceil(number / at_once))]
    return np.ravel(runs)[:number].reshape(-1, 1)


def exact_answers(planned: PlannedQuery, table: Table, neighbors: Neighbors) -> list[Numbers]:
    """What noise is added to, or the scores of the candidates, part by part."""
    return [part.exact(table.run(part.aggregate)) for part in planned.parts(table.schema, neighbors)]


def epsilon_between(here: Numbers, there: Numbers, looks: tuple[Look, ...]) -> float:
    """The most that any look reveals, in either direction; infinite where not even the number of numbers agrees."""
    return _most_shown(here, there, looks, lambda least, most: np.log(np.maximum(least, 1e-300) / most))


def delta_between(here: Numbers, there: Numbers, looks: tuple[Look, ...], *, epsilon: float) -> float:
    """The most that any event exceeds e^epsilon times its chance under the neighbor."""
    return _most_shown(here, there, looks, lambda least, most: least - math.exp(epsilon) * most)


def _most_shown(here: Numbers, there: Numbers, looks: tuple[Look, ...], measure: Measure) -> float:
    if here.shape != there.shape:
        return math.inf
    return max(shown(look(here), look(there), measure) for look in looks)


def shown(here: Numbers, there: Numbers, measure: Measure) -> float:
    """A lower bound at FALSE_ALARM: the event is chosen on one half of the draws and weighed on the other."""
    (seen_here, weighed_here), (seen_there, weighed_there) = np.array_split(here, 2), np.array_split(there, 2)
    edges = np.unique(np.concatenate([seen_here, seen_there]))
    if edges.size > MOST_EDGES:
        edges = edges[np.linspace(0, edges.size - 1, MOST_EDGES).astype(int)]
        pooled = np.concatenate([seen_here, seen_there])
        edges = np.unique(np.append(edges, np.quantile(pooled, np.linspace(0, 1, MOST_EDGES), method="nearest")))
    seen = _often(seen_here, edges), _often(seen_there, edges)
    size = len(seen_here), len(seen_there)
    best = max(
        ((_bounds(*pair, *sizes, measure), turned) for pair, sizes, turned in _both(seen, size)),
        key=lambda found: float(found[0].max()),
    )
    event = int(np.argmax(best[0]))
    weighed = _often(weighed_here, edges)[event], _often(weighed_there, edges)[event]
    sizes = len(weighed_here), len(weighed_there)
    pair, sizes = (weighed[::-1], sizes[::-1]) if best[1] else (weighed, sizes)
    return float(_bounds(np.array([pair[0]]), np.array([pair[1]]), *sizes, measure)[0])


def _both(
    seen: tuple[Numbers, Numbers], sizes: tuple[int, int]
) -> Iterator[tuple[tuple[Numbers, Numbers], tuple[int, int], bool]]:
    yield seen, sizes, False
    yield seen[::-1], sizes[::-1], True


def _often(draws: Numbers, edges: Numbers) -> Numbers:
    """How often each event happens: at least, at most, exactly an edge, and the complements of all three."""
    ordered = np.sort(draws)
    below, upto = (np.searchsorted(ordered, edges, side=side) for side in ("left", "right"))
    equal = upto - below
    return np.concatenate([len(draws) - below, upto, equal, below, len(draws) - upto, len(draws) - equal])


def _bounds(often: Numbers, seldom: Numbers, number: int, other: int, measure: Measure) -> Numbers:
    least = np.where(often > 0, stats.beta.ppf(FALSE_ALARM, np.maximum(often, 1), number - often + 1), 0.0)
    free = np.maximum(other - seldom, 1)
    most = np.where(seldom < other, stats.beta.isf(FALSE_ALARM, seldom + 1, free), 1.0)
    return measure(least, most)


def looks_between(planned: PlannedQuery, one: Table, other: Table, neighbors: Neighbors) -> tuple[Look, ...]:
    """Each number alone, each two of them side by side, and all together as the best test between the tables has it."""
    mechanisms = planned.mechanisms(one.schema, neighbors)
    if any(isinstance(mechanism, ExponentialMechanism | ReportNoisyMax) for mechanism in mechanisms):
        return (lambda draws: draws[:, 0],)
    terms = _terms(planned, one, other, neighbors)
    here, there, scales = (np.concatenate(each) for each in zip(*terms, strict=True))
    if here.shape != there.shape:
        return ()
    alone: list[Look] = [lambda draws, i=i: draws[:, i] for i in range(len(here))]  # type: ignore[misc]
    beside: list[Look] = [
        lambda draws, i=i, j=j: np.round(draws[:, i] / scales[i] - draws[:, j] / scales[j], 9)  # type: ignore[misc]
        for i, j in itertools.combinations(range(len(here)), 2)
    ]
    power = 2 if isinstance(mechanisms[0], DiscreteGaussianMechanism) else 1
    return (*alone, *beside, lambda draws: _odds(draws, here, there, scales, power))


def look_at_parts(planned: PlannedQuery, one: Table, other: Table, neighbors: Neighbors) -> Iterator[Look]:
    """The best test between the tables that sees one part of a Gaussian answer alone, part after part."""
    start = 0
    for here, there, scales in _terms(planned, one, other, neighbors):
        columns, start = slice(start, start + len(here)), start + len(here)
        yield lambda draws, c=columns, h=here, t=there, s=scales: _odds(draws[:, c], h, t, s, 2)  # type: ignore[misc]


def _terms(
    planned: PlannedQuery, one: Table, other: Table, neighbors: Neighbors
) -> list[tuple[Numbers, Numbers, Numbers]]:
    """Of each part: its exact integers in both tables and the scale of its noise."""
    exact = (exact_answers(planned, table, neighbors) for table in (one, other))
    parts = zip(*exact, planned.mechanisms(one.schema, neighbors), strict=True)
    return [(here, there, np.full(len(here), _scale(mechanism))) for here, there, mechanism in parts]


def _odds(draws: Numbers, here: Numbers, there: Numbers, scales: Numbers, power: int) -> Numbers:
    """By how much a whole answer speaks for one table. Source: Neyman and Pearson 1933."""
    far, near = np.abs(draws - there) / scales, np.abs(draws - here) / scales
    return np.asarray(np.round(np.sum(far**power - near**power, axis=1), 9))


def _scale(mechanism: ReleasedMechanism) -> float:
    return mechanism.scale if isinstance(mechanism, DiscreteLaplaceMechanism | DiscreteGaussianMechanism) else 1.0


def lowest_bit(released: Numbers) -> Numbers:
    """The power of two of the last binary digit that is set in each number; 2000 for 0.

    Source: Mironov 2012 (what floating-point noise leaves there tells neighboring answers apart).
    """
    fraction, power = np.frexp(np.asarray(released, dtype=np.float64))
    digits = (fraction * 2.0**53).astype(np.int64)
    last = np.log2(np.maximum((digits & -digits).astype(np.float64), 1.0)).astype(np.int64)
    return np.where(digits == 0, 2000, power - 53 + last)


def last_byte(released: Numbers) -> Numbers:
    """The last eight binary digits of each number."""
    return np.asarray(np.ascontiguousarray(released, dtype=np.float64).view(np.int64) & 255)


LOW_BITS: tuple[Look, ...] = (lowest_bit, last_byte)
