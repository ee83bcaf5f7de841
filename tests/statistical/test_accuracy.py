"""Simulated errors fit their laws, and not laws that are 10 % off; intervals cover what they say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from dpengine.accuracy import CombinedError, ErrorLaw, NoiseError, RatioError, SamplingError, ratio_interval
from dpengine.mechanisms import DiscreteLaplaceMechanism, GaussianMechanism
from tests.running.cases import each

DRAWS = 200_000
REJECTED = 1e-6


def laplace(scale):
    return DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1)


MEAN = RatioError(
    numerator=DiscreteLaplaceMechanism(scale=50 * 2**14 / 0.6, l1_sensitivity=50 * 2**14),
    denominator=laplace(2.5),
    numerator_step=2.0**-14,
    ratio=-10.0,
    records=500.0,
    lowest=-40.0,
    highest=60.0,
)
SHARE = RatioError(
    numerator=laplace(4.0),
    denominator=laplace(6.0),
    numerator_step=0.5,
    ratio=-0.2,
    records=60.0,
    lowest=-0.3,
    highest=0.7,
)
LAWS: dict[str, ErrorLaw] = {
    "count": NoiseError(mechanism=laplace(30.0)),
    "gaussian": NoiseError(mechanism=GaussianMechanism(standard_deviation=3.0, l2_sensitivity=1.0), step=2.0),
    "mean": MEAN,
    "share": SHARE,
    "few people": replace(SHARE, records=4.0),
    "count of a sample": CombinedError(
        noise=NoiseError(mechanism=laplace(30.0)), sampling=SamplingError(standard_deviation=25.0)
    ),
    "mean of a sample": CombinedError(noise=MEAN, sampling=SamplingError(standard_deviation=0.3)),
    "share of a sample": CombinedError(noise=SHARE, sampling=SamplingError(standard_deviation=0.06)),
}


def simulated(law, rng):
    """Errors drawn from the definition of what is released, not from the law."""
    if isinstance(law, CombinedError):
        return simulated(law.noise, rng) + rng.normal(0.0, law.sampling.standard_deviation, DRAWS)
    if isinstance(law, NoiseError):
        return law.mechanism.simulate(np.zeros(DRAWS), rng) * law.step
    sums = law.ratio * law.records + law.numerator.simulate(np.zeros(DRAWS), rng) * law.numerator_step
    counts = law.records + law.denominator.simulate(np.zeros(DRAWS), rng) * law.denominator_step
    return np.clip(sums / np.maximum(counts, 1.0) - law.ratio, law.lowest, law.highest)


def worst_fit(law, errors):
    """The least p-value over five tolerances, for too many large errors or too few."""
    tolerances = np.array([law.quantile(confidence) for confidence in (0.3, 0.5, 0.8, 0.95, 0.99)]) * 1.0000001
    exceeded = [int(np.sum(np.abs(errors) > t)) for t in tolerances]
    expected = np.clip(law.tail(tolerances), 0.0, 1.0)
    return min(binomtest(k, len(errors), p).pvalue for k, p in zip(exceeded, expected, strict=True))


@each("name", LAWS)
def test_simulated_errors_fit_their_law(name):
    assert worst_fit(LAWS[name], simulated(LAWS[name], np.random.default_rng(20))) > REJECTED


@each("name", LAWS)
def test_errors_that_are_a_tenth_too_large_or_too_small_do_not_fit(name):
    errors = simulated(LAWS[name], np.random.default_rng(21))
    assert worst_fit(LAWS[name], errors * 1.1) < REJECTED
    assert worst_fit(LAWS[name], errors / 1.1) < REJECTED


@each("name", LAWS)
def test_mean_errors_fit_their_law(name):
    law, errors = LAWS[name], np.abs(simulated(LAWS[name], np.random.default_rng(22)))
    margin = 5 * errors.std() / np.sqrt(DRAWS)
    assert law.expected_absolute_error == pytest.approx(errors.mean(), abs=margin + 0.003 * errors.mean())
    assert law.standard_deviation == pytest.approx(np.sqrt(np.mean(errors**2)), rel=0.015)


@each("name", LAWS)
def test_likely_errors_fit_their_law(name):
    law, errors = LAWS[name], np.sort(simulated(LAWS[name], np.random.default_rng(23)))
    middles = errors[((np.arange(100) + 0.5) / 100 * DRAWS).astype(int)]
    spread = law.standard_deviation
    grid = law.grid_step or 0.0
    assert np.all(np.abs(law.likely_errors(100)[3:-3] - middles[3:-3]) <= 0.04 * spread + grid)


RATIOS = {
    "fine": (50 * 2**14 / 0.6, 2.5, 2.0**-14, -10.0, 300),
    "coarse": (1.7, 2.5, 0.5, -0.2, 50),
    "hardly any noise": (0.4, 0.6, 0.5, 0.3, 20),
    "few people": (4.0, 6.0, 0.5, -0.2, 12),
    "fine and few": (50 * 2**14 / 0.6, 2.5, 2.0**-14, 40.0, 8),
}


@pytest.mark.parametrize(
    "name, confidence",
    [
        *(("fine", 0.8), ("coarse", 0.95), ("hardly any noise", 0.8), ("few people", 0.95), ("fine and few", 0.8)),
        *(
            pytest.param(name, confidence, marks=pytest.mark.slow)
            for name, confidence in (
                *(("fine", 0.95), ("coarse", 0.8)),
                *(("hardly any noise", 0.95), ("few people", 0.8), ("fine and few", 0.95)),
            )
        ),
    ],
)
def test_intervals_of_ratios_cover_at_least_what_they_say(name, confidence):
    sum_scale, count_scale, step, ratio, records = RATIOS[name]
    laws = laplace(sum_scale), laplace(count_scale)
    rng, runs = np.random.default_rng(24), 200
    exact_sum = round(ratio * records / step)
    sums = laws[0].simulate(np.full(runs, float(exact_sum)), rng) * step
    counts = laws[1].simulate(np.full(runs, float(records)), rng)
    covered = 0
    for noisy_sum, noisy_count in zip(sums, counts, strict=True):
        lower, upper = ratio_interval(noisy_sum, noisy_count, *laws, numerator_step=step, confidence=confidence)
        covered += lower - 1e-9 <= exact_sum * step / records <= upper + 1e-9
    assert binomtest(covered, runs, confidence, alternative="less").pvalue > REJECTED
    if name == "fine":
        assert binomtest(covered, runs, confidence, alternative="greater").pvalue > REJECTED


def test_an_interval_from_noise_that_is_too_small_is_found_out():
    laws, half = (laplace(4.0), laplace(6.0)), (laplace(2.0), laplace(3.0))
    rng, runs = np.random.default_rng(25), 200
    sums, counts = laws[0].simulate(np.full(runs, -40.0), rng) * 0.5, laws[1].simulate(np.full(runs, 100.0), rng)
    intervals = [
        ratio_interval(s, c, *half, numerator_step=0.5, confidence=0.95) for s, c in zip(sums, counts, strict=True)
    ]
    covered = sum(lower <= -0.2 <= upper for lower, upper in intervals)
    assert binomtest(covered, runs, 0.95, alternative="less").pvalue < REJECTED
