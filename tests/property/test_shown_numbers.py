"""Numbers as people read them: a bound on the screen is never on the wrong side of the bound in the engine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpengine.formatting import (
    amount,
    at_least,
    at_most,
    beside,
    billionths,
    ends_beside,
    interval,
    lower_of_100,
    upper_of_100,
)
from dpengine.formatting.numbers import out_of_100, tiny
from tests.running.cases import each

SIZES = st.floats(min_value=1e-9, max_value=1e12)
SHARES = st.floats(min_value=0.0, max_value=1.0)
SLACK = 1e-11


def read(text: str) -> float:
    """The number that a person reads."""
    return float(text.replace(",", ""))


@given(SIZES)
def test_an_upper_bound_is_not_shown_below_itself_nor_far_above(value: float) -> None:
    assert value * (1 - SLACK) <= read(at_most(value)) <= value * 1.011


@given(SIZES)
def test_a_lower_bound_is_not_shown_above_itself_nor_far_below(value: float) -> None:
    assert value * 0.989 <= read(at_least(value)) <= value * (1 + SLACK)


@given(SHARES)
def test_shares_out_of_100_are_rounded_outward(share: float) -> None:
    assert read(lower_of_100(share)) <= 100 * share * (1 + SLACK)
    assert read(upper_of_100(share)) >= 100 * share * (1 - SLACK)
    assert read(upper_of_100(share)) <= 100


@given(st.floats(min_value=-1e9, max_value=1e9), st.floats(min_value=1e-6, max_value=1e9))
def test_an_interval_is_shown_whole(lower: float, width: float) -> None:
    down, up = interval(lower, lower + width)
    assert read(down) <= lower + abs(lower) * SLACK
    assert read(up) >= (lower + width) - abs(lower + width) * SLACK


@given(SIZES)
def test_a_plain_amount_is_within_half_a_digit(value: float) -> None:
    assert read(amount(value)) == pytest.approx(value, rel=0.0051)


@each("value", [float("inf"), float("-inf"), float("nan"), 0.0])
def test_what_is_no_number_is_said_in_words(value: float) -> None:
    assert amount(value) in {"no limit", "minus no limit", "unknown", "0"}


def test_amounts_of_budget_are_exact_to_the_billionth() -> None:
    assert [billionths(value) for value in (0.1 + 0.2, 2.999999999, 1e-9)] == ["0.3", "2.999999999", "0.000000001"]


def test_neither_never_nor_always_is_said_of_what_can_happen() -> None:
    assert out_of_100(1e-7) == "less than 0.01"
    assert out_of_100(1 - 1e-9) == "more than 99.99"
    assert tiny(1.44e-6) == "1.44·10⁻⁶"


@given(value=st.floats(-1e9, 1e9), half=st.floats(1e-6, 1e6))
def test_an_interval_is_no_narrower_than_the_error_that_is_read_beside_it(value: float, half: float) -> None:
    lower, upper = value - half, value + half
    half = (upper - lower) / 2
    down, up = (float(end.replace(",", "")) for end in ends_beside(value, lower, upper))
    read, error = (float(text.replace(",", "")) for text in (beside(value, half), at_most(half)))
    slack = 1e-9 * (abs(value) + half)
    assert down <= min(lower, read - error) + slack
    assert up >= max(upper, read + error) - slack
