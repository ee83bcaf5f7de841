"""What every law of an error owes; a new one adds a line to EXAMPLES."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from dpengine.accuracy import CombinedError, ErrorLaw, NoiseError, RatioError, SamplingError
from dpengine.accuracy.laws.chosen import SelectionError
from dpengine.accuracy.laws.variance_error import VarianceError
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    ExponentialMechanism,
    GaussianMechanism,
    ReportNoisyMax,
)
from tests.running.cases import each


def laplace(scale):
    return DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1)


def bell(scale):
    return DiscreteGaussianMechanism(standard_deviation=scale, l2_sensitivity=1)


GAUSSIAN = GaussianMechanism(standard_deviation=8.0, l2_sensitivity=1.0)
COUNT = NoiseError(mechanism=laplace(3.0))
SHARE = RatioError(
    numerator=laplace(4.0),
    denominator=laplace(6.0),
    numerator_step=0.5,
    ratio=-0.2,
    records=60.0,
    lowest=-0.3,
    highest=0.7,
)
EXAMPLES = {
    "noise, discrete": COUNT,
    "noise, in hundredths": NoiseError(mechanism=laplace(3.0), step=0.01),
    "noise, next to none": NoiseError(mechanism=laplace(0.05)),
    "noise, Gaussian": NoiseError(mechanism=GAUSSIAN, step=0.5),
    "ratio, coarse": SHARE,
    "ratio, fine": RatioError(
        numerator=laplace(4e6),
        denominator=laplace(6.0),
        numerator_step=1e-6,
        ratio=0.2,
        records=60.0,
        lowest=-0.7,
        highest=0.3,
    ),
    "ratio, Gaussian": RatioError(
        numerator=GAUSSIAN, denominator=GAUSSIAN, numerator_step=0.5, ratio=0.2, records=60.0, lowest=-0.7, highest=0.3
    ),
    "noise, discrete Gaussian": NoiseError(mechanism=bell(4.2), step=0.5),
    "ratio, coarse Gaussian": RatioError(
        numerator=bell(4.0),
        denominator=bell(6.0),
        numerator_step=0.5,
        ratio=-0.2,
        records=60.0,
        lowest=-0.3,
        highest=0.7,
    ),
    "ratio, fine Gaussian": RatioError(
        numerator=bell(4e6),
        denominator=bell(6.0),
        numerator_step=1e-6,
        ratio=0.2,
        records=60.0,
        lowest=-0.7,
        highest=0.3,
    ),
    "both, discrete Gaussian": CombinedError(
        noise=NoiseError(mechanism=bell(4.2)), sampling=SamplingError(standard_deviation=2.0)
    ),
    "sampling": SamplingError(standard_deviation=2.0),
    "both, discrete": CombinedError(noise=COUNT, sampling=SamplingError(standard_deviation=2.0)),
    "both, fine": CombinedError(
        noise=NoiseError(mechanism=laplace(3e6), step=1e-6), sampling=SamplingError(standard_deviation=2.0)
    ),
    "both, Gaussian": CombinedError(
        noise=NoiseError(mechanism=GAUSSIAN), sampling=SamplingError(standard_deviation=2.0)
    ),
    "both, of a ratio": CombinedError(noise=SHARE, sampling=SamplingError(standard_deviation=0.06)),
    "choice among many": SelectionError(
        mechanism=ExponentialMechanism(epsilon=0.5, score_sensitivity=1), candidates=40_000, step=0.5
    ),
    "choice among two": SelectionError(
        mechanism=ReportNoisyMax(epsilon=2.0, score_sensitivity=3, monotone=True, noise="exponential"), candidates=2
    ),
    "variance": VarianceError(
        squares=bell(4e5),
        distances=laplace(3e4),
        count=laplace(4.0),
        step=2.0**-8,
        variance=600.0,
        mean=20.0,
        records=900.0,
        largest=3600.0,
    ),
}
SIMULATED = VarianceError
"""Its tails are confidence bounds of a simulation: above the truth everywhere, and never below 0.0001 within reach."""

every_law = each("law", EXAMPLES.values())


@every_law
def test_it_speaks_the_protocol(law):
    assert isinstance(law, ErrorLaw)


@every_law
def test_the_tail_falls_from_at_most_one_and_is_one_below_zero(law):
    tails = law.tail(np.linspace(0.0, 12.0 * law.standard_deviation, 200))
    assert np.all(np.diff(tails) <= 1e-12)
    assert 0.0 <= tails[-1] <= tails[0] <= 1.0
    assert law.tail(-1.0) == 1.0


@every_law
def test_the_tail_is_made_of_its_two_sides(law):
    t = np.linspace(0.1, 5.0, 30) * law.standard_deviation
    assert law.above(t) + law.below(t) == pytest.approx(law.tail(t), abs=0.02 if isinstance(law, SIMULATED) else 1e-12)


@every_law
@each("confidence", [0.5, 0.9, 0.95, 0.999])
@each("coordinates", [1, 7])
def test_quantile_and_tail_are_inverse(law, confidence, coordinates):
    half_width = law.quantile(confidence, coordinates)
    assert (1.0 - law.tail(half_width)) ** coordinates >= confidence - 1e-9
    shorter = half_width * (1 - 1e-5) - (law.grid_step or 0.0) * 1e-3
    # The law of both errors of a ratio is a table whose cells are a few thousandths of its spread wide.
    shorter -= 0.01 * law.standard_deviation if isinstance(law, CombinedError) else 0.0
    shorter -= 0.1 * law.standard_deviation if isinstance(law, SIMULATED) else 0.0
    assert half_width == 0.0 or (1.0 - law.tail(shorter)) ** coordinates < confidence + 1e-9


@every_law
def test_more_confidence_and_more_coordinates_never_narrow_it(law):
    widths = [law.quantile(confidence) for confidence in (0.5, 0.8, 0.95, 0.999)]
    assert widths == sorted(widths)
    assert law.quantile(0.95, 20) >= law.quantile(0.95)
    assert law.expected_largest_error(20) >= law.expected_largest_error(1)


@every_law
def test_the_largest_of_one_is_the_mean_and_the_mean_is_at_most_the_root_mean_square(law):
    assert law.expected_largest_error(1) == pytest.approx(law.expected_absolute_error, rel=1e-6)
    assert law.expected_absolute_error <= law.standard_deviation * (1 + 1e-3)


@every_law
def test_the_mean_is_the_area_under_the_tail(law):
    t = np.linspace(0.0, 30.0 * law.standard_deviation + 3.0 * (law.grid_step or 0.0), 12_001)
    tails = law.tail(t)
    area = (tails[:-1] + tails[1:]) @ np.diff(t) / 2
    assert law.expected_absolute_error == pytest.approx(area, rel=0.06 if isinstance(law, SIMULATED) else 6e-3)


@every_law
def test_the_density_has_area_one(law):
    reach = 20.0 * law.standard_deviation + (law.grid_step or 0.0)
    x = np.linspace(-reach, reach, 10_001)
    if law.grid_step:
        last = int(reach / law.grid_step) + 1
        x = np.arange(-last, last + 1) * law.grid_step
    piles = law.tail(0.2999999) - law.tail(0.3) + law.tail(0.6999999) if isinstance(law, RatioError) else 0.0
    assert np.sum(law.density(x)) * (x[1] - x[0]) == pytest.approx(1.0 - piles, abs=0.015)


@every_law
def test_likely_errors_rise_and_half_of_them_lie_within_the_median(law):
    errors = law.likely_errors(100)
    assert len(errors) == 100
    assert np.all(np.diff(errors) >= 0.0)
    inside = np.sum(np.abs(errors) <= law.quantile(0.5) * (1 + 1e-6))
    assert inside >= 48
    if law.grid_step is None:
        assert inside <= 53


@every_law
def test_a_number_gives_a_number_and_an_array_an_array(law):
    for method in (law.tail, law.above, law.below, law.density, law.quantile_function):
        assert isinstance(method(0.25), float)
        assert method(np.full((2, 3), 0.25)).shape == (2, 3)
        assert method(np.array([0.25]))[0] == method(0.25)


@every_law
@each("confidence", [0.0, 1.0, 1.5, float("nan")])
def test_certainty_is_refused_by_name(law, confidence):
    with pytest.raises(InvalidParameterError, match=r"^confidence must be"):
        law.quantile(confidence)


@every_law
@each("probability", [0.0, 1.0, -0.1, float("nan")])
def test_probabilities_of_signed_quantiles_lie_between_0_and_1(law, probability):
    with pytest.raises(InvalidParameterError, match=r"^probability must be"):
        law.quantile_function(probability)


@every_law
@each("wrong", [float("nan"), float("inf"), "wide"])
def test_lengths_are_numbers(law, wrong):
    for method, name in ((law.tail, "t"), (law.above, "t"), (law.below, "t"), (law.density, "x")):
        with pytest.raises(InvalidParameterError, match=rf"^{name} must be"):
            method(wrong)


@every_law
def test_coordinates_are_whole_numbers(law):
    with pytest.raises(InvalidParameterError, match=r"^coordinates must be"):
        law.quantile(0.95, 0)
    with pytest.raises(InvalidParameterError, match=r"^coordinates must be"):
        law.expected_largest_error(0)
    with pytest.raises(InvalidParameterError, match=r"^count must be"):
        law.likely_errors(0)


@every_law
def test_it_is_a_value(law):
    assert hash(law) == hash(copy.deepcopy(law))
    assert law == copy.deepcopy(law)
    with pytest.raises((AttributeError, TypeError)):
        law.standard_deviation = 1.0
