"""The layers of the house, as import-linter sees them."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import grimp
import pytest

from tests.servers.server import ROOT

LINT_IMPORTS = "from importlinter.cli import lint_imports_command as check; check(['--no-logo', '--no-cache'])"
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]

PLANTED = [
    ("dpengine/privacy", "import streamlit", "The engine knows no Streamlit"),
    ("dpengine/privacy", "import dpengine.data", "The engine's floors"),
    ("dpengine/privacy", "from plotly import graph_objects", "Only charts imports plotly"),
    ("pages/explore", "import plotly.express", "Only charts imports plotly"),
    ("dpengine/queries", "import ibis", "Only dpengine.data talks to engines of rows"),
    ("dpengine/queries", "import duckdb", "Only dpengine.data talks to engines of rows"),
    ("pages/room", "import pyarrow.parquet", "Only dpengine.data talks to engines of rows"),
    ("dpengine/mechanisms", "import opendp.prelude", "Only exact_noise draws exact noise"),
    ("dpengine/queries", "import sqlglot", "Only dpengine.queries.sql and dpengine.data know sqlglot"),
    ("dpengine/accounting", "import dpengine.mechanisms", "Accounting, losses and beliefs"),
    ("dpengine/beliefs", "import dpengine.data", "Accounting, losses and beliefs"),
    ("dpengine/attacks", "import dpengine.ledger", "Attacks know no release"),
    ("dpengine/queries", "import dpengine.mechanisms", "The engine's floors"),
    ("dpengine", "", "The engine's floors"),
    ("pages/explore", "import pages.start.planted_too", "The screens stand on the engine"),
    ("pages/room", "import pages.start.planted_too", "The screens stand on the engine"),
    ("pages/widgets", "import pages.plan.accounts", "The screens stand on the engine"),
    ("dpengine/data/files", "import dpengine.data.table", "The rooms of the rows"),
    ("dpengine/ledger/storage", "import dpengine.ledger.accounts", "The rooms of the ledger"),
    ("dpengine/charts/drawing", "import dpengine.charts.budget", "The rooms of the pictures"),
    ("pages/explore/budget", "import pages.explore.tradeoff.targets", "No page imports another"),
    ("pages/explore", "import app", "Nothing imports app"),
]


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is said of a copy of the sources with every wrong import in a file of its own."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("dpengine", "pages"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.csv", "*.png"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    plant(copy / "pages" / "start" / "planted_too.py", "")
    for number, (folder, line, _) in enumerate(PLANTED):
        plant(copy / folder / f"planted_{number}.py", line)
    passed, output = lint(copy)
    assert not passed
    return output.split("Broken contracts")[1]


def test_every_import_goes_down() -> None:
    passed, output = lint(ROOT)
    assert passed, output


@pytest.mark.parametrize("number", range(len(PLANTED)))
def test_a_planted_import_is_caught(complaints: str, number: int) -> None:
    """By its own contract: the last heading, a line with a line of dashes below, before the file is named."""
    (before,) = re.findall(rf"\A.*?\.planted_{number}\b", complaints, re.DOTALL)
    assert re.findall(r"^(.+)\n-{5,}$", before, re.MULTILINE)[-1].startswith(PLANTED[number][2])


def test_the_linter_sees_every_file() -> None:
    roots = SETTINGS["root_packages"]
    graph = grimp.build_graph(*roots, cache_dir=None)
    files = [path.relative_to(ROOT) for root in roots for path in (ROOT / root).rglob("*.py")]
    unseen = {module_of(path) for path in files} - graph.modules
    assert not unseen, f"An __init__.py is missing beside {sorted(unseen)}."


def test_only_missing_layers_are_in_brackets() -> None:
    """A layer in brackets may be missing without a word, so the brackets go once it is there."""
    optional = [name for contract in SETTINGS["contracts"] for name in bracketed(contract)]
    assert [name for name in optional if list(ROOT.glob(f"{name}.py")) or list(ROOT.glob(f"{name}/*.py"))] == []


def lint(folder: Path) -> tuple[bool, str]:
    command = [sys.executable, "-c", LINT_IMPORTS]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=120)
    return done.returncode == 0, done.stdout + done.stderr


def plant(path: Path, line: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not (path.parent / "__init__.py").exists():
        (path.parent / "__init__.py").write_text('"""Planted."""\n', encoding="utf-8")
    path.write_text(f'"""Planted."""\n{line}\n', encoding="utf-8")


def module_of(path: Path) -> str:
    return ".".join(part for part in path.with_suffix("").parts if part != "__init__")


def bracketed(contract: dict[str, list[str]]) -> list[str]:
    """The optional layers of a contract, as paths."""
    prefix = "".join(f"{container}/" for container in contract.get("containers", []))
    names = re.findall(r"\(([\w.]+)\)", " ".join(contract.get("layers", [])))
    return [prefix + name.replace(".", "/") for name in names]
