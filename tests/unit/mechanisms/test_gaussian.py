"""Gaussian calibration, by the exact and by the classic rule."""

import math

import numpy as np
import pytest
from scipy import integrate, special

from dpengine.errors import InvalidParameterError
from dpengine.losses import delta_of
from dpengine.mechanisms import GaussianMechanism
from dpengine.privacy import Guarantee
from tests.running.cases import each

GUARANTEE = Guarantee(epsilon=1.0, delta=1e-6)


def test_analytic_noise_of_the_notes() -> None:
    assert GaussianMechanism.from_guarantee(GUARANTEE).standard_deviation == pytest.approx(4.2246789)


def test_classic_noise_is_the_formula_and_wastes() -> None:
    classic = GaussianMechanism.from_guarantee(GUARANTEE, l2_sensitivity=3.0, calibration="classic")
    assert classic.standard_deviation == pytest.approx(3.0 * math.sqrt(2.0 * math.log(1.25e6)))
    analytic = GaussianMechanism.from_guarantee(GUARANTEE, l2_sensitivity=3.0)
    assert classic.standard_deviation / analytic.standard_deviation == pytest.approx(1.254, abs=1e-3)


@each("l2_sensitivity", [1.0, 0.1, math.sqrt(2.0), 1e-7, 12345.678])
def test_the_promise_holds_after_scaling(l2_sensitivity: float) -> None:
    mechanism = GaussianMechanism.from_guarantee(GUARANTEE, l2_sensitivity=l2_sensitivity)
    assert delta_of(mechanism.event, epsilon=1.0) <= 1e-6


@each("guarantee", [Guarantee(epsilon=0.0, delta=1e-6), Guarantee(epsilon=1.01, delta=1e-6)])
def test_classic_is_refused_outside_its_proof(guarantee: Guarantee) -> None:
    with pytest.raises(InvalidParameterError, match=r"epsilon.*\(0, 1\].*Theorem A.1"):
        GaussianMechanism.from_guarantee(guarantee, calibration="classic")
    assert GaussianMechanism.from_guarantee(guarantee).standard_deviation > 0.0


@each("calibration", ["analytic", "classic"])
@each("delta", [0.0, 1.0])
def test_delta_must_be_inside(calibration: str, delta: float) -> None:
    with pytest.raises(InvalidParameterError, match="delta"):
        GaussianMechanism.from_guarantee(Guarantee(epsilon=1.0, delta=delta), calibration=calibration)


def test_an_unknown_calibration_is_named() -> None:
    with pytest.raises(InvalidParameterError, match="calibration"):
        GaussianMechanism.from_guarantee(GUARANTEE, calibration="exact")


@each("coordinates", [1, 7, 1000, 10_000_000])
def test_mean_largest_error_agrees_with_adaptive_quadrature(coordinates: int) -> None:
    mechanism = GaussianMechanism(standard_deviation=2.0, l2_sensitivity=1.0)
    expected, _ = integrate.quad(
        lambda t: -math.expm1(coordinates * math.log1p(-special.erfc(t / math.sqrt(2.0)))) if t else 1.0, 0.0, 14.0
    )
    found = mechanism.expected_largest_error(coordinates)
    assert found == pytest.approx(2.0 * expected, rel=1e-8)
    assert found <= mechanism.expected_largest_error_bound(coordinates)


def test_density_in_the_far_tail_is_0_without_a_warning() -> None:
    tiny = GaussianMechanism(standard_deviation=1e-200, l2_sensitivity=1e-200)
    assert tiny.density(np.array([1e200])) == pytest.approx([0.0])
