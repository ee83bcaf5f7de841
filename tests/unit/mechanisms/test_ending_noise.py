"""Noise with an end: what it gives away, and that no shape helps."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad

from dpengine.errors import InvalidParameterError
from dpengine.losses import delta_of
from dpengine.mechanisms import ClampedLaplaceMechanism, TruncatedLaplaceMechanism
from dpengine.mechanisms.ending_noise import (
    SHAPES,
    EndingNoise,
    least_delta_of_ending_noise,
    log_delta_of_clamped,
    log_delta_of_truncated,
    log_least_delta_of_ending_noise,
)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("reach", [0.5, 0.8, 1.0, 3.0, 40.0])
def test_the_density_has_mass_one_and_the_end_is_its_last_sensitivity(shape, reach):
    noise = EndingNoise(shape=shape, reach=reach)
    assert quad(noise.density, -reach, reach, points=[0.0])[0] == pytest.approx(1.0, rel=1e-9)
    end = min(1.0 - reach, reach)
    assert quad(noise.density, -reach, end, points=[0.0] if end > 0 else None)[0] == pytest.approx(
        noise.given_away, rel=1e-9
    )
    assert noise.density(reach * 1.001) == 0.0


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 2.0])
@pytest.mark.parametrize("reach", [1.0, 1.5, 4.0, 12.25])
def test_no_noise_with_this_end_has_less_than_the_least_delta(epsilon, reach):
    least = least_delta_of_ending_noise(epsilon=epsilon, reach=reach)
    scale = 1.0 / epsilon
    truncated = TruncatedLaplaceMechanism(scale=scale, truncation=reach, l1_sensitivity=1.0)
    clamped = ClampedLaplaceMechanism(scale=scale, truncation=reach, l1_sensitivity=1.0)
    found = [delta_of(noise.event, epsilon=epsilon) for noise in (truncated, clamped)]
    found += [EndingNoise(shape=shape, reach=reach).given_away for shape in SHAPES if shape == "flat"]
    assert 0.0 < least <= min(found)


def test_the_least_delta_is_reached_by_a_staircase_of_the_bound():
    """Steps of width 1 that grow by e^epsilon and delta, from both ends: the proof turned into a noise, reach 3 / 2."""
    epsilon, steps = 0.7, 3
    least = least_delta_of_ending_noise(epsilon=epsilon, reach=1.5)
    below = [least * math.expm1(step * epsilon) / math.expm1(epsilon) for step in range(1, steps)]
    assert below[-1] == pytest.approx(0.5, rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 5.0])
@pytest.mark.parametrize("reach", [1.0, 3.0, 20.0])
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


@pytest.mark.parametrize(
    "wrong", [{"shape": "round", "reach": 1.0}, {"shape": "flat", "reach": 0.4}, {"shape": "flat", "reach": np.inf}]
)
def test_nonsense_is_refused(wrong):
    with pytest.raises(InvalidParameterError):
        EndingNoise(**wrong)


def test_logarithms_refuse_a_cut_within_one_sensitivity():
    with pytest.raises(InvalidParameterError, match="reach"):
        log_delta_of_truncated(epsilon=1.0, reach=0.9)
