"""Deltas of a total: the smallest loss has one of its own, and the releases have one below which nothing is finite."""

from __future__ import annotations

import math

import pytest

from dpengine.beliefs import odds_out_of_100
from dpengine.privacy import Guarantee
from dpengine.promises import TEN_TIMES_THE_EVENTS, YEAR, Promise

DAILY = Promise(epsilon=2.19, delta=1e-5, unit="person-day", every_days=1.0)


def test_where_the_largest_loss_has_no_limit_the_least_odds_keep_theirs() -> None:
    total = DAILY.release(subject=TEN_TIMES_THE_EVENTS)
    assert total is not None
    assert (total.least, total.least_delta, total.delta) == (2.19, 1e-5, 1.0)
    assert total.least_odds == odds_out_of_100(Guarantee(epsilon=2.19, delta=1e-5))
    assert total.odds.with_data == 100.0


def test_equal_counts_of_runs_have_one_delta() -> None:
    total = DAILY.over(days=YEAR)
    assert total is not None
    assert total.least_delta <= total.delta == pytest.approx(0.00365)


def test_below_the_releases_own_delta_there_is_no_finite_epsilon() -> None:
    total = DAILY.over(days=YEAR)
    assert total is not None
    assert total.own_delta == pytest.approx(1 - (1 - 1e-5) ** 365, rel=1e-9)
    below, above = (DAILY.over(days=YEAR, delta=share * total.own_delta) for share in (0.999, 1.001))
    assert below is not None
    assert above is not None
    assert set(below.rules.values()) == {math.inf}
    assert math.isfinite(above.least)
