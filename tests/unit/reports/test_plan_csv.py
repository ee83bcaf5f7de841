"""The numbers of a plan as CSV: one row a noisy part, every digit, no cell that a spreadsheet takes for a formula."""

from __future__ import annotations

import csv
import io

import pytest

from dpengine.privacy import Neighbors
from dpengine.reports import plan_csv
from dpengine.scenario import Scenario
from pages.session.first_plan import first_plan
from tests.examples.explored import named_plan
from tests.examples.kept import HOSTILE, taken_for_a_formula
from tests.running.cases import each
from tests.unit.reports.test_script import plan_of, planned_scales


def rows_of(plan: Scenario) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(plan_csv(plan), newline="")))


def test_the_numbers_of_a_mean_stand_part_by_part() -> None:
    rows = rows_of(first_plan("rand_hie"))
    assert [row["question_number"] for row in rows] == ["1", "2", "2", "3"]
    mean = rows[1]
    assert mean["sql"] == "SELECT avg(medical_dollars) FROM rand_hie"
    assert float(mean["sensitivity_steps"]) * float(mean["step"]) == 12_500.0
    assert float(mean["scale"]) == pytest.approx(12_500.0 / 0.06)
    assert [row["epsilon"] for row in rows] == ["0.1", "0.06", "0.04", "0.1"]
    assert {(row["neighbors"], row["rule"]) for row in rows} == {("added or removed", "naive")}
    assert rows[0]["question"] == "how many people were in hospital at least once"
    assert rows[0]["sql"] == "SELECT count(DISTINCT person) FROM rand_hie WHERE hospital_stays > 0"


@each("neighbors", Neighbors)
def test_every_scale_is_that_of_the_plan(neighbors: Neighbors) -> None:
    plan = plan_of(neighbors)
    rows = rows_of(plan)
    assert [float(row["scale_steps"]) for row in rows] == planned_scales(plan)
    for number, planned in enumerate(plan.queries, start=1):
        shares = [float(row["epsilon"]) for row in rows if row["question_number"] == str(number)]
        assert sum(shares) == pytest.approx(planned.guarantee.epsilon, rel=1e-9)


def test_no_cell_is_taken_for_a_formula() -> None:
    text = plan_csv(named_plan(HOSTILE))
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    assert any("HYPERLINK" in cell for cell in cells)
    assert not [cell for cell in cells if taken_for_a_formula(cell)]
