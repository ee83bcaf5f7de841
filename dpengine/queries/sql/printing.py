"""A question, written as the SQL that asks it."""

from __future__ import annotations

from dataclasses import dataclass

from dpengine.data import Condition, Schema
from dpengine.data.declared.conditions import Value
from dpengine.errors import RefusedQueryError, require_kind
from dpengine.queries.protocol import Query
from dpengine.queries.sql.literals import written
from dpengine.queries.sql.names import quoted
from dpengine.queries.sql.printed_conditions import printed
from dpengine.queries.sql.questions import parse_sql


def to_sql(query: Query, schema: Schema) -> str:
    """The SELECT that parse_sql reads back as an equal question.

    Raises RefusedQueryError where a question has no form in SQL here, or none for this schema.

    >>> from dpengine.data import Comparison, sample_schema
    >>> from dpengine.queries import MeanQuery
    >>> to_sql(MeanQuery("age", Comparison("sex", "=", "female")), sample_schema("patients"))
    "SELECT avg(age) FROM patients WHERE sex = 'female'"
    """
    require_kind("query", query, Query)
    require_kind("schema", schema, Schema)
    asked = query.sql(schema, _Spelled(schema=schema))
    text = f"SELECT {', '.join([*asked.keys, asked.figure])} FROM {quoted(schema.name)}"
    if query.where is not None:
        text += f" WHERE {printed(query.where, schema)}"
    if asked.keys:
        text += f" GROUP BY {', '.join(asked.keys)}"
    if parse_sql(text, schema) != query:
        raise RefusedQueryError("A value in this question cannot be written as SQL, so it has no form in SQL here.")
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spelled:
    """Names, conditions and values as SQL has them."""

    schema: Schema

    def name(self, column: str) -> str:
        """Quoted where it has to be."""
        return quoted(column)

    def condition(self, condition: Condition) -> str:
        """As it stands after WHERE."""
        return printed(condition, self.schema)

    def value(self, value: Value) -> str:
        """As a literal."""
        return written(value)
