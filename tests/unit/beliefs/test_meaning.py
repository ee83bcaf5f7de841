"""What an epsilon means, as ratio and as odds."""

import math

import pytest

from dpengine.beliefs import EpsilonMeaning, posterior_bounds
from dpengine.errors import InvalidParameterError
from tests.running.cases import each


def test_ratio_and_odds_say_the_same() -> None:
    for epsilon in [0.0, 0.01, 0.1, 1.0, 10.0, 700.0]:
        meaning = EpsilonMeaning(epsilon=epsilon)
        lower, upper = posterior_bounds(0.5, epsilon=epsilon)
        assert meaning.odds.with_data == pytest.approx(100 * upper), epsilon
        assert meaning.odds.without_data == pytest.approx(100 * lower), epsilon
        assert meaning.ratio == pytest.approx(math.exp(epsilon)), epsilon


def test_the_rule_for_small_numbers_is_near_and_below() -> None:
    small, large = EpsilonMeaning(epsilon=0.01), EpsilonMeaning(epsilon=1.0)
    assert 0 < small.ratio - small.small_number_rule < 1e-4
    assert large.ratio - large.small_number_rule > 0.7


@each("epsilon", [-0.1, math.nan, 701.0])
def test_nonsense_is_refused(epsilon: float) -> None:
    with pytest.raises(InvalidParameterError):
        EpsilonMeaning(epsilon=epsilon)
