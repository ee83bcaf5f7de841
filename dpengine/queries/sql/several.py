"""Several figures in one SELECT: only counts, each with a condition of its own."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from dpengine.data import Condition
from dpengine.errors import RefusedQueryError
from dpengine.queries.protocol import Query
from dpengine.queries.several import StatisticalQueries
from dpengine.queries.sql.aggregates import is_of_rows
from dpengine.queries.sql.conditions import condition
from dpengine.queries.sql.names import Names
from dpengine.queries.sql.tree import require_only


def statistics(asked: Sequence[exp.Expr], names: Names, where: Condition | None) -> Query:
    """count(*) FILTER (WHERE condition), once or several times."""
    if any(type(item) is not exp.Filter for item in asked):
        raise RefusedQueryError(
            "Several figures in one SELECT would be several answers, and each has its own noise and its own charge. "
            "Ask them one by one; only counts can be asked together: count(*) FILTER (WHERE ...), one for each "
            "condition."
        )
    return StatisticalQueries(tuple(_filter(item, names) for item in asked), where)


def _filter(node: exp.Expr, names: Names) -> Condition:
    """The condition of count(*) FILTER (WHERE condition)."""
    require_only(node, "this", "expression")
    if type(node.this) is not exp.Count or not is_of_rows(node.this) or type(node.expression) is not exp.Where:
        raise RefusedQueryError("FILTER goes with count(*) alone here; put the condition into WHERE.")
    require_only(node.expression, "this")
    return condition(node.expression.this, names)
