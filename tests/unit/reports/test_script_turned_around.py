"""The end of an exported script: errors that somebody types into it, and the least budget that keeps them."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

from dpengine.data import CategoryColumn, Comparison, Schema
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery
from dpengine.reports import plan_notebook, plan_script
from pages.session.first_plan import first_plan
from tests.unit.reports.test_script import run_here

DAY = date(2026, 1, 1)
PLAN = first_plan("rand_hie")
NOTHING, TEN = "(None, Guess(records=1000)),  # question 1", "(10, Guess(records=1000)),  # question 1"


def test_the_least_budget_is_told_once_an_error_is_typed(tmp_path: Path) -> None:
    text = plan_script(PLAN, DAY)
    assert "least budget" not in run_here(tmp_path, text), "The control: nothing is accepted yet."
    assert text.count(NOTHING) == 1
    told = run_here(tmp_path, text.replace(NOTHING, TEN)).splitlines()
    (least,) = (line.split()[1].rstrip(",") for line in told if line.endswith("have 'hospital_stays' > 0"))
    noise = DiscreteLaplaceMechanism.from_epsilon(float(least), l1_sensitivity=1)
    coarser = DiscreteLaplaceMechanism.from_epsilon(float(least) - 0.0001, l1_sensitivity=1)
    assert noise.error_quantile(0.95) <= 10 < coarser.error_quantile(0.95)
    kept = sum(planned.guarantee.epsilon for planned in PLAN.queries[1:])
    assert f"The least budget that keeps these errors: epsilon {float(least) + kept:g}" in "\n".join(told)


def test_signs_that_a_terminal_obeys_are_told_by_their_numbers(tmp_path: Path) -> None:
    """A plan that somebody sent may hold them; the control is the script, which says the value of the plan."""
    value = "\x1b]0;mine\x07"
    schema = Schema(name="sent", columns=(CategoryColumn(name="c", categories=(value, "b")),))
    asked = PlannedQuery(query=CountQuery(where=Comparison("c", "=", value)), guarantee=Guarantee(epsilon=0.1))
    plan = replace(PLAN, schema=schema, queries=(asked,))
    told = run_here(tmp_path, plan_script(plan, DAY).replace(NOTHING, TEN))
    assert "The least budget" in told
    assert "⟨U+001B⟩]0;mine⟨U+0007⟩" in told
    assert "\x1b" not in told


def test_the_notebook_ends_with_the_same(tmp_path: Path) -> None:
    cells = [
        "".join(cell["source"]) for cell in json.loads(plan_notebook(PLAN, DAY))["cells"] if cell["cell_type"] == "code"
    ]
    told = run_here(tmp_path, "\n\n".join(cells).replace(NOTHING, TEN))
    assert "The least budget that keeps these errors: epsilon " in told
