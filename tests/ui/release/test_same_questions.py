"""Two answers to one question under other declarations are told apart by what differs; the same asked twice is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dpengine.data import NumberColumn, Schema
from dpengine.ledger import History
from dpengine.queries import MeanQuery
from pages.ui import same_questions
from tests.examples.ledgers import SCHEMA, asking, ledger_at, opened, people


def to(upper: float) -> Schema:
    """The declarations with another bound of age."""
    columns = (NumberColumn(name="age", lower=0, upper=upper) if one.name == "age" else one for one in SCHEMA.columns)
    return replace(SCHEMA, columns=tuple(columns))


def test_what_is_declared_otherwise_tells_answers_apart(tmp_path: Path) -> None:
    account = opened(ledger_at(tmp_path / "budget.db"), people())
    for request, upper in (("first", 100.0), ("again", 100.0), ("narrow", 60.0)):
        account.charge(request, asking(0.1, MeanQuery("age")), to(upper))
    account.charge("count", asking(0.1), SCHEMA)
    labels = same_questions.labels([line.entry for line in History.of(account).lines])
    assert labels["first"] == labels["again"]
    assert labels["first"].endswith("(age 0 to 100)")
    assert labels["narrow"].endswith("(age 0 to 60)")
    assert "(" not in labels["count"]
