"""Numbers, dates and yes or no in a database's own types give the answers that their text gives in a file."""

import math
from datetime import date, datetime
from decimal import Decimal
from itertools import product
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data import (
    Aggregate,
    BinCounts,
    BooleanColumn,
    CategoryColumn,
    CategoryCounts,
    Column,
    Comparison,
    ConditionCounts,
    DateColumn,
    FixedPointMoments,
    FixedPointSum,
    IsMissing,
    Not,
    NumberColumn,
    OneOf,
    PeopleCount,
    PeriodCounts,
    PrivacyUnit,
    RowCount,
    Schema,
    Table,
    TextColumn,
)
from dpengine.data.connected.connections import open_connected
from dpengine.data.files.cells import Cells

NAN, INF = math.nan, math.inf
MOMENTS = [datetime.fromisoformat(text) for text in ("2020-01-31", "2020-01-31T00:00:00.000001", "0001-01-01")] + [None]
VALUES: dict[str, tuple[Any, list[Any]]] = {
    "who": (pa.int64(), [1, 2, 3, 4, 5, 6, 7, 2**60 + 1, 2**60 + 1, None] * 2),
    "double": (pa.float64(), [0.1, -0.0, 1e300, NAN, INF, -INF, None, 5e-324, -1.5, 2.5] * 2),
    "single": (pa.float32(), [0.1, 0.3, 16777216.0, NAN, INF, None, -1.5, 2.5, 99.9, 1e-45] * 2),
    "whole": (pa.int32(), [0, 1, 7, -3, 100, 101, None, 42, 43, 7] * 2),
    "exact": (
        pa.decimal128(20, 3),
        [*map(Decimal, ("1.100", "-0.070", "0.001", "99.999")), None, *[Decimal("2.5")] * 5] * 2,
    ),
    "ill": (pa.bool_(), [True, False, None, True, True, False, False, True, None, False] * 2),
    "day": (pa.date32(), [date(2020, 1, 1), date(2020, 2, 29), date(2019, 12, 31), None, date(9999, 12, 31)] * 4),
    "moment": (pa.timestamp("us"), MOMENTS * 5),
    "city": (
        pa.string(),
        ["Rome", " Rome\t", "rome", "", "\u00a0Rome\u2003", "\\", "it's", "v", "\x0bv\x0c", None] * 2,
    ),
}
WORDS = ("Ann", "ann", "\u00c1nn", "A\u0301nn", "it's", "\\", "a\nb", "${x}", "%", "\u6771\u4eac")
VALUES["word"] = (
    pa.string(),
    [*WORDS, " Ann\t", "\u2003Ann", "", None, "AnnAnn", "a\\nb", "x", "A nn", "\\\\", "\u00df"],
)
"""Text of which nothing is declared."""
VALUES["ward"] = (
    pa.float64(),
    [12.0, -0.0, -3.0, 1e6, 2.0**53, None] + [12.5, 2.0**54, float("inf"), float("nan")] + [12.0] * 10,
)
VALUES["zone"] = (pa.decimal128(20, 3), [Decimal(12), Decimal("-3.000"), Decimal("12.5"), None] * 5)
"""Whole numbers in a type for fractions, as pandas writes them once one person has none."""
CITIES = ("Rome", "\\", "it's", "v", "\u6771\u4eac")
COLUMNS: tuple[Column, ...] = (
    TextColumn(name="who"),
    *(NumberColumn(name=name, lower=-10, upper=100) for name in ("double", "single", "whole", "exact")),
    BooleanColumn(name="ill"),
    *(DateColumn(name=name, earliest=date(2020, 1, 1), latest=date(2020, 12, 31)) for name in ("day", "moment")),
    CategoryColumn(name="city", categories=CITIES),
    *(TextColumn(name=name) for name in ("word", "ward", "zone")),
)
UNITS = {"rows": PrivacyUnit(), "people": PrivacyUnit(identifier="who", rows=4)}
NUMBERS = ("double", "single", "whole", "exact")
AGGREGATES: list[Aggregate] = [
    RowCount(),
    PeopleCount(),
    ConditionCounts(
        conditions=(
            *(Comparison("word", "=", word) for word in (*WORDS, "ANN", "\u00df", "ss", "Ann'; --", "x" * 1000)),
            *(
                Comparison("ward", "=", text)
                for text in ("12", "0", "-3", "1000000", str(2**53 - 1), str(2**53), "12.0", "12.5")
            ),
            *(Comparison("zone", "=", text) for text in ("12", "-3", "12.000", "12.5")),
            *(IsMissing("word"), Comparison("word", "!=", "Ann"), Not(OneOf("word", WORDS))),
        )
    ),
    *(FixedPointSum(column=name, fraction_bits=10, lower=-(2**10), upper=100 * 2**10) for name in NUMBERS),
    *(FixedPointMoments(column=name, fraction_bits=-1, lower=-5, upper=50, center=3) for name in NUMBERS),
    *(BinCounts(column=name, fraction_bits=0, edges=(-10, 0, 1, 42, 100), clamp=True) for name in NUMBERS),
    ConditionCounts(
        conditions=(
            *(IsMissing(column.name) for column in COLUMNS[1:]),
            *(Not(Comparison(name, ">", 0)) for name in NUMBERS),
            *(Comparison("city", "=", city) for city in CITIES),
        )
    ),
    RowCount(where=Not(Comparison("double", ">", 0))),
    CategoryCounts(column="ill", values=(True, False)),
    *(
        PeriodCounts(column=name, period="month", earliest=date(2020, 1, 1), latest=date(2020, 12, 31))
        for name in ("day", "moment")
    ),
    CategoryCounts(column="city", values=CITIES),
]


def as_text(value):
    """How a file has it: a moment at midnight is its day."""
    if isinstance(value, datetime):
        return value.isoformat(sep=" ") if value.time().isoformat() != "00:00:00" else value.date().isoformat()
    return "" if value is None else str(value)


def whole_text(value):
    """How a column of whole numbers has it; a fraction, or what has no digits for its ones, counts as missing."""
    exact = value is not None and math.isfinite(value) and value == int(value) and abs(value) < 2**53
    return str(int(value)) if exact else ""


def text_table(schema):
    """The same values as the cells of a file, in the embedded engine."""
    named_otherwise = {} if schema.unit.identifier else {"who": whole_text}
    texts = {"ward": whole_text, "zone": whole_text} | named_otherwise
    columns = [
        pa.chunked_array([pa.array(map(texts.get(name, as_text), values), type=pa.string())])
        for name, (_, values) in VALUES.items()
    ]
    return Table.of_cells(Cells.of(tuple(VALUES), columns), schema=schema, salt="s")


def in_postgresql(databases, schema):
    kinds = {
        "who": "bigint",
        "double": "float8",
        "single": "float4",
        "whole": "integer",
        "exact": "numeric",
        "ill": "boolean",
        "day": "date",
        "moment": "timestamp",
        "city": "varchar(20)",
        "word": "char(12)",
        "ward": "float8",
        "zone": "numeric",
    }
    columns = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
    with databases.cluster.connect() as connection, connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS native")
        cursor.execute(f"CREATE TABLE native ({columns})")
        with cursor.copy("COPY native FROM STDIN") as copy:
            for row in zip(*(values for _, values in VALUES.values()), strict=True):
                copy.write_row(row)
    return open_connected(databases.cluster.url("native"), schema=schema, salt="s")


def parquet_at(databases):
    path = databases.path("native.parquet")
    pq.write_table(pa.table({name: pa.array(values, type=kind) for name, (kind, values) in VALUES.items()}), path)
    return path


def in_spark(databases, schema):
    return open_connected(databases.spark(parquet=parquet_at(databases)), schema=schema, salt="s")


def by_path(databases, schema):
    return open_connected(f"parquet://{parquet_at(databases)}", schema=schema, salt="s")


ENGINES = {"postgresql": in_postgresql, "spark": in_spark, "parquet by path": by_path}


ASKED = [pytest.param(*one, marks=[pytest.mark.slow] * (one == ("spark", "rows"))) for one in product(ENGINES, UNITS)]
"""The same casts, whoever the rows belong to; Spark, which needs seconds, is asked about people alone."""


def unread(column):
    """A fraction in a text column does not fit there; its text, which is empty here, is missing."""
    if column.name in ("ward", "zone"):
        return column.missing + column.misfits
    return column.missing, column.misfits, column.beyond


@pytest.mark.parametrize(("engine", "unit"), ASKED)
def test_native_values_give_the_answers_of_their_text(databases, engine, unit):
    schema = Schema(name="native", columns=COLUMNS, unit=UNITS[unit])
    native, text = Table(ENGINES[engine](databases, schema), schema=schema), text_table(schema)
    asked = AGGREGATES if unit == "rows" else AGGREGATES[:5]
    found = {repr(aggregate): native.run(aggregate).tolist() for aggregate in asked}
    assert found == {repr(aggregate): text.run(aggregate).tolist() for aggregate in asked}
    reports = native.intake_report, text.intake_report
    told = [
        (r.rows_read, r.rows_without_identifier, [(c.missing + c.misfits, c.beyond) for c in r.columns])
        for r in reports
    ]
    assert told[0] == told[1]
    native.close()


def test_the_values_are_all_kinds():
    """The control: what is compared is not everywhere 0."""
    table = text_table(Schema(name="native", columns=COLUMNS))
    answers = [table.run(aggregate).tolist() for aggregate in AGGREGATES]
    assert sum(any(answer) for answer in answers) > len(answers) - 3
    assert any(column.beyond for column in table.intake_report.columns)
    assert table.run(CategoryCounts(column="city", values=CITIES)).tolist() == [6, 2, 2, 4, 0]
