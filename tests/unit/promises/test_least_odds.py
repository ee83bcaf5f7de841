"""The smallest loss that can be told has a delta of its own, which says nothing about the largest."""

from __future__ import annotations

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
