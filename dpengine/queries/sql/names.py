"""Names in SQL: of the one table and its columns, matched without regard to case and quoted where they need it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlglot import TokenType, exp
from sqlglot.dialects.duckdb import DuckDB

from dpengine.data import Column, Schema
from dpengine.errors import RefusedQueryError
from dpengine.queries.sql.tree import named, refusal_of, require_only, shown

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
_RESERVED = frozenset(
    {
        *("analyse", "asymmetric", "at", "both", "by", "cast", "check", "columns", "deferrable", "do", "foreign"),
        *("generated", "group", "initially", "lambda", "leading", "order", "pivot_longer", "placing", "primary"),
        *("symmetric", "to", "trailing", "try_cast", "variadic", "within", "authorization", "collation"),
        *("concurrently", "freeze", "if", "similar", "unpack", "verbose"),
    }
)


@dataclass(frozen=True, slots=True)
class Names:
    """The names that a statement may use: the columns of one table, which it may call by an alias."""

    schema: Schema
    table: str

    def column(self, node: exp.Expr | None) -> Column:
        """The declared column that a piece of a statement names; raises RefusedQueryError if it is anything else."""
        if type(node) is not exp.Column or type(node.this) is not exp.Identifier:
            raise refusal_of(node)
        require_only(node, "this", "table")
        qualifier = node.args.get("table")
        if qualifier is not None and named(qualifier).casefold() != self.table.casefold():
            if named(qualifier).casefold() == self.schema.name.casefold():
                raise RefusedQueryError(f"The table is called {shown(self.table)} in this question; use that name.")
            raise _other_table(named(qualifier), self.schema)
        return declared(self.schema, named(node))


def declared(schema: Schema, name: str) -> Column:
    """The column of this name, exactly or without regard to case, which a schema keeps unambiguous."""
    for column in schema.columns:
        if column.name.casefold() == name.casefold():
            return column
    return schema.column(name if len(name) <= 60 else name[:60] + "…")


def named_table(source: exp.Expr | None, schema: Schema) -> Names:
    """The names under FROM: the table of the schema, perhaps with an alias."""
    if source is None:
        raise RefusedQueryError(f"Say which table is meant: ... FROM {quoted(schema.name)}.")
    require_only(source, "this")
    table = source.this
    if type(table) is not exp.Table or type(table.this) is not exp.Identifier:
        raise RefusedQueryError(
            f"FROM must name the table {shown(schema.name)} itself. Files, functions and queries in its place would be "
            "read without a budget that protects their people."
        )
    if table.args.get("db") or named(table).casefold() != schema.name.casefold():
        raise _other_table(".".join(map(named, table.parts)), schema)
    require_only(table, "this", "alias")
    alias = table.args.get("alias")
    if alias is None:
        return Names(schema, schema.name)
    require_only(alias, "this")
    return Names(schema, alias_of(alias.this))


def alias_of(node: exp.Expr) -> str:
    """The name that AS gives; sqlglot would take signs and words of SQL for one too."""
    if type(node) is not exp.Identifier:
        raise refusal_of(node)
    name = named(node)
    if not node.args.get("quoted") and quoted(name.lower()) != name.lower():
        raise RefusedQueryError(f"{shown(name)} is no plain name; put it in double quotes, or leave it out.")
    return name


def quoted(name: str) -> str:
    """A name as SQL reads it back: as it is where that is harmless, in double quotes otherwise.

    >>> quoted("age"), quoted("select"), quoted("no spaces")
    ('age', '"select"', '"no spaces"')
    """
    if _PLAIN.fullmatch(name) and name not in _RESERVED:
        tokens = DuckDB().tokenize(name)
        if [token.token_type for token in tokens] == [TokenType.VAR]:
            return name
    return '"' + name.replace('"', '""') + '"'


def _other_table(name: str, schema: Schema) -> RefusedQueryError:
    return RefusedQueryError(
        f"Only the table {shown(schema.name)} can be asked, not {shown(name)}: its people alone are protected by this "
        "budget."
    )
