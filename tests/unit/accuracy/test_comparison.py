"""How often noise turns the order of two counts around."""

import math

import numpy as np
import pytest

from dpengine.accuracy import chance_of_turned_order
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteLaplaceMechanism
from tests.running.cases import each


@each(("scale", "difference"), [(0.5, 1), (2.0, 3), (10.0, 30), (20.0, 1), (100.0, 200)])
def test_against_all_pairs_of_noises(scale: float, difference: int) -> None:
    """Never below the sum over pairs; above it by at most what one grid step more noise would give."""
    noise = DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1)
    reach = math.ceil(40 * scale)
    chances = np.asarray(noise.probability(np.arange(-reach, reach + 1.0)))
    both = np.convolve(chances, chances)
    exact = both[2 * reach + difference :].sum()
    one_more = both[2 * reach + difference - 1 :].sum()
    found = chance_of_turned_order(noise, difference=difference)
    assert exact * (1 - 1e-9) <= found <= one_more * (1 + 1e-9)


def test_no_difference_is_refused() -> None:
    with pytest.raises(InvalidParameterError):
        chance_of_turned_order(DiscreteLaplaceMechanism(scale=1.0, l1_sensitivity=1), difference=0)
