"""Numbers beyond their declared bounds are counted, told, and warned of where they are most."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpengine.data import NumberColumn, PrivacyUnit, Schema, TextColumn, read_table
from pages.ui import file_words

CELLS = ["-1", "-0.5", "0", "5", "10", "10.0001", "99", "1e300", "nan", "inf", "", "ten"]
NUMBER = NumberColumn(name="x", lower=0.0, upper=10.0)


@pytest.mark.parametrize("identifier", [None, "who"])
def test_what_lies_beyond_a_bound_and_no_cell_that_is_missing(identifier: str | None) -> None:
    file = "who,x\n" + "".join(f"p{i},{cell}\n" for i, cell in enumerate(CELLS))
    schema = Schema(name="t", columns=(NUMBER, TextColumn(name="who")), unit=PrivacyUnit(identifier=identifier))
    report, _ = read_table(file.encode(), schema=schema).intake_report.columns
    assert (report.missing, report.misfits, report.beyond) == (1, 3, 5)
    assert "5" not in repr(report), "An exact count stays out of what is printed."


@pytest.mark.parametrize(("cells", "warned"), [(["1", "11", "12"], True), (["1", "2", "11", "12"], False)])
def test_bounds_that_cut_most_values_are_asked_about(cells: list[str], warned: bool) -> None:
    table = read_table("\n".join(["x", *cells]).encode(), schema=Schema(name="t", columns=(NUMBER,)))
    assert ("lie beyond the bounds" in file_words.lost(table.intake_report, table.schema)) is warned


@pytest.mark.parametrize(
    ("complete", "cell", "warned"), [(True, "", True), (True, "ten", True), (True, "3", False), (False, "", False)]
)
def test_values_that_are_missing_far_down_are_said_where_none_was_to_be(
    complete: bool, cell: str, warned: bool
) -> None:
    file = "x,y\n" + "2,1\n" * 1200 + f"{cell},1\n"
    schema = Schema(name="t", columns=(replace(NUMBER, complete=complete), replace(NUMBER, name="y", complete=True)))
    table = read_table(file.encode(), schema=schema)
    assert ("where you ticked never missing" in file_words.lost(table.intake_report, schema)) is warned
