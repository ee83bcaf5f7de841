"""The script and the notebook of a plan: run for every kind of question, equal scales, and no name becomes code."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import runpy
import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from dpengine.data import CategoryColumn, Comparison, NumberColumn, OneOf, PrivacyUnit, Schema, TextColumn
from dpengine.errors import BudgetExceededError, LedgerError
from dpengine.mechanisms import ReleasedMechanism
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import HistogramQuery, MeanQuery, ModeQuery, QuantileQuery
from dpengine.reports import plan_notebook, plan_script
from dpengine.reports.scripts.source import source_of
from dpengine.scenario import Scenario
from pages.session.first_plan import QUESTIONS, first_plan
from tests.examples.kept import EVERY_KIND, SCHEMA
from tests.examples.ledgers import ledger_at
from tests.examples.scenarios import SCENARIO
from tests.running.cases import each
from tests.running.voice import retired
from tests.servers.server import ROOT

DAY = date(2026, 1, 2)
CHOSEN = QuantileQuery | ModeQuery
HOSTILE = (
    '"""',
    "'''",
    "\\",
    "x') or __import__('os').abort() or ('",
    "{PLAN} %s {0}",
    "# é漢字 \N{RIGHT-TO-LEFT OVERRIDE}".replace("\N{RIGHT-TO-LEFT OVERRIDE}", "\N{HEBREW LETTER ALEF}"),
    "\\N{BULLET}\\x41\\",
)
HOSTILE_VALUES = (
    'a"""\nimport os; os.abort()\n"""',
    "b'''\r\n\\",
    "c\x00\x1b[31m\u2028\u202e\ud800",
    "d\\'+__import__('os').abort()+'",
)


def plan_of(neighbors: Neighbors, schema: Schema = SCHEMA) -> Scenario:
    """Every kind of question with Laplace noise, and each that can have it with Gaussian noise and another split."""
    pure = [PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.3)) for query in EVERY_KIND]
    gaussian = [
        PlannedQuery(
            query=query, guarantee=Guarantee(epsilon=0.7, delta=1e-7), mechanism="gaussian", percent_for_sum=95
        )
        for query in EVERY_KIND
        if not isinstance(query, CHOSEN)
    ]
    return Scenario(
        table_name=schema.name,
        schema=replace(schema, people=400) if neighbors is Neighbors.REPLACE_ONE else schema,
        neighbors=neighbors,
        budget=Guarantee(epsilon=30.0, delta=1e-5),
        queries=(*pure, *gaussian),
    )


def hostile_plan(names: tuple[str, ...], values: tuple[str, ...]) -> Scenario:
    table, person, number, category, unit, *_ = names
    schema = Schema(
        name=table,
        columns=(
            TextColumn(name=person),
            NumberColumn(name=number, lower=-5, upper=5, unit=unit),
            CategoryColumn(name=category, categories=values),
        ),
        unit=PrivacyUnit(identifier=person, rows=2),
    )
    asked = (MeanQuery(number, OneOf(category, values)), HistogramQuery(category, where=Comparison(number, ">", 0)))
    queries = tuple(PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.5)) for query in asked)
    return Scenario(
        table_name=table, schema=schema, neighbors=Neighbors.ADD_REMOVE, budget=Guarantee(epsilon=1.0), queries=queries
    )


def scale_of(mechanism: ReleasedMechanism) -> float:
    scale = getattr(mechanism, "scale", None)
    if scale is not None:
        return float(scale)
    return (1 if mechanism.monotone else 2) * mechanism.score_sensitivity / mechanism.epsilon  # type: ignore[union-attr]


def planned_scales(plan: Scenario) -> list[float]:
    around = plan.schema, plan.neighbors
    return [scale_of(mechanism) for planned in plan.queries for mechanism in planned.mechanisms(*around)]


def printed_scales(text: str) -> dict[str, list[float]]:
    pairs = re.findall(r"scale in \w+ steps: dpengine (\S+), opendp (\S+)", text)
    return {"dpengine": [float(ours) for ours, _ in pairs], "opendp": [float(theirs) for _, theirs in pairs]}


def require_scales(plan: Scenario, printed: str) -> None:
    scales, expected = printed_scales(printed), planned_scales(plan)
    assert retired(printed) == []
    assert scales["dpengine"] == expected
    assert scales["opendp"] == pytest.approx(expected, rel=1e-12)
    assert printed.rstrip().endswith("agree on every scale.")


def run_here(folder: Path, text: str, *arguments: str) -> str:
    """What the script prints when it is run in this process, which is quick."""
    assert retired(text) == []
    path, printed = folder / "my-plan (1).py", io.StringIO()
    path.write_text(text, encoding="utf-8")
    with contextlib.redirect_stdout(printed), pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", [str(path), *arguments])
        runpy.run_path(str(path), run_name="__main__")
    return printed.getvalue()


def run_apart(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """The script as somebody runs it who has nothing but the file and the program."""
    path = folder / "plan_kept.py"
    path.write_text(text, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(path)]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def test_every_kind_of_question_runs_apart_and_prints_the_scales_of_the_plan(tmp_path: Path) -> None:
    plan = plan_of(Neighbors.ADD_REMOVE)
    done = run_apart(tmp_path, plan_script(plan, DAY))
    assert done.returncode == 0, done.stderr
    require_scales(plan, done.stdout)


def test_where_one_person_is_replaced_it_prints_the_scales_of_the_plan(tmp_path: Path) -> None:
    plan = plan_of(Neighbors.REPLACE_ONE)
    require_scales(plan, run_here(tmp_path, plan_script(plan, DAY)))


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_ready_made_plans_run(tmp_path: Path, name: str) -> None:
    plan = first_plan(name)
    require_scales(plan, run_here(tmp_path, plan_script(plan, DAY)))


@pytest.mark.parametrize(
    ("planted", "complaint"),
    [
        (("scale=10.0", "scale=10.001"), "dpengine here plans scale 10.0, the plan had 10.001"),
        (("epsilon=0.1, rho=0.005, scale=10.0", "epsilon=0.2, rho=0.005, scale=10.0"), "opendp finds scale 5"),
        (("Guarantee(epsilon=0.1),", "Guarantee(epsilon=0.2),"), "dpengine here plans scale 5.0"),
        (("sensitivity=1,", "sensitivity=2,"), "opendp finds scale 20"),
        (("opendp_scale, opendp_epsilon = by", "opendp_scale, opendp_epsilon = 10, 9 + 0 * len('x') or by"), "counts"),
    ],
)
def test_a_planted_wrong_number_stops_the_script(tmp_path: Path, planted: tuple[str, str], complaint: str) -> None:
    text = plan_script(first_plan("rand_hie"), DAY)
    old, new = planted
    assert old in text
    with pytest.raises(AssertionError, match=complaint):
        run_here(tmp_path, text.replace(old, new, 1))


@each("plan", [SCENARIO, plan_of(Neighbors.REPLACE_ONE), hostile_plan(HOSTILE, HOSTILE_VALUES)])
def test_the_plan_in_the_script_is_the_plan(plan: Scenario) -> None:
    lines = plan_script(plan, DAY).split("# What each noise needs")[0]
    names: dict[str, object] = {}
    exec(compile(lines, "plan", "exec"), names)  # noqa: S102  # the script itself
    assert names["PLAN"] == plan
    assert names["PLAN"].to_json() == plan.to_json()


def test_no_name_becomes_code(tmp_path: Path) -> None:
    harmless = hostile_plan(tuple("abcdefg"), ("p", "q", "r", "s"))
    hostile = hostile_plan(HOSTILE, HOSTILE_VALUES)
    assert without_texts(plan_script(hostile, DAY)) == without_texts(plan_script(harmless, DAY))
    require_scales(hostile, run_here(tmp_path, plan_script(hostile, DAY)))
    for text in (plan_script(hostile, DAY), plan_notebook(hostile, DAY)):
        assert text.encode("utf-8").decode("utf-8").replace("\n", "").isprintable()


def test_the_control_an_unquoted_name_is_seen() -> None:
    harmless, hostile = (f"PLAN = Schema(name='{name}')" for name in ("a", HOSTILE[3]))
    assert without_texts(hostile) != without_texts(harmless)


def without_texts(source: str) -> str:
    """The shape of the code: everything but what stands in texts."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


@pytest.fixture
def notebook_plan() -> Scenario:
    """A mean and a count, one of them with Gaussian noise."""
    plan = first_plan("anes_1996").with_query(plan_of(Neighbors.ADD_REMOVE).queries[1])
    return replace(plan, queries=(*plan.queries[:1], gaussian(plan.queries[1])))


def test_the_notebook_is_one_and_its_cells_print_the_same_scales(notebook_plan: Scenario) -> None:
    notebook, printed = nbformat.reads(plan_notebook(notebook_plan, DAY), as_version=4), io.StringIO()
    names: dict[str, object] = {}
    nbformat.validate(notebook)
    with contextlib.redirect_stdout(printed):
        for cell in notebook.cells:
            if cell.cell_type == "code":
                exec(cell.source, names)  # noqa: S102  # one after another in one room, as a kernel does
    require_scales(notebook_plan, printed.getvalue())


@pytest.mark.slow
def test_a_kernel_runs_the_notebook(notebook_plan: Scenario) -> None:
    notebook = nbformat.reads(plan_notebook(notebook_plan, DAY), as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    printed = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", ()))
    require_scales(notebook_plan, printed)


def gaussian(planned: PlannedQuery) -> PlannedQuery:
    return planned.with_mechanism("gaussian", delta=1e-7)


def test_the_cells_of_the_notebook_are_the_script() -> None:
    plan = plan_of(Neighbors.REPLACE_ONE)
    script = plan_script(plan, DAY)
    cells = json.loads(plan_notebook(plan, DAY))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    for text in code[1:]:
        assert text.removesuffix("\n\n\ncompare_all()").removesuffix("\n\n\ntell_least_budget()") in script
    words = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    assert not [column.name for column in plan.schema.columns if f"`{column.name}`" in words]


def test_with_a_table_it_says_how_to_release_and_shows_nothing_exact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / 'it\'s "odd".csv'
    rows = "".join(f"{i},{20 + i % 60},{'mumps' if i < 37 else 'flu'}\n" for i in range(200))
    schema = Schema(
        name="visits",
        columns=(
            TextColumn(name="person"),
            NumberColumn(name="age", lower=0, upper=100),
            CategoryColumn(name="disease", categories=("mumps", "flu")),
        ),
    )
    table.write_text("person,age,disease\n" + rows, encoding="utf-8")
    asked = PlannedQuery(query=HistogramQuery("disease"), guarantee=Guarantee(epsilon=1.0))
    plan = Scenario(
        table_name="visits",
        schema=schema,
        neighbors=Neighbors.ADD_REMOVE,
        budget=Guarantee(epsilon=1.0),
        queries=(asked,),
    )
    place = tmp_path / "of the dashboard" / "budget.db"
    place.parent.mkdir()
    monkeypatch.setenv("EPSILON_EXPLORER_LEDGER", f"sqlite:///{place}")
    printed = run_here(tmp_path, plan_script(plan, DAY), str(table))
    assert "NO ACCOUNT counts what was released of it" in printed
    assert not place.exists(), "Looking makes no ledger."
    assert not re.search(r"\b(37|163|200)\b", printed)
    monkeypatch.chdir(tmp_path)
    exec(printed.split("would do it:\n")[1], {})  # noqa: S102  # the lines that it printed
    answer = ledger_at(place).accounts()
    assert [account.spent.epsilon for account in answer] == [1.0]  # type: ignore[union-attr]

    again = run_here(tmp_path, plan_script(plan, DAY), str(table))
    assert f"Its account is number {answer[0].id} of this ledger: epsilon 0 is left of epsilon 1." in again
    lines = again.split("would do it:\n")[1]
    assert "open_account" not in lines
    exec(lines, {})  # noqa: S102  # asked again under their numbers, which costs nothing
    with pytest.raises(BudgetExceededError):
        exec(lines.replace("question-", "other-"), {})  # noqa: S102
    assert len(ledger_at(place).accounts()) == 1

    table.write_text(table.read_text(encoding="utf-8").replace(",20,", ",20.0,"), encoding="utf-8")
    other = run_here(tmp_path, plan_script(plan, DAY), str(table))
    assert "IS IT 'visits' IN ANOTHER FORM, or is somebody in both?" in other
    lines = other.split("would do it:\n")[1]
    with pytest.raises(LedgerError, match="Nothing was opened"):
        exec(lines, {})  # noqa: S102
    assert len(ledger_at(place).accounts()) == 1
    exec(lines.replace("beside=[]", f"beside=[ledger.account({answer[0].id})]"), {})  # noqa: S102
    assert len(ledger_at(place).accounts()) == 2, "The control: somebody has said that these are other people."
    with pytest.raises(SystemExit, match="This table cannot be used: "):
        run_here(tmp_path, plan_script(plan, DAY), str(tmp_path / "none.csv"))


def test_a_value_that_no_plan_holds_is_refused() -> None:
    with pytest.raises(ValueError, match="a saved plan may hold"):
        source_of(object())
