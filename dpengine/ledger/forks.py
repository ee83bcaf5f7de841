"""A process that was copied from another one opens connections of its own: two on one would mix their words."""

from __future__ import annotations

import os
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError


def leave_behind_in_children(engine: Engine) -> None:
    """Have a copied process forget, unclosed, the connections that belong to the one that it was copied from."""
    event.listen(engine, "connect", _belongs_here)
    event.listen(engine, "checkout", _require_own)


def _belongs_here(_connection: object, record: Any) -> None:
    record.info["process"] = os.getpid()


def _require_own(_connection: object, record: Any, proxy: Any) -> None:
    if record.info["process"] != os.getpid():
        record.dbapi_connection = proxy.dbapi_connection = None
        raise DisconnectionError("The connection belongs to another process.")
