"""The law of a sum of noises is that of adding them up one after another."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.accuracy import SummedNoise
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism

NOISES = (
    DiscreteLaplaceMechanism(scale=2.0, l1_sensitivity=1),
    DiscreteLaplaceMechanism(scale=0.2, l1_sensitivity=1),
    DiscreteGaussianMechanism(standard_deviation=1.5, l2_sensitivity=1),
    DiscreteGaussianMechanism(standard_deviation=0.3, l2_sensitivity=1),
)
FAR = 300


@pytest.mark.parametrize("mechanism", NOISES)
@pytest.mark.parametrize("terms", [1, 2, 3, 40])
def test_it_is_the_convolution(mechanism: DiscreteLaplaceMechanism | DiscreteGaussianMechanism, terms: int) -> None:
    one = np.array([float(np.asarray(mechanism.probability(place))) for place in range(-FAR, FAR + 1)])
    summed = one
    for _ in range(terms - 1):
        summed = np.convolve(summed, one)
    distance = np.abs(np.arange(len(summed)) - len(summed) // 2)
    law = SummedNoise(mechanism=mechanism, terms=terms, step=0.5)
    tails = [float(summed[distance > place].sum()) for place in range(FAR)]
    for place, tail in enumerate(tails[:60]):
        assert tail - 1e-14 <= law.tail(place) <= tail + 3e-12
    for confidence in (0.5, 0.95, 0.999):
        assert law.quantile(confidence) == 0.5 * next(place for place in range(FAR) if tails[place] <= 1.0 - confidence)
    assert law.standard_deviation == pytest.approx(0.5 * float(np.sqrt(summed @ distance.astype(float) ** 2)))
    assert law.tail(-1) == 1.0
    assert 0.0 <= law.tail(10**9) <= 1e-12


def test_of_large_noise_it_is_that_of_the_continuous_one() -> None:
    """Of two Laplace noises (1 + t / (2 b)) e^(-t / b), of Gaussian ones another Gaussian."""
    for scale in (1e3, 1e5):
        law = SummedNoise(mechanism=DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1), terms=2)
        for times in (0.5, 3.0, 9.0):
            exact = (1.0 + times / 2.0) * np.exp(-times)
            assert law.tail(int(times * scale)) == pytest.approx(exact, rel=2.0 / scale)
    gaussian = DiscreteGaussianMechanism(standard_deviation=4000.0, l2_sensitivity=1)
    assert SummedNoise(mechanism=gaussian, terms=9).quantile(0.95) == pytest.approx(1.959964 * 12000.0, rel=1e-4)


@pytest.mark.parametrize(("terms", "step"), [(0, 1.0), (1.5, 1.0), (2, 0.0)])
def test_nonsense_is_refused(terms: int, step: float) -> None:
    with pytest.raises(InvalidParameterError):
        SummedNoise(mechanism=NOISES[0], terms=terms, step=step)
