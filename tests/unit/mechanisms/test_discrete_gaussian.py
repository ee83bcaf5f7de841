"""Discrete Gaussian noise: its own law, its own loss, and rho where only rho is known."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpengine.accounting import rho_of
from dpengine.errors import InvalidParameterError
from dpengine.losses import concentrated_epsilon, delta_of
from dpengine.mechanisms import DiscreteGaussianMechanism, exact_noise
from dpengine.privacy import ConcentratedEvent, DiscreteGaussianEvent, Guarantee
from tests.running.cases import each

GUARANTEE = Guarantee(epsilon=1.0, delta=1e-6)


def test_the_parameter_is_not_the_noise_s_own_deviation() -> None:
    mechanism = DiscreteGaussianMechanism(standard_deviation=0.5, l2_sensitivity=1)
    assert mechanism.scale == 0.5
    assert mechanism.standard_deviation == pytest.approx(math.sqrt(0.21501267508813848), rel=1e-14)
    assert mechanism == DiscreteGaussianMechanism(standard_deviation=0.5, l2_sensitivity=1.0)


def test_one_coordinate_tells_its_exact_loss_and_a_vector_its_rho() -> None:
    one = DiscreteGaussianMechanism(standard_deviation=6.0, l2_sensitivity=3)
    assert one.event == DiscreteGaussianEvent(noise_multiplier=2.0, sensitivity=3)
    spread = DiscreteGaussianMechanism(standard_deviation=6.0, l2_sensitivity=3, one_coordinate=False)
    assert spread.event == ConcentratedEvent(rho=0.125)
    assert spread.exact_rho == Fraction(1, 8)


def delta_of_ones(scale: float, coordinates: int, epsilon: float) -> float:
    """Of a move by 1 in each of so many coordinates: the loss depends on the sum of the noise alone."""
    z = np.arange(-60, 61)
    one = np.exp(-((z / scale) ** 2) / 2.0)
    law = np.ones(1)
    for _ in range(coordinates):
        law = np.convolve(law, one / one.sum())
    sums = np.arange(-60 * coordinates, 60 * coordinates + 1)
    losses = (2.0 * sums + coordinates) / (2.0 * scale**2)
    return float(np.sum(law * -np.expm1(np.minimum(epsilon - losses, 0.0))))


def test_a_vector_that_moves_everywhere_needs_to_say_so() -> None:
    """Both moves have length 2; the noise that is right for (2, 0, 0, 0) breaks its promise for (1, 1, 1, 1)."""
    promise = Guarantee(epsilon=5.0, delta=0.01)
    one = DiscreteGaussianMechanism.from_guarantee(promise, l2_sensitivity=2)
    assert one.scale == pytest.approx(1.0910, abs=5e-5)
    assert delta_of(one.event, epsilon=5.0) <= 0.01
    assert delta_of_ones(one.scale, 4, 5.0) == pytest.approx(0.01377, abs=5e-6)
    spread = DiscreteGaussianMechanism.from_guarantee(promise, l2_sensitivity=2, one_coordinate=False)
    assert delta_of_ones(spread.scale, 4, 5.0) < delta_of(spread.event, epsilon=5.0) <= 0.01 * (1.0 + 1e-12)
    told = delta_of(DiscreteGaussianMechanism(standard_deviation=one.scale, l2_sensitivity=2).event, epsilon=5.0)
    known = DiscreteGaussianMechanism(standard_deviation=one.scale, l2_sensitivity=2, one_coordinate=False)
    assert told < delta_of_ones(one.scale, 4, 5.0) < delta_of(known.event, epsilon=5.0)


@each(("l2_sensitivity", "one_coordinate"), [(2, None), (2, False), (math.sqrt(2.0), None)])
def test_what_is_shown_can_be_pasted_back(l2_sensitivity: float, one_coordinate: bool | None) -> None:
    mechanism = DiscreteGaussianMechanism(
        standard_deviation=0.1, l2_sensitivity=l2_sensitivity, one_coordinate=one_coordinate
    )
    again = eval(repr(mechanism), {"DiscreteGaussianMechanism": DiscreteGaussianMechanism})  # noqa: S307
    assert again == mechanism


@each("cap", [0.0, 0.5, 1.0, 700.25, 3000.0, 1e6, 1e300])
def test_the_capped_error_of_wide_noise_continues_the_sums(cap: float) -> None:
    summed = DiscreteGaussianMechanism(standard_deviation=1000.0, l2_sensitivity=1)
    expanded = DiscreteGaussianMechanism(standard_deviation=math.nextafter(1000.0, 2000.0), l2_sensitivity=1)
    assert expanded.expected_capped_error(cap) == pytest.approx(summed.expected_capped_error(cap), rel=1e-12)


@each("scale", [5e-324, 0.3, 2.0, 999.0, 1e5, 1e300])
def test_nothing_is_capped_far_out(scale: float) -> None:
    mechanism = DiscreteGaussianMechanism(standard_deviation=scale, l2_sensitivity=1)
    found = mechanism.expected_capped_error(np.array([0.0, 1e308]))
    assert found == pytest.approx([0.0, mechanism.expected_absolute_error], rel=1e-10)


@each("l2_sensitivity", [1, 2, 3, 1000, math.sqrt(2.0), math.sqrt(50.0), 0.3])
@each("scale", [0.3, 7.0, 1e6 / 3.0])
def test_rho_is_never_below_the_truth_and_opendp_says_the_same(l2_sensitivity: float, scale: float) -> None:
    mechanism = DiscreteGaussianMechanism(standard_deviation=scale, l2_sensitivity=l2_sensitivity)
    truth = Fraction(l2_sensitivity) ** 2 / (2 * Fraction(scale) ** 2)
    assert truth <= mechanism.exact_rho <= truth * (1 + Fraction(1, 10**15))
    assert mechanism.exact_rho <= rho_of(mechanism.event) * (1 + Fraction(1, 10**15))
    told = Fraction(exact_noise.privacy_map(mechanism))
    assert truth <= told <= mechanism.exact_rho * (1 + Fraction(1, 10**12))


def test_a_root_that_was_rounded_down_is_raised() -> None:
    root = math.sqrt(3.0)
    assert Fraction(root) ** 2 < 3
    assert DiscreteGaussianMechanism(standard_deviation=1.0, l2_sensitivity=root).exact_rho >= Fraction(3, 2)


@each("epsilon", [0.1, 1.0, 3.0, 8.0])
@each("l2_sensitivity", [1, 2, 1000])
def test_calibration_keeps_the_guarantee_by_the_exact_loss(epsilon: float, l2_sensitivity: int) -> None:
    guarantee = Guarantee(epsilon=epsilon, delta=1e-6)
    mechanism = DiscreteGaussianMechanism.from_guarantee(guarantee, l2_sensitivity=l2_sensitivity)
    assert delta_of(mechanism.event, epsilon=epsilon) <= 1e-6
    less = DiscreteGaussianMechanism(standard_deviation=mechanism.scale * (1.0 - 1e-9), l2_sensitivity=l2_sensitivity)
    assert delta_of(less.event, epsilon=epsilon) > 1e-6


@each(("l2_sensitivity", "one_coordinate"), [(math.sqrt(2.0), None), (4, False), (0.7, False)])
def test_a_vector_is_calibrated_through_rho(l2_sensitivity: float, one_coordinate: bool | None) -> None:
    mechanism = DiscreteGaussianMechanism.from_guarantee(
        GUARANTEE, l2_sensitivity=l2_sensitivity, one_coordinate=one_coordinate
    )
    assert concentrated_epsilon(np.array(float(mechanism.exact_rho)), 1e-6) == pytest.approx(1.0, rel=1e-12)
    assert isinstance(mechanism.event, ConcentratedEvent)
    exact = DiscreteGaussianMechanism.from_guarantee(GUARANTEE, l2_sensitivity=1).scale * l2_sensitivity
    assert exact < mechanism.scale < 1.2 * exact, "a price for what is not known of the shift"


@each("scale", [0.05, 0.5, 1.0, 7.3, 250.0])
@each("coordinates", [1, 3, 1000, 10_000_000])
@each("confidence", [1e-9, 0.05, 0.5, 0.95, 1.0 - 1e-12])
def test_the_quantile_is_the_least_that_holds(scale: float, coordinates: int, confidence: float) -> None:
    mechanism = DiscreteGaussianMechanism(standard_deviation=scale, l2_sensitivity=1)
    t = mechanism.error_quantile(confidence, coordinates)

    def log_all_inside(reach: int) -> float:
        tail = mechanism.tail(float(reach))
        return coordinates * math.log1p(-tail) if tail < 1.0 else -math.inf

    assert isinstance(t, int)
    slack = 1e-9 * abs(math.log(confidence))
    assert log_all_inside(t) >= math.log(confidence) - slack
    assert log_all_inside(t - 1) < math.log(confidence) + slack


def test_the_tail_is_strictly_greater() -> None:
    mechanism = DiscreteGaussianMechanism(standard_deviation=2.0, l2_sensitivity=1)
    assert mechanism.tail(0.0) == pytest.approx(1.0 - mechanism.probability(0.0))
    assert mechanism.tail(1.99) == mechanism.tail(1.0) > mechanism.tail(2.0)


def test_half_steps_never_happen() -> None:
    mechanism = DiscreteGaussianMechanism(standard_deviation=2.0, l2_sensitivity=1)
    assert mechanism.probability(np.array([0.5, -1.5])).tolist() == [0.0, 0.0]


@each("coordinates", [1, 2, 5, 1000, 10**7])
def test_wide_noise_continues_the_sums(coordinates: int) -> None:
    summed = DiscreteGaussianMechanism(standard_deviation=1000.0, l2_sensitivity=1)
    expanded = DiscreteGaussianMechanism(standard_deviation=math.nextafter(1000.0, 2000.0), l2_sensitivity=1)
    assert expanded.expected_largest_error(coordinates) == pytest.approx(
        summed.expected_largest_error(coordinates), rel=1e-10
    )


def test_the_mean_error_of_wide_noise() -> None:
    mechanism = DiscreteGaussianMechanism(standard_deviation=1e5, l2_sensitivity=1)
    with mpmath.workdps(40):
        expected = mpmath.sqrt(2 / mpmath.pi) * (10**5 - mpmath.mpf(1) / (12 * 10**5))
    assert mechanism.expected_absolute_error == pytest.approx(float(expected), rel=1e-13)


def test_a_picture_of_wide_noise_is_whole() -> None:
    noise = DiscreteGaussianMechanism(standard_deviation=1e6, l2_sensitivity=1).simulate(
        np.zeros(1000), np.random.default_rng(3)
    )
    assert np.all(noise == np.rint(noise))


def test_gaussian_noise_is_never_pure() -> None:
    for l2_sensitivity in (1, math.sqrt(2.0)):
        with pytest.raises(InvalidParameterError, match="delta"):
            DiscreteGaussianMechanism.from_guarantee(Guarantee(epsilon=1.0), l2_sensitivity=l2_sensitivity)


def test_one_coordinate_moves_by_whole_steps() -> None:
    with pytest.raises(InvalidParameterError, match="l2_sensitivity"):
        DiscreteGaussianMechanism(standard_deviation=1.0, l2_sensitivity=1.5, one_coordinate=True)
    with pytest.raises(InvalidParameterError, match="one_coordinate"):
        DiscreteGaussianMechanism(standard_deviation=1.0, l2_sensitivity=1, one_coordinate="yes")  # type: ignore[arg-type]
