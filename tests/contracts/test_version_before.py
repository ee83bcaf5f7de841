"""What the version before has written still opens: ledgers, links, saved plans, exported scripts.

The files in tests/examples/before were written by commit eaa3a2a, with `kept.one_of_everything` and a plan of every
kind of question; nothing here ever writes them anew.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dpengine.ledger import Ledger
from dpengine.privacy import Guarantee, Neighbors
from dpengine.release import release
from dpengine.scenario import Scenario
from tests.examples import kept
from tests.examples.ledgers import asking, ledger_at
from tests.servers.server import ROOT

BEFORE = ROOT / "tests" / "examples" / "before"
RULES = ("basic", "concentrated")
KINDS_THEN = kept.EVERY_KIND[:15]
"""Kinds that came later stand at the end."""


@pytest.fixture(params=RULES)
def rule(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def ledger(tmp_path: Path, rule: str) -> Ledger:
    """A copy of one, with its marker, as it lay on somebody's disk."""
    shutil.copy(BEFORE / f"ledger_{rule}.db", tmp_path / "budget.db")
    shutil.copy(BEFORE / f"ledger_{rule}.id", tmp_path / "budget.db.id")
    return ledger_at(tmp_path / "budget.db")


def test_a_ledger_opens_whole_with_every_answer_and_goes_on(ledger: Ledger, rule: str) -> None:
    ledger.verify()
    account, table = ledger.account_of(kept.visits()), kept.visits()
    assert account is not None
    answers = json.loads((BEFORE / f"answers_{rule}.json").read_text(encoding="utf-8"))
    assert len(answers) == len(KINDS_THEN) + 1
    found = {one.request_id: [[*map(float, one.values)], one.charge.amounts.epsilon] for one in account.releases()}
    assert found == answers
    spent = account.spent
    first = account.releases()[0]
    again = release(first.planned_query, table, account, request_id=first.request_id)
    assert (again.values == first.values).all()
    assert account.spent == spent
    release(asking(0.1), table, account, request_id="new")
    assert account.spent != spent, "The control."


def test_a_plan_and_its_link_are_read_and_written_as_they_were() -> None:
    text, link = ((BEFORE / name).read_text(encoding="utf-8") for name in ("plan.json", "link.txt"))
    plan = Scenario.from_json(text)
    assert (plan.schema, plan.neighbors) == (kept.SCHEMA, Neighbors.ADD_REMOVE)
    assert tuple(planned.query for planned in plan.queries) == KINDS_THEN
    assert plan.budget == Guarantee(epsilon=20.0, delta=1e-6)
    assert Scenario.from_link(link) == plan
    assert (plan.to_json(), plan.to_link()) == (text, link)


def test_an_exported_script_rebuilds_the_same_plan(tmp_path: Path) -> None:
    script = shutil.copy(BEFORE / "plan_script.txt", tmp_path / "plan_script.py")
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "dpengine and opendp agree on every scale." in done.stdout
