"""Two questions that read the same are told apart by what differs, in every file; the same asked twice is not."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Comparison,
    NumberColumn,
    PrivacyUnit,
    Schema,
    TextColumn,
)
from dpengine.ledger import History
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountQuery,
    GroupedCountQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    QuantileQuery,
    Query,
    StatisticalQueries,
)
from dpengine.reports import history_csv, history_json, plan_csv
from dpengine.reports.same_questions import labels, told_apart
from dpengine.scenario import Scenario
from tests.examples.ledgers import SCHEMA, asking, ledger_at, opened, people

LETTERS = tuple("abcdef")
AGE = NumberColumn(name="age", lower=0, upper=100)


def with_columns(*columns: NumberColumn | CategoryColumn) -> Schema:
    """The declarations with these columns declared otherwise, or added."""
    named = {column.name: column for column in (*SCHEMA.columns, *columns)}
    return replace(SCHEMA, columns=tuple(named.values()))


def to(upper: float) -> Schema:
    return with_columns(replace(AGE, upper=upper))


def listing(*categories: str) -> Schema:
    return with_columns(CategoryColumn(name="color", categories=categories))


def capped(groups: int | None) -> Schema:
    unit = PrivacyUnit(identifier="person", rows=3, groups=groups)
    return Schema(name="visits", columns=(TextColumn(name="person"), BooleanColumn(name="ill")), unit=unit)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def charged(folder: Path) -> History:
    account = opened(ledger_at(folder / "budget.db"), people())
    for request, upper in (("first", 100.0), ("again", 100.0), ("narrow", 60.0)):
        account.charge(request, asking(0.1, MeanQuery("age")), to(upper))
    account.charge("count", asking(0.1), SCHEMA)
    return History.of(account)


def test_what_is_declared_otherwise_tells_answers_apart_on_the_page_and_in_both_files(tmp_path: Path) -> None:
    history = charged(tmp_path)
    page = labels([line.entry for line in history.lines])
    assert page["first"] == page["again"] == "what is the average age (age 0 to 100)"
    assert page["narrow"] == "what is the average age (age 0 to 60)"
    assert page["count"] == "how many rows are there"
    written = {row["request_id"]: row["question"] for row in rows_of(history_csv(history)) if row["request_id"]}
    entries = {one["request_id"]: one["question"] for one in json.loads(history_json(history))["entries"]}
    assert written == entries == page


CASES: dict[str, tuple[list[tuple[Query, Schema]], list[str]]] = {
    "bins": (
        [(HistogramQuery("age", (0, 50, 100)), SCHEMA), (HistogramQuery("age", (0, 20, 40, 60, 80, 100)), SCHEMA)],
        ["edges 0, 50, 100", "edges 0, 20, 40, 60 and 2 more"],
    ),
    "candidates": (
        [(QuantileQuery("age", candidates=(1, 2)), SCHEMA), (QuantileQuery("age", candidates=(1, 3)), SCHEMA)],
        ["candidates 1, 2", "candidates 1, 3"],
    ),
    "conditions": (
        [
            (StatisticalQueries((Comparison("age", ">", 40), Comparison("age", ">", above))), SCHEMA)
            for above in (50, 60)
        ],
        ["conditions age > 40, age > 50", "conditions age > 40, age > 60"],
    ),
    "categories": (
        [(ModeQuery("color"), listing("red")), (ModeQuery("color"), listing("red", "green"))],
        ["color one of 1: red", "color one of 2: red, green"],
    ),
    "lists alike where they are read": (
        [(ModeQuery("color"), listing(*LETTERS)), (ModeQuery("color"), listing(*LETTERS[:5], "g"))],
        ["variant 1", "variant 2"],
    ),
    "missing values": (
        [(MeanQuery("age"), to(100)), (MeanQuery("age"), with_columns(replace(AGE, complete=True)))],
        ["age 0 to 100", "age 0 to 100, never missing"],
    ),
    "caps": (
        [(GroupedCountQuery("ill"), capped(groups)) for groups in (1, None)],
        ["in at most 1 group", "in any number of groups"],
    ),
}


def test_each_difference_is_named_and_no_two_labels_are_equal() -> None:
    for case, (asked, differing) in CASES.items():
        planned = [(asking(0.1, query), schema) for query, schema in asked]
        told = told_apart([*planned, planned[0], (asking(0.1, CountQuery()), SCHEMA)])
        assert [label.split(" (")[-1].rstrip(")") for label in told[:2]] == differing, case
        assert told[2] == told[0], case
        assert told[3] == "how many rows are there"


def test_the_numbers_of_a_plan_name_no_two_questions_alike() -> None:
    plan = Scenario(
        table_name="people",
        schema=SCHEMA,
        neighbors=Neighbors.ADD_REMOVE,
        budget=Guarantee(epsilon=1.0),
        queries=tuple(
            PlannedQuery(query=HistogramQuery("age", edges), guarantee=Guarantee(epsilon=0.1))
            for edges in ((0, 50, 100), (0, 25, 100), (0, 50, 100))
        ),
    )
    first, second, third = (row["question"] for row in rows_of(plan_csv(plan)))
    assert first == third == "how many rows fall in each bin of age (edges 0, 50, 100)"
    assert second.endswith("(edges 0, 25, 100)")


def test_bins_and_conditions_that_six_digits_would_make_equal_read_otherwise() -> None:
    large = Schema(name="t", columns=(NumberColumn(name="pay", lower=1e6, upper=1e6 + 4),))
    (part,) = HistogramQuery("pay", (1e6, 1e6 + 1, 1e6 + 2, 1e6 + 4)).parts(large, Neighbors.ADD_REMOVE)
    assert part.labels == ("1,000,000 to 1,000,001", "1,000,001 to 1,000,002", "1,000,002 to 1,000,004")
    conditions = tuple(Comparison("pay", ">", 123456.0 + part) for part in (0.25, 0.5))
    (part,) = StatisticalQueries(conditions).parts(large, Neighbors.ADD_REMOVE)
    assert part.labels == ("pay > 123456.25", "pay > 123456.5")
