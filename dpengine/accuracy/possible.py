"""What an answer can be at all, as far as the declarations tell: an interval as wide as that says nothing."""

from __future__ import annotations

from functools import singledispatch

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpengine.data import Schema
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    ProportionQuery,
    QuantileQuery,
    Query,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)

NEARLY_ALL = 0.99


@singledispatch
def public_range(query: Query, schema: Schema) -> tuple[float, float] | None:
    """Least and largest answer that the declaration allows; None where there is no such end."""
    raise TypeError(query)


@public_range.register(CountQuery)
@public_range.register(CountPeopleQuery)
@public_range.register(SumQuery)
@public_range.register(HistogramQuery)
@public_range.register(GroupedCountQuery)
@public_range.register(GroupedSumQuery)
@public_range.register(StatisticalQueries)
@public_range.register(QuantileQuery)
@public_range.register(ModeQuery)
def _(query: Query, schema: Schema) -> None:
    return


@public_range.register(MeanQuery)
@public_range.register(GroupedMeanQuery)
def _(query: MeanQuery | GroupedMeanQuery, schema: Schema) -> tuple[float, float]:
    column = schema.number(query.column)
    return column.lower, column.upper


@public_range.register
def _(query: ProportionQuery, schema: Schema) -> tuple[float, float]:
    return 0.0, 1.0


@public_range.register
def _(query: VarianceQuery, schema: Schema) -> tuple[float, float]:
    """Source: Popoviciu 1935."""
    column = schema.number(query.column)
    return 0.0, ((column.upper - column.lower) / 2.0) ** 2


def nearly_all(widths: ArrayLike, possible: tuple[float, float]) -> NDArray[np.bool_]:
    """Which intervals of these widths hold nearly everything, or all, that lies in a range; shape of `widths`."""
    return np.asarray(widths, dtype=np.float64) >= NEARLY_ALL * (possible[1] - possible[0])
