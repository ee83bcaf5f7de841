"""Whose code runs where a table of PostgreSQL is read: that of views and row security has the rights of who reads.

A view's functions, and what a policy of row security asks, run with the rights of our user. Nothing that they are
shown may be news to whoever can write them. Source: PostgreSQL 17, 41.5 Rules and Privileges, 5.9 Row Security.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpengine.errors import IntakeError

_AUTHORS = """
    WITH RECURSIVE code AS (
        SELECT ev_class AS holder, 'pg_rewrite'::regclass AS kind, r.oid AS id
        FROM pg_rewrite r JOIN pg_class c ON c.oid = ev_class WHERE c.relkind = 'v'
        UNION ALL
        SELECT polrelid, 'pg_policy'::regclass, p.oid
        FROM pg_policy p JOIN pg_class c ON c.oid = polrelid WHERE c.relrowsecurity
    ), used AS (
        SELECT code.holder, d.refclassid AS kind, d.refobjid AS id
        FROM code JOIN pg_depend d ON d.classid = code.kind AND d.objid = code.id
    ), reached AS (
        SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = %(schema)s AND c.relname = %(table)s
        UNION
        SELECT used.id FROM reached JOIN used ON used.holder = reached.oid AND used.kind = 'pg_class'::regclass
    ), authors AS (
        SELECT c.relowner AS author FROM reached JOIN pg_class c ON c.oid = reached.oid
        WHERE EXISTS (SELECT FROM code WHERE code.holder = c.oid)
        UNION
        SELECT f.proowner FROM reached JOIN used ON used.holder = reached.oid AND used.kind = 'pg_proc'::regclass
        JOIN pg_proc f ON f.oid = used.id
    )
    SELECT r.rolname FROM authors JOIN pg_roles r ON r.oid = author
    WHERE NOT r.rolsuper AND (
        (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
        OR EXISTS (
            SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
                AND has_any_column_privilege(c.oid, 'SELECT') AND NOT has_table_privilege(r.oid, c.oid, 'SELECT')
        )
    )
    ORDER BY 1 LIMIT 1
"""
_LOCKED = """
    SELECT format('PREPARE epsilon_explorer_watches AS SELECT FROM %%I.%%I', n.nspname, c.relname)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = %(schema)s AND c.relname = %(table)s
"""
"""A statement that is never executed: to take it apart locks all that it reads, and runs none of its code."""


@dataclass(frozen=True, slots=True)
class StrangersWatch:
    """What is asked of a table of this name before each of its questions, in the same transaction.

    `lock` asks for the statement that keeps its views and policies as they are until the end; `strangers` for somebody
    whose code it would run, and who may not read all that our user may.
    """

    schema: str
    table: str
    lock: str = _LOCKED
    strangers: str = _AUTHORS

    @property
    def values(self) -> dict[str, str]:
        """What both statements are about."""
        return {"schema": self.schema, "table": self.table}

    def refused(self, author: str) -> IntakeError:
        """Why such a table is not read."""
        return IntakeError(
            f"{self.table!r} is a view or has row security that would run code of {author!r} with the rights of the "
            "address's user, who may read more than that. Read it as a user who may read nothing else, or have "
            "it owned by somebody who may read all that this user may."
        )
