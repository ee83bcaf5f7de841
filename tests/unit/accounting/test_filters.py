"""Filters: exact sums, a charge that does not fit changes nothing, and the end is the end."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction

import pytest

from dpengine.accounting import BasicFilter, ConcentratedFilter, epsilon
from dpengine.errors import BudgetExceededError, InvalidParameterError, UnsupportedEventError
from dpengine.mechanisms import DiscreteLaplaceMechanism, LaplaceMechanism
from dpengine.privacy import (
    ApproximateEvent,
    BoundedRangeEvent,
    ConcentratedEvent,
    Event,
    GaussianEvent,
    Guarantee,
    LaplaceEvent,
    PureEvent,
    TruncatedLaplaceEvent,
    exact_decimal,
)
from tests.running.cases import each

TENTH = PureEvent(epsilon=0.1)
BUDGET = Guarantee(epsilon=1.0, delta=1e-6)


@each("event", [TENTH, LaplaceEvent(noise_multiplier=10.0), BoundedRangeEvent(epsilon=0.1)])
def test_ten_tenths_fit_in_one_and_no_more(event: Event) -> None:
    filled = BasicFilter(budget=Guarantee(epsilon=1.0))
    for _ in range(10):
        assert filled.admits(event)
        filled = filled.after(event)
    assert filled.spent == Guarantee(epsilon=1.0)
    assert filled.remaining == Guarantee(epsilon=0.0)
    assert not filled.admits(PureEvent(epsilon=1e-9))
    assert filled.admits(PureEvent(epsilon=0.0))


@pytest.mark.parametrize(
    "kind", [LaplaceMechanism.from_epsilon, DiscreteLaplaceMechanism.from_epsilon], ids=["laplace", "discrete"]
)
def test_noise_made_for_an_epsilon_fits_in_it_and_a_part_in_1e15_less_of_noise_does_not(
    kind: Callable[..., LaplaceMechanism | DiscreteLaplaceMechanism],
) -> None:
    """One epsilon through many sensitivities: scale / sensitivity is not always 1 / epsilon."""
    for size in range(1, 300):
        budget = Guarantee(epsilon=0.01 * size)
        noise = kind(budget.epsilon, l1_sensitivity=size).event
        assert BasicFilter(budget=budget).admits(noise)
        louder = replace(noise, noise_multiplier=noise.noise_multiplier * (1.0 - 1e-15))
        assert 1 / Fraction(louder.noise_multiplier) > exact_decimal(budget.epsilon)
        assert not BasicFilter(budget=budget).admits(louder)


@each("rule", [BasicFilter, ConcentratedFilter])
def test_what_is_left_fits_and_the_next_number_of_this_machine_does_not(
    rule: type[BasicFilter | ConcentratedFilter],
) -> None:
    """Seven tenths of what there is in two pieces, each of whose decimals counts to its last digit."""
    fresh = rule(budget=BUDGET)

    def left(filled: BasicFilter | ConcentratedFilter) -> float:
        remaining = filled.remaining
        return remaining.epsilon if isinstance(remaining, Guarantee) else remaining.rho

    def asked(amount: float) -> Event:
        return PureEvent(epsilon=amount) if rule is BasicFilter else ConcentratedEvent(rho=amount)

    filled = fresh.after(asked(left(fresh) * 0.35), runs=2)
    last = left(filled)
    assert filled.admits(asked(math.nextafter(last, 0.0)))
    assert not filled.admits(asked(math.nextafter(last, 1.0)))


def test_a_charge_that_does_not_fit_is_refused_in_a_sentence_and_changes_nothing() -> None:
    begun = BasicFilter(budget=BUDGET).after(TENTH, runs=7)
    with pytest.raises(BudgetExceededError, match=r"asks for epsilon 0\.4, but only epsilon 0\.3.* is left") as refused:
        begun.after(TENTH, runs=4)
    assert refused.value.asked == Guarantee(epsilon=0.4)
    assert refused.value.remaining == Guarantee(epsilon=0.3, delta=1e-6)
    assert begun.spent == Guarantee(epsilon=0.7)
    assert begun.after(TENTH, runs=3).remaining.epsilon == 0.0


def test_delta_is_counted_to_its_last_digit() -> None:
    leaky = ApproximateEvent(epsilon=1e-3, delta=1e-8)
    filled = BasicFilter(budget=BUDGET).after(leaky, runs=100)
    assert filled.spent == Guarantee(epsilon=0.1, delta=1e-6)
    assert not filled.admits(ApproximateEvent(epsilon=0.0, delta=1e-300))
    assert BasicFilter(budget=Guarantee(epsilon=1.0, delta=1e-300)).admits(ApproximateEvent(epsilon=0.0, delta=1e-300))
    assert not BasicFilter(budget=Guarantee(epsilon=1.0)).admits(
        TruncatedLaplaceEvent(noise_multiplier=2.0, truncation=40.0)
    )
    assert BasicFilter(budget=BUDGET).admits(TruncatedLaplaceEvent(noise_multiplier=2.0, truncation=40.0))


@each("event", [GaussianEvent(noise_multiplier=5.0), ConcentratedEvent(rho=0.01)])
def test_noise_with_many_guarantees_must_be_named(event: Event) -> None:
    with pytest.raises(UnsupportedEventError, match=f"{type(event).__name__}.*charge the ApproximateEvent"):
        BasicFilter(budget=BUDGET).after(event)
    named = ApproximateEvent(epsilon=epsilon({event: 1}, delta=1e-7, accountant="basic"), delta=1e-7)
    assert BasicFilter(budget=Guarantee(epsilon=2.0, delta=1e-6)).after(named).spent.delta == 1e-7


def test_rho_adds_up_to_the_largest_that_keeps_the_budget() -> None:
    filled = ConcentratedFilter(budget=BUDGET)
    bell = GaussianEvent(noise_multiplier=50.0)
    runs = 0
    while filled.admits(bell):
        filled, runs = filled.after(bell), runs + 1
    assert runs == math.floor(filled.granted.rho / 0.0002)
    assert filled.spent.rho == pytest.approx(runs * 0.0002, rel=1e-15)
    assert filled.spent.rho + filled.remaining.rho == pytest.approx(filled.granted.rho, rel=1e-15)
    assert epsilon({bell: runs}, delta=1e-6, accountant="concentrated") <= 1.0
    assert epsilon({bell: runs + 1}, delta=1e-6, accountant="concentrated") > 1.0
    with pytest.raises(BudgetExceededError, match=r"asks for rho 0\.0002, but only rho"):
        filled.after(bell)


def test_all_of_the_granted_rho_can_be_spent_in_any_pieces() -> None:
    fresh = ConcentratedFilter(budget=BUDGET)
    assert fresh.admits(fresh.granted)
    assert fresh.after(fresh.granted).remaining == ConcentratedEvent(rho=0.0)
    tenth = ConcentratedEvent(rho=math.nextafter(fresh.granted.rho / 10.0, 0.0))
    assert fresh.after(tenth, runs=10).spent.rho == pytest.approx(fresh.granted.rho)
    assert not fresh.admits(tenth, runs=11)


def test_concentrated_takes_mixed_noise_and_refuses_what_has_no_rho() -> None:
    fresh = ConcentratedFilter(budget=BUDGET)
    filled = fresh.after(TENTH).after(GaussianEvent(noise_multiplier=10.0)).after(BoundedRangeEvent(epsilon=0.1))
    assert filled.spent.rho == pytest.approx(0.005 + 0.005 + 0.00125)
    with pytest.raises(UnsupportedEventError, match="ApproximateEvent"):
        fresh.admits(ApproximateEvent(epsilon=0.1, delta=1e-9))


@each("delta", [0.0, 1.0])
def test_no_rho_stands_for_a_budget_without_an_inner_delta(delta: float) -> None:
    with pytest.raises(InvalidParameterError, match="delta"):
        ConcentratedFilter(budget=Guarantee(epsilon=1.0, delta=delta))


@each("kind", [BasicFilter, ConcentratedFilter])
def test_filters_are_values(kind: type[BasicFilter | ConcentratedFilter]) -> None:
    fresh = kind(budget=BUDGET)
    assert fresh == kind(budget=BUDGET)
    assert fresh.after(TENTH, runs=0) == fresh
    assert fresh.after(TENTH) != fresh
    with pytest.raises(FrozenInstanceError):
        fresh.budget = Guarantee(epsilon=9.0)  # type: ignore[misc]
    with pytest.raises(InvalidParameterError, match="budget"):
        kind(budget=1.0)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match="runs"):
        fresh.admits(TENTH, runs=-1)


def test_sums_below_0_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="epsilon"):
        BasicFilter(budget=BUDGET, epsilon=Fraction(-1))
    with pytest.raises(InvalidParameterError, match="rho"):
        ConcentratedFilter(budget=BUDGET, rho=Fraction(-1, 10**9))


@each("event", [LaplaceEvent(noise_multiplier=5e-324), PureEvent(epsilon=1e308)])
def test_a_cost_beyond_all_bounds_does_not_fit(event: Event) -> None:
    for fresh in (BasicFilter(budget=BUDGET), ConcentratedFilter(budget=BUDGET)):
        assert not fresh.admits(event, runs=10**6)
        with pytest.raises(BudgetExceededError):
            fresh.after(event, runs=10**6)
