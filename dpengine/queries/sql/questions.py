"""A SELECT, read into one of the engine's questions."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from dpengine.data import Condition, Schema
from dpengine.errors import InvalidParameterError, RefusedQueryError, require_kind
from dpengine.queries.protocol import Query
from dpengine.queries.several import SeveralProportionsQuery, StatisticalQueries
from dpengine.queries.sql import reasons
from dpengine.queries.sql.aggregates import aggregate, condition_of_share, is_of_rows
from dpengine.queries.sql.conditions import condition, where
from dpengine.queries.sql.groups import grouped
from dpengine.queries.sql.names import Names, alias_of, named_table
from dpengine.queries.sql.rows import refuse_rows
from dpengine.queries.sql.text import on_fresh_stack, selected
from dpengine.queries.sql.tree import bare, require_only


def parse_sql(text: str, schema: Schema) -> Query:
    """The question that a SELECT asks of the table with this schema; equal text means an equal question.

    Raises RefusedQueryError, with the reason and with what to ask instead, for everything that has no answer.

    >>> from dpengine.data import sample_schema
    >>> parse_sql("SELECT avg(age) FROM patients WHERE sex = 'female'", sample_schema("patients"))
    MeanQuery(column='age', where=Comparison(column='sex', operator='=', value='female'))
    """
    require_kind("text", text, str)
    require_kind("schema", schema, Schema)
    try:
        return on_fresh_stack(lambda: _question(selected(text, schema), schema))
    except InvalidParameterError as error:
        raise RefusedQueryError(str(error)) from None


def _question(select: exp.Select, schema: Schema) -> Query:
    names = named_table(select.args.get("from_"), schema)
    asked = tuple(_named(item) for item in select.expressions)
    group = select.args.get("group")
    if select.args.get("distinct") is not None:
        raise RefusedQueryError(reasons.DISTINCT_ROWS)
    refuse_rows(asked, names, select.args.get("where"), grouped=group is not None)
    require_only(select, "expressions", "from_", "where", "group")
    condition = where(select.args.get("where"), names)
    if group is not None:
        return grouped(group, asked, names, condition)
    if len(asked) != 1 or type(asked[0]) is exp.Filter:
        return statistics(asked, names, condition)
    return aggregate(asked[0], names, condition)


def _named(item: exp.Expr) -> exp.Expr:
    """What is selected, without the name that AS gives it."""
    if type(item) is exp.Alias:
        require_only(item, "this", "alias")
        alias_of(item.args["alias"])
        item = item.this
    return bare(item) or item


def statistics(asked: Sequence[exp.Expr], names: Names, where: Condition | None) -> Query:
    """count(*) FILTER (WHERE condition), once or several times; or several shares, avg(CASE ...)."""
    if all(type(item) is exp.Filter for item in asked):
        return StatisticalQueries(tuple(_filter(item, names) for item in asked), where)
    if all(type(item) is exp.Avg for item in asked):
        conditions = [condition_of_share(item, names) for item in asked]
        shares = tuple(one for one in conditions if one is not None)
        if len(shares) == len(asked):
            return SeveralProportionsQuery(shares, where)
    raise RefusedQueryError(
        "Several figures in one SELECT would be several answers, and each has its own noise and its own charge. "
        "Ask them one by one; only counts, or only shares, can be asked together: count(*) FILTER (WHERE ...), or "
        "avg(CASE WHEN ... THEN 1 ELSE 0 END), one for each condition."
    )


def _filter(node: exp.Expr, names: Names) -> Condition:
    """The condition of count(*) FILTER (WHERE condition)."""
    require_only(node, "this", "expression")
    if type(node.this) is not exp.Count or not is_of_rows(node.this) or type(node.expression) is not exp.Where:
        raise RefusedQueryError("FILTER goes with count(*) alone here; put the condition into WHERE.")
    require_only(node.expression, "this")
    return condition(node.expression.this, names)
