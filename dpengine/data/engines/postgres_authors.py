"""Whose table of PostgreSQL is read: whoever owns it, or what it uses, can have code run with the rights of its reader.

Not only functions of a view or a policy: those of an index, a partition's key, statistics, checks, types and casts run
while a statement is planned, and an owner adds them at any moment. So it is asked who owns all that, not what stands
in it. Nothing that such code is shown may be news to them. Source: PostgreSQL 17, 41.5 Rules and Privileges, 5.9 Row
Security, 51.18 pg_depend.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpengine.errors import IntakeError

_REACHED = """
    WITH RECURSIVE reached AS (
        SELECT 'pg_class'::regclass::oid AS kind, c.oid AS id
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = %(schema)s AND c.relname = %(table)s
        UNION
        SELECT used.kind, used.id FROM reached CROSS JOIN LATERAL (
            SELECT d.refclassid AS kind, d.refobjid AS id FROM pg_depend d
            WHERE d.classid = reached.kind AND d.objid = reached.id AND d.deptype IN ('n', 'a', 'i')
                AND d.refclassid IN ('pg_class'::regclass, 'pg_type'::regclass, 'pg_proc'::regclass,
                    'pg_operator'::regclass)
            UNION ALL
            SELECT 'pg_rewrite'::regclass, r.oid FROM pg_rewrite r JOIN pg_class v ON v.oid = r.ev_class
            WHERE reached.kind = 'pg_class'::regclass AND v.oid = reached.id AND v.relkind = 'v'
            UNION ALL
            SELECT 'pg_policy'::regclass, p.oid FROM pg_policy p JOIN pg_class t ON t.oid = p.polrelid
            WHERE reached.kind = 'pg_class'::regclass AND t.oid = reached.id AND t.relrowsecurity
            UNION ALL
            SELECT 'pg_class'::regclass, i.indexrelid FROM pg_index i
            WHERE reached.kind = 'pg_class'::regclass AND i.indrelid = reached.id
            UNION ALL
            SELECT 'pg_class'::regclass, h.inhrelid FROM pg_inherits h
            WHERE reached.kind = 'pg_class'::regclass AND h.inhparent = reached.id
            UNION ALL
            SELECT 'pg_statistic_ext'::regclass, s.oid FROM pg_statistic_ext s
            WHERE reached.kind = 'pg_class'::regclass AND s.stxrelid = reached.id
            UNION ALL
            SELECT 'pg_attrdef'::regclass, g.oid FROM pg_attrdef g
            JOIN pg_attribute a ON a.attrelid = g.adrelid AND a.attnum = g.adnum
            WHERE reached.kind = 'pg_class'::regclass AND g.adrelid = reached.id AND a.attgenerated <> ''
            UNION ALL
            SELECT 'pg_constraint'::regclass, k.oid FROM pg_constraint k
            WHERE k.contype = 'c' AND (
                reached.kind = 'pg_class'::regclass AND k.conrelid = reached.id
                OR reached.kind = 'pg_type'::regclass AND k.contypid = reached.id
            )
            UNION ALL
            SELECT 'pg_cast'::regclass, k.oid FROM pg_cast k
            WHERE reached.kind = 'pg_type'::regclass AND k.castsource = reached.id
        ) used
    ),
"""
_OWNERS = """
    owners AS (
        SELECT relowner AS owner FROM reached JOIN pg_class o ON o.oid = id AND kind = 'pg_class'::regclass
        UNION
        SELECT typowner FROM reached JOIN pg_type o ON o.oid = id AND kind = 'pg_type'::regclass
        UNION
        SELECT proowner FROM reached JOIN pg_proc o ON o.oid = id AND kind = 'pg_proc'::regclass
        UNION
        SELECT oprowner FROM reached JOIN pg_operator o ON o.oid = id AND kind = 'pg_operator'::regclass
        UNION
        SELECT CASE n.nspowner WHEN 'pg_database_owner'::regrole THEN d.datdba ELSE n.nspowner END
        FROM pg_namespace n JOIN pg_database d ON d.datname = current_database() WHERE n.nspname = %(schema)s
    ), shipped AS (
        SELECT objid AS id FROM pg_depend WHERE classid = 'pg_class'::regclass AND deptype = 'e'
    )
"""
_STRANGERS = """
    SELECT r.rolname FROM owners JOIN pg_roles r ON r.oid = owner
    JOIN pg_roles me ON me.rolname = current_user
    WHERE NOT r.rolsuper AND NOT pg_has_role(r.oid, me.oid, 'MEMBER') AND (
        me.rolsuper OR me.rolbypassrls
        OR EXISTS (
            SELECT FROM pg_roles other WHERE other.oid <> me.oid
                AND pg_has_role(me.oid, other.oid, 'MEMBER') AND NOT pg_has_role(r.oid, other.oid, 'MEMBER')
        )
        OR EXISTS (
            SELECT FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND has_any_column_privilege(c.oid, 'SELECT')
                AND has_column_privilege(c.oid, a.attnum, 'SELECT') AND NOT (
                    has_schema_privilege(r.oid, c.relnamespace, 'USAGE') AND (
                        pg_has_role(r.oid, c.relowner, 'MEMBER') AND NOT c.relforcerowsecurity
                        OR has_column_privilege(r.oid, c.oid, a.attnum, 'SELECT') AND NOT c.relrowsecurity
                            AND (c.relkind NOT IN ('v', 'f') OR c.oid < 16384 OR c.oid IN (SELECT id FROM shipped))
                    )
                )
        )
        OR EXISTS (
            SELECT FROM pg_proc f WHERE f.proacl IS NOT NULL AND has_function_privilege(f.oid, 'EXECUTE') AND NOT (
                has_schema_privilege(r.oid, f.pronamespace, 'USAGE') AND has_function_privilege(r.oid, f.oid, 'EXECUTE')
            )
        )
        OR EXISTS (SELECT FROM pg_user_mappings m WHERE m.umuser = me.oid)
        OR EXISTS (
            SELECT FROM pg_largeobject_metadata l
            WHERE l.lomowner = me.oid OR EXISTS (SELECT FROM aclexplode(l.lomacl) given WHERE given.grantee = me.oid)
        )
    )
    ORDER BY 1 LIMIT 1
"""
"""Who may neither become our user nor read all that it may: roles, columns, functions, servers and large objects.

What others see of a view or a foreign table may depend on who asks, unless it came with the database or an extension.
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
    who owns it or what it uses, and who may not read all that our user may.
    """

    schema: str
    table: str
    lock: str = _LOCKED
    strangers: str = _REACHED + _OWNERS + _STRANGERS

    @property
    def values(self) -> dict[str, str]:
        """What both statements are about."""
        return {"schema": self.schema, "table": self.table}

    def refused(self, owner: str) -> IntakeError:
        """Why such a table is not read."""
        return IntakeError(
            f"{self.table!r}, its schema, or a type or function in it belongs to {owner!r}. They could have code run "
            "with the rights of the address's user, who may read more than they may. Read the table as a user who may "
            "read nothing else, or have it owned by somebody who may read all that this user may."
        )
