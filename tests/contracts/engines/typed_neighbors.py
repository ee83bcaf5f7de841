"""Neighboring tables with values of an engine's own types, the hostile ones among them, and how far a part moves."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zlib import crc32

import numpy as np
import pyarrow as pa

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Column,
    Comparison,
    DateColumn,
    IsMissing,
    Not,
    NumberColumn,
    OneOf,
    Or,
    PrivacyUnit,
    Schema,
    Table,
    TextColumn,
)
from dpengine.errors import DPEngineError
from dpengine.privacy import Neighbors
from dpengine.queries import (
    AnyPart,
    Choice,
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    ProportionQuery,
    QuantileQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)

Row = tuple[Any, ...]
NAN, INF, LOW, HIGH = math.nan, math.inf, 17.3, 99.6
EVER = ("infinity", "-infinity")
"""Days and moments that PostgreSQL and DuckDB know; in a file the farthest number either way."""
NUMBERS = ("double", "single", "exact", "whole")
KINDS: Mapping[str, pa.DataType] = {
    "who": pa.int64(),
    "double": pa.float64(),
    "single": pa.float32(),
    "exact": pa.decimal128(20, 3),
    "whole": pa.int64(),
    "ill": pa.bool_(),
    "color": pa.string(),
    "day": pa.date32(),
    "moment": pa.timestamp("us"),
    "alias": pa.string(),
}
VALUES: Mapping[str, Sequence[Any]] = {
    "double": (NAN, INF, -INF, None, -0.0, 5e-324, 1e300, -1e300, LOW, HIGH, 58.0),
    "single": (NAN, INF, -INF, None, -0.0, 1e-45, 3e38, -3e38, 17.25, 99.5, 58.0),
    "exact": (None, *map(Decimal, ("0.000", "17.300", "99.600", "-99999999999999.999", "99999999999999.999"))),
    "whole": (None, 0, 18, 99, 2**63 - 1, -(2**63)),
    "ill": (None, True, False),
    "color": (None, "red", " red\t", "green", "blue", ""),
    "day": (None, date(2024, 1, 15), date(2025, 3, 31), date(2024, 2, 29), date(1, 1, 1), date(9999, 12, 31), *EVER),
    "moment": (None, datetime(2024, 1, 15), datetime(2024, 1, 15, 0, 0, 0, 1), datetime(1, 1, 1), *EVER),  # noqa: DTZ001
}
COLUMNS: tuple[Column, ...] = (
    TextColumn(name="who"),
    *(NumberColumn(name=name, lower=LOW, upper=HIGH) for name in NUMBERS),
    BooleanColumn(name="ill"),
    CategoryColumn(name="color", categories=("red", "green")),
    *(DateColumn(name=name, earliest=date(2024, 1, 15), latest=date(2025, 3, 31)) for name in ("day", "moment")),
    TextColumn(name="alias"),
)
ALIASES = (None, "", " Ann\t", "Ann", "ann", "\u00c1nn", "A\u0301nn", "O'Nn", "\\", "${x}", "%", "Ann\nLee")
UNITS = (
    PrivacyUnit(),
    PrivacyUnit(identifier="who", rows=2),
    PrivacyUnit(identifier="who", rows=4, groups=2, rows_per_group=2),
)
WELL, ANN = Comparison("ill", "=", False), Comparison("alias", "=", "Ann")


def of_number(name: str) -> tuple[Query, ...]:
    """Every kind of question about a number."""
    large = Comparison(name, ">", 58)
    return (
        *(CountQuery(where=where) for where in (IsMissing(name), Not(IsMissing(name)), large, Not(large))),
        CountPeopleQuery(Comparison(name, "<=", 58)),
        *(SumQuery(name), MeanQuery(name), VarianceQuery(name), SumQuery(name, Not(large))),
        ProportionQuery(large, Not(IsMissing(name))),
        HistogramQuery(name, (17.3, 40, 99.6)),
        QuantileQuery(name, 0.5, (17.3, 40, 58, 99.6)),
        *(GroupedSumQuery(name, "color"), GroupedMeanQuery(name, "ill"), GroupedCountQuery("color", large)),
        *(GroupedProportionQuery(large, "color"), GroupedProportionQuery(IsMissing(name), "ill", Not(large))),
        StatisticalQueries((IsMissing(name), large)),
        *(SeveralProportionsQuery((IsMissing(name), large), where) for where in (None, Not(IsMissing("color")))),
    )


OTHERS: tuple[Query, ...] = (
    *(HistogramQuery("color"), HistogramQuery("ill"), ModeQuery("color"), GroupedCountQuery(("color", "ill"), WELL)),
    *(HistogramQuery(name, period="month") for name in ("day", "moment")),
    *(CountQuery(where=IsMissing(name)) for name in ("ill", "color", "day", "moment")),
)
OF_TEXT: tuple[Query, ...] = (
    CountQuery(ANN),
    CountPeopleQuery(Not(OneOf("alias", ("Ann", "O'Nn", "\\", "${x}")))),
    SumQuery("double", Comparison("alias", "!=", "Ann\nLee")),
    GroupedCountQuery("color", Or((ANN, IsMissing("alias")))),
    StatisticalQueries((ANN, Comparison("alias", "=", "\u00c1nn"), Not(ANN))),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Rows of two neighboring tables, what is declared about both, and what is asked of them."""

    schema: Schema
    neighbors: Neighbors
    rows: tuple[list[Row], list[Row]]
    queries: tuple[Query, ...]


def pair(seed: int) -> Pair:
    """A crowd with few values in each column, one of them often no number, and one person beside it."""
    rng = random.Random(seed)
    neighbors, unit = rng.choice(list(Neighbors)), rng.choice(UNITS)
    usual = {name: [rng.choice(some[:3]), *rng.choices(some, k=rng.choice((0, 1, 8)))] for name, some in VALUES.items()}
    crowd = [_row(rng, who, usual) for who in range(1, rng.choice((1, 3, 60, 1000)) + 1)]
    number = 1 if unit.identifier is None else rng.choice((1, 2, 7))
    one, other = ([_row(rng, 2**60, VALUES) for _ in range(number)] for _ in range(2))
    schema = Schema(name="typed", columns=COLUMNS, unit=unit, people=len(crowd) + 1)
    queries = (*of_number(rng.choice(("double", "double", *NUMBERS))), *rng.sample(OTHERS, 3), *OF_TEXT)
    rows = crowd + one, crowd if neighbors is Neighbors.ADD_REMOVE else crowd + other
    return Pair(schema=schema, neighbors=neighbors, rows=rows, queries=queries)


def _row(rng: random.Random, who: int, values: Mapping[str, Sequence[Any]]) -> Row:
    """Those that are listed first, which are no numbers, half of the time; a text by the other cells."""
    cells = (who, *(rng.choice(some[:3] if rng.random() < 0.5 else some) for some in values.values()))
    return (*cells, ALIASES[crc32(repr(cells).encode()) % len(ALIASES)])


def arrow(rows: Sequence[Row]) -> pa.Table:
    """The rows with their types; a table without rows has them too."""
    columns = zip(*rows, strict=True) if rows else ((),) * len(KINDS)
    return pa.table({name: _cells(cells, KINDS[name]) for name, cells in zip(KINDS, columns, strict=True)})


def _cells(cells: Sequence[Any], kind: pa.DataType) -> pa.Array:
    if not pa.types.is_temporal(kind):
        return pa.array(cells, type=kind)
    whole = pa.int32() if pa.types.is_date(kind) else pa.int64()
    farthest = 2 ** (whole.bit_width - 1) - 1
    known = pa.array([None if cell in EVER else cell for cell in cells], type=kind).cast(whole).to_pylist()
    ends = {"infinity": farthest, "-infinity": -farthest}
    return pa.array([ends.get(cell, day) for cell, day in zip(cells, known, strict=True)], type=whole).cast(kind)


def beyond(pair: Pair, here: Table, there: Table, query: Query) -> str:
    """What is wrong with a question between the two tables; empty where it keeps its promise."""
    for part in query.parts(pair.schema, pair.neighbors):
        answers = [_exact(table, part) for table in (here, there)]
        if any(isinstance(answer, str) for answer in answers):
            return f"{part.name}: {answers}"
        move = np.abs(answers[0] - answers[1]).astype(float)
        allowed = _allowed(part)
        moved = float(move.sum()), float(np.sqrt((move**2).sum())), float(move.max(initial=0.0))
        if any(found > most * (1 + 1e-12) for found, most in zip(moved, allowed, strict=True)):
            return f"{part.name} moves by {moved}, of {allowed}"
    return ""


def _exact(table: Table, part: AnyPart) -> Any:
    try:
        return part.exact(table.run(part.aggregate)).astype(object)
    except DPEngineError as error:
        return f"fails: {error}"


def _allowed(part: AnyPart) -> tuple[float, float, float]:
    if isinstance(part, Choice):
        return math.inf, math.inf, part.score_sensitivity.score_sensitivity
    grid = part.grid_sensitivity
    return grid.l1, grid.l2, grid.linf
