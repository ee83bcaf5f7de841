"""Small real tables, real ledger files and questions, for every test that spends."""

from __future__ import annotations

import multiprocessing
import sqlite3
from pathlib import Path
from typing import Any

from dpengine.data import BooleanColumn, NumberColumn, Schema, Table
from dpengine.errors import BudgetExceededError, LedgerError
from dpengine.ledger import Account, Ledger
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, Query
from tests.examples.tables import read_here, shared

SCHEMA = Schema(name="people", columns=(NumberColumn(name="age", lower=0, upper=100), BooleanColumn(name="ill")))
ROWS = ((20, "yes"), (30, "no"), (40, "no"), (50, "yes"), (60, "no"))
APART = multiprocessing.get_context("forkserver")
"""Processes that begin from one that has imported all that they need, which takes seconds, and has opened nothing."""
APART.set_forkserver_preload(
    ["tests.contracts.ledger.crashing", "tests.contracts.ledger.hammering", "tests.contracts.ledger.stranger"]
)


class Crash(BaseException):
    """What a stopped server or a Streamlit rerun looks like from inside."""


@shared
def people(rows: tuple[tuple[object, str], ...] = ROWS, schema: Schema = SCHEMA, *, header: str = "age,ill") -> Table:
    """A table that is not built in; nothing changes a table, so the same rows are read once."""
    lines = (header, *(f"{age},{ill}" for age, ill in rows))
    return read_here("\n".join(lines).encode(), schema=schema)


def ledger_at(path: Path, **options: Any) -> Ledger:
    """The ledger in this file, opened anew, as another process would."""
    return Ledger.open(f"sqlite:///{path}", **options)


def opened(
    ledger: Ledger, table: Table, *, epsilon: float = 1.0, delta: float = 0.0, rule: str = "basic", **terms: Any
) -> Account:
    """An account under add/remove unless told otherwise."""
    given: dict[str, Any] = {"neighbors": Neighbors.ADD_REMOVE, "budget": Guarantee(epsilon=epsilon, delta=delta)}
    return ledger.open_account(table, table.schema, rule=rule, **(given | terms))


def asking(epsilon: float, query: Query | None = None) -> PlannedQuery:
    """How many people there are, unless told otherwise."""
    return PlannedQuery(query=query or CountQuery(), guarantee=Guarantee(epsilon=epsilon))


def stored(path: Path, statement: str) -> list[tuple[Any, ...]]:
    """What stands in the file, read past the ledger."""
    connection = sqlite3.connect(path)
    try:
        return connection.execute(statement).fetchall()
    finally:
        connection.close()


def tampered(path: Path, statement: str, *values: Any) -> str:
    """What SQLite itself says to a change made past the ledger; empty where it went through."""
    connection = sqlite3.connect(path)
    try:
        with connection:
            connection.execute(statement, values)
    except (sqlite3.Error, OverflowError) as error:
        return str(error) or type(error).__name__
    finally:
        connection.close()
    return ""


def spend_until_refused(path: str, name: str, epsilon: float, most: int) -> int:
    """How many charges one process got through before the first refusal; a function that other processes can find."""
    account = found(Path(path), people())
    for number in range(most):
        try:
            account.charge(f"{name}-{number}", asking(epsilon))
        except BudgetExceededError:
            return number
    return most


def ledger_id_of(path: str) -> str:
    """Open a ledger that may not exist yet, from another process."""
    ledger_at(Path(path))
    return str(stored(Path(path), "SELECT ledger_id FROM meta")[0][0])


def found(path: Path, table: Table) -> Account:
    """A table's account as another process finds it."""
    account = ledger_at(path).account_of(table)
    if account is None:
        raise LedgerError("The account was not found.")
    return account
