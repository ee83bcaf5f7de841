"""Numbers beyond their declared bounds are counted, told, and warned of where they are most."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dpengine.data import NumberColumn, PrivacyUnit, Schema, TextColumn, read_table
from pages.plan.table import file_words

pytestmark = pytest.mark.usefixtures("parsed_here")
CELLS = ["-1", "-0.5", "0", "5", "10", "10.0001", "99", "1e300", "nan", "inf", "", "ten"]
NUMBER = NumberColumn(name="x", lower=0.0, upper=10.0)


@pytest.mark.parametrize("identifier", [None, "who"])
def test_what_lies_beyond_a_bound_and_no_cell_that_is_missing(identifier: str | None) -> None:
    file = "who,x\n" + "".join(f"p{i},{cell}\n" for i, cell in enumerate(CELLS))
    schema = Schema(name="t", columns=(NUMBER, TextColumn(name="who")), unit=PrivacyUnit(identifier=identifier))
    report, _ = read_table(file.encode(), schema=schema).intake_report.columns
    assert (report.missing, report.misfits, report.beyond) == (1, 3, 5)
    assert report.example == "inf", "the least of those that do not fit, as text"
    assert "5" not in repr(report), "An exact count stays out of what is printed."
    assert "inf" not in repr(report), "So does a cell."


@pytest.mark.parametrize(("within", "beyond", "said"), [(1, 2, "Most"), (2, 2, "Many"), (18, 1, "Many"), (19, 1, "")])
def test_bounds_that_cut_many_values_are_asked_about(within: int, beyond: int, said: str) -> None:
    cells = ["1"] * within + ["11"] * beyond + ["ten"] * 9
    table = read_table("\n".join(["x", *cells]).encode(), schema=Schema(name="t", columns=(NUMBER,)))
    told = file_words.lost(table.intake_report, table.schema)
    cut = "values of `x` lie beyond its bounds and are cut to them. Are the bounds right?"
    assert (f" {said} {cut} " in told) if said else ("beyond" not in told)
    assert not re.search(r"\d", told), "No count is told without being asked for."


@pytest.mark.parametrize(("people", "unit", "warned"), [(450, "row", True), (3, "row", False), (450, "who", False)])
def test_another_number_of_people_than_declared_is_said_without_the_files(people: int, unit: str, warned: bool) -> None:
    columns = (NUMBER, TextColumn(name="who"))
    identifier = PrivacyUnit() if unit == "row" else PrivacyUnit(identifier=unit, rows=2)
    schema = Schema(name="t", columns=columns, people=people, unit=identifier)
    told = file_words.lost(read_table(b"x,who\n1,a\n2,b\n3,c\n", schema=schema).intake_report, schema)
    another = "You declared 450 people, one row each, and the file has another number of rows: means and shares divide"
    assert told.startswith(another) if warned else told == ""


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
