"""One chain of hashes through all accounts, top-ups, charges and answers, in the order in which they were written.

A row's number is its place in that order, across all tables, and its head covers every other column of it and the head
before it. So whatever is altered, put in, or taken out from between shows. Rows taken off the end show only in the
newest head, which reports print.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, Select, Table, bindparam, func, select, union_all

from dpengine.errors import LedgerError
from dpengine.ledger.storage.amounts import Amounts
from dpengine.ledger.storage.prepared import Columns, Prepared
from dpengine.ledger.storage.tables import CHAINED, Whole, charges, meta

_PORTION = 500
WRITTEN = "newest entry"
"""Under this name a transaction's connection keeps the link that it wrote last."""


@dataclass(frozen=True, slots=True)
class Link:
    """A row's place in the chain, from 1, and the hash of everything up to it."""

    id: int
    head: str


def last_links() -> Select[tuple[int, str]]:
    """The newest row of all tables, found without reading more than one row of each."""
    newest = (select(table.c.id, table.c.head).order_by(table.c.id.desc()).limit(1).subquery() for table in CHAINED)
    each = union_all(*(select(one) for one in newest)).subquery()
    return select(each.c.id, each.c.head).order_by(each.c.id.desc()).limit(1)


_NEWEST = last_links()
_IN_PLACE = Prepared(
    union_all(*(select(table.c.head).where(table.c.id == bindparam("place", type_=Whole)) for table in CHAINED))
    .subquery()
    .select()
)


def newest(connection: Connection) -> Link:
    """The newest link; where there is none, number 0 with the hash of the ledger's own identity."""
    found = connection.execute(_NEWEST).first()
    return Link(0, _first_head(connection)) if found is None else Link(found.id, found.head)


def head(connection: Connection) -> str:
    """The hash of everything written so far."""
    return newest(connection).head


def head_at(connection: Connection, place: int) -> str | None:
    """The hash of everything up to this place; None where nothing is written there."""
    found = _IN_PLACE.first(connection, {"place": place})
    return None if found is None else str(found["head"])


def linked(table: Table, columns: Columns, after: Link) -> Columns:
    """A row to be written right after another one, with its place and its head."""
    placed = {"id": after.id + 1, **columns}
    return {**placed, "head": _head(after.head, table, placed)}


def require_whole(connection: Connection) -> None:
    """Raise LedgerError where the ledger is not whole; whatever damaged it, a budget could have grown by it."""
    if not is_whole(connection):
        raise LedgerError(
            "The ledger was altered or damaged: its entries do not follow from one another. Restore it from a backup."
        )


def is_whole(connection: Connection) -> bool:
    """Whether every row has the next place and the head that follows, and every running total is the sum so far."""
    last, link = newest(connection), Link(0, _first_head(connection))
    totals: dict[int, Amounts] = {}
    if sum(_number_of(connection, table) for table in CHAINED) != last.id:
        return False
    for table, row in _all_rows(connection, last.id):
        link = Link(link.id + 1, _head(link.head, table, row))
        if (row["id"], row["head"]) != (link.id, link.head) or not _adds_up(table, row, totals):
            return False
    return link == last


def _adds_up(table: Table, row: Columns, totals: dict[int, Amounts]) -> bool:
    if table is not charges:
        return True
    cost = Amounts(epsilon=row["epsilon"], delta=row["delta"], rho=row["rho"])
    total = totals[row["account"]] = totals.get(row["account"], Amounts()) + cost
    return total == Amounts(epsilon=row["total_epsilon"], delta=row["total_delta"], rho=row["total_rho"])


def _first_head(connection: Connection) -> str:
    who = connection.execute(select(meta)).first()
    return _head("", meta, who._asdict() if who else {})


def _head(previous: str, table: Table, row: Columns) -> str:
    """In the order of the table's columns."""
    columns = [row.get(column.name) for column in table.columns if column.name != "head"]
    plain = [value.hex() if isinstance(value, bytes) else value for value in columns]
    return hashlib.sha256(json.dumps([previous, table.name, *plain]).encode()).hexdigest()


def _all_rows(connection: Connection, last: int) -> Iterator[tuple[Table, Columns]]:
    """Every row in the order of writing, a portion at a time."""
    for first in range(1, last + 1, _PORTION):
        found = [
            (table, row._asdict())
            for table in CHAINED
            for row in connection.execute(select(table).where(table.c.id.between(first, first + _PORTION - 1)))
        ]
        yield from sorted(found, key=lambda one: one[1]["id"])


def _number_of(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0
