"""Hints that wander: the band against a sum over all outcomes, and against the exact rule of adding up."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpengine.accounting import epsilon
from dpengine.errors import InvalidParameterError
from dpengine.losses.walks import HintWalk
from dpengine.privacy import RandomizedResponseEvent
from tests.running.cases import each


def chances(each: float, runs: int) -> tuple[list[float], list[float]]:
    """Every possible total loss, and its chance."""
    p = 1.0 / (1.0 + math.exp(-each))
    said = [math.comb(runs, k) * p**k * (1.0 - p) ** (runs - k) for k in range(runs + 1)]
    return [each * (2 * k - runs) for k in range(runs + 1)], said


@each(("each", "runs"), [(0.1, 40), (1.0, 25), (3.0, 7)])
def test_the_band_holds_its_share_and_leaves_at_most_half_the_rest_on_each_side(each: float, runs: int) -> None:
    lower, upper = HintWalk(epsilon=each).between(runs, share=0.95)
    losses, said = (np.array(column) for column in chances(each, runs))
    assert said[(losses > lower - 1e-9) & (losses < upper + 1e-9)].sum() >= 0.95
    assert said[losses < lower - 1e-9].sum() <= 0.025
    assert said[losses < lower + 1e-9].sum() >= 0.025, "No narrower band has as little below it."
    assert said[losses > upper + 1e-9].sum() <= 0.025
    assert said[losses > upper - 1e-9].sum() >= 0.025


def test_what_lies_beyond_the_exact_epsilon_is_what_delta_pays_for() -> None:
    """The expected part of the loss beyond the exact epsilon is delta: the walk is the law behind that number."""
    each, runs, delta = 0.1, 400, 1e-6
    exact = epsilon({RandomizedResponseEvent(epsilon=each): runs}, delta=delta, accountant="exact")
    losses, said = chances(each, runs)
    beyond = sum(p * -math.expm1(exact - loss) for loss, p in zip(losses, said, strict=True) if loss > exact)
    assert beyond == pytest.approx(delta, rel=1e-9)


def test_walks_start_at_0_and_take_steps_of_epsilon() -> None:
    walk = HintWalk(epsilon=0.1)
    walks = walk.simulate(500, walks=400, rng=np.random.default_rng(1))
    assert walks.shape == (400, 501)
    assert np.all(walks[:, 0] == 0.0)
    assert np.allclose(np.abs(np.diff(walks)), 0.1)
    lower, upper = walk.between(500, share=0.95)
    inside = np.mean((walks[:, -1] > lower - 1e-9) & (walks[:, -1] < upper + 1e-9))
    assert 0.91 < inside < 0.99
    assert np.mean(walks[:, -1]) == pytest.approx(500 * 0.1 * math.tanh(0.05), abs=0.4)


@each("each", [1e-9, 1000.0, 1e4])
def test_the_ends_of_the_dial(each: float) -> None:
    lower, upper = HintWalk(epsilon=each).between(np.array([0, 1, 1000]), share=0.95)
    assert np.all(np.isfinite(lower))
    assert np.all(lower <= upper)
    assert upper[0] == 0.0


def test_nonsense_is_refused_by_name() -> None:
    with pytest.raises(InvalidParameterError, match="epsilon"):
        HintWalk(epsilon=0.0)
    with pytest.raises(InvalidParameterError, match="share"):
        HintWalk(epsilon=1.0).between(3, share=1.0)
    with pytest.raises(InvalidParameterError, match="walks"):
        HintWalk(epsilon=1.0).simulate(3, walks=0, rng=np.random.default_rng(1))
