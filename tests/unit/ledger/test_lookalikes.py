"""The same rows in another form have another fingerprint: the ledger names the account that they probably have."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    PrivacyUnit,
    Schema,
    Table,
    TextColumn,
    load_sample,
)
from dpengine.errors import LedgerError
from dpengine.ledger.accounts.editions import resembles
from tests.examples.ledgers import ROWS, SCHEMA, ledger_at, opened, people
from tests.examples.tables import read_here
from tests.running.cases import each


def in_parquet() -> Table:
    file = io.BytesIO()
    pd.DataFrame({"age": [float(str(age)) for age, _ in ROWS], "ill": [ill for _, ill in ROWS]}).to_parquet(file)
    return read_here(file.getvalue(), schema=SCHEMA)


def without_a_column() -> Table:
    schema = replace(SCHEMA, columns=SCHEMA.columns[:1])
    return read_here("\n".join(["age", *(str(age) for age, _ in ROWS)]).encode(), schema=schema)


@pytest.mark.parametrize(
    "other_form",
    [
        lambda: people(tuple((f"{age}.0", ill) for age, ill in ROWS)),
        lambda: people((*ROWS, ("", ""))),
        without_a_column,
    ],
    ids=["2.0 for 2", "a blank last row", "a column fewer"],
)
def test_rows_in_another_form_lead_to_their_account(tmp_path: Path, other_form: Callable[[], Table]) -> None:
    ledger, table = ledger_at(tmp_path / "budget.db"), other_form()
    account = opened(ledger, people())
    assert ledger.account_of(table) is None, "By their content alone they would have a fresh budget."
    assert [one.id for one in ledger.lookalikes(table)] == [account.id]


def declared(name: str, *columns: str | Column, identifier: str | None = None) -> Schema:
    """A table with these columns; of one that is only named, the bounds are those of no other."""
    found = (
        NumberColumn(name=one, lower=0, upper=sum(map(ord, one.casefold()))) if isinstance(one, str) else one
        for one in columns
    )
    people = (TextColumn(name=identifier),) if identifier else ()
    return Schema(name=name, columns=(*people, *found), unit=PrivacyUnit(identifier=identifier))


STAFF = declared("staff", "age", "income", "sex")
VISITS = declared(
    "visits",
    NumberColumn(name="Birth year", lower=1900, upper=2010),
    CategoryColumn(name="Zip", categories=("8001", "8004")),
    DateColumn(name="Day", earliest=date(2020, 1, 1), latest=date(2024, 12, 31)),
    identifier="Patient ID",
)
EXPORTED = declared(
    "export",
    NumberColumn(name="year_of_birth", lower=1900, upper=2010),
    CategoryColumn(name="plz", categories=("8004", "8001")),
    DateColumn(name="visited", earliest=date(2020, 1, 1), latest=date(2024, 12, 31)),
    identifier="pseudonym",
)


@each(
    ("table", "other", "alike"),
    [
        (STAFF, declared("2024", "Age", "Income"), True),
        (STAFF, declared("2024", "age", "income", "town", "rent"), True),
        (STAFF, declared("2024", "age", "rent", "town"), False),
        (STAFF, declared("2024", "age"), True),
        (STAFF, declared("2024", "rent"), False),
        (STAFF, declared("STAFF", "rent"), True),
        (declared("a", "Birth year", "zip-code"), declared("b", "birth_year", "ZipCode"), True),
        (declared("a", "sex", "bill"), declared("b", "sex_code", "bill_chf"), True),
        (declared("a", "bill", identifier="Patient ID"), declared("b", "bill", identifier="person"), True),
        (declared("a", "bill", identifier="Patient ID"), declared("b", "bill", "person"), False),
        (declared("a", "bill", identifier="Patient ID"), declared("b", "rent", identifier="person"), False),
        (VISITS, EXPORTED, True),
        (VISITS, replace(EXPORTED, columns=EXPORTED.columns[:2]), True),
        (declared("a", "yes", BooleanColumn(name="ill")), declared("b", "no", BooleanColumn(name="in"), "x"), False),
        (declared("a", "!", "?"), declared("b", "!!", "??"), False),
    ],
)
def test_most_columns_or_the_name_make_a_table_look_like_another(table: Schema, other: Schema, alike: bool) -> None:
    assert resembles(table, other) is alike
    assert resembles(other, table) is alike


@pytest.mark.parametrize("same", [in_parquet, lambda: people(ROWS[::-1], replace(SCHEMA, name="people (2)"))])
def test_what_is_found_by_its_content_looks_like_nobody_elses(tmp_path: Path, same: Callable[[], Table]) -> None:
    ledger, table = ledger_at(tmp_path / "budget.db"), same()
    account, found = opened(ledger, people()), ledger.account_of(table)
    assert found is not None
    assert (found.id, ledger.lookalikes(table)) == (account.id, ())


def test_other_peoples_tables_look_like_nobodys(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path / "budget.db")
    opened(ledger, people())
    columns = (NumberColumn(name="age", lower=0, upper=99), NumberColumn(name="income", lower=0, upper=9))
    other = read_here(b"age,income\n30,2\n", schema=Schema(name="staff", columns=columns))
    assert ledger.lookalikes(other) == (), "One shared column says nothing."


def test_practice_accounts_are_left_out_and_the_newest_comes_first(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path / "budget.db")
    first, second = opened(ledger, people(ROWS[:2])), opened(ledger, people(ROWS[:3]))
    practice = opened(ledger, load_sample("patients")[0])
    assert practice.practice
    named = replace(SCHEMA, name=practice.table_name)
    assert ledger.lookalikes(people(ROWS[:1], named)) == (second, first), "Not by its name either."
    assert [one.id for one in ledger.lookalikes(people())] == [second.id, first.id]


def test_what_is_most_alike_is_named_first(tmp_path: Path) -> None:
    """Pages name the first two, and the one that it is may be the oldest."""
    ledger = ledger_at(tmp_path / "budget.db")
    oldest = opened(ledger, people())
    called = [replace(SCHEMA, name=name) for name in ("callers", "letters")]
    others = [opened(ledger, people(ROWS[: 2 + place], schema)) for place, schema in enumerate(called)]
    assert [one.id for one in ledger.lookalikes(people(ROWS[:4]))] == [oldest.id, others[1].id, others[0].id]
    wider = Schema(name="mails", columns=(*SCHEMA.columns, NumberColumn(name="cost", lower=0, upper=9)))
    most = opened(ledger, read_here(b"age,ill,cost\n20,yes,1\n", schema=wider))
    opened(ledger, people(ROWS[:4], replace(SCHEMA, name="notes")))
    again = read_here(b"age,ill,cost\n20.0,yes,1\n30,no,2\n", schema=replace(wider, name="post"))
    assert ledger.lookalikes(again)[0].id == most.id


def test_whoever_opens_an_account_has_said_something_of_every_other_one_of_people(tmp_path: Path) -> None:
    """What was opened a moment before, by somebody else, counts too; who has one already is asked nothing."""
    ledger = ledger_at(tmp_path / "b.db")
    first, second = opened(ledger, people(), beside=()), people(ROWS[:2])
    with pytest.raises(LedgerError, match="Meanwhile another table got an account"):
        opened(ledger, second, beside=())
    assert ledger.account_of(second) is None
    assert opened(ledger, people(), beside=()) == first
    assert opened(ledger, load_sample("patients")[0], beside=()).practice
    assert opened(ledger, second, beside=(first,)).id != first.id
    assert opened(ledger, people(ROWS[:3])).id > first.id, "Who gives no list is not looked after."
