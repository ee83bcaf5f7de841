"""Laws of comparing promises, and of the error of a count at one: order, symmetry, and who errs less."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dpengine.privacy import Neighbors
from dpengine.promises import NOT_SAID, UNITS, Promise, stated
from dpengine.promises.comparing import PromiseComparison, Stronger, compared
from dpengine.promises.count_errors import count_error

_PROMISES = st.builds(
    Promise,
    epsilon=st.floats(0.001, 20.0),
    delta=st.sampled_from([0.0, 1e-12, 1e-5, 0.01, NOT_SAID]),
    unit=st.sampled_from([*UNITS, NOT_SAID]),
    neighbors=st.sampled_from([*Neighbors, NOT_SAID]),
    every_days=st.sampled_from([1, 30, math.inf, NOT_SAID]),
    for_days=st.sampled_from([10.0, math.inf, NOT_SAID]),
    contribution=st.sampled_from([5, NOT_SAID]),
    rule=st.sampled_from(["basic", "optimal", NOT_SAID]),
    model=st.sampled_from(["central", "local", NOT_SAID]),
)
_DAYS = st.sampled_from([1.0, 30.0, 365.0])
_SWAPPED = {Stronger.FIRST: Stronger.SECOND, Stronger.SECOND: Stronger.FIRST}
_EPSILONS = st.floats(0.001, 30.0)


def _compared(one: Promise, other: Promise, days: float) -> PromiseComparison:
    return compared(one, other, days=days, one_events=7.0, other_events=7.0, devices=2)


@given(_PROMISES, _DAYS)
def test_nothing_is_stronger_than_itself(promise: Promise, days: float) -> None:
    assert _compared(promise, promise, days).stronger not in _SWAPPED


@given(_PROMISES, _PROMISES, _DAYS)
def test_swapping_swaps(one: Promise, other: Promise, days: float) -> None:
    found, swapped = _compared(one, other, days), _compared(other, one, days)
    assert swapped.stronger is _SWAPPED.get(found.stronger, found.stronger)
    assert (swapped.first, swapped.second) == (found.second, found.first)


@given(_PROMISES, st.floats(0.0, 0.999), _DAYS)
def test_a_smaller_epsilon_is_never_weaker(promise: Promise, share: float, days: float) -> None:
    smaller = replace(promise, epsilon=max(1e-4, share * (stated(promise.epsilon) or 0.0)))
    found = _compared(smaller, promise, days).stronger
    assert found not in (Stronger.SECOND, Stronger.BY_DELTA)


@given(_EPSILONS, _EPSILONS, st.sampled_from([0.0, 1e-9, 0.01]), st.integers(1, 5_000), st.sampled_from(["", "home"]))
def test_more_epsilon_never_errs_more(some: float, other: float, delta: float, people: int, home: str) -> None:
    small, large = sorted((some, other))
    unit: dict[str, Any] = {"unit": "household", "contribution": 4} if home else {"unit": "person"}
    more, less = (
        count_error(Promise(epsilon=epsilon, delta=delta, **unit), count=0, people=people) for epsilon in (small, large)
    )
    assert more.central is not None
    assert less.central is not None
    assert less.central <= more.central
    assert (less.local or 0.0) <= (more.local or 0.0) * (1.0 + 1e-12)


@given(_EPSILONS, st.sampled_from([0.0, 1e-9, 0.01]), st.integers(1, 5_000), st.integers(1, 6))
def test_everybodys_own_coins_never_err_less_than_a_curator(
    epsilon: float, delta: float, people: int, size: int
) -> None:
    """Where the promise names no noise, for the interval; Laplace's deviation is sqrt(2 / people) of the coins'."""
    unit: dict[str, Any] = {"unit": "household", "contribution": size} if size > 1 else {"unit": "person"}
    found = count_error(Promise(epsilon=epsilon, delta=delta, **unit), count=0, people=people)
    assert found.central is not None
    assert found.local is not None
    assert found.central <= found.local
    if delta == 0.0 and size == 1:
        deviations = found.by_curator.standard_deviation, found.by_everybody.standard_deviation
        ratio = (deviations[0] or 0.0) / (deviations[1] or 1.0)
        assert math.isclose(ratio, math.sqrt(2.0 / people), rel_tol=1e-9)
