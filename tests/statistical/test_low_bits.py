"""The last binary digits of what is released tell nothing that the noise does not allow; numpy's noise always does.

Released noise is a whole number of grid steps whatever the exact answer is, so neighbors reach the same numbers.
Source: Mironov 2012.
"""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.data import Table
from dpengine.mechanisms import exact_noise
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors
from tests.running.cases import each
from tests.statistical.auditing import LOW_BITS, Drawer, Numbers, delta_between, epsilon_between, lowest_bit
from tests.statistical.hard_pairs import ADDED
from tests.statistical.test_audit import planned_for

RELATION, DRAWS = Neighbors.ADD_REMOVE, 4_000
SHIPPED = {
    "count": ("laplace", "gaussian"),
    "sum": ("gaussian",),
    "mean": ("laplace",),
    "share": (),
    "variance": ("laplace",),
    "cells": (),
    "means of groups": ("laplace",),
}
"""Each sampler, and every way from integers to an answer; under -m slow every way with each sampler."""
AUDITED = [
    pytest.param(name, noise, marks=() if noise in noises else pytest.mark.slow)
    for name, noises in SHIPPED.items()
    for noise in ("laplace", "gaussian")
]


def released(planned: PlannedQuery, table: Table) -> Numbers:
    """What people see, as floating-point numbers, shape (draws, numbers)."""
    drawn, readings, start = Drawer(number=DRAWS).answers(planned, table, RELATION), [], 0
    for part in planned.parts(table.schema, RELATION):
        readings.append(part.reading(drawn[:, start : start + part.coordinates]))
        start += part.coordinates
    return np.asarray(planned.query.combine(readings))


def low_bits_show(planned: PlannedQuery, pair: str) -> float:
    """What the last digits of each number show beyond the claim."""
    here, there = (released(planned, table) for table in ADDED[pair].tables(RELATION))
    columns = [(here[:, i], there[:, i]) for i in range(here.shape[1])]
    promise = planned.guarantee
    if planned.mechanism == "gaussian":
        return max(delta_between(*both, LOW_BITS, epsilon=promise.epsilon) for both in columns) - promise.delta
    return max(epsilon_between(*both, LOW_BITS) for both in columns) - promise.epsilon


@pytest.mark.parametrize(("name", "noise"), AUDITED)
def test_the_last_digits_of_an_answer_tell_nothing(name, noise):
    assert low_bits_show(planned_for(name, noise), "nobody and one") <= 0.0


@each("seed", range(10))
@each(("noise", "scale"), [("laplace", 1.0), ("gaussian", 1.4)])
def test_the_last_digits_of_numpys_noise_tell_neighbors_apart_every_time(noise, scale, seed):
    rng = np.random.default_rng(seed)
    draw = rng.laplace if noise == "laplace" else rng.normal
    here, there = (count + draw(scale=scale, size=DRAWS) for count in (1, 0))
    if noise == "laplace":
        assert epsilon_between(here, there, LOW_BITS) > 1.0
    else:
        assert delta_between(here, there, LOW_BITS, epsilon=1.0) > 0.02


@each("seed", range(10))
def test_single_draws_of_numpy_prove_which_count_it_was(seed):
    """A noisy 0 below one half often has digits that 1 less any noise of numpy's cannot have: they end at 2^-53."""
    draws = np.random.default_rng(seed).laplace(size=DRAWS)
    proof = (np.abs(draws) < 0.5) & (lowest_bit(draws) < -53)
    assert proof.mean() > 0.25
    ones = 1.0 + np.random.default_rng(seed + 100).laplace(size=DRAWS)
    assert not np.any((np.abs(ones) < 0.5) & (lowest_bit(ones) < -53))


def test_single_exact_draws_never_prove_which_count_it_was():
    planned = planned_for("count", "laplace")
    table, _ = ADDED["nobody and one"].tables(RELATION)
    (mechanism,) = planned.mechanisms(table.schema, RELATION)
    exact = exact_noise.draw(mechanism, np.zeros(DRAWS, dtype=np.int64)).astype(np.float64)
    assert not np.any(lowest_bit(exact) < 0)
