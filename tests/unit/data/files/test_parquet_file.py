"""Parquet cells become the text that a CSV would have, and a file that bursts hurts nobody."""

import datetime as dt
import decimal
import io
import resource

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data import CategoryCounts, RowCount, read_table
from dpengine.data.files.file_form import FileForm
from dpengine.data.files.parquet_file import as_text
from dpengine.data.intake.table_intake import read_cells
from dpengine.errors import IntakeError
from tests.examples.tables import cells_here
from tests.unit.data.reading import LINES, PEOPLE, table_of


def packed(columns, **options):
    file = io.BytesIO()
    pq.write_table(columns if isinstance(columns, pa.Table) else pa.table(columns), file, **options)
    return file.getvalue()


def read_parquet(content):
    return cells_here(content, FileForm(format="parquet"))


def read_apart(content):
    return read_cells(content, file_format="parquet", encoding="utf-8", delimiter=None)


def test_typed_cells_become_canonical_text():
    cells = read_parquet(
        packed(
            {
                "text": ["a", None, " b "],
                "whole": [1, None, -3],
                "number": [3.0, float("nan"), 1e-7],
                "wide": [1e20, float("inf"), 0.1],
                "single": pa.array([0.1, 2, None], pa.float32()),
                "flag": [True, None, False],
                "day": [dt.date(2020, 1, 2), None, dt.date(1, 1, 1)],
                "moment": pa.array(["2020-01-02", None, None]).cast(pa.timestamp("s")),
                "clock": pa.array(["2020-01-02 03:00:00", None, None]).cast(pa.timestamp("s")),
                "money": [decimal.Decimal("1.50"), None, decimal.Decimal(-2)],
                "coded": pa.array(["x", "y", None]).dictionary_encode(),
                "nothing": pa.nulls(3),
            }
        )
    )
    assert {name: column.to_pylist() for name, column in zip(cells.names, cells.columns, strict=True)} == {
        "text": ["a", "", "b"],
        "whole": ["1", "", "-3"],
        "number": ["3", "", "1e-7"],
        "wide": ["1e+20", "inf", "0.1"],
        "single": ["0.1", "2", ""],
        "flag": ["true", "", "false"],
        "day": ["2020-01-02", "", "0001-01-01"],
        "moment": ["2020-01-02", "", ""],
        "clock": ["2020-01-02 03:00:00", "", ""],
        "money": ["1.5", "", "-2"],
        "coded": ["x", "y", ""],
        "nothing": ["", "", ""],
    }


def test_a_parquet_table_answers_as_the_same_csv_does_and_is_found_by_the_same_fingerprint():
    content = packed({"name": ["ann", "bob", "cy"], "age": [31, 64, None], "city": ["Rome", "Oslo", "Rome"]})
    table, same = read_table(content, schema=PEOPLE), table_of(*LINES)
    for aggregate in (RowCount(), CategoryCounts(column="city", values=("Rome", "Oslo"))):
        assert table.run(aggregate).tolist() == same.run(aggregate).tolist()
    assert table.fingerprint(b"x") == same.fingerprint(b"x")
    assert table.intake_report == same.intake_report


@pytest.mark.parametrize(
    "cells, kind",
    [
        ([[1]], "list"),
        ([{"a": 1}], "struct"),
        ([b"x"], "binary"),
        (pa.array([[("k", 1)]], pa.map_("string", "int8")), "map"),
    ],
)
def test_only_single_values_are_read(cells, kind):
    with pytest.raises(IntakeError, match=f"Column 'x' holds {kind}.*; only single values are"):
        read_parquet(packed({"ok": ["a"], "x": cells}))


@pytest.mark.parametrize(
    "content, sentence",
    [
        (packed({"x": pa.array([], pa.int64())}), "a header but no rows"),
        (packed({"x": ["a\0b"]}), "control character NUL"),
        (packed(pa.table([["a"], ["b"]], names=["x", "x"])), "same name"),
        (packed({f"c{i}": [1] for i in range(201)}), "201 columns; at most 200"),
        (packed({"x": np.zeros(2_000_001, dtype=np.int8)}), "2,000,001 rows; at most 2,000,000"),
        (b"PAR1" + b"x" * 100 + b"PAR1", "it is damaged"),
        (packed({"x": ["a"] * 100})[:60] + b"PAR1", "it is damaged"),
    ],
    ids=["no rows", "nul", "names", "columns", "rows", "noise", "cut"],
)
def test_what_cannot_be_read_is_refused_in_words(content, sentence):
    with pytest.raises(IntakeError, match=sentence):
        read_parquet(content)


def test_a_file_that_bursts_is_stopped_in_its_own_process():
    coded = pa.DictionaryArray.from_arrays(pa.array(np.zeros(1_000_000, dtype=np.int32)), ["z" * 1000])
    content = packed({"x": coded}, compression="zstd")
    assert len(content) < 300_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(IntakeError, match="268,435,456"):
        read_apart(content)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 600_000, "kilobytes"
    assert read_apart(packed({"x": coded.slice(0, 50)})).rows == 50, "the control: the same cells, fewer of them"


MOMENTS = ["2020-01-01 05:00:00", "2020-01-01", "1999-12-31 23:59:59"]


@pytest.mark.parametrize(
    "kinds",
    [
        [pa.timestamp(unit) for unit in ("s", "ms", "us", "ns")],
        [pa.timestamp(unit, "Europe/Rome") for unit in ("s", "ms", "us", "ns")],
        [pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")],
        [pa.decimal128(12, places) for places in (1, 2, 8)],
    ],
)
def test_a_cell_has_no_places_of_its_neighbors(kinds):
    """A writer takes the type that holds the longest cell; nobody else's reads otherwise for it."""
    first = pa.array(
        [dt.time(5), dt.time(23, 59, 59)]
        if pa.types.is_time(kinds[0])
        else [decimal.Decimal("1.5"), decimal.Decimal(-20), decimal.Decimal(0)]
        if pa.types.is_decimal(kinds[0])
        else [dt.datetime.fromisoformat(one) for one in MOMENTS],
        kinds[0],
    )
    texts = [as_text(first.cast(kind)).to_pylist() for kind in kinds]
    assert texts == texts[:1] * len(kinds)
    assert not any(".0" in one for one in texts[0])


@pytest.mark.parametrize("kind", [pa.float16(), pa.float32(), pa.float64()])
def test_a_whole_number_reads_alike_beside_a_blank(kind):
    """With one blank among them pandas makes whole numbers floats."""
    reach = {pa.float16(): 11, pa.float32(): 24, pa.float64(): 53}[kind]
    whole = [sign * (2**power - 1) for power in range(reach) for sign in (1, -1)]
    assert as_text(pa.array(whole, kind)).to_pylist() == as_text(pa.array(whole)).to_pylist()
