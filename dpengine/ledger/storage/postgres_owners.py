"""Whose a ledger in PostgreSQL is: whoever owns its schema, tables or functions can take charges away and run code."""

from __future__ import annotations

from sqlalchemy import Connection, text

from dpengine.errors import LedgerError
from dpengine.ledger.storage.postgres_triggers import NAMESPACE

_OTHERS = text("""
    SELECT string_agg(rolname, ', ' ORDER BY rolname) FROM pg_roles
    WHERE NOT rolsuper AND rolname <> current_user AND oid IN (
        SELECT nspowner FROM pg_namespace WHERE nspname = :name
        UNION SELECT relowner FROM pg_class WHERE relnamespace = to_regnamespace(:name)
        UNION SELECT proowner FROM pg_proc WHERE pronamespace = to_regnamespace(:name)
    )
""")


def require_own(connection: Connection, place: str) -> None:
    """Before anything of it is read: one that somebody else made first would have their secret and their budgets."""
    others = connection.scalar(_OTHERS, {"name": NAMESPACE})
    if others is not None:
        raise LedgerError(
            f"The schema {NAMESPACE} in the {place}, or something in it, belongs to {others}. A ledger belongs to its "
            "own user, or else to a superuser. Nothing was read or changed."
        )
