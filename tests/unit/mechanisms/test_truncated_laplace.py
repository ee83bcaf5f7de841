"""Truncated Laplace noise against high precision."""

import math

import mpmath
import numpy as np
import pytest

from dpengine.errors import InvalidParameterError
from dpengine.losses import delta_of
from dpengine.mechanisms import LaplaceMechanism, TruncatedLaplaceMechanism
from dpengine.privacy import Guarantee, TruncatedLaplaceEvent
from dpengine.privacy.rounding import loss_of_noise
from tests.golden.rows import number, rows
from tests.running.cases import each

SHAPES = [(1.0, 5.0), (1.0, 0.5), (1.0, 0.01), (1e6, 1.0), (0.01, 1.0), (1.0, 40.0), (1.0, 1.000001)]


def mechanism(scale: float, cut: float) -> TruncatedLaplaceMechanism:
    return TruncatedLaplaceMechanism(scale=scale, truncation=cut, l1_sensitivity=1.0)


@each(("scale", "cut"), SHAPES)
def test_moments(scale: float, cut: float) -> None:
    with mpmath.workdps(40):
        c, b = mpmath.mpf(cut) / scale, mpmath.mpf(scale)
        error, variance = b * (1 - c / mpmath.expm1(c)), b * b * (2 - c * (c + 2) / mpmath.expm1(c))
    assert mechanism(scale, cut).expected_absolute_error == pytest.approx(float(error), rel=1e-13)
    assert mechanism(scale, cut).standard_deviation == pytest.approx(float(mpmath.sqrt(variance)), rel=1e-13)


@each("coordinates", [2, 1000, 10**7])
@each(("scale", "cut"), SHAPES)
def test_the_mean_largest_error_is_the_integral_of_its_tail(scale: float, cut: float, coordinates: int) -> None:
    """By Gauss and Legendre, over what is left of the way to the cut, on pieces that are shorter near its end."""
    ends = cut * np.array([0.0, *np.geomspace(1e-13, 1e-2, 23), *(np.arange(1.0, 61.0) / 60.0)])
    nodes, weights = np.polynomial.legendre.leggauss(20)
    half = np.diff(ends)[:, None] / 2.0
    left = ends[:-1, None] + half * (1.0 + nodes)
    one_within = -np.expm1(left / scale - cut / scale) / -math.expm1(-cut / scale)
    one_beyond = np.expm1(left / scale) / math.expm1(cut / scale)
    log_within = np.where(one_beyond < 0.5, np.log1p(-one_beyond), np.log(one_within))
    exact = float(np.sum(half * weights * -np.expm1(coordinates * log_within)))
    assert mechanism(scale, cut).expected_largest_error(coordinates) == pytest.approx(exact, rel=1e-12)


@each("delta", [0.5, 0.1, 1e-6, 1e-300])
@each("epsilon", [1e-9, 0.1, 1.0, 10.0, 1000.0])
def test_the_guarantee_is_kept_and_not_wasted(epsilon: float, delta: float) -> None:
    made = TruncatedLaplaceMechanism.from_guarantee(Guarantee(epsilon=epsilon, delta=delta), l1_sensitivity=2.0)
    assert delta * (1.0 - 1e-10) <= delta_of(made.event, epsilon=epsilon) <= delta
    assert 1.0 / made.event.noise_multiplier <= epsilon
    assert made.scale == pytest.approx(2.0 / epsilon, rel=1e-15)


def test_at_delta_one_half_the_cut_is_the_sensitivity() -> None:
    made = TruncatedLaplaceMechanism.from_guarantee(Guarantee(epsilon=1.0, delta=0.5), l1_sensitivity=3.0)
    assert made.truncation == pytest.approx(3.0, rel=1e-14)


@each("bad", [0.0, 0.51, 1.0])
def test_a_delta_outside_the_formula_is_refused_with_its_source(bad: float) -> None:
    with pytest.raises(InvalidParameterError, match=r"delta must be in \(0, 1/2\].*Geng"):
        TruncatedLaplaceMechanism.from_guarantee(Guarantee(epsilon=1.0, delta=bad))


def test_epsilon_0_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="epsilon"):
        TruncatedLaplaceMechanism.from_guarantee(Guarantee(epsilon=0.0, delta=0.1))


@each("row", rows("truncated_laplace"))
def test_the_inverse_finds_the_cut_again(row: dict[str, str]) -> None:
    guarantee = Guarantee(epsilon=number(row, "epsilon"), delta=number(row, "delta_truncated"))
    made = TruncatedLaplaceMechanism.from_guarantee(guarantee, l1_sensitivity=number(row, "sensitivity"))
    assert made.truncation == pytest.approx(number(row, "truncation"), rel=1e-12)


def test_the_event_is_in_sensitivities() -> None:
    made = TruncatedLaplaceMechanism(scale=2.0, truncation=6.0, l1_sensitivity=4.0)
    assert made.event == TruncatedLaplaceEvent(noise_multiplier=0.5, truncation=1.5)


def test_a_cut_far_out_is_no_cut() -> None:
    plain = LaplaceMechanism(scale=1.0, l1_sensitivity=1.0)
    for cut in (800.0, 1e300):
        far = mechanism(1.0, cut)
        assert far.error_quantile(1.0 - 1e-12, 1000) == pytest.approx(plain.error_quantile(1.0 - 1e-12, 1000))
        assert far.expected_largest_error(1000) == pytest.approx(plain.expected_largest_error(1000), rel=1e-13)
        assert far.tail(700.0) == pytest.approx(plain.tail(700.0), rel=1e-13)
        assert far.expected_capped_error(2.0) == pytest.approx(plain.expected_capped_error(2.0), rel=1e-14)


@each("coordinates", [1, 100])
@each("error", [3.0, 10.0, 1e4])
def test_from_error_asks_for_the_least_epsilon(error: float, coordinates: int) -> None:
    made = TruncatedLaplaceMechanism.from_error(error, confidence=0.95, delta=1e-6, coordinates=coordinates)
    assert error * (1.0 - 1e-9) <= made.error_quantile(0.95, coordinates) <= error
    assert delta_of(made.event, epsilon=loss_of_noise(made.event.noise_multiplier)) <= 1e-6


def test_from_error_refuses_what_needs_no_epsilon_or_more_than_1000() -> None:
    with pytest.raises(InvalidParameterError, match="needs no epsilon"):
        TruncatedLaplaceMechanism.from_error(6.0, confidence=0.95, delta=0.1)
    with pytest.raises(InvalidParameterError, match="not even epsilon 1000"):
        TruncatedLaplaceMechanism.from_error(1e-4, confidence=0.95, delta=1e-6)


def test_simulation_stays_within_the_cut() -> None:
    noise = mechanism(2.0, 3.0).simulate(np.zeros(20_000), np.random.default_rng(4))
    assert 2.99 < np.abs(noise).max() <= 3.0
    assert abs(noise.mean()) < 0.05
    assert np.mean(np.abs(noise) > 1.0) == pytest.approx(mechanism(2.0, 3.0).tail(1.0), abs=0.02)
    assert math.isclose(mechanism(2.0, 3.0).tail(3.0), 0.0, abs_tol=0.0)
