"""Text in files read by path, of any kind that a column may be stored as: compared, or missing, and never an error."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data import (
    Comparison,
    ConditionCounts,
    IsMissing,
    Not,
    OneOf,
    PrivacyUnit,
    RowCount,
    Schema,
    SignedCount,
    Table,
    TextColumn,
)
from dpengine.data.connected.connections import open_connected

TEXTS = pa.table(
    {
        "id": pa.array([1, 1, 2, None]),
        "name": ["Ann", " ann\t", "", "Ann"],
        "half": [0.5, None, 1.5, 2.5],
        "bytes": [b"\xff", None, b"Ann", b""],
        "list": [[1], None, [2], []],
    }
)


@pytest.mark.parametrize("unit", [PrivacyUnit(), PrivacyUnit(identifier="id", rows=2)])
def test_text_of_any_kind_is_compared_or_missing_and_no_question_fails(tmp_path, unit):
    """Also where nothing of a column is read, because no text of its kind is the same everywhere."""
    schema = Schema(name="texts", columns=tuple(TextColumn(name=name) for name in TEXTS.column_names), unit=unit)
    path = tmp_path / "texts.parquet"
    pq.write_table(TEXTS, path)
    table = Table(open_connected(f"parquet://{path}", schema=schema, salt="s"), schema=schema)
    rows = table.run(RowCount())[0]
    for name in ("half", "bytes", "list"):
        asked = (
            IsMissing(name),
            Comparison(name, "=", "Ann"),
            Comparison(name, "!=", "Ann"),
            Not(OneOf(name, ("Ann",))),
        )
        assert table.run(ConditionCounts(conditions=asked)).tolist() == [rows, 0, 0, rows]
    ann, missing = Comparison("name", "=", "Ann"), IsMissing("name")
    assert table.run(ConditionCounts(conditions=(ann, missing))).tolist() == [rows - 2, 1]
    assert table.run(SignedCount(condition=ann)).tolist() == [rows - 4]
    misfits = {column.name: column.misfits for column in table.intake_report.columns}
    assert misfits == {"id": 0, "name": 0, "half": 3, "bytes": 3, "list": 3}
    table.close()
