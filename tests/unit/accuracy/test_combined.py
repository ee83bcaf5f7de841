"""Privacy noise and sampling error together, against brute force and against the tempting shortcuts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.signal import fftconvolve
from scipy.stats import norm

from dpengine.accuracy import CombinedError, ErrorLaw, NoiseError, RatioError, SamplingError, combined_error
from dpengine.accuracy.laws import convolution
from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.mechanisms import DiscreteLaplaceMechanism, GaussianMechanism, LaplaceMechanism
from tests.running.cases import each
from tests.unit.accuracy.accuracy_sums import noise_and_normal_tail, ratio_errors

MANY = 1e6


def laplace(scale, step=1.0):
    return NoiseError(mechanism=DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1), step=step)


def normal(deviation):
    return SamplingError(standard_deviation=deviation)


def both(scale, deviation, step=1.0):
    return CombinedError(noise=laplace(scale, step), sampling=normal(deviation))


def test_it_is_an_error_law():
    assert isinstance(both(1.0, 1.0), ErrorLaw)
    assert both(1.0, 1.0).grid_step is None


@each("scale", [0.05, 1.0, 4.9, 5.1, 11.9, 12.1, 80.0])
@each("deviation", [0.05, 0.4, 1.0, 4.9, 5.1, 30.0, 900.0])
def test_never_below_the_truth_and_at_most_one_grid_step_above(scale, deviation):
    law = both(scale, deviation * 0.5, step=0.5)
    just_before_grid_points = np.maximum(np.arange(1, 60) * 0.5 - 2.0 * deviation, 0.0)
    t = np.concatenate([np.linspace(0.0, 7.0 * law.standard_deviation, 60), just_before_grid_points])
    truth = noise_and_normal_tail(scale, 0.5, deviation * 0.5, t)
    one_step_on = noise_and_normal_tail(scale, 0.5, deviation * 0.5, np.maximum(t - 0.5, 0.0))
    assert np.all(law.tail(t) >= truth - 1e-12)
    assert np.all(law.tail(t) <= one_step_on + 1e-12)


@each("scale, deviation", [(6.0, 6.0), (80.0, 20.0), (20.0, 300.0)])
def test_smooth_sums_are_right_to_a_few_millionths(scale, deviation):
    law, t = both(scale, deviation), np.linspace(0.0, 3.0 * deviation, 40)
    assert law.tail(t) == pytest.approx(noise_and_normal_tail(scale, 1.0, deviation, t), abs=2e-5)


def test_moments():
    law = both(3.0, 4.0)
    t = np.linspace(0, 200, 20001)
    integral = np.trapezoid(noise_and_normal_tail(3.0, 1.0, 4.0, t[::10]), t[::10])
    assert law.expected_absolute_error == pytest.approx(integral, rel=1e-4)
    assert law.standard_deviation == pytest.approx(math.hypot(laplace(3.0).standard_deviation, 4.0))


@each("multiple, covered", [(norm.ppf(0.975), 0.937), (norm.ppf(0.995), 0.974)])
def test_combined_standard_errors_cover_less_than_they_say_where_noise_prevails(multiple, covered):
    """The figures: 93.7 % instead of 95 %, 97.4 % instead of 99 %."""
    law = both(MANY, MANY / 100)
    assert 1.0 - law.tail(multiple * law.standard_deviation) == pytest.approx(covered, abs=5e-4)


@each("confidence, covered", [(0.95, 0.94714), (0.99, 0.98430)])
def test_at_equal_standard_deviations_they_cover_a_little_less_too(confidence, covered):
    law = both(MANY, MANY * math.sqrt(2))
    multiple = norm.ppf(0.5 + confidence / 2)
    assert 1.0 - law.tail(multiple * law.standard_deviation) == pytest.approx(covered, abs=2e-4)
    assert law.quantile(confidence) > multiple * law.standard_deviation


def test_adding_the_two_intervals_would_be_too_wide():
    law = both(20.0, 30.0)
    assert law.quantile(0.95) < laplace(20.0).quantile(0.95) + normal(30.0).quantile(0.95)


def test_far_tails_neither_overflow_nor_vanish_early():
    law = both(100.0, 10.0)
    t = np.array([1e3, 1e4, 6e4])
    assert law.tail(t) == pytest.approx(np.exp(0.5 * 0.1**2 - t / 100.0), rel=0.02)
    assert both(10.0, 1e6).tail(1e-3) == pytest.approx(1.0, abs=1e-8)
    assert law.tail(-1.0) == 1.0


def test_gaussian_noise_and_sampling_error_are_one_normal_error():
    noise = NoiseError(mechanism=GaussianMechanism(standard_deviation=1.5, l2_sensitivity=1.0), step=2.0)
    law = CombinedError(noise=noise, sampling=normal(4.0))
    assert law.quantile(0.95) == pytest.approx(5.0 * norm.ppf(0.975), rel=1e-8)


def ratio(scale=2.0, records=40.0):
    return RatioError(
        numerator=DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1),
        denominator=DiscreteLaplaceMechanism(scale=1.5 * scale, l1_sensitivity=1),
        numerator_step=0.5,
        ratio=-0.2,
        records=records,
        lowest=-0.3,
        highest=0.7,
    )


@each(("scale", "deviation"), [(0.1, 0.002), (2.0, 0.2), (7.0, 0.002), (14.0, 0.2)])
def test_a_ratio_and_its_sampling_error_never_fall_below_the_truth(scale, deviation):
    noise = ratio(scale)
    law = CombinedError(noise=noise, sampling=normal(deviation))
    errors, weights = ratio_errors(noise)
    t = np.linspace(0.0, 4.0 * law.standard_deviation, 15)
    for side, sign in ((law.above, 1.0), (law.below, -1.0)):
        signed, chances = _gathered(sign * errors, weights)
        truth = np.array([chances @ norm.sf((x - signed) / deviation) for x in t])
        cell = convolution.ratio_table(noise, normal(deviation))[0]
        assert np.all(side(t) >= truth - 1e-12)
        if scale < 12:
            later = np.array([chances @ norm.sf((x - 3 * cell - 2e-5 - signed) / deviation) for x in t])
            assert np.all(side(t) <= later + 1e-12)


def _gathered(errors, weights):
    """Brute force has millions of atoms: gather them at the lower edge of cells of 1e-5."""
    cell = np.floor(errors * 1e5).astype(np.int64)
    first = cell.min()
    gathered = np.bincount(cell - first, weights)
    places = (np.arange(len(gathered)) + first) * 1e-5
    return places[gathered > 0], gathered[gathered > 0]


def test_a_ratio_with_fine_noise_agrees_with_an_independent_convolution():
    noise = RatioError(
        numerator=DiscreteLaplaceMechanism(scale=50 * 2.0**14, l1_sensitivity=50 * 2**14),
        denominator=DiscreteLaplaceMechanism(scale=2.5, l1_sensitivity=1),
        numerator_step=2.0**-14,
        ratio=-10.0,
        records=500.0,
        lowest=-40.0,
        highest=60.0,
    )
    law = CombinedError(noise=noise, sampling=normal(0.3))
    x = np.linspace(-12, 12, 24001)
    width = x[1] - x[0]
    masses = -np.diff(noise.above(x))
    density = fftconvolve(masses, norm(scale=0.3).pdf(x), mode="same")
    for t in (0.5, 1.0, 2.0):
        assert law.tail(t) == pytest.approx(density[np.abs(x[:-1] + width / 2) > t].sum() * width, rel=0.02)


def test_density_and_signed_quantiles_agree_with_the_tail():
    for law in (both(3.0, 2.0), CombinedError(noise=ratio(), sampling=normal(0.05))):
        reach = 12 * law.standard_deviation
        x = np.linspace(-reach, reach, 4001)
        assert np.sum(law.density(x)) * (x[1] - x[0]) == pytest.approx(1.0, abs=0.01)
        for probability in (0.05, 0.5, 0.9):
            error = law.quantile_function(probability)
            reached = 1.0 - law.above(error) if error > 0 else law.below(-error)
            assert reached == pytest.approx(probability, abs=6e-3)


def test_simultaneous_intervals_of_a_histogram_are_wider():
    law = both(1.0, 5.0)
    together = law.quantile(0.95, coordinates=12)
    assert (1 - law.tail(together)) ** 12 == pytest.approx(0.95, abs=1e-6)
    assert law.expected_largest_error(1000) > law.expected_largest_error(12) > law.expected_absolute_error


def test_without_a_sampling_error_the_noise_stays_as_it_is():
    assert combined_error(laplace(2.0), None) == laplace(2.0)
    assert combined_error(laplace(2.0), normal(1.0)) == both(2.0, 1.0)


def test_laws_in_the_wrong_place_are_refused_by_name():
    with pytest.raises(InvalidParameterError, match=r"^noise must be"):
        combined_error(normal(1.0), normal(1.0))
    with pytest.raises(InvalidParameterError, match=r"^sampling must be"):
        combined_error(laplace(1.0), laplace(1.0))


def test_noise_that_is_never_released_is_refused():
    noise = NoiseError(mechanism=LaplaceMechanism(scale=1.0, l1_sensitivity=1.0))
    with pytest.raises(UnsupportedEventError, match="Noise beside sampling error"):
        CombinedError(noise=noise, sampling=normal(1.0)).tail(1.0)


@each("scale", [1e-4, 1e4])
@each("deviation", [1e-6, 1e9])
def test_extreme_dials_give_numbers(scale, deviation):
    for noise in (laplace(scale), ratio(scale)):
        law = CombinedError(noise=noise, sampling=normal(deviation))
        numbers = [law.standard_deviation, law.expected_absolute_error, law.quantile(0.95)]
        assert np.all(np.isfinite(numbers))
        assert np.all(np.isfinite(law.tail(np.geomspace(1e-9, 1e12, 50))))
