"""The script of a plan reads its table's file as it was read for the plan, and spends nothing where it cannot."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from pathlib import Path

import pytest

from dpengine.data import (
    CategoryColumn,
    Comparison,
    DateColumn,
    NumberColumn,
    RowCount,
    Schema,
    TextColumn,
    preview,
    read_table,
)
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, SumQuery
from dpengine.reports import plan_script
from dpengine.scenario import Scenario
from tests.examples.ledgers import ledger_at
from tests.unit.reports.test_script import run_here

DAY = date(2026, 1, 2)
FIRST, LAST = date(2024, 1, 1), date(2024, 12, 31)
SCHEMA = Schema(
    name="invoices",
    columns=(
        TextColumn(name="Kunde"),
        NumberColumn(name="Betrag", lower=0, upper=5000),
        DateColumn(name="Tag", earliest=FIRST, latest=LAST),
        CategoryColumn(name="Stadt", categories=("Köln", "Bonn")),
    ),
)
ASKED = (SumQuery("Betrag"), CountQuery(where=Comparison("Tag", ">=", date(2024, 7, 1))))
PLAN = Scenario(
    table_name="invoices",
    schema=SCHEMA,
    neighbors=Neighbors.ADD_REMOVE,
    budget=Guarantee(epsilon=1.0),
    queries=tuple(PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.5)) for query in ASKED),
)
ROWS = [f"k{i};1.{200 + i},50;{1 + i % 28}.{1 + i % 12:02}.2024;{'Köln' if i % 3 else 'Bonn'}" for i in range(40)]
OFFICE = "\r\n".join(["Rechnungen 2024", "", "Kunde;Betrag;Tag;Stadt", *ROWS, "Summe;48.800,00;;"]).encode("latin-1")
PLAIN = "Kunde,Betrag,Tag,Stadt\n" + "".join(f"k{i},{i},2024-03-01,Aachen\n" for i in range(40))


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the script keeps accounts."""
    monkeypatch.setenv("EPSILON_EXPLORER_LEDGER", f"sqlite:///{tmp_path / 'budget.db'}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path / "budget.db"


def file_of(folder: Path, content: bytes) -> str:
    path = folder / "rows.csv"
    path.write_bytes(content)
    return str(path)


def run(printed: str) -> dict[str, object]:
    """The lines that it printed, run; they name the script, whatever it is called."""
    names: dict[str, object] = {}
    exec(printed.split("would do it:")[1], names)  # noqa: S102
    return names


def test_the_script_reads_the_file_as_it_was_read_for_the_plan(tmp_path: Path, ledger: Path) -> None:
    form = preview(OFFICE).form
    before = read_table(OFFICE, schema=SCHEMA, **asdict(form))
    assert [column.misfits for column in before.intake_report.columns] == [0, 0, 0, 0], "The control."
    script = plan_script(PLAN, DAY, form=form)
    table = run(run_here(tmp_path, script, file_of(tmp_path, OFFICE)))["table"]
    assert table.intake_report == before.intake_report  # type: ignore[attr-defined]
    for query in ASKED:
        for part in query.parts(SCHEMA, Neighbors.ADD_REMOVE):
            answers = [one.run(part.aggregate).tolist() for one in (before, table)]  # type: ignore[attr-defined]
            assert answers[0] == answers[1] != [0]
    assert before.run(RowCount()).tolist() == [40]
    assert [account.spent for account in ledger_at(ledger).accounts()] == [PLAN.budget]


def test_where_nobody_says_how_it_is_written_nothing_is_spent_on_what_is_missing(tmp_path: Path, ledger: Path) -> None:
    quoted = "Kunde,Betrag,Tag,Stadt\n" + "".join(f'k{i},"1.{200 + i},50",3.12.2024,Köln\n' for i in range(40))
    script, path = plan_script(PLAN, DAY), file_of(tmp_path, quoted.encode())
    assert "fill it in" in script
    with pytest.raises(SystemExit, match=r"^Nothing is released: cells of 'Betrag', 'Tag' do not fit"):
        run_here(tmp_path, script, path)
    said = 'WRITTEN = {"decimal": ",", "thousands": ".", "dates": "day first"}'
    lines = run_here(tmp_path, script.replace("WRITTEN = {}", said), path)
    file_of(tmp_path, PLAIN.replace("2024-03-01", "").encode())
    with pytest.raises(SystemExit, match="cells of 'Tag' do not fit"):
        run(lines)
    assert not ledger.exists()


def test_a_column_that_no_answer_needs_or_that_may_be_missing_stops_nothing(tmp_path: Path, ledger: Path) -> None:
    script, path = plan_script(PLAN, DAY), file_of(tmp_path, PLAIN.encode())
    assert "would do it" in run_here(tmp_path, script, path), "No question is about the city."
    path = file_of(tmp_path, PLAIN.replace("k7,7", "k7,seven").encode())
    with pytest.raises(SystemExit, match="cells of 'Betrag' do not fit"):
        run_here(tmp_path, script, path)
    told = script.replace("MAY_BE_MISSING = ()", "MAY_BE_MISSING = ('Betrag',)")
    assert "would do it" in run_here(tmp_path, told, path)
    assert not ledger.exists()
