"""The error of a noisy sum over a noisy count, against brute force."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpengine.accuracy import RatioError
from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.mechanisms import DiscreteLaplaceMechanism, GaussianMechanism, LaplaceMechanism
from tests.running.cases import each
from tests.unit.accuracy.accuracy_sums import ratio_errors, ratio_tail


def coarse(scale=2.0, **changes):
    fields: dict[str, Any] = {
        "numerator": DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1),
        "denominator": DiscreteLaplaceMechanism(scale=1.5 * scale, l1_sensitivity=1),
        "numerator_step": 0.5,
        "ratio": -0.2,
        "records": 40.0,
        "lowest": -0.3,
        "highest": 0.7,
    }
    return RatioError(**(fields | changes))


CASES = [
    coarse(),
    coarse(scale=0.3),
    coarse(scale=6.0),
    coarse(records=0.0),
    coarse(records=1.0),
    coarse(records=2.5),
    coarse(scale=6.0, records=5.0),
    coarse(ratio=0.5, lowest=-1.0, highest=0.0),
    coarse(ratio=0.0, lowest=-0.5, highest=0.5),
    coarse(scale=3.0, denominator_step=2.0),
]


@each("law", CASES)
def test_coarse_noise_is_exact_and_never_below_the_truth(law):
    t = np.linspace(0.0, 0.71, 151) + 1e-7
    truth = ratio_tail(law, t)
    assert np.all(law.tail(t) >= truth - 1e-12)
    assert law.tail(t) == pytest.approx(truth, abs=1e-11)


@each("law", CASES)
def test_an_error_that_occurs_counts_as_larger_than_itself_so_that_rounding_never_hides_it(law):
    errors = np.unique(np.abs(ratio_errors(law)[0]))[:200]
    at_an_end = np.isclose(errors[:, None], [0.0, law.highest, -law.lowest], rtol=0.0, atol=1e-9).any(axis=1)
    inside = errors[~at_an_end]
    assert law.tail(inside) == pytest.approx(ratio_tail(law, inside, slack=-1e-12), abs=1e-11)


@each("scale", [12.5, 25.0, 60.0])
@each("records", [0.0, 3.0, 200.0, 5000.0])
@each("ratio", [-0.2, 0.0, 0.45])
def test_fine_noise_lies_between_the_truth_and_one_more_grid_step(scale, records, ratio):
    law = coarse(scale=scale, records=records, ratio=ratio, lowest=-0.5 - ratio, highest=0.5 - ratio)
    values = np.concatenate([[0.0], np.geomspace(1e-4, 1.0, 25)]) + 1e-9
    truth = ratio_tail(law, values)
    assert np.all(law.tail(values) >= truth * (1 - 1e-9) - 1e-13)
    assert np.all(law.tail(values) <= np.minimum(1.0, truth * math.exp(1 / scale)) + 1.05 / scale)


def test_moments_of_coarse_noise():
    law = coarse(scale=3.0)
    errors, weights = ratio_errors(law)
    assert law.expected_absolute_error == pytest.approx(weights @ np.abs(errors), rel=3e-3)
    assert law.standard_deviation == pytest.approx(math.sqrt(weights @ errors**2), rel=3e-3)


def test_the_series_agrees_with_the_atoms_where_the_grid_is_fine():
    """A sum whose grid is a million times finer leaves the coarse count's atoms to be summed exactly."""
    law = coarse(
        numerator=DiscreteLaplaceMechanism(scale=2e6, l1_sensitivity=10**6), numerator_step=0.5e-6, denominator_step=1.0
    )
    counts = np.arange(-200, 201.0)
    weights = np.exp(-np.abs(counts) / 3.0)
    weights /= weights.sum()
    noisy_count = np.maximum(law.records + counts, 1.0)
    t = np.linspace(0.0, 0.29, 60)
    truth = np.zeros_like(t)
    for count, weight in zip(noisy_count, weights, strict=True):
        for sign in (1.0, -1.0):
            threshold = (t + sign * law.ratio) * count - sign * law.ratio * law.records
            half = 0.5 * np.exp(-np.abs(threshold))
            truth += weight * np.where(threshold >= 0, half, 1 - half)
    assert law.tail(t) == pytest.approx(truth, abs=2e-6)


def test_errors_end_at_the_public_bounds():
    law = coarse(scale=60.0, records=1.0)
    assert law.tail(0.7) == 0.0
    assert law.above(0.6999) > 0.0
    assert law.below(0.3) == 0.0
    assert law.quantile(0.999999) <= 0.7
    assert law.tail(-0.1) == 1.0


def test_signed_quantiles_invert_the_two_sides():
    law = coarse(scale=20.0, records=500.0)
    for probability in (0.02, 0.3, 0.7, 0.98):
        error = law.quantile_function(probability)
        reached = 1.0 - law.above(error) if error > 0 else law.below(-error)
        assert reached == pytest.approx(probability, abs=2e-3)
    assert len(law.likely_errors(100)) == 100


def test_density_has_area_one_less_the_piles_at_the_bounds():
    law = coarse(scale=20.0, records=500.0)
    x = np.linspace(-0.3, 0.7, 20001)[1:-1]
    assert np.sum(law.density(x)) * (x[1] - x[0]) == pytest.approx(1.0, abs=5e-3)


def test_gaussian_noise_is_never_below_a_simulation_and_tight_for_large_counts():
    noise = GaussianMechanism(standard_deviation=10.0, l2_sensitivity=1.0)
    law = coarse(numerator=noise, denominator=noise, records=400.0)
    rng = np.random.default_rng(7)
    sums, counts = rng.normal(0, 10, (2, 400_000))
    errors = (law.ratio * 400 + 0.5 * sums) / (400 + counts) - law.ratio
    half_width = law.quantile(0.95)
    assert np.mean(np.abs(errors) > half_width) == pytest.approx(0.05, abs=0.0018)
    small = coarse(numerator=noise, denominator=noise, records=5.0)
    errors = np.clip((small.ratio * 5 + 0.5 * sums) / np.maximum(5 + counts, 1) - small.ratio, -0.3, 0.7)
    for t in (0.1, 0.29, 0.5):
        assert small.tail(t) >= np.mean(np.abs(errors) > t) - 0.003


def test_two_kinds_of_noise_that_were_never_paired_are_refused():
    law = coarse(numerator=LaplaceMechanism(scale=1.0, l1_sensitivity=1.0))
    with pytest.raises(UnsupportedEventError, match="The error of a ratio"):
        law.tail(0.1)


@each(
    "field, value, name",
    [
        ("numerator_step", 0.0, "numerator_step"),
        ("denominator_step", -1.0, "denominator_step"),
        ("ratio", math.nan, "ratio"),
        ("records", -1.0, "records"),
        ("lowest", -math.inf, "lowest"),
        ("highest", -0.1, "answer"),
    ],
)
def test_nonsense_is_refused_by_name(field, value, name):
    with pytest.raises(InvalidParameterError, match=rf"^{name} must be"):
        coarse(**{field: value})


@each("epsilon", [1e-4, 1e3])
@each("records", [0.0, 1.0, 1e9])
def test_extreme_dials_give_numbers(epsilon, records):
    law = coarse(scale=1 / epsilon, records=records)
    numbers = [law.standard_deviation, law.expected_absolute_error, law.quantile(0.95), law.expected_largest_error(3)]
    assert np.all(np.isfinite(numbers))
    assert np.all(np.asarray(numbers) <= 0.7)
    assert np.all(np.isfinite(law.tail(np.linspace(0, 1, 50))))
