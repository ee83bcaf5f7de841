"""One chain of hashes through all accounts, charges and answers, in the order in which they were written.

A link covers every column of its row, so whatever is altered, put in, or taken out from between shows. Rows taken off
the end, each with its link, show only in the newest hash, which reports print.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, Table, func, insert, select

from dpengine.ledger.tables import accounts, answers, charges, links, meta

_LINKED: Mapping[str, Table] = {table.name: table for table in (accounts, charges, answers)}


def head(connection: Connection) -> str:
    """The hash of the newest link, or of the ledger's own identity where there is none."""
    newest = connection.scalar(select(links.c.head).order_by(links.c.position.desc()).limit(1))
    return newest or _first_head(connection)


def extend(connection: Connection, table: Table, key: int) -> None:
    """Link a row that was just written, as it stands in the file."""
    following = _next_head(head(connection), table.name, _row(connection, table.name, key))
    connection.execute(insert(links).values(entity=table.name, key=key, head=following))


def is_whole(connection: Connection) -> bool:
    """Whether each link follows from its row and the link before it, and no row stands outside the chain."""
    expected = _first_head(connection)
    for link in connection.execute(select(links).order_by(links.c.position)):
        expected = _next_head(expected, link.entity, _row(connection, link.entity, link.key))
        if link.head != expected:
            return False
    return _number_of(connection, links) == sum(_number_of(connection, table) for table in _LINKED.values())


def _first_head(connection: Connection) -> str:
    return _next_head("", meta.name, connection.execute(select(meta)).first())


def _next_head(previous: str, entity: str, row: Row[Any] | None) -> str:
    """A row that is not there has no columns, and so another hash than the one it was linked with."""
    columns = [value.hex() if isinstance(value, bytes) else value for value in row or ()]
    return hashlib.sha256(json.dumps([previous, entity, *columns]).encode()).hexdigest()


def _row(connection: Connection, entity: str, key: int) -> Row[Any] | None:
    table = _LINKED.get(entity)
    if table is None:
        return None
    (primary,) = table.primary_key.columns
    return connection.execute(select(table).where(primary == key)).first()


def _number_of(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0
