"""The budget page and the ledger name the same question: a real account is charged until it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dpengine.data import BooleanColumn, Comparison, NumberColumn, Schema
from dpengine.errors import BudgetExceededError
from dpengine.ledger import Account
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    QuantileQuery,
    Query,
    StatisticalQueries,
    VarianceQuery,
)
from dpengine.scenario import Scenario
from dpengine.spending import QuestionSpending, Spending
from tests.examples.ledgers import ledger_at, opened, people

SCHEMA = Schema(
    name="people",
    columns=(NumberColumn(name="age", lower=0, upper=100), BooleanColumn(name="ill")),
    people=5,
)
MOST = 22
ILL = CountQuery(Comparison("ill", "=", value=True))


def laplace(epsilon: float, query: Query | None = None) -> PlannedQuery:
    return PlannedQuery(query=query or ILL, guarantee=Guarantee(epsilon=epsilon))


def gaussian(epsilon: float, delta: float, query: Query | None = None) -> PlannedQuery:
    promise = Guarantee(epsilon=epsilon, delta=delta)
    return PlannedQuery(query=query or ILL, guarantee=promise, mechanism="gaussian")


def both_ill() -> StatisticalQueries:
    return StatisticalQueries((Comparison("ill", "=", True), Comparison("age", "<=", 50)))


LISTS: dict[str, tuple[PlannedQuery, ...]] = {
    "laplace": (laplace(0.1),),
    "thirds that never add up to one": (laplace(1 / 3),),
    "tiny": (laplace(0.123456789), laplace(1e-8)),
    "means": (laplace(0.07, MeanQuery("age")), laplace(0.05, VarianceQuery("age"))),
    "gaussian": (gaussian(0.1, 3e-8),),
    "gaussian of little delta": (gaussian(0.05, 1.1e-7), laplace(0.001)),
    "gaussian means": (gaussian(0.11, 1e-9, MeanQuery("age")),),
    "choices": (laplace(0.13, ModeQuery("ill")), laplace(0.1, QuantileQuery("age", 0.5))),
    "vectors": (laplace(0.2, HistogramQuery("ill")), gaussian(0.1, 1e-8, both_ill())),
    "all kinds": (laplace(0.03), gaussian(0.1, 1e-8), laplace(0.07, MeanQuery("age")), laplace(0.1, ModeQuery("ill"))),
}


def refused_by(account: Account, plan: Scenario) -> int | None:
    """Number of the first question that the account refuses when the list is asked over and over."""
    asked = (plan.queries * MOST)[:MOST]
    for number, planned in enumerate(asked, start=1):
        assert account.fits(planned) == _charged(account, planned, f"request {number}")
        if len(account.charges()) < number:
            return number
    return None


def _charged(account: Account, planned: PlannedQuery, request: str) -> bool:
    try:
        account.charge(request, planned)
    except BudgetExceededError:
        return False
    return True


@pytest.fixture
def account(tmp_path: Path) -> Callable[[Guarantee, str, Neighbors], Account]:
    """Open an account of its own for each question that a test asks."""
    ledger = ledger_at(tmp_path / "budget.db")
    return lambda budget, rule, neighbors: opened(
        ledger, people(schema=SCHEMA), neighbors=neighbors, budget=budget, rule=rule
    )


@pytest.mark.parametrize(
    "name, rule, neighbors",
    [
        (name, rule, list(Neighbors)[(place + turn) % 2])
        for place, name in enumerate(LISTS)
        for turn, rule in enumerate(("basic", "concentrated"))
    ],
)
def test_the_page_refuses_the_question_that_the_ledger_refuses(
    account: Callable[[Guarantee, str, Neighbors], Account], name: str, rule: str, neighbors: Neighbors
) -> None:
    budget = Guarantee(epsilon=1.0, delta=1e-6)
    plan = Scenario(table_name="people", schema=SCHEMA, neighbors=neighbors, budget=budget, queries=LISTS[name])
    spending = Spending(scenario=plan, rounds=MOST, budget=budget)
    refused = refused_by(account(budget, rule, neighbors), plan)
    shown = spending.first_refused(rule)
    assert (shown if shown is None or shown <= MOST else None) == refused


@pytest.mark.parametrize("rule", ["basic", "concentrated"])
def test_after_real_charges_the_room_for_more_is_what_the_ledger_then_takes(
    account: Callable[[Guarantee, str, Neighbors], Account], rule: str
) -> None:
    """The earlier steps are the ledger's own entries; at least one of the lists is refused, so the test can fail."""
    budget = Guarantee(epsilon=1.0, delta=1e-6)
    real = account(budget, rule, Neighbors.ADD_REMOVE)
    for place, planned in enumerate(LISTS["all kinds"]):
        real.charge(f"before {place}", planned)
    earlier = [
        QuestionSpending(events=entry.planned_query.events(SCHEMA, real.neighbors), amounts=entry.charge.amounts)
        for entry in real.charges()
    ]
    plan = Scenario(
        table_name="people", schema=SCHEMA, neighbors=real.neighbors, budget=budget, queries=(laplace(0.09),)
    )
    more = Spending(scenario=plan, rounds=1, budget=budget, earlier=earlier).room_for_more(rule)
    taken = 0
    while _charged(real, laplace(0.09), f"after {taken}"):
        taken += 1
    assert taken == 1 + more
    assert Spending(scenario=plan, rounds=1, budget=budget, earlier=earlier).first_refused(rule) is None
    assert Spending(scenario=plan, rounds=taken + 1, budget=budget, earlier=earlier).first_refused(rule) == taken + 1
