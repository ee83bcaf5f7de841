"""A question, written as the SQL that asks it."""

from __future__ import annotations

from functools import singledispatch

from dpengine.data import Schema
from dpengine.errors import RefusedQueryError, require_kind
from dpengine.queries.count import CountPeopleQuery, CountQuery
from dpengine.queries.grouped import GroupedCountQuery, GroupedMeanQuery, GroupedSumQuery
from dpengine.queries.histogram import HistogramQuery
from dpengine.queries.mode import ModeQuery
from dpengine.queries.proportion import ProportionQuery
from dpengine.queries.protocol import Query
from dpengine.queries.quantile import QuantileQuery
from dpengine.queries.several import StatisticalQueries
from dpengine.queries.sql.literals import written
from dpengine.queries.sql.names import quoted
from dpengine.queries.sql.printed_conditions import printed
from dpengine.queries.sql.questions import parse_sql
from dpengine.queries.total import MeanQuery, SumQuery
from dpengine.queries.variance import VarianceQuery

NO_SQL = "This question has no form in SQL here."


def to_sql(query: Query, schema: Schema) -> str:
    """The SELECT that parse_sql reads back as an equal question.

    Raises RefusedQueryError where a question has no form in SQL here, or none for this schema.

    >>> from dpengine.data import Comparison, sample_schema
    >>> to_sql(MeanQuery("age", Comparison("sex", "=", "female")), sample_schema("patients"))
    "SELECT avg(age) FROM patients WHERE sex = 'female'"
    """
    require_kind("query", query, Query)
    require_kind("schema", schema, Schema)
    keys = _keys(query, schema)
    text = f"SELECT {', '.join([*keys, _figure(query, schema)])} FROM {quoted(schema.name)}"
    if query.where is not None:
        text += f" WHERE {printed(query.where, schema)}"
    if keys:
        text += f" GROUP BY {', '.join(keys)}"
    if parse_sql(text, schema) != query:
        raise RefusedQueryError("A value in this question cannot be written as SQL, so it has no form in SQL here.")
    return text


@singledispatch
def _keys(query: Query, schema: Schema) -> tuple[str, ...]:
    """What a question groups by."""
    raise RefusedQueryError(NO_SQL)


@singledispatch
def _figure(query: Query, schema: Schema) -> str:
    """What a question asks for."""
    raise RefusedQueryError(NO_SQL)


@_keys.register(CountQuery)
@_keys.register(CountPeopleQuery)
@_keys.register(SumQuery)
@_keys.register(MeanQuery)
@_keys.register(VarianceQuery)
@_keys.register(ProportionQuery)
@_keys.register(QuantileQuery)
@_keys.register(ModeQuery)
@_keys.register(StatisticalQueries)
def _(query: Query, schema: Schema) -> tuple[str, ...]:
    return ()


@_keys.register(GroupedCountQuery)
@_keys.register(GroupedSumQuery)
@_keys.register(GroupedMeanQuery)
def _(query: GroupedCountQuery | GroupedSumQuery | GroupedMeanQuery, schema: Schema) -> tuple[str, ...]:
    return tuple(map(quoted, query.by))


@_keys.register
def _(query: HistogramQuery, schema: Schema) -> tuple[str, ...]:
    return (f"date_trunc('{query.period}', {quoted(query.column)})",) if query.period else ()


_figure.register(CountQuery, lambda query, schema: "count(*)")
_figure.register(GroupedCountQuery, lambda query, schema: "count(*)")
_figure.register(SumQuery, lambda query, schema: f"sum({quoted(query.column)})")
_figure.register(GroupedSumQuery, lambda query, schema: f"sum({quoted(query.column)})")
_figure.register(MeanQuery, lambda query, schema: f"avg({quoted(query.column)})")
_figure.register(GroupedMeanQuery, lambda query, schema: f"avg({quoted(query.column)})")
_figure.register(VarianceQuery, lambda query, schema: f"var_pop({quoted(query.column)})")
_figure.register(ModeQuery, lambda query, schema: f"mode({quoted(query.column)})")


@_figure.register
def _(query: CountPeopleQuery, schema: Schema) -> str:
    if schema.unit.identifier is None:
        raise RefusedQueryError("Here every row is one person, so the number of people is written count(*) in SQL.")
    return f"count(DISTINCT {quoted(schema.unit.identifier)})"


@_figure.register
def _(query: ProportionQuery, schema: Schema) -> str:
    return f"avg(CASE WHEN {printed(query.having, schema)} THEN 1.0 ELSE 0.0 END)"


@_figure.register
def _(query: StatisticalQueries, schema: Schema) -> str:
    return ", ".join(f"count(*) FILTER (WHERE {printed(condition, schema)})" for condition in query.conditions)


@_figure.register
def _(query: QuantileQuery, schema: Schema) -> str:
    if query.candidates is not None:
        raise RefusedQueryError("SQL has no place for candidates, so a quantile among listed ones has no form in it.")
    if query.quantile == 0.5:
        return f"median({quoted(query.column)})"
    return f"percentile_cont({written(query.quantile)}) WITHIN GROUP (ORDER BY {quoted(query.column)})"


@_figure.register
def _(query: HistogramQuery, schema: Schema) -> str:
    if query.edges is not None:
        raise RefusedQueryError("SQL has no place for edges, so a histogram with bins of its own has no form in it.")
    return "count(*)" if query.period else f"histogram({quoted(query.column)})"
