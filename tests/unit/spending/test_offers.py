"""What is offered instead of a refused question: a real account takes it, and a billionth more would not fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpengine.data import NumberColumn, PrivacyUnit, Schema, TextColumn
from dpengine.errors import BudgetExceededError, RefusedQueryError
from dpengine.ledger import Account
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import Amounts, granted_by
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, MeanQuery, ModeQuery, Query, SumQuery
from dpengine.release import release
from dpengine.scenario import Scenario
from dpengine.spending import Balance, left_out, others_that_fit, strips, what_fits
from tests.examples.ledgers import SCHEMA, asking, ledger_at, opened, people
from tests.examples.tables import read_here

Opened = Callable[..., Account]


@pytest.fixture
def account(tmp_path: Path) -> Opened:
    """Open an account under a rule, with 0.7 of an epsilon spent on counts."""

    def open_one(rule: str, epsilon: float = 1.0, delta: float = 1e-6) -> Account:
        real = opened(ledger_at(tmp_path / "budget.db"), people(), epsilon=epsilon, delta=delta, rule=rule)
        for number in range(7 if rule == "basic" else 3):
            real.charge(f"before {number}", asking(0.1))
        return real

    return open_one


def gaussian(epsilon: float, delta: float, query: Query | None = None) -> PlannedQuery:
    promise = Guarantee(epsilon=epsilon, delta=delta)
    return PlannedQuery(query=query or CountQuery(), guarantee=promise, mechanism="gaussian")


def balance(real: Account) -> Balance:
    granted, spent = real.balance()
    return Balance(granted=granted, spent=spent, rule=real.rule)


def a_billionth_more(planned: PlannedQuery) -> PlannedQuery:
    return planned.at(round(planned.guarantee.epsilon * 1e9 + 1) / 1e9)


REFUSED = [
    asking(2.0),
    asking(0.300000001),
    asking(5.0, MeanQuery("age")),
    asking(3.0, ModeQuery("ill")),
    gaussian(2.0, 1e-7),
    gaussian(1.5, 1e-8, MeanQuery("age")),
]


@pytest.mark.parametrize("rule", ["basic", "concentrated"])
@pytest.mark.parametrize("planned", REFUSED)
def test_the_largest_epsilon_that_fits_fits_and_no_billionth_more(
    account: Opened, planned: PlannedQuery, rule: str
) -> None:
    real = account(rule)
    if real.fits(planned):
        planned = planned.at(20 * planned.guarantee.epsilon)
    with pytest.raises(BudgetExceededError):
        real.charge("refused", planned)
    offers = list(what_fits(planned, SCHEMA, real.neighbors, balance=balance(real)))
    assert offers[0].mechanism == planned.mechanism
    for offer in offers:
        assert offer.query == planned.query
        assert real.fits(offer)
        assert not real.fits(a_billionth_more(offer))
    real.charge("offered", offers[0])


def test_gaussian_noise_is_offered_what_is_left_of_delta_and_laplace_noise(account: Opened) -> None:
    real = account("basic")
    real.charge("most of delta", gaussian(0.1, 9e-7))
    same, laplace = what_fits(gaussian(0.5, 5e-7), SCHEMA, real.neighbors, balance=balance(real))
    assert (same.guarantee, laplace.guarantee) == (Guarantee(epsilon=0.2, delta=1e-7), Guarantee(epsilon=0.2))
    assert (same.mechanism, laplace.mechanism) == ("gaussian", "laplace")
    assert real.fits(same)
    assert real.fits(laplace)


@pytest.mark.parametrize("left", [1, 9, 10, 19, 20, 999, 1001])
def test_the_last_units_of_delta_are_no_obstacle(tmp_path: Path, left: int) -> None:
    real = opened(ledger_at(tmp_path / "budget.db"), people(), epsilon=1.0, delta=1e-6)
    granted = real.balance()[0]
    spent = Amounts(epsilon=10**8, delta=granted.delta - left, rho=1)
    offered = list(
        what_fits(gaussian(0.5, 1e-7), SCHEMA, Neighbors.ADD_REMOVE, balance=replace(balance(real), spent=spent))
    )
    assert offered[-1].mechanism == "laplace"
    assert offered[-1].guarantee.epsilon == 0.5


def test_without_delta_only_laplace_noise_is_offered(account: Opened) -> None:
    real = account("basic", delta=0.0)
    (only,) = what_fits(gaussian(0.5, 1e-7), SCHEMA, real.neighbors, balance=balance(real))
    assert (only.mechanism, only.guarantee) == ("laplace", Guarantee(epsilon=0.3))


def test_an_empty_account_offers_nothing(account: Opened) -> None:
    real = account("basic")
    real.charge("the rest", asking(0.3))
    assert list(what_fits(asking(0.1), SCHEMA, real.neighbors, balance=balance(real))) == []


def test_noise_that_the_sampler_could_not_draw_is_not_offered(tmp_path: Path) -> None:
    columns = (TextColumn(name="person"), NumberColumn(name="age", lower=0, upper=1e8))
    wide = Schema(name="people", columns=columns, unit=PrivacyUnit(identifier="person", rows=10**6))
    table = read_here(b"person,age\na,30\nb,40\n", schema=wide)
    real = opened(ledger_at(tmp_path / "budget.db"), table, epsilon=1.0)
    real.charge("almost all", asking(1 - 1e-8, CountQuery()), wide)
    too_wide, count = asking(0.5, SumQuery("age")), asking(0.5, CountQuery())
    offered = [list(what_fits(one, wide, real.neighbors, balance=balance(real))) for one in (too_wide, count)]
    assert offered == [[], [count.at(1e-8)]]
    release(count.at(1e-8), table, real, request_id="as offered")
    with pytest.raises(RefusedQueryError, match="64-bit"):
        release(too_wide.at(1e-8), table, real, request_id="not offered")
    plan = Scenario(
        table_name="people",
        schema=wide,
        neighbors=Neighbors.ADD_REMOVE,
        budget=Guarantee(epsilon=1.0),
        queries=(asking(0.5), too_wide.at(1e-8), count.at(1e-8)),
    )
    fresh = Balance(granted=granted_by(Guarantee(epsilon=1.0)), spent=Amounts(), rule="basic")
    assert others_that_fit(plan, balance=fresh, besides=0) == (2,)


def test_no_offer_asks_for_more_than_was_asked(account: Opened) -> None:
    (same,) = what_fits(asking(0.2), SCHEMA, Neighbors.ADD_REMOVE, balance=balance(account("basic")))
    assert same == asking(0.2)


def test_the_other_rules_room_is_what_such_an_account_takes(tmp_path: Path) -> None:
    budget = Guarantee(epsilon=1.0, delta=1e-6)
    charge = Amounts(epsilon=5 * 10**7, rho=1_250_000)
    of_basic = Balance(granted=granted_by(budget), spent=Amounts(), rule="basic").room(charge, "concentrated")
    other = opened(ledger_at(tmp_path / "other.db"), people(), epsilon=1.0, delta=1e-6, rule="concentrated")
    for number in range(of_basic):
        assert other.fits(asking(0.05))
        other.charge(f"{number}", asking(0.05))
    assert not other.fits(asking(0.05))


def test_other_questions_of_the_plan_that_still_fit_are_named(account: Opened) -> None:
    queries = (asking(2.0), asking(0.3), asking(0.31), asking(0.1, MeanQuery("age")))
    budget = Guarantee(epsilon=1.0, delta=1e-6)
    plan = Scenario(table_name="people", schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE, budget=budget, queries=queries)
    assert others_that_fit(plan, balance=balance(account("basic")), besides=0) == (1, 3)


@given(
    st.lists(st.integers(1, 12), min_size=1, max_size=7),
    st.integers(0, 30),
    st.integers(1, 3),
    st.sampled_from([("epsilon", "basic"), ("delta", "basic"), ("rho", "concentrated")]),
)
@example([2], 3, 2, ("epsilon", "basic"))
@example([2], 3, 2, ("delta", "basic"))
@example([2], 3, 2, ("rho", "concentrated"))
def test_no_shorter_list_would_make_room(costs: list[int], budget: int, rounds: int, scarce: tuple[str, str]) -> None:
    """Against every subset of the questions, whatever it is that is not enough."""
    quantity, rule = scarce
    ample = replace(Amounts(epsilon=10**6, delta=10**6, rho=10**6), **{quantity: budget})
    charges = [replace(Amounts(epsilon=1, delta=1, rho=1), **{quantity: cost}) for cost in costs]
    without = left_out(charges, balance=Balance(granted=ample, spent=Amounts(), rule=rule), rounds=rounds)
    assert rounds * sum(cost for place, cost in enumerate(costs) if place not in without) <= budget
    shorter = (kept for left in range(len(without)) for kept in combinations(costs, len(costs) - left))
    assert all(rounds * sum(kept) > budget for kept in shorter)


def test_the_bar_adds_up_to_the_budget_and_is_cut_where_it_must_be() -> None:
    own = Balance(granted=Amounts(epsilon=10**9, delta=10**12), spent=Amounts(epsilon=7 * 10**8), rule="basic")
    (epsilon,) = strips(own, Amounts(epsilon=10**8))
    assert epsilon.percents == pytest.approx((70.0, 10.0, 20.0))
    assert epsilon.left == pytest.approx(0.2)
    assert own.left == Amounts(epsilon=3 * 10**8, delta=10**12)
    assert own.share(Amounts(epsilon=10**8)) == pytest.approx(1 / 3)
    assert own.share(Amounts(epsilon=10**8, delta=10**12 // 2)) == pytest.approx(0.5)
    assert own.share(Amounts(epsilon=10**8, delta=2 * 10**12)) == 1.0, "It does not fit."
    both = {one.quantity: one for one in strips(own, Amounts(epsilon=4 * 10**8, delta=10**11))}
    assert both["epsilon"].percents == pytest.approx((70.0, 30.0, 0.0))
    assert both["epsilon"].left == 0.0
    assert both["delta"].percents == pytest.approx((0.0, 10.0, 90.0))
