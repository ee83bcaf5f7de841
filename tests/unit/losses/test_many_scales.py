"""The scales of many promises that are looked for together: each is, to the last digit, what it is alone."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from dpengine.losses import discrete_gaussian_log_delta, discrete_gaussian_scale, least_scales
from dpengine.losses.discrete_gaussian import discrete_gaussian_log_deltas
from tests.running.cases import each

KNOWN = vars(sys.modules["dpengine.losses.discrete_gaussian_scale"])["_KNOWN"]
Promise = tuple[float, float, int]


@pytest.fixture(autouse=True)
def forgetful() -> None:
    KNOWN.forget()


def promises(seed: int, sensitivities: tuple[int, ...], count: int) -> list[Promise]:
    rng = np.random.default_rng(seed)
    return [
        (float(10.0 ** rng.uniform(-3.0, 2.0)), float(10.0 ** rng.uniform(-17.0, -1.0)), int(rng.choice(sensitivities)))
        for _ in range(count)
    ]


def alone(promise: Promise) -> float:
    KNOWN.forget()
    epsilon, delta, sensitivity = promise
    return discrete_gaussian_scale(epsilon=epsilon, delta=delta, sensitivity=sensitivity)


@each(
    ("seed", "sensitivities"),
    [(1, (1,)), (2, (100,)), (3, (2**30,)), (4, (2**17, 2**18)), (5, (1, 2, 7, 100, 1000, 2**20))],
)
def test_together_and_alone_they_are_the_same_in_any_order(seed: int, sensitivities: tuple[int, ...]) -> None:
    """Narrow noise and wide, and scales on both sides of 2^20, from where on continuous noise takes their place."""
    KNOWN.forget()
    asked = promises(seed, sensitivities, 40)
    together = least_scales(asked)
    assert together == {promise: alone(promise) for promise in asked}
    KNOWN.forget()
    backwards = [*least_scales(asked[:10:-1]).items(), *least_scales(asked).items()]
    assert all(together[promise] == scale for promise, scale in backwards)


def test_what_is_known_is_told_and_not_looked_for_again() -> None:
    asked = promises(6, (1, 100), 6)
    found = least_scales(asked[:4])
    again = least_scales(asked)
    assert all(again[promise] == found[promise] for promise in asked[:4])
    assert len(again) == len(asked)


def test_no_more_than_some_thousand_scales_are_kept() -> None:
    KNOWN.keep({(float(number), 1e-6, 1): 1.0 for number in range(17_000)})
    assert KNOWN.get((0.0, 1e-6, 1)) is None
    assert KNOWN.get((16_999.0, 1e-6, 1)) == 1.0


@each("sensitivity", [1, 60, 3000, 2**25])
@each("noises", [1, 2, 30])
def test_a_row_of_noise_is_to_the_last_digit_what_it_is_by_itself(sensitivity: int, noises: int) -> None:
    rng = np.random.default_rng(sensitivity + noises)
    epsilons = 10.0 ** rng.uniform(-2.0, 1.0, 60)
    rows = np.sort(10.0 ** rng.uniform(-0.5, 2.0, (60, 1)) * rng.uniform(1.0, 1.1, (60, noises)), axis=1)
    rows[:5, 1:] = rows[:5, :1]
    found = discrete_gaussian_log_deltas(rows, sensitivity, epsilons)
    for row, epsilon, log_delta in zip(rows, epsilons, found, strict=True):
        different, place = np.unique(row, return_inverse=True)
        assert np.array_equal(log_delta, discrete_gaussian_log_delta(different, sensitivity, epsilon)[place])


def test_sums_do_depend_on_what_is_asked_beside_them_control() -> None:
    """Else the test above could not fail: one in twenty values has another last digit in company."""
    rng = np.random.default_rng(3)
    noise, epsilon = rng.uniform(2.0, 40.0, 400), 10.0 ** rng.uniform(-2.0, 0.5, 400)
    by_itself = [discrete_gaussian_log_delta(one, 100, at) for one, at in zip(noise, epsilon, strict=True)]
    assert np.any(discrete_gaussian_log_delta(noise, 100, epsilon) != by_itself)
