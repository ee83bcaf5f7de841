"""The words for how well a person is hidden follow the limit for any attacker."""

from __future__ import annotations

import math

import pytest

from dpengine.beliefs import hiding_in_words, odds_out_of_100
from dpengine.errors import InvalidParameterError
from dpengine.privacy import Guarantee


def words(epsilon: float, delta: float = 0.0) -> str:
    return hiding_in_words(odds_out_of_100(Guarantee(epsilon=epsilon, delta=delta)).with_data / 100)


@pytest.mark.parametrize(
    ("odds", "below", "above"),
    [(60 / 40, "well", "in part"), (87 / 13, "in part", "little"), (99.0, "little", "hardly anything")],
)
def test_a_word_ends_where_its_chance_does(odds: float, below: str, above: str) -> None:
    epsilon = math.log(odds)
    assert below in words(epsilon * (1 - 1e-9))
    assert above in words(epsilon * (1 + 1e-9))


def test_nothing_hides_when_everything_may_be_told() -> None:
    assert "well" in words(0.0)
    assert "hardly anything" in words(700.0)
    assert "hardly anything" in words(0.1, delta=1.0)


@pytest.mark.parametrize("limit", [0.49, 1.01, math.nan])
def test_what_is_no_limit_is_refused(limit: float) -> None:
    with pytest.raises(InvalidParameterError, match="limit"):
        hiding_in_words(limit)
