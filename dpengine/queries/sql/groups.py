"""GROUP BY: figures for each public value of one or two columns, or for each month or year of a date."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from dpengine.data import PERIODS, Condition, DateColumn
from dpengine.errors import RefusedQueryError
from dpengine.queries.forms import by_group
from dpengine.queries.histogram import HistogramQuery
from dpengine.queries.protocol import Query
from dpengine.queries.sql.aggregates import aggregate, is_of_rows, listed_column
from dpengine.queries.sql.names import Names
from dpengine.queries.sql.tree import bare, refusal_of, require_only, shown


def grouped(group: exp.Expr, asked: Sequence[exp.Expr], names: Names, where: Condition | None) -> Query:
    """The question that asks for one figure in each group."""
    require_only(group, "expressions")
    keys = [bare(key) for key in group.expressions]
    selected = [item for item in asked if is_key(item)]
    figures = [item for item in asked if not is_key(item)]
    by_period = any(type(key) is exp.Anonymous for key in keys)
    by = () if by_period else tuple(listed_column(key, names) for key in keys)
    if len(figures) != 1:
        raise RefusedQueryError(
            "GROUP BY is answered with one figure for each group, count(*), sum or avg: several would be several "
            "answers, and each has its own charge."
        )
    if by_period:
        return _by_period(keys, selected, figures[0], names, where)
    if any(type(item) is not exp.Column or names.column(item).name not in by for item in selected):
        raise _ungrouped()
    if type(figures[0]) is exp.Count and not is_of_rows(figures[0]):
        raise RefusedQueryError("With GROUP BY write count(*), the number of rows in each group.")
    query = by_group(aggregate(figures[0], names, where), by)
    if query is None:
        raise RefusedQueryError("With GROUP BY only count(*), sum and avg are answered with noise.")
    return query


def is_key(node: exp.Expr) -> bool:
    """Whether this can only be selected beside a figure: a column, or the month or year of one."""
    return type(node) is exp.Column or (type(node) is exp.Anonymous and str(node.this).lower() == "date_trunc")


def _by_period(
    keys: Sequence[exp.Expr | None],
    selected: Sequence[exp.Expr],
    figure: exp.Expr,
    names: Names,
    where: Condition | None,
) -> Query:
    """Rows for each month or year of a date column."""
    if len(keys) > 1 or type(figure) is not exp.Count or not is_of_rows(figure):
        raise RefusedQueryError(
            "By month or year only count(*) is answered, without other columns in GROUP BY: "
            "the periods of the declared range are the groups."
        )
    column, period = _truncated(keys[0], names)
    if any(type(item) is exp.Column or _truncated(item, names) != (column, period) for item in selected):
        raise _ungrouped()
    return HistogramQuery(column, period=period, where=where)


def _truncated(node: exp.Expr | None, names: Names) -> tuple[str, str]:
    """The date column and the period of date_trunc('month', column)."""
    if type(node) is not exp.Anonymous or not is_key(node) or len(node.expressions) != 2:
        raise refusal_of(node)
    require_only(node, "this", "expressions")
    column, period = names.column(bare(node.expressions[1])), node.expressions[0].name.lower()
    if not isinstance(column, DateColumn) or type(node.expressions[0]) is not exp.Literal or period not in PERIODS:
        raise RefusedQueryError(
            f"date_trunc groups a date column by 'month' or 'year': finer groups would hold too few people to stand "
            f"out from the noise. {column.name!r} by {shown(period)} is not answered."
        )
    return column.name, period


def _ungrouped() -> RefusedQueryError:
    return RefusedQueryError(
        "A column is selected that GROUP BY does not name: its values would be those of individual people. "
        "Select the grouped columns and one figure."
    )
