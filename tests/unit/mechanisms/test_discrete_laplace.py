"""Two-sided geometric noise, exact epsilons and least quantiles."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteLaplaceMechanism, LaplaceMechanism
from dpengine.mechanisms.additive import discrete_laplace as module
from dpengine.privacy import DiscreteLaplaceEvent, exact_decimal
from tests.running.cases import each


@each("epsilon", [1.0, 0.1, 0.3, 0.7, 1e-9, 1000.0, Fraction(1, 3), Fraction(2, 7)])
@each("l1_sensitivity", [1, 2, 3, 10**9])
def test_the_exact_epsilon_is_at_most_the_one_written_down(epsilon: float | Fraction, l1_sensitivity: int) -> None:
    wanted = epsilon if isinstance(epsilon, Fraction) else exact_decimal(epsilon)
    mechanism = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=l1_sensitivity)
    assert mechanism.exact_epsilon <= 1 / Fraction(mechanism.event.noise_multiplier) <= wanted
    less = DiscreteLaplaceMechanism(scale=math.nextafter(mechanism.scale, 0.0), l1_sensitivity=l1_sensitivity)
    assert 1 / Fraction(less.event.noise_multiplier) > wanted, "no smaller scale would do"


def test_a_float_scale_alone_would_exceed_epsilon() -> None:
    epsilon = next(x / 100 for x in range(1, 1000) if 1 / Fraction(1.0 / (x / 100)) > exact_decimal(x / 100))
    mechanism = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1)
    assert mechanism.scale > 1.0 / epsilon


def test_the_event_is_in_units_of_the_sensitivity() -> None:
    mechanism = DiscreteLaplaceMechanism(scale=6.0, l1_sensitivity=3)
    assert mechanism.event == DiscreteLaplaceEvent(noise_multiplier=2.0, sensitivity=3)
    assert mechanism.exact_epsilon == Fraction(1, 2)


def test_the_tail_is_strictly_greater() -> None:
    mechanism = DiscreteLaplaceMechanism(scale=2.0, l1_sensitivity=1)
    assert mechanism.tail(0.0) == pytest.approx(1.0 - mechanism.probability(0.0))
    assert mechanism.tail(1.99) == mechanism.tail(1.0)
    assert mechanism.tail(-0.1) == 1.0


def test_half_steps_never_happen() -> None:
    mechanism = DiscreteLaplaceMechanism(scale=2.0, l1_sensitivity=1)
    assert mechanism.probability(np.array([0.5, -1.5])).tolist() == [0.0, 0.0]


@each("scale", [0.05, 0.5, 1.0, 7.3, 250.0])
@each("coordinates", [1, 3, 1000, 10_000_000])
@each("confidence", [1e-9, 0.05, 0.5, 0.95, 1.0 - 1e-12])
def test_the_quantile_is_the_least_that_holds(scale: float, coordinates: int, confidence: float) -> None:
    mechanism = DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1)
    t = mechanism.error_quantile(confidence, coordinates)

    def log_all_inside(reach: int) -> float:
        tail = mechanism.tail(float(reach))
        return coordinates * math.log1p(-tail) if tail < 1.0 else -math.inf

    assert isinstance(t, int)
    assert log_all_inside(t) >= math.log(confidence) * (1.0 + 1e-9)
    assert t == 0 or log_all_inside(t - 1) < math.log(confidence) * (1.0 - 1e-9)


@pytest.mark.parametrize("coordinates", [1, 2, 1000, 10_000_000])
def test_wide_noise_is_summed_in_closed_form(coordinates: int, monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = DiscreteLaplaceMechanism(scale=1500.5, l1_sensitivity=1)
    closed = mechanism.expected_largest_error(coordinates)
    monkeypatch.setattr(module, "_LARGEST_SUMMED_SCALE", 1e9)
    assert closed == pytest.approx(mechanism.expected_largest_error(coordinates), rel=1e-12)


def test_on_a_fine_grid_it_is_continuous_laplace() -> None:
    fine = DiscreteLaplaceMechanism(scale=1e9, l1_sensitivity=1)
    smooth = LaplaceMechanism(scale=1e9, l1_sensitivity=1.0)
    assert fine.standard_deviation == pytest.approx(smooth.standard_deviation, rel=1e-12)
    assert fine.error_quantile(0.95, 100) == pytest.approx(smooth.error_quantile(0.95, 100), rel=1e-8)
    assert fine.expected_largest_error(100) == pytest.approx(smooth.expected_largest_error(100), rel=1e-12)


@each("bad", [0.0, -1.0, math.nan, math.inf, Fraction(0), Fraction(-1, 2), 1e-320])
def test_bad_epsilon_is_named(bad: float | Fraction) -> None:
    with pytest.raises(InvalidParameterError, match="epsilon"):
        DiscreteLaplaceMechanism.from_epsilon(bad, l1_sensitivity=1)


@each("bad", [0, 1.5, -1, True, "1"])
def test_bad_sensitivity_is_named(bad: int) -> None:
    with pytest.raises(InvalidParameterError, match="l1_sensitivity"):
        DiscreteLaplaceMechanism.from_epsilon(1.0, l1_sensitivity=bad)
