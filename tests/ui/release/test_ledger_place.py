"""Where the ledger lies: beside the program, whatever folder somebody starts it from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dpengine.ledger import Ledger
from pages.plan import accounts
from tests.servers.server import LEDGER_VARIABLE, MARKER_VARIABLE


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Another folder than the program's, in which somebody stands; nothing is set."""
    for folder in ("program/.streamlit", "elsewhere/.streamlit"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setattr(accounts, "PROGRAM", tmp_path / "program")
    monkeypatch.chdir(tmp_path / "elsewhere")
    for variable in (LEDGER_VARIABLE, MARKER_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    accounts._ledger.clear()
    yield tmp_path / "elsewhere"
    accounts._ledger.clear()


def files(folder: Path) -> set[str]:
    """A ledger and its marker, where they are."""
    return {name for name in ("budget.db", ".streamlit/ledger.id") if (folder / name).exists()}


def test_started_from_another_folder_it_is_the_same_ledger(elsewhere: Path) -> None:
    accounts.ledger().close()
    assert files(elsewhere) == set()
    assert files(accounts.PROGRAM) == {"budget.db", ".streamlit/ledger.id"}


@pytest.mark.parametrize("left", ["budget.db", ".streamlit/ledger.id"])
def test_where_one_lies_already_it_stays(elsewhere: Path, left: str) -> None:
    """Somebody always started it here; a marker alone says that the ledger was here, and is missed."""
    Ledger.open(f"sqlite:///{elsewhere / 'budget.db'}", marker=elsewhere / ".streamlit/ledger.id").close()
    for name in files(elsewhere) - {left}:
        (elsewhere / name).unlink()
    assert accounts.ledger_folder() == elsewhere


def test_what_the_environment_names_counts_first(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LEDGER_VARIABLE, f"sqlite:///{elsewhere / 'named.db'}")
    accounts.ledger().close()
    assert (elsewhere / "named.db").exists()
    assert files(accounts.PROGRAM) == {".streamlit/ledger.id"}
