"""The figures that SELECT may ask for, each read into its question."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpengine.data import BooleanColumn, CategoryColumn, Condition, DateColumn, IsMissing, Not, both, require_condition
from dpengine.errors import RefusedQueryError
from dpengine.queries.count import CountPeopleQuery, CountQuery
from dpengine.queries.histogram import HistogramQuery
from dpengine.queries.mode import ModeQuery
from dpengine.queries.proportion import ProportionQuery
from dpengine.queries.protocol import Query
from dpengine.queries.quantile import QuantileQuery
from dpengine.queries.sql import conditions, reasons
from dpengine.queries.sql.literals import number
from dpengine.queries.sql.names import Names, quoted
from dpengine.queries.sql.tree import bare, refusal_of, require_only
from dpengine.queries.total import MeanQuery, SumQuery
from dpengine.queries.variance import VarianceQuery

Build = Callable[[exp.Expr, Names, Condition | None], Query]


def aggregate(node: exp.Expr, names: Names, where: Condition | None) -> Query:
    """The question that asks for one figure."""
    build = FIGURES.get(type(node))
    if build is None:
        raise refusal_of(node)
    return build(node, names, where)


def number_of(node: exp.Expr | None, names: Names) -> str:
    """The number column that a function is applied to."""
    node = bare(node)
    if type(node) is exp.Distinct:
        raise refusal_of(node)
    return names.schema.number(names.column(node).name).name


def listed_column(node: exp.Expr | None, names: Names) -> str:
    """The column with a public list of values that a function or GROUP BY is applied to."""
    column = names.column(bare(node))
    if not isinstance(column, BooleanColumn | CategoryColumn):
        instead = "Only a column declared as a category, with its list of values, can stand here."
        if isinstance(column, DateColumn):
            instead = f"Group by date_trunc('month', {quoted(column.name)}) or 'year' instead."
        raise RefusedQueryError(
            f"{column.name!r} has no public list of values, so the values that occur would themselves reveal who is "
            f"there. {instead}"
        )
    return column.name


def is_of_rows(node: exp.Expr) -> bool:
    """Whether this is count(*)."""
    require_only(node, "this", "big_int")
    star = bare(node.this)
    if type(star) is not exp.Star:
        return False
    require_only(star)
    return True


def _count(node: exp.Expr, names: Names, where: Condition | None) -> Query:
    if is_of_rows(node):
        return CountQuery(where)
    counted = bare(node.this)
    if type(counted) is exp.Distinct:
        return _people(counted, names, where)
    if type(counted) is not exp.Column:
        raise RefusedQueryError("Write count(*) for the number of rows; a count of anything else is not answered.")
    present = Not(IsMissing(names.column(counted).name))
    require_condition(present, names.schema)
    return CountQuery(both(where, present))


def _people(node: exp.Expr, names: Names, where: Condition | None) -> Query:
    require_only(node, "expressions")
    identifier = names.schema.unit.identifier
    if identifier is None:
        raise RefusedQueryError("Only people can be counted like this, and here every row is one person: ask count(*).")
    if len(node.expressions) != 1 or names.column(bare(node.expressions[0])).name != identifier:
        raise RefusedQueryError(
            "The number of different values may depend on one person alone, and is not answered. "
            f"Only people can be counted like this: count(DISTINCT {quoted(identifier)})."
        )
    return CountPeopleQuery(where)


def _mean(node: exp.Expr, names: Names, where: Condition | None) -> Query:
    having = condition_of_share(node, names)
    return MeanQuery(number_of(node.this, names), where) if having is None else ProportionQuery(having, where)


def condition_of_share(node: exp.Expr, names: Names) -> Condition | None:
    """The condition of avg(CASE WHEN condition THEN 1 ELSE 0 END); None of any other mean."""
    require_only(node, "this")
    averaged = bare(node.this)
    return _zero_or_one(averaged, names) if type(averaged) is exp.Case else None


def _zero_or_one(node: exp.Expr, names: Names) -> Condition:
    """The condition of CASE WHEN condition THEN 1 ELSE 0 END."""
    branches = node.args["ifs"]
    if node.this is None and len(branches) == 1 and type(branches[0]) is exp.If:
        require_only(node, "ifs", "default")
        branch, other = branches[0], node.args.get("default")
        require_only(branch, "this", "true")
        if other is not None and number(branch.args["true"]) == 1 and number(other) == 0:
            return conditions.condition(branch.this, names)
    raise refusal_of(node)


def _sum(node: exp.Expr, names: Names, where: Condition | None) -> Query:
    require_only(node, "this")
    return SumQuery(number_of(node.this, names), where)


def _variance(node: exp.Expr, names: Names, where: Condition | None) -> Query:
    require_only(node, "this")
    return VarianceQuery(number_of(node.this, names), where)


def _median(node: exp.Expr, names: Names, where: Condition | None) -> Query:
    require_only(node, "this")
    return QuantileQuery(number_of(node.this, names), where=where)


def _quantile(node: exp.Expr, names: Names, where: Condition | None) -> Query:
    """quantile_cont(column, 0.9), as DuckDB writes it."""
    require_only(node, "this", "expression")
    return QuantileQuery(number_of(node.this, names), quantile=number(node.expression), where=where)


def _mode(node: exp.Expr, names: Names, where: Condition | None) -> Query:
    require_only(node, "this")
    return ModeQuery(listed_column(node.this, names), where)


def _within(node: exp.Expr, names: Names, where: Condition | None) -> Query:
    """percentile_cont(0.9) WITHIN GROUP (ORDER BY column), and mode() in the same way."""
    require_only(node, "this", "expression")
    column = _ordered(node.expression)
    if type(node.this) is exp.PercentileCont:
        require_only(node.this, "this")
        return QuantileQuery(number_of(column, names), quantile=number(node.this.this), where=where)
    if type(node.this) is exp.Mode:
        require_only(node.this)
        return ModeQuery(listed_column(column, names), where)
    raise refusal_of(node.this)


def _ordered(node: exp.Expr) -> exp.Expr | None:
    """The one column of (ORDER BY column)."""
    if type(node) is exp.Order and len(node.expressions) == 1 and type(node.expressions[0]) is exp.Ordered:
        require_only(node, "expressions")
        require_only(node.expressions[0], "this", "nulls_first")
        if not node.expressions[0].args.get("nulls_first"):
            return bare(node.expressions[0].this)
    raise RefusedQueryError(reasons.DESCENDING)


def _named(node: exp.Expr, names: Names, where: Condition | None) -> Query:
    """histogram(column), as DuckDB writes the counts of all values; other functions that sqlglot does not know."""
    require_only(node, "this", "expressions")
    if str(node.this).lower() != "histogram" or len(node.expressions) != 1:
        raise refusal_of(node)
    return HistogramQuery(listed_column(node.expressions[0], names), where=where)


FIGURES: dict[type[exp.Expr], Build] = {
    exp.Count: _count,
    exp.Sum: _sum,
    exp.Avg: _mean,
    exp.VariancePop: _variance,
    exp.Median: _median,
    exp.PercentileCont: _quantile,
    exp.Mode: _mode,
    exp.WithinGroup: _within,
    exp.Anonymous: _named,
}
