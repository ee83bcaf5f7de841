"""The same rows in another form have another fingerprint: the ledger names the account that they probably have."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from dpengine.data import NumberColumn, Schema, Table, load_sample
from dpengine.ledger.editions import resembles
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


def declared(name: str, *columns: str) -> Schema:
    return Schema(name=name, columns=tuple(NumberColumn(name=column, lower=0, upper=9) for column in columns))


@each(
    ("other", "alike"),
    [
        (declared("2024", "Age", "Income"), True),
        (declared("2024", "age", "income", "town", "rent"), True),
        (declared("2024", "age", "rent", "town"), False),
        (declared("2024", "age"), False),
        (declared("STAFF", "rent"), True),
    ],
)
def test_most_columns_or_the_name_make_a_table_look_like_another(other: Schema, alike: bool) -> None:
    assert resembles(declared("staff", "age", "income", "sex"), other) is alike
    assert resembles(other, declared("staff", "age", "income", "sex")) is alike


@pytest.mark.parametrize("same", [in_parquet, lambda: people(ROWS[::-1], replace(SCHEMA, name="people (2)"))])
def test_what_is_found_by_its_content_looks_like_nobody_elses(tmp_path: Path, same: Callable[[], Table]) -> None:
    ledger, table = ledger_at(tmp_path / "budget.db"), same()
    account, found = opened(ledger, people()), ledger.account_of(table)
    assert found is not None
    assert (found.id, ledger.lookalikes(table)) == (account.id, ())


def test_other_peoples_tables_look_like_nobodys(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path / "budget.db")
    opened(ledger, people())
    columns = (NumberColumn(name="age", lower=0, upper=100), NumberColumn(name="income", lower=0, upper=9))
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
