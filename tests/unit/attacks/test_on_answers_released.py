"""The attacks on what a real ledger released about a built-in table, as a room would hand it over."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpengine.attacks.on_answers import Answers, Told, averaged, differenced, one_person, reconstructed, secret_counts
from dpengine.data import And, Comparison
from dpengine.errors import BudgetExceededError
from dpengine.ledger import combined
from dpengine.plan.amounts import cost_of
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, Query
from dpengine.release import release
from tests.examples.ledgers import asking, ledger_at, opened
from tests.examples.tables import shared_sample

DOLE, OLD = Comparison("expected_vote", "=", "dole"), Comparison("age", ">=", 65)
ASKED: tuple[Query, ...] = (
    *(CountQuery(DOLE), CountQuery(DOLE), CountQuery(And((DOLE, OLD)))),
    *(HistogramQuery("expected_vote"), MeanQuery("age")),
)
BUDGET = Guarantee(epsilon=1.1)


def test_released_answers_are_attacked_as_they_stand_in_the_ledger(tmp_path: Path) -> None:
    table, schema = shared_sample("anes_1996")
    ledger = ledger_at(tmp_path / "room.db")
    account = opened(ledger, table, epsilon=BUDGET.epsilon, practice=True)
    for number, query in enumerate(ASKED):
        release(asking(0.2, query), table, account, request_id=f"ask {number}")
    with pytest.raises(BudgetExceededError):
        release(asking(0.2, CountQuery()), table, account, request_id="one too many")
    known, spent = account.releases(), account.spent
    ledger.close()
    told = tuple(Told(planned=one.planned_query, noisy=one.noisy) for one in known)
    answers = Answers(schema=schema, neighbors=known[0].neighbors, told=told)
    counts = averaged(answers, budget=BUDGET)
    most = counts.counts[0]
    assert (most.answers, most.granted, most.refused) == (3, 0, True)
    twice = combined([one for one in known if one.query == CountQuery(DOLE)])
    assert most.half_width < twice.half_width(0.95) < most.half_width_of_one
    assert [left.told.planned.query for left in counts.left_out] == [MeanQuery("age")]
    assert differenced(answers).pairs == 1
    assert differenced(answers).listed[0].cost.epsilon == 800_000_000
    learned = one_person(answers, budget=BUDGET)
    assert learned.added_up.promise == spent
    assert learned.total.epsilon == sum(cost_of(one.planned, schema, answers.neighbors).epsilon for one in told)
    assert learned.budget is not None
    assert learned.added_up.most < learned.budget.most
    found = reconstructed(secret_counts(answers, table, DOLE), budget=BUDGET, seed=1)
    assert found.counts == 2
    assert found.attacked.exact.fraction == 1.0
    assert found.found.fraction <= found.chance + 0.1
