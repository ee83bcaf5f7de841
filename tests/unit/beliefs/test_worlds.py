"""Beliefs over many worlds, against mechanisms whose outputs can be listed."""

import math

import numpy as np
import pytest

from dpengine.beliefs import highest_world_posterior, posterior_bounds, world_posterior_bounds
from dpengine.errors import InvalidParameterError
from tests.running.cases import each

LINE = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))


def posteriors(priors: np.ndarray, laws: np.ndarray) -> np.ndarray:
    """One row for each world, one column for each output."""
    joint = priors[:, None] * laws
    return np.asarray(joint / joint.sum(axis=0))


def clamped_geometric(epsilon: float) -> np.ndarray:
    """The count 0 .. 4 is the world; noise, then the answer clamped to 0 .. 4."""
    q = math.exp(-epsilon)
    laws = (1.0 - q) / (1.0 + q) * q**LINE
    laws[:, [0, -1]] = q ** LINE[:, [0, -1]] / (1.0 + q)
    return np.asarray(laws)


@each("epsilon", [0.1, 1.0, 3.0])
def test_a_clamped_geometric_count_stays_within_and_meets_the_bounds_of_its_ends(epsilon: float) -> None:
    laws = clamped_geometric(epsilon)
    assert laws.sum(axis=1) == pytest.approx(np.ones(5))
    for priors in (np.full(5, 0.2), np.array([0.5, 0.1, 0.1, 0.25, 0.05])):
        found = posteriors(priors, laws)
        lower, upper = world_posterior_bounds(priors, epsilon=epsilon, distances=LINE)
        assert np.all(lower - 1e-15 <= found.min(axis=1))
        assert np.all(found.max(axis=1) <= upper + 1e-15)
        assert found.max(axis=1)[[0, -1]] == pytest.approx(upper[[0, -1]], rel=1e-12)
        assert found.min(axis=1)[[0, -1]] == pytest.approx(lower[[0, -1]], rel=1e-12)


@each("epsilon", [0.1, 1.0, 3.0])
def test_every_bound_is_met_by_some_mechanism_on_a_metric(epsilon: float) -> None:
    priors = np.array([0.5, 0.1, 0.1, 0.25, 0.05])
    lower, upper = world_posterior_bounds(priors, epsilon=epsilon, distances=LINE)
    for world in range(5):
        for sign, bound in ((-1.0, upper), (1.0, lower)):
            rare = 1e-3 * np.exp(epsilon * (sign * LINE[world] - LINE.max()))
            laws = np.stack([rare, 1.0 - rare], axis=1)
            losses = np.abs(np.log(laws[:, None] / laws[None])).max(axis=2)
            assert np.all(losses <= epsilon * LINE + 1e-12)
            assert posteriors(priors, laws)[world, 0] == pytest.approx(bound[world], rel=1e-12)


@each("worlds", [2, 3, 10])
def test_randomized_response_over_worlds_meets_lee_and_clifton(worlds: int) -> None:
    laws = np.where(np.eye(worlds) == 1.0, math.e, 1.0) / (math.e + worlds - 1.0)
    uniform = np.full(worlds, 1.0 / worlds)
    upper = world_posterior_bounds(uniform, epsilon=1.0)[1]
    assert posteriors(uniform, laws).max(axis=1) == pytest.approx(upper, rel=1e-14)
    assert upper == pytest.approx(np.full(worlds, highest_world_posterior(epsilon=1.0, worlds=worlds)), rel=1e-14)
    twice = world_posterior_bounds(uniform, epsilon=1.0, distances=2.0)[1]
    assert twice[0] == pytest.approx(highest_world_posterior(epsilon=1.0, worlds=worlds, distance=2), rel=1e-14)


def test_two_worlds_are_the_case_of_one_person() -> None:
    lower, upper = world_posterior_bounds([0.2, 0.8], epsilon=0.7)
    assert (lower[0], upper[0]) == (pytest.approx(posterior_bounds(0.2, epsilon=0.7)[0]), pytest.approx(upper[0]))
    assert upper[0] == pytest.approx(posterior_bounds(0.2, epsilon=0.7)[1], rel=1e-14)
    assert upper[1] == pytest.approx(1.0 - lower[0], rel=1e-14)


def test_extremes() -> None:
    lower, upper = world_posterior_bounds([0.0, 1e-300, 1.0 - 1e-300], epsilon=1000.0)
    assert (lower[0], upper[0]) == (0.0, 0.0)
    assert upper[1:] == pytest.approx([1.0, 1.0])
    assert lower[1:] == pytest.approx([0.0, 0.0])
    for bound in world_posterior_bounds([0.25, 0.75], epsilon=0.0):
        assert bound == pytest.approx([0.25, 0.75])
    for bound in world_posterior_bounds([1.0], epsilon=5.0):
        assert bound == pytest.approx([1.0])


@each("bad", [[0.5, 0.6], [[0.5, 0.5]], [1.5, -0.5], "half", 0.5, []])
def test_bad_priors_are_named(bad: object) -> None:
    with pytest.raises(InvalidParameterError, match="priors"):
        world_posterior_bounds(bad, epsilon=1.0)  # type: ignore[arg-type]


@each("bad", [-1.0, [[0.0, 1.0], [2.0, 0.0]], [[1.0, 1.0], [1.0, 0.0]], [0.0, 1.0], np.zeros((3, 3))])
def test_bad_distances_are_named(bad: object) -> None:
    with pytest.raises(InvalidParameterError, match="distances"):
        world_posterior_bounds([0.5, 0.5], epsilon=1.0, distances=bad)  # type: ignore[arg-type]
