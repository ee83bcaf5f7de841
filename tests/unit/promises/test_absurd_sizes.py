"""Sizes that no promise has: each is refused in a sentence, and none gets as far as arithmetic."""

import math
from typing import Any

import pytest

from dpengine.errors import InvalidParameterError
from dpengine.promises import TEN_TIMES_THE_EVENTS, Promise
from tests.running.cases import each

HUGE = 10**400


@each(
    "field, value",
    [
        ("contribution", HUGE),
        ("for_days", HUGE),
        ("every_days", 36_526.0),
        ("for_days", 0.0),
        ("every_days", -math.inf),
        ("for_days", math.nan),
        ("delta", 5e-324),
    ],
)
def test_it_is_refused_by_name(field, value):
    given: dict[str, Any] = {field: value}
    with pytest.raises(InvalidParameterError, match=f"^{field} must be "):
        Promise(**given)


@each("field", ["every_days", "for_days", "contribution"])
def test_without_an_end_is_an_answer(field):
    given: dict[str, Any] = {field: math.inf}
    assert getattr(Promise(**given), field) == math.inf


def test_releases_beyond_counting_are_refused_before_they_are_counted():
    with pytest.raises(InvalidParameterError, match="at most 10,000,000 releases add up"):
        Promise(epsilon=1.0, every_days=5e-324).over(days=365.0)


def test_the_least_odds_are_at_their_own_delta():
    """Ten times the events may use up delta; one contribution, which the least figure takes, does not."""
    release = Promise(epsilon=1.5, delta=1e-5, unit="person-day", every_days=1.0).release(subject=TEN_TIMES_THE_EVENTS)
    assert release is not None
    assert release.delta == 1.0
    assert release.least_delta == 1e-5
    assert release.least_odds.with_data == pytest.approx(81.7576, abs=1e-4)
