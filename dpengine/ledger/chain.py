"""One chain of hashes through all accounts, top-ups, charges and answers, in the order in which they were written.

A link covers every column of its row, so whatever is altered, put in, or taken out from between shows. Rows taken off
the end, each with its link, show only in the newest hash, which reports print.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Table, func, insert, select

from dpengine.ledger.tables import accounts, answers, charges, links, meta, topups

_PORTION = 500
_NEWEST = select(links.c.head).order_by(links.c.position.desc()).limit(1)
_LINK = insert(links)
_LINKED: Mapping[str, Table] = {table.name: table for table in (accounts, topups, charges, answers)}


def head(connection: Connection) -> str:
    """The hash of the newest link, or of the ledger's own identity where there is none."""
    return connection.scalar(_NEWEST) or _first_head(connection)


def extend(connection: Connection, table: Table, key: int, row: Row[Any]) -> None:
    """Link a row that was just written, as the database gave it back."""
    following = _next_head(head(connection), table.name, row)
    connection.execute(_LINK, {"entity": table.name, "key": key, "head": following})


def is_whole(connection: Connection) -> bool:
    """Whether each link follows from its row and the link before it, and no row stands outside the chain."""
    expected = _first_head(connection)
    for portion in connection.execute(select(links).order_by(links.c.position)).partitions(_PORTION):
        rows = _rows(connection, portion)
        for link in portion:
            expected = _next_head(expected, link.entity, rows.get((link.entity, link.key)))
            if link.head != expected:
                return False
    return _number_of(connection, links) == sum(_number_of(connection, table) for table in _LINKED.values())


def _first_head(connection: Connection) -> str:
    return _next_head("", meta.name, connection.execute(select(meta)).first())


def _next_head(previous: str, entity: str, row: Row[Any] | None) -> str:
    """A row that is not there has no columns, and so another hash than the one it was linked with."""
    columns = [value.hex() if isinstance(value, bytes) else value for value in row or ()]
    return hashlib.sha256(json.dumps([previous, entity, *columns]).encode()).hexdigest()


def _rows(connection: Connection, portion: Sequence[Row[Any]]) -> dict[tuple[str, int], Row[Any]]:
    """The rows that some links stand for, each by its table and its number."""
    found = {}
    for name, table in _LINKED.items():
        (primary,) = table.primary_key.columns
        keys = [link.key for link in portion if link.entity == name]
        for row in connection.execute(select(table).where(primary.in_(keys))) if keys else ():
            found[name, row._mapping[primary]] = row  # noqa: SLF001  SQLAlchemy's public name
    return found


def _number_of(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0
