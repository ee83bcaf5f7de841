"""Parallel composition, against all outputs of tiny tables under both neighbor relations."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from dpengine.accounting import ParallelPart, parallel_guarantee
from dpengine.errors import InvalidParameterError
from dpengine.privacy import Guarantee, Neighbors
from tests.running.cases import each

ADD_REMOVE, REPLACE_ONE = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE
EDGE = 12
NOISES = ((0.7, 1.0, 0.2), (0.5, 0.5), (1.0, 0.1), (2.0,))


def pure(*epsilons: float) -> list[ParallelPart]:
    return [ParallelPart(add_remove=Guarantee(epsilon=epsilon)) for epsilon in epsilons]


def noisy_total(total: float, epsilon: float) -> np.ndarray:
    """The law of a total plus two-sided geometric noise of scale 1 / epsilon, clamped to [-EDGE, EDGE]."""
    q = math.exp(-epsilon)
    law = np.array([q ** abs(z - total) for z in range(-EDGE + 1, EDGE)]) * math.tanh(epsilon / 2.0)
    ends = [q ** (EDGE - total) / (1.0 + q), q ** (EDGE + total) / (1.0 + q)]
    return np.array([ends[1], *law, ends[0]])


def joint(totals: tuple[int, ...], epsilons: tuple[float, ...]) -> np.ndarray:
    """The law of all parts' outputs together."""
    law = np.ones(1)
    for total, epsilon in zip(totals, epsilons, strict=True):
        law = np.outer(law, noisy_total(total, epsilon)).ravel()
    return law


def worst_loss(pairs: Sequence[tuple[tuple[int, ...], tuple[int, ...]]], epsilons: tuple[float, ...]) -> float:
    return max(float(np.max(np.log(joint(one, epsilons) / joint(other, epsilons)))) for one, other in pairs)


def moved(table: tuple[int, ...], *changes: tuple[int, int]) -> tuple[int, ...]:
    totals = list(table)
    for part, change in changes:
        totals[part] += change
    return tuple(totals)


@each("epsilons", NOISES)
def test_histogram_cells_under_both_relations(epsilons: tuple[float, ...]) -> None:
    """Cells counted apart: the bounds are met exactly, and the largest epsilon alone is false under REPLACE_ONE."""
    table, cells = (2,) * len(epsilons), range(len(epsilons))
    entered = [(table, moved(table, (i, sign))) for i in cells for sign in (-1, 1)]
    replaced = [(table, moved(table, (i, -1), (j, 1))) for i, j in itertools.permutations(cells, 2)]
    parts = [ParallelPart(add_remove=Guarantee(epsilon=x), replace_one=Guarantee(epsilon=0.0)) for x in epsilons]
    largest = parallel_guarantee(parts, neighbors=ADD_REMOVE).epsilon
    assert largest == max(epsilons) == pytest.approx(worst_loss(entered, epsilons), rel=1e-9)
    if replaced:
        truth = worst_loss(replaced, epsilons)
        assert parallel_guarantee(parts, neighbors=REPLACE_ONE).epsilon == pytest.approx(truth, rel=1e-9)
        assert truth > 1.09 * largest


def test_a_part_whose_total_moves_twice_as_far_when_a_person_is_replaced() -> None:
    """Values -1 and 1 are added up in one part: replacing costs 2, more than moving to the part beside it."""
    epsilons, table = (1.0, 0.1), (1, 2)
    inside = [(table, moved(table, (0, change))) for change in (-2, 2)]
    across = [(table, moved(table, (0, change), (1, -change))) for change in (-1, 1)]
    bound = parallel_guarantee(pure(*epsilons), neighbors=REPLACE_ONE).epsilon
    assert bound == 2.0 == pytest.approx(worst_loss(inside, epsilons), rel=1e-9)
    assert worst_loss(across, epsilons) == pytest.approx(1.1, rel=1e-9)


def test_the_two_relations() -> None:
    parts = pure(1.0, 0.1, 0.8)
    assert parallel_guarantee(parts, neighbors=ADD_REMOVE) == Guarantee(epsilon=1.0)
    assert parallel_guarantee(parts, neighbors=REPLACE_ONE) == Guarantee(epsilon=2.0)
    counts = [ParallelPart(add_remove=part.add_remove, replace_one=part.add_remove) for part in parts]
    assert parallel_guarantee(counts, neighbors=REPLACE_ONE).epsilon == pytest.approx(1.8)
    assert parallel_guarantee(counts[:1], neighbors=REPLACE_ONE) == Guarantee(epsilon=1.0)


def test_deltas_add_up_where_two_parts_are_touched() -> None:
    given = [Guarantee(epsilon=0.5, delta=1e-6), Guarantee(epsilon=0.1, delta=3e-6), Guarantee(epsilon=0.3)]
    parts = [ParallelPart(add_remove=one, replace_one=one) for one in given]
    assert parallel_guarantee(parts, neighbors=ADD_REMOVE) == Guarantee(epsilon=0.5, delta=3e-6)
    both = parallel_guarantee(parts, neighbors=REPLACE_ONE)
    assert both.epsilon == pytest.approx(0.8)
    assert both.delta == pytest.approx(4e-6)
    unknown = parallel_guarantee([ParallelPart(add_remove=one) for one in given], neighbors=REPLACE_ONE)
    assert unknown.epsilon == pytest.approx(1.0)
    assert unknown.delta == pytest.approx(max(given[0].for_group(2).delta, given[1].for_group(2).delta, 4e-6))
    hopeless = [ParallelPart(add_remove=Guarantee(epsilon=0.0, delta=0.7))] * 2
    assert parallel_guarantee(hopeless, neighbors=REPLACE_ONE).delta == 1.0


def test_a_sum_is_never_rounded_below_its_terms() -> None:
    found = parallel_guarantee(
        [ParallelPart(add_remove=Guarantee(epsilon=x), replace_one=Guarantee(epsilon=x)) for x in (0.1, 0.7)],
        neighbors=REPLACE_ONE,
    )
    assert Fraction(found.epsilon) >= Fraction(0.1) + Fraction(0.7)


def test_what_makes_no_sense_is_refused_by_name() -> None:
    with pytest.raises(InvalidParameterError, match=r"replace_one must be at most twice"):
        ParallelPart(add_remove=Guarantee(epsilon=1.0), replace_one=Guarantee(epsilon=2.1))
    with pytest.raises(InvalidParameterError, match="add_remove"):
        ParallelPart(add_remove=1.0)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match="number of parts"):
        parallel_guarantee([], neighbors=ADD_REMOVE)
    with pytest.raises(InvalidParameterError, match="part"):
        parallel_guarantee([Guarantee(epsilon=1.0)], neighbors=ADD_REMOVE)  # type: ignore[list-item]
    with pytest.raises(InvalidParameterError, match="neighbors"):
        parallel_guarantee(pure(1.0), neighbors="add_remove")  # type: ignore[arg-type]
