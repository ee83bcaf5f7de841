"""No mechanism stays below the bound, which the best that is known comes near."""

from __future__ import annotations

import itertools
import math
from functools import partial
from typing import Any

import numpy as np
import pytest
import scipy

from dpengine.accuracy import least_possible_error
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from dpengine.privacy import Guarantee


@pytest.mark.parametrize("cells", [2, 4, 30, 1000])
@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 4.0])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 1.0 - 1e-6])
def test_noise_errs_more_than_the_least_and_no_more_than_some_times_as_much(
    cells: int, epsilon: float, confidence: float
) -> None:
    of = partial(least_possible_error, log_worlds=math.log(cells), confidence=confidence)
    pure, loose = Guarantee(epsilon=epsilon), Guarantee(epsilon=epsilon, delta=1e-6)
    laplace = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1).error_quantile(confidence, cells)
    gaussian = DiscreteGaussianMechanism.from_guarantee(loose, l2_sensitivity=1).error_quantile(confidence, cells)
    least = of(guarantee=pure)
    assert laplace / 8.0 - 1.0 <= least <= laplace
    assert of(guarantee=loose) <= min(least, gaussian)


def test_d_counts_of_the_same_people_need_an_error_in_d_unless_there_is_a_delta() -> None:
    def least(counts: int, delta: float) -> float:
        worlds = counts * math.log(2.0)
        return least_possible_error(log_worlds=worlds, guarantee=Guarantee(epsilon=0.1, delta=delta), confidence=0.95)

    assert least(400, 0.0) == pytest.approx(2.0 * least(200, 0.0), rel=0.05)
    assert least(400, 1e-6) == least(200, 1e-6), "A delta lets Gaussian noise err less than any pure promise."
    gaussian = DiscreteGaussianMechanism.from_guarantee(
        Guarantee(epsilon=0.1, delta=1e-6), l2_sensitivity=math.sqrt(10_000), one_coordinate=False
    )
    assert gaussian.error_quantile(0.95, 10_000) < least(10_000, 0.0)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_what_a_linear_program_finds_for_tables_of_few_people_is_no_smaller(epsilon: float) -> None:
    """Over all mechanisms: every output region of two cells, for up to 4 people, as variables of the program."""
    cells, most, confidence = 2, 4, 0.9
    least = least_possible_error(
        log_worlds=math.log(cells), guarantee=Guarantee(epsilon=epsilon), confidence=confidence
    )
    tried = [error for error in np.arange(0.0, 2.5, 0.5) if reachable(float(error), epsilon, most, confidence)]
    assert tried, "The control: some error is possible."
    assert min(tried) >= min(least, most / 2.0)


def reachable(error: float, epsilon: float, most: int, confidence: float) -> bool:
    """Whether some mechanism keeps both counts within the error, on all tables of so many people at most."""
    tables = [table for table in itertools.product(range(most + 1), repeat=2) if sum(table) <= most]
    outputs = list(itertools.product(np.arange(-1.0, most + 1.5, 0.5), repeat=2))
    place = {table: number * len(outputs) for number, table in enumerate(tables)}
    size = len(tables) * len(outputs)
    near = scipy.sparse.lil_matrix((len(tables), size))
    whole = scipy.sparse.lil_matrix((len(tables), size))
    for row, table in enumerate(tables):
        for number, output in enumerate(outputs):
            whole[row, place[table] + number] = 1.0
            if max(abs(output[0] - table[0]), abs(output[1] - table[1])) <= error:
                near[row, place[table] + number] = -1.0
    pairs = [(one, two) for one in tables for two in tables if abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1]
    alike = scipy.sparse.lil_matrix((len(pairs) * len(outputs), size))
    for row, ((one, two), number) in enumerate(itertools.product(pairs, range(len(outputs)))):
        alike[row, place[one] + number], alike[row, place[two] + number] = 1.0, -math.exp(epsilon)
    solve: Any = scipy.optimize.linprog
    found = solve(
        np.zeros(size),
        A_ub=scipy.sparse.vstack([near, alike]).tocsr(),
        b_ub=np.concatenate([np.full(len(tables), -confidence), np.zeros(alike.shape[0])]),
        A_eq=whole.tocsr(),
        b_eq=np.ones(len(tables)),
    )
    return bool(found.success)


def test_more_rows_of_a_person_move_it_and_few_people_end_it() -> None:
    of = partial(least_possible_error, log_worlds=math.log(30), guarantee=Guarantee(epsilon=0.1), confidence=0.95)
    assert of(rows=5) == 5 * of()
    assert of(people=10) == 5.0
    assert of(guarantee=Guarantee(epsilon=50.0)) == 0.0


@pytest.mark.parametrize(
    "wrong", [{"log_worlds": -1.0}, {"log_worlds": math.nan}, {"confidence": 1.0}, {"rows": 0}, {"rows": 1.5}]
)
def test_nonsense_is_refused(wrong: dict[str, float]) -> None:
    of = partial(least_possible_error, log_worlds=1.0, guarantee=Guarantee(epsilon=1.0), confidence=0.95)
    assert of() > 0.0, "The control."
    with pytest.raises(InvalidParameterError):
        of(**wrong)  # type: ignore[arg-type]
