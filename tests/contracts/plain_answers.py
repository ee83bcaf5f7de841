"""Every question answered by pandas and numpy from rows that are complete and within their bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpengine.data import And, Comparison, Condition, IsMissing, Not, OneOf
from dpengine.queries import (
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ProportionQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)
from dpengine.queries.forms import ByGroup, RatioForm

LISTED: dict[str, Sequence[Any]] = {"color": ["red", "green"], "ill": [False, True]}


def plain_answer(query: Query, rows: pd.DataFrame, *, center: float = 0.0) -> Sequence[float]:
    """One number a coordinate, in the declared order; a mean of nobody is `center`."""
    chosen = rows if query.where is None else rows[satisfied(query.where, rows)]
    if isinstance(query, ProportionQuery):
        return [satisfied(query.having, chosen).mean()]
    if isinstance(query, StatisticalQueries | SeveralProportionsQuery):
        holds = [satisfied(condition, chosen) for condition in query.conditions]
        return [float(one.sum() if isinstance(query, StatisticalQueries) else one.mean()) for one in holds]
    if isinstance(query, HistogramQuery):
        return histogram(query, chosen[query.column])
    if isinstance(query, ByGroup):
        return grouped(query, chosen, center)
    if isinstance(query, SumQuery | MeanQuery | VarianceQuery):
        values = chosen[query.column]
        return [{SumQuery: values.sum(), MeanQuery: values.mean(), VarianceQuery: values.var(ddof=0)}[type(query)]]
    return [len(chosen)]


def satisfied(condition: Condition, rows: pd.DataFrame) -> pd.Series:
    if isinstance(condition, Not):
        return ~satisfied(condition.condition, rows)
    if isinstance(condition, And):
        return pd.concat([satisfied(one, rows) for one in condition.conditions], axis=1).all(axis=1)
    if isinstance(condition, IsMissing):
        return rows[condition.column].isna()
    if isinstance(condition, OneOf):
        return rows[condition.column].isin(condition.values)
    if not isinstance(condition, Comparison):
        raise TypeError(condition)
    values = rows[condition.column]
    compared = {">": values.gt, "=": values.eq, "!=": values.ne}
    return compared[condition.operator](condition.value)


def histogram(query: HistogramQuery, cells: pd.Series) -> Sequence[float]:
    if query.edges is not None:
        return [float(count) for count in np.histogram(cells, bins=np.array(query.edges))[0]]
    if query.period is None:
        return [float((cells == value).sum()) for value in LISTED[query.column]]
    names = pd.to_datetime(cells).dt.strftime("%Y-%m" if query.period == "month" else "%Y")
    months = pd.date_range("2024-01-01", "2025-03-31", freq="MS").strftime("%Y-%m")
    return [float((names == name).sum()) for name in (months if query.period == "month" else ("2024", "2025"))]


def grouped(query: ByGroup, rows: pd.DataFrame, center: float) -> Sequence[float]:
    if isinstance(query, GroupedProportionQuery):
        rows = rows.assign(has=satisfied(query.having, rows).astype(float))
    groups: Any = pd.MultiIndex.from_product([LISTED[name] for name in query.by], names=list(query.by))
    keyed = rows.groupby(list(query.by))
    if isinstance(query, GroupedCountQuery):
        found = keyed.size()
    elif isinstance(query, GroupedSumQuery):
        found = keyed[query.column].sum()
    else:
        found = keyed[query.column if isinstance(query, GroupedMeanQuery) else "has"].mean()
    nobody = center if isinstance(query, RatioForm) else 0.0
    return found.reindex(groups if len(query.by) > 1 else groups.get_level_values(0), fill_value=nobody).tolist()
