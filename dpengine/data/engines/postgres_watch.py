"""A table of PostgreSQL as it was when it was opened: its owners, and the columns and types for which it is asked.

Whoever owns it, or what it uses, can have code run with the rights of its reader: not only functions of a view or a
policy, but also those of an index, a partition's key, statistics, checks, types and casts run while a statement is
planned, and an owner adds them at any moment. So it is asked who owns all that, not what stands in it; and whom the
server's administrator trusts with all that this user may read, not what each owner may read: what a role of PostgreSQL
can come by has no end. Source: PostgreSQL 17, 41.5 Rules and Privileges, 5.9 Row Security, 51.18 pg_depend.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpengine.errors import IntakeError

_OWNED = {
    "pg_class": "relowner",
    "pg_type": "typowner",
    "pg_proc": "proowner",
    "pg_namespace": "nspowner",
    "pg_operator": "oprowner",
    "pg_opclass": "opcowner",
    "pg_opfamily": "opfowner",
    "pg_collation": "collowner",
    "pg_conversion": "conowner",
    "pg_language": "lanowner",
    "pg_extension": "extowner",
    "pg_statistic_ext": "stxowner",
    "pg_foreign_server": "srvowner",
    "pg_foreign_data_wrapper": "fdwowner",
}
_REACHED = """
    WITH RECURSIVE reached AS (
        SELECT 'pg_class'::regclass::oid AS kind, c.oid AS id
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = %(schema)s AND c.relname = %(table)s
        UNION
        SELECT used.kind, used.id FROM reached CROSS JOIN LATERAL (
            SELECT d.refclassid AS kind, d.refobjid AS id FROM pg_depend d
            WHERE d.classid = reached.kind AND d.objid = reached.id
            UNION ALL
            SELECT d.classid, d.objid FROM pg_depend d
            WHERE d.refclassid = reached.kind AND d.refobjid = reached.id AND d.deptype <> 'n'
                AND d.refclassid IN ('pg_class'::regclass, 'pg_type'::regclass, 'pg_opclass'::regclass,
                    'pg_opfamily'::regclass, 'pg_constraint'::regclass)
                AND d.classid IN ('pg_class'::regclass, 'pg_rewrite'::regclass, 'pg_policy'::regclass,
                    'pg_statistic_ext'::regclass, 'pg_attrdef'::regclass, 'pg_constraint'::regclass,
                    'pg_amop'::regclass, 'pg_amproc'::regclass)
                AND NOT EXISTS (
                    SELECT FROM pg_constraint k
                    WHERE d.classid = 'pg_constraint'::regclass AND k.oid = d.objid AND k.contype = 'f'
                )
            UNION ALL
            SELECT 'pg_class'::regclass, h.inhrelid FROM pg_inherits h
            WHERE reached.kind = 'pg_class'::regclass AND h.inhparent = reached.id
            UNION ALL
            SELECT 'pg_operator'::regclass, unnest(ARRAY[o.oprcom, o.oprnegate]) FROM pg_operator o
            WHERE reached.kind = 'pg_operator'::regclass AND o.oid = reached.id
            UNION ALL
            SELECT 'pg_opclass'::regclass, c.oid FROM pg_opclass c
            WHERE reached.kind = 'pg_type'::regclass AND c.opcintype = reached.id AND c.opcdefault
            UNION ALL
            SELECT 'pg_opclass'::regclass, c.oid FROM pg_amop a JOIN pg_opclass c ON c.opcfamily = a.amopfamily
            WHERE reached.kind = 'pg_operator'::regclass AND a.amopopr = reached.id
            UNION ALL
            SELECT 'pg_cast'::regclass, k.oid FROM pg_cast k
            WHERE reached.kind = 'pg_type'::regclass AND k.castsource = reached.id AND k.casttarget < 16384
        ) used
    ),
"""
_OWNERS = " UNION ".join(
    f"SELECT {owner} AS owner FROM reached JOIN {kind} o ON o.oid = id AND kind = '{kind}'::regclass"  # noqa: S608  # of ours
    for kind, owner in _OWNED.items()
)
_STRANGERS = f"""{_REACHED}
    owners AS ({_OWNERS} UNION SELECT datdba FROM pg_database WHERE datname = current_database()
        UNION SELECT oid FROM pg_roles WHERE has_database_privilege(oid, current_database(), 'CREATE'))
    SELECT (
        SELECT string_agg(r.rolname, ', ' ORDER BY r.rolname) FROM owners JOIN pg_roles r ON r.oid = owner
        WHERE NOT r.rolsuper AND r.rolname NOT IN (session_user, 'pg_database_owner') AND r.rolname <> ALL (%(trusted)s)
    ), (
        SELECT c.relname FROM reached JOIN pg_class c ON c.oid = id AND kind = 'pg_class'::regclass
        WHERE c.relkind = 'f' ORDER BY 1 LIMIT 1
    )
"""  # noqa: S608  # of ours
"""Who else owns the table, the database, something the table uses (a schema, type, function, server), or something that
runs when it is read: an index, policy or child, an operator's opposite and family, what a type is compared by, or a
cast to a type of the database's own, since those to others are anybody's to make. Or may make schemas: no lock keeps a
schema's name, and one of another's may stand there when the statement is read. What `pg_database_owner` owns is the
owner's of the database. And a foreign table that is read."""
_COLUMNS = """
    WITH RECURSIVE bases AS (
        SELECT oid AS named, oid, typtype, typbasetype, typtypmod, '' AS written FROM pg_type
        UNION ALL
        SELECT d.named, t.oid, t.typtype, t.typbasetype, t.typtypmod,
            d.written || format_type(d.typbasetype, d.typtypmod)
        FROM bases d JOIN pg_type t ON t.oid = d.typbasetype
        WHERE d.typtype = 'd'
    )
    SELECT a.attname, b.typname, b.typcategory = 'S' OR b.typtype = 'e',
        b.typname = 'citext' OR NOT coalesce(k.collisdeterministic, true),
        format_type(a.atttypid, a.atttypmod) || d.written, c.oid::bigint
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
    JOIN bases d ON d.named = a.atttypid AND d.typtype <> 'd' JOIN pg_type b ON b.oid = d.oid
    LEFT JOIN pg_collation k ON k.oid = a.attcollation
    WHERE n.nspname = %(schema)s AND c.relname = %(table)s AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY a.attnum
"""
"""Each column with its type, whether that is text, whether it takes differently written texts for one, and the type
as written: other decimal places write every number in another way, and so put everybody's rows in another order. And
which table it is just now: its schema may be renamed while it is looked at."""
_LOCKED = """
    SELECT format('PREPARE epsilon_explorer_watches AS SELECT FROM %%I.%%I', n.nspname, c.relname)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = %(schema)s AND c.relname = %(table)s
"""
"""A statement that is never executed: to take it apart locks all that it reads, and runs none of its code."""


Column = tuple[str, str, bool, bool, str, int]


@dataclass(frozen=True, slots=True)
class TableWatch:
    """What is asked of a table of this name before each of its questions, in the same transaction.

    `lock` asks for the statement that keeps its name, views and policies as they are until the end; `strangers` for
    somebody who owns it or what it uses and is neither a superuser, nor our own user, nor `trusted` by name, and for a
    foreign table in it; `columns` for what it is made of.
    """

    schema: str
    table: str
    trusted: Sequence[str] = ()
    lock: str = _LOCKED
    strangers: str = _STRANGERS
    columns: str = _COLUMNS

    @property
    def values(self) -> Mapping[str, object]:
        """What the statements are about."""
        return {"schema": self.schema, "table": self.table, "trusted": list(self.trusted)}

    def missing(self) -> IntakeError:
        """That there is no such table."""
        return IntakeError(
            f"The database has no table or view {self.table!r} in its schema {self.schema!r}, or does not show it to "
            "this user."
        )

    def foreign(self, name: str) -> IntakeError:
        """Why rows of elsewhere are not read."""
        return IntakeError(
            f"{self.table!r} is or reads the foreign table {name!r}. Nobody promises here what its wrapper makes of "
            "rows elsewhere: in lines of text one person's quotation mark may take in everybody after it. Have the "
            "rows written to a table of this database."
        )

    def refused(self, owner: str) -> IntakeError:
        """Why such a table is not read."""
        return IntakeError(
            f"{self.table!r} is not read: {owner!r} owns it, or something that it is read through (its database, "
            "schema, a type or a function), or may make schemas in its database, and could have code run with the "
            f"rights of the address's user. Where {owner!r} may "
            "see all that this user may, say so in the address: &trusted=name, with commas between several."
        )
