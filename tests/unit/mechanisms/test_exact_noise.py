"""The noise of releases."""

from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteLaplaceMechanism, LaplaceMechanism, exact_noise
from tests.running.cases import each

MECHANISM = DiscreteLaplaceMechanism(scale=3.0, l1_sensitivity=2)
LARGEST = 2**63 - 1


@each("integers", [5, [], [1, 2, 3], [[1, 2], [3, 4]], np.arange(4, dtype=np.uint8)])
def test_shape_is_kept_and_whole_numbers_come_back(integers: npt.ArrayLike) -> None:
    noisy = exact_noise.draw(MECHANISM, integers)
    assert noisy.shape == np.shape(integers)
    assert noisy.dtype == np.int64


def test_almost_no_noise_leaves_the_answer() -> None:
    quiet = DiscreteLaplaceMechanism(scale=1e-3, l1_sensitivity=1)
    assert exact_noise.draw(quiet, [-7, 0, 10**15]).tolist() == [-7, 0, 10**15]


def test_two_draws_differ() -> None:
    zeros = np.zeros(50, dtype=np.int64)
    assert exact_noise.draw(MECHANISM, zeros).tolist() != exact_noise.draw(MECHANISM, zeros).tolist()


def test_the_ends_of_the_integers_saturate_instead_of_wrapping() -> None:
    top = exact_noise.draw(MECHANISM, np.full(200, LARGEST))
    bottom = exact_noise.draw(MECHANISM, np.full(200, -LARGEST - 1))
    assert top.min() > LARGEST - 1000
    assert bottom.max() < -LARGEST + 1000


@each("bad", [1.0, [1.5], True, "1", None, [2**63], np.array([2**63], dtype=np.uint64)])
def test_anything_but_64_bit_integers_is_refused(bad: npt.ArrayLike) -> None:
    with pytest.raises(InvalidParameterError, match="integers"):
        exact_noise.draw(MECHANISM, bad)


def test_continuous_noise_is_never_released() -> None:
    continuous = LaplaceMechanism(scale=1.0, l1_sensitivity=1.0)
    with pytest.raises(InvalidParameterError, match="mechanism"):
        exact_noise.draw(continuous, [1])
    with pytest.raises(InvalidParameterError, match="mechanism"):
        exact_noise.privacy_map(continuous)


@each("epsilon", [0.1, 0.3, 1.0, 7.0])
@each("l1_sensitivity", [1, 2, 1000])
def test_opendp_agrees_with_the_exact_epsilon(epsilon: float, l1_sensitivity: int) -> None:
    mechanism = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=l1_sensitivity)
    told = Fraction(exact_noise.privacy_map(mechanism))
    assert mechanism.exact_epsilon <= told <= mechanism.exact_epsilon * (1 + Fraction(1, 10**12))
