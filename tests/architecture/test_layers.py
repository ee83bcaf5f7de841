"""The layers of the house, as import-linter sees them."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import grimp
import pytest

from tests.server import ROOT

LINT_IMPORTS = "from importlinter.cli import lint_imports_command as check; check(['--no-logo', '--no-cache'])"
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]

PLANTED = [
    ("dpengine/privacy/planted.py", "import streamlit", "The engine knows no Streamlit"),
    ("dpengine/privacy/planted.py", "import dpengine.data", "The engine's floors"),
    ("dpengine/privacy/planted.py", "from plotly import graph_objects", "Only charts imports plotly"),
    ("pages/explore/planted.py", "import plotly.express", "Only charts imports plotly"),
    ("dpengine/queries/planted.py", "import ibis", "Only dpengine.data talks to engines of rows"),
    ("dpengine/queries/planted.py", "import duckdb", "Only dpengine.data talks to engines of rows"),
    ("pages/ui/planted.py", "import pyarrow.parquet", "Only dpengine.data talks to engines of rows"),
    ("dpengine/mechanisms/planted.py", "import opendp.prelude", "Only exact_noise draws exact noise"),
    ("dpengine/queries/planted.py", "import sqlglot", "Only dpengine.queries.sql and dpengine.data know sqlglot"),
    ("dpengine/accounting/planted.py", "import dpengine.mechanisms", "Accounting, losses and beliefs"),
    ("dpengine/beliefs/planted.py", "import dpengine.data", "Accounting, losses and beliefs"),
    ("dpengine/attacks/planted.py", "import dpengine.ledger", "Attacks know no release"),
    ("dpengine/queries/planted.py", "import dpengine.mechanisms", "The engine's floors"),
    ("dpengine/planted.py", "", "The engine's floors"),
    ("pages/explore/planted.py", "import pages.start.planted_too", "The screens stand on the engine"),
    ("pages/ui/planted.py", "import pages.start.planted_too", "The screens stand on the engine"),
    ("pages/explore/planted.py", "import app", "Nothing imports app"),
]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the sources, to plant a wrong import in."""
    for name in ("dpengine", "pages"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "tables"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_every_import_goes_down() -> None:
    passed, output = lint(ROOT)
    assert passed, output


@pytest.mark.parametrize(("path", "line", "contract"), PLANTED)
def test_a_planted_import_is_caught(copy: Path, path: str, line: str, contract: str) -> None:
    plant(copy / "pages" / "start" / "planted_too.py", "")
    plant(copy / path, line)
    passed, output = lint(copy)
    assert not passed
    assert "planted" in output, output
    assert re.search(rf"^{re.escape(contract)}.* BROKEN", output, re.MULTILINE), output


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
