"""Noise fits its law, and the same test rejects a law that is 10 % off."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpengine.mechanisms import (
    ContinuousMechanism,
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    exact_noise,
)
from tests.running.cases import each
from tests.statistical.thresholds import DRAWS, SIGNIFICANCE, WRONG_SCALE

OnGrid = DiscreteLaplaceMechanism | DiscreteGaussianMechanism
Sampler = Callable[[OnGrid], np.ndarray]
SMALLEST_CELL = 0.02


def exact(mechanism: OnGrid) -> np.ndarray:
    return exact_noise.draw(mechanism, np.zeros(DRAWS, dtype=np.int64))


def simulated(mechanism: OnGrid) -> np.ndarray:
    return mechanism.simulate(np.zeros(DRAWS), np.random.default_rng(20_240_601))


def fit_of_integers(noise: np.ndarray, mechanism: OnGrid) -> float:
    """p of a chi-square test: a cell of at least 50 draws for each end, and one for each integer or for some together.

    A law a tenth off is missed at most once in 10^10 runs; with a cell for each integer one of scale 20 is more often.
    """
    reach = mechanism.error_quantile(1.0 - 100.0 / DRAWS) - 1
    chances, end = mechanism.probability(np.arange(-reach, reach + 1.0)), mechanism.tail(float(reach)) / 2.0
    starts, held = [0], 1.0
    for place, chance in enumerate(chances, start=1):
        if held >= SMALLEST_CELL:
            starts, held = [*starts, place], 0.0
        held += chance
    starts.append(2 * reach + 2)
    observed = np.bincount(np.clip(noise, -reach - 1, reach + 1).astype(int) + reach + 1, minlength=2 * reach + 3)
    expected = DRAWS * np.array([end, *chances, end])
    return float(stats.chisquare(np.add.reduceat(observed, starts), np.add.reduceat(expected, starts)).pvalue)


def fit_of_numbers(noise: np.ndarray, law: Any) -> float:
    """p of a chi-square test with 20 equally likely cells."""
    return float(stats.chisquare(np.histogram(law.cdf(noise), bins=20, range=(0.0, 1.0))[0]).pvalue)


@each("sampler", [exact, simulated])
@each("scale", [0.8, 3.0, 20.5])
def test_discrete_laplace_fits_its_law_and_no_other(sampler: Sampler, scale: float) -> None:
    mechanism = DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1)
    wrong = DiscreteLaplaceMechanism(scale=scale * WRONG_SCALE, l1_sensitivity=1)
    noise = sampler(mechanism)
    assert fit_of_integers(noise, mechanism) > SIGNIFICANCE
    assert fit_of_integers(noise, wrong) < SIGNIFICANCE


@each("sampler", [exact, simulated])
@each("scale", [0.6, 3.0, 120.0])
def test_discrete_gaussian_fits_its_law_and_no_other(sampler: Sampler, scale: float) -> None:
    mechanism = DiscreteGaussianMechanism(standard_deviation=scale, l2_sensitivity=1)
    wrong = DiscreteGaussianMechanism(standard_deviation=scale * WRONG_SCALE, l2_sensitivity=1)
    noise = sampler(mechanism)
    assert fit_of_integers(noise, mechanism) > SIGNIFICANCE
    assert fit_of_integers(noise, wrong) < SIGNIFICANCE


def test_wide_exact_noise_fits_its_law_and_no_other() -> None:
    noise = exact(DiscreteLaplaceMechanism(scale=1e9, l1_sensitivity=1)) / 1e9
    assert fit_of_numbers(noise, stats.laplace) > SIGNIFICANCE
    assert fit_of_numbers(noise / WRONG_SCALE, stats.laplace) < SIGNIFICANCE
    bell = exact(DiscreteGaussianMechanism(standard_deviation=1e9, l2_sensitivity=1)) / 1e9
    assert fit_of_numbers(bell, stats.norm) > SIGNIFICANCE
    assert fit_of_numbers(bell / WRONG_SCALE, stats.norm) < SIGNIFICANCE


@pytest.mark.parametrize(
    ("mechanism", "law"),
    [
        (LaplaceMechanism(scale=2.0, l1_sensitivity=1.0), stats.laplace(scale=2.0)),
        (GaussianMechanism(standard_deviation=2.0, l2_sensitivity=1.0), stats.norm(scale=2.0)),
    ],
)
def test_pictures_fit_their_law_and_no_other(mechanism: ContinuousMechanism, law: stats.rv_continuous) -> None:
    noise = mechanism.simulate(np.zeros(DRAWS), np.random.default_rng(20_240_602))
    assert fit_of_numbers(noise, law) > SIGNIFICANCE
    assert fit_of_numbers(noise * WRONG_SCALE, law) < SIGNIFICANCE
