"""Accounts with one of everything that a history can hold, and hostile names to keep in them."""

from __future__ import annotations

import unicodedata
from datetime import UTC, date, datetime
from pathlib import Path

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Comparison,
    DateColumn,
    NumberColumn,
    OneOf,
    PrivacyUnit,
    Schema,
    Table,
    TextColumn,
)
from dpengine.ledger import Account, Amounts, Charge, Edition, Entry, History, Ledger, Terms, TopUp
from dpengine.ledger.accounts.history import with_totals
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import cost_of
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    ProportionQuery,
    QuantileQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)
from dpengine.release import release
from tests.examples.ledgers import asking, ledger_at, opened
from tests.examples.tables import read_here, shared

OLD = Comparison("age", ">", 40)
SCHEMA = Schema(
    name="visits",
    columns=(
        TextColumn(name="person"),
        NumberColumn(name="age", lower=0, upper=100, unit="years", complete=True),
        BooleanColumn(name="ill"),
        CategoryColumn(name="color", categories=("red", "green", "blue")),
        DateColumn(name="day", earliest=date(2024, 1, 1), latest=date(2024, 6, 30)),
    ),
    unit=PrivacyUnit(identifier="person", rows=4, groups=2, rows_per_group=2),
)
EVERY_KIND: tuple[Query, ...] = (
    CountQuery(OLD),
    CountPeopleQuery(),
    SumQuery("age"),
    MeanQuery("age", OLD),
    ProportionQuery(Comparison("ill", "=", True)),
    VarianceQuery("age"),
    HistogramQuery("color"),
    HistogramQuery("day", period="month"),
    GroupedCountQuery(("color", "ill"), OLD),
    GroupedSumQuery("age", "color"),
    GroupedMeanQuery("age", ("color",)),
    StatisticalQueries((OLD, Comparison("ill", "=", True))),
    QuantileQuery("age"),
    QuantileQuery("age", 0.9, (0, 20, 40, 60, 80, 100)),
    ModeQuery("color"),
    GroupedProportionQuery(OLD, ("color",)),
    SeveralProportionsQuery((OLD, Comparison("ill", "=", True))),
)
HOSTILE = (
    "<script>window.alive=1</script>",
    "</title></style><img src=http://a.example/i.png onerror=window.alive=1>",
    '=HYPERLINK("http://b.example";"x")',
    "+1-1;=cmd|' /C calc'!A0",
    "a,b\"c'd;e & <b>f</b>",
    '"=1+1" {0} {x} %s',
    "@SUM(1) http://c.example &lt;i&gt;",
)
"""Names of columns; none of them is like another."""


@shared
def visits(rows: int = 60) -> Table:
    lines = [
        f"p{i % 9},{(7 * i) % 101},{'yes' if i % 3 else 'no'},{('red', 'green', 'red')[i % 3]},2024-0{1 + i % 6}-15"
        for i in range(rows)
    ]
    return read_here("\n".join(["person,age,ill,color,day", *lines]).encode(), schema=SCHEMA)


def one_of_everything(folder: Path, *, rule: str = "basic") -> tuple[Ledger, Account]:
    """Every kind of question answered, one with Gaussian noise, a budget raised before the last, and one unanswered."""
    ledger, table = ledger_at(folder / f"{rule}.db"), visits()
    account = opened(ledger, table, epsilon=20.0, delta=1e-6, rule=rule)
    for number, query in enumerate(EVERY_KIND):
        release(asking(0.3 + number / 1000, query), table, account, request_id=f"request {number}")
    account.top_up(Guarantee(epsilon=30.0, delta=2e-6), reason="=a second wave; agreed by the board")
    noisy = PlannedQuery(query=SumQuery("age"), guarantee=Guarantee(epsilon=1, delta=1e-7), mechanism="gaussian")
    release(noisy, table, account, request_id="gaussian")
    account.charge("never answered", asking(0.125, CountQuery()))
    return ledger, account


def hostile_schema(names: tuple[str, ...] = HOSTILE) -> Schema:
    """A table whose every name and value was chosen by somebody who means harm."""
    first, second, third, *values = names
    return Schema(
        name=second,
        columns=(
            TextColumn(name=first),
            NumberColumn(name=second, lower=-5, upper=5, unit=third),
            CategoryColumn(name=third, categories=tuple(values)),
        ),
        unit=PrivacyUnit(identifier=first, rows=2, groups=3, rows_per_group=1),
    )


def history_of(schema: Schema, *, reason: str = "more", practice: bool = False, request: str = "") -> History:
    """A history put together without a ledger: three answers about each column, a top-up and an earlier edition."""
    _, number, category = (column.name for column in schema.columns)
    values = schema.columns[2].categories  # type: ignore[union-attr]
    first, second = (
        Amounts(epsilon=10**9, delta=10**12, rho=10**8),
        Amounts(epsilon=2 * 10**9, delta=10**12, rho=2 * 10**8),
    )
    terms = Terms(
        unit=PrivacyUnit(identifier=schema.unit.identifier, rows=schema.unit.rows),
        neighbors=Neighbors.ADD_REMOVE,
        people=None,
        rule="basic",
        granted=second,
        practice=practice,
    )
    asked: tuple[tuple[Query, tuple[tuple[int, ...], ...] | None], ...] = (
        (MeanQuery(number, OneOf(category, values)), ((1000,), (40,))),
        (HistogramQuery(category), (tuple(range(len(values))),)),
        (ModeQuery(category), ((0,),)),
        (CountQuery(Comparison(category, "=", values[0])), None),
    )
    entries = [
        _entry(query, noisy, schema, request_id=f"{request}{place}") for place, (query, noisy) in enumerate(asked)
    ]
    time = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    return History(
        table_name=schema.name,
        terms=terms,
        opened=time,
        opened_with=first,
        lines=with_totals(entries, [first, *[second] * 3]),
        top_ups=(TopUp(granted=second, reason=reason, time=time),),
        earlier=(Edition(table_name=schema.name, opened=time, granted=first, spent=first),),
        head="b" * 64,
    )


def _entry(query: Query, noisy: tuple[tuple[int, ...], ...] | None, schema: Schema, *, request_id: str) -> Entry:
    planned = asking(0.1, query)
    return Entry(
        planned_query=planned,
        schema=schema,
        neighbors=Neighbors.ADD_REMOVE,
        charge=Charge(rule="basic", amounts=cost_of(planned, schema, Neighbors.ADD_REMOVE)),
        account="1",
        request_id=request_id,
        time=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        noisy=noisy,
        head=None if noisy is None else "a" * 64,
    )


def taken_for_a_formula(cell: str) -> bool:
    """Whether a spreadsheet may take a cell's text for a formula, seen sign by sign."""
    if cell[:1] in ("\t", "\r") and cell.strip():
        return True
    for sign in cell:
        plain = unicodedata.normalize("NFKC", sign)
        turned = "\ufe00" <= sign <= "\ufe0f" or "\u180b" <= sign <= "\u180f"
        unseen = sign.isspace() or turned or unicodedata.category(sign) in ("Cf", "Cc") or plain in "\"'`“”‘’"
        if not unseen:
            return plain in ("=", "+", "-", "@", "−")
        if sign == "'":
            return False
    return False
