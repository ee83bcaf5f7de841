"""Noise with an end: what it gives away, and that no shape helps."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import linprog

from dpengine.errors import InvalidParameterError
from dpengine.losses import delta_of
from dpengine.mechanisms import ClampedLaplaceMechanism, TruncatedLaplaceMechanism
from dpengine.mechanisms.additive.bounded_noise import (
    SHAPES,
    EndingNoise,
    least_delta_of_ending_noise,
    log_delta_of_clamped,
    log_delta_of_truncated,
    log_least_delta_of_ending_noise,
)
from tests.running.cases import each


@each("shape", SHAPES)
@each("reach", [0.5, 0.8, 1.0, 3.0, 40.0])
def test_the_density_has_mass_one_and_the_end_is_its_last_sensitivity(shape, reach):
    noise = EndingNoise(shape=shape, reach=reach)
    assert quad(noise.density, -reach, reach, points=[0.0])[0] == pytest.approx(1.0, rel=1e-9)
    end = min(1.0 - reach, reach)
    assert quad(noise.density, -reach, end, points=[0.0] if end > 0 else None)[0] == pytest.approx(
        noise.given_away, rel=1e-9
    )
    assert noise.density(reach * 1.001) == 0.0


@each("epsilon", [0.01, 0.5, 2.0])
@each("reach", [1.0, 1.5, 4.0, 12.25])
def test_no_noise_with_this_end_has_less_than_the_least_delta(epsilon, reach):
    least = least_delta_of_ending_noise(epsilon=epsilon, reach=reach)
    scale = 1.0 / epsilon
    truncated = TruncatedLaplaceMechanism(scale=scale, truncation=reach, l1_sensitivity=1.0)
    clamped = ClampedLaplaceMechanism(scale=scale, truncation=reach, l1_sensitivity=1.0)
    found = [delta_of(noise.event, epsilon=epsilon) for noise in (truncated, clamped)]
    found += [EndingNoise(shape=shape, reach=reach).given_away for shape in SHAPES if shape == "flat"]
    assert 0.0 < least <= min(found)


def delta_of_noise_on_places(chances: np.ndarray, epsilon: float) -> float:
    """By brute force, of noise on places one apart that a person moves by one."""
    there, not_there = np.append(chances, 0.0), np.insert(chances, 0, 0.0)
    return max(
        float(np.maximum(one - math.exp(epsilon) * other, 0.0).sum())
        for one, other in ((there, not_there), (not_there, there))
    )


def least_delta_by_linear_program(places: int, epsilon: float, *, finer: int = 1) -> float:
    """Over all noises on so many places 1 / finer apart, a person moving them by 1.

    Unknown: the chances, what each exceeds its neighbor by (both ways), and delta.
    """
    gaps = places + finer
    shift = np.eye(gaps, places) - math.exp(epsilon) * np.eye(gaps, places, -finer)
    back = np.eye(gaps, places, -finer) - math.exp(epsilon) * np.eye(gaps, places)
    none, unit, zero = np.zeros((gaps, gaps)), np.eye(gaps), np.zeros((gaps, 1))
    bounds = np.block([[shift, -unit, none, zero], [back, none, -unit, zero]])
    sums = np.zeros((2, places + 2 * gaps + 1))
    sums[0, places : places + gaps] = sums[1, places + gaps : -1] = 1.0
    sums[:, -1] = -1.0
    cost = np.append(np.zeros(places + 2 * gaps), 1.0)
    found = linprog(
        cost,
        A_ub=np.vstack([bounds, sums]),
        b_ub=np.zeros(2 * gaps + 2),
        A_eq=np.append(np.ones(places), np.zeros(2 * gaps + 1))[None, :],
        b_eq=[1.0],
    )
    return float(found.fun or 0.0)


@each("epsilon", [0.05, 0.5, 1.0])
@each("reach", [0.0, 0.5, 1.0, 1.4, 1.5, 2.0, 3.0, 5.5, 8.0])
def test_the_least_delta_is_that_of_a_linear_program(epsilon, reach):
    truth = least_delta_by_linear_program(math.floor(2 * reach) + 1, epsilon)
    assert least_delta_of_ending_noise(epsilon=epsilon, reach=reach) == pytest.approx(truth, rel=1e-5)


@each("finer", [2, 3, 4])
@each("reach", [1.0, 1.25, 1.5, 2.0])
def test_noise_on_finer_places_has_no_less(finer, reach):
    places = math.floor(reach * finer + 1e-9) * 2 + 1
    on_the_grid = math.floor(reach * finer + 1e-9) / finer
    truth = least_delta_by_linear_program(places, 0.8, finer=finer)
    assert least_delta_of_ending_noise(epsilon=0.8, reach=on_the_grid) == pytest.approx(truth, rel=1e-5)


@each("epsilon", [1e-9, 0.3, 1.0, 20.0])
@each("reach", [0.5, 1.0, 3.0, 7.5, 12.0])
def test_the_least_delta_is_reached_by_discrete_laplace_noise_without_its_tails(epsilon, reach):
    places = np.arange(-reach, reach + 0.5)
    middle = reach - math.floor(reach)
    chances = np.exp(-epsilon * np.maximum(np.abs(places) - middle, 0.0))
    reached = delta_of_noise_on_places(chances / chances.sum(), epsilon * (1 + 1e-12))
    assert least_delta_of_ending_noise(epsilon=epsilon, reach=reach) == pytest.approx(reached, rel=1e-8)


def test_the_least_delta_of_a_cut_at_a_thousand():
    with mpmath.workdps(40):
        truth = mpmath.log(2 * mpmath.expm1(1000) / mpmath.expm1(1) + mpmath.exp(1000))
    assert log_least_delta_of_ending_noise(epsilon=1.0, reach=1000.0) == pytest.approx(-float(truth), rel=1e-14)
    assert math.isfinite(log_least_delta_of_ending_noise(epsilon=1e4, reach=1e6))


@each("epsilon", [0.01, 1.0, 5.0])
@each("reach", [1.0, 3.0, 20.0])
def test_logarithms_agree_with_the_mechanisms(epsilon, reach):
    scale = 1.0 / epsilon
    truncated = TruncatedLaplaceMechanism(scale=scale, truncation=reach, l1_sensitivity=1.0)
    clamped = ClampedLaplaceMechanism(scale=scale, truncation=reach, l1_sensitivity=1.0)
    assert math.exp(log_delta_of_truncated(epsilon=epsilon, reach=reach)) == pytest.approx(
        delta_of(truncated.event, epsilon=epsilon), rel=1e-9
    )
    assert math.exp(log_delta_of_clamped(epsilon=epsilon, reach=reach)) == pytest.approx(
        min(clamped.event.delta, 1.0), rel=1e-9
    )


def test_a_cut_at_a_thousand_is_ten_to_the_minus_434_not_43():
    with mpmath.workdps(40):
        truth = mpmath.log10(mpmath.expm1(1) / (2 * mpmath.expm1(1000)))
        tail = mpmath.log10(mpmath.exp(-1000) / 2)
    found = log_delta_of_truncated(epsilon=1.0, reach=1000.0) / math.log(10.0)
    assert found == pytest.approx(float(truth), rel=1e-14)
    assert -434.6 < float(tail) < -434.5
    assert log_least_delta_of_ending_noise(epsilon=1.0, reach=1000.0) < found * math.log(10.0)


@each("wrong", [{"shape": "round", "reach": 1.0}, {"shape": "flat", "reach": 0.4}, {"shape": "flat", "reach": np.inf}])
def test_nonsense_is_refused(wrong):
    with pytest.raises(InvalidParameterError):
        EndingNoise(**wrong)


def test_logarithms_refuse_a_cut_within_one_sensitivity():
    with pytest.raises(InvalidParameterError, match="reach"):
        log_delta_of_truncated(epsilon=1.0, reach=0.9)
