"""What is kept of an accountant's answers is what it says, however shares move."""

from __future__ import annotations

import pytest

from dpengine import accounting
from dpengine.privacy import BoundedRangeEvent, DiscreteLaplaceEvent, Event, Guarantee, TruncatedLaplaceEvent
from dpengine.spending import asked
from tests.running.cases import each

BUDGET = Guarantee(epsilon=1.0, delta=1e-6)


def steps(*epsilons: float) -> list[dict[Event, int]]:
    return [{DiscreteLaplaceEvent(noise_multiplier=1 / epsilon, sensitivity=1): 1} for epsilon in epsilons]


@each("accountant", ["exact", "renyi", "advanced"])
def test_after_every_move_it_is_what_the_accountant_says(accountant: str) -> None:
    for moved in (0.1, 0.35, 0.1, 0.2):
        plan = steps(0.2, 0.3, moved, 0.25)
        said = asked.consumption(plan, budget=BUDGET, accountant=accountant)
        assert said == pytest.approx(accounting.consumption(plan, delta=BUDGET.delta, accountant=accountant), rel=1e-9)


def test_another_delta_is_another_question() -> None:
    plan = steps(0.2, 0.2, 0.2)
    tight, loose = (
        asked.consumption(plan, budget=Guarantee(epsilon=1.0, delta=delta), accountant="exact")[-1]
        for delta in (1e-9, 1e-3)
    )
    assert loose < tight


def test_a_long_list_is_asked_in_places_and_exactly_where_it_stops() -> None:
    plan = steps(*[0.05] * 400)
    said = asked.consumption(plan, budget=BUDGET, accountant="exact")
    refused = accounting.first_beyond(said, budget=BUDGET.epsilon)
    assert refused is not None
    (event,) = plan[0]
    assert accounting.epsilon({event: refused + 1}, delta=1e-6, accountant="exact") > 1.0
    assert accounting.epsilon({event: refused}, delta=1e-6, accountant="exact") <= 1.0


def test_the_memory_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "MOST_KEPT", 3)
    for moved in range(1, 8):
        plan = steps(0.2, 0.01 * moved)
        assert asked.consumption(plan, budget=BUDGET, accountant="exact")[-1] <= 0.2 + 0.01 * moved + 1e-12
    assert len(asked._SAID) <= 3 + 2


def test_who_understands_what_hangs_on_kinds_only_but_for_the_optimal_rule() -> None:
    laplace = [event for step in steps(0.1, 0.2) for event in step]
    ranged = [BoundedRangeEvent(epsilon=0.1)]
    assert asked.understood(laplace, delta=1e-6, accountant="exact")
    assert asked.understood(laplace[:1], delta=1e-6, accountant="optimal")
    assert not asked.understood(laplace, delta=1e-6, accountant="optimal")
    assert asked.understood(ranged, delta=1e-6, accountant="concentrated")
    truncated = [TruncatedLaplaceEvent(noise_multiplier=2.0, truncation=9.0)]
    assert not asked.understood(truncated, delta=1e-6, accountant="concentrated")
