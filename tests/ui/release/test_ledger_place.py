"""Where the ledger lies: beside the program, whatever folder somebody starts it from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpengine.errors import LedgerError
from dpengine.ledger import Ledger
from dpengine.ledger.storage.ledger_place import AT_HOME
from pages.plan import accounts
from tests.servers.server import LEDGER_VARIABLE, MARKER_VARIABLE

STRAYS = ["", "[project]\nname = 'another'\n", "[project]\n", "project = 1\n", "= no TOML", "\udc80"]


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Another folder than the program's, in which somebody stands; nothing is set."""
    for folder in ("program/.streamlit", "elsewhere/.streamlit"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "program" / accounts.SOURCES).write_text('[project]\nname = "epsilon-explorer"\n')
    monkeypatch.setattr(accounts, "PROGRAM", tmp_path / "program")
    monkeypatch.chdir(tmp_path / "elsewhere")
    for variable in (LEDGER_VARIABLE, MARKER_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    for kept in (accounts._ledger.clear, accounts.ledger_folder.cache_clear):
        kept()
    yield tmp_path / "elsewhere"
    for kept in (accounts._ledger.clear, accounts.ledger_folder.cache_clear):
        kept()


def files(folder: Path) -> set[str]:
    """A ledger and its marker, where they are."""
    return {name for name in ("budget.db", ".streamlit/ledger.id") if (folder / name).exists()}


def test_started_from_another_folder_it_is_the_same_ledger(elsewhere: Path) -> None:
    accounts.ledger().close()
    assert files(elsewhere) == set()
    assert files(accounts.PROGRAM) == {"budget.db", ".streamlit/ledger.id"}


def test_that_of_an_installed_dashboard_is_its_users(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages are replaced by the next version's, with all that lies in them, wherever they were installed."""
    (accounts.PROGRAM / accounts.SOURCES).unlink()
    monkeypatch.setenv("HOME", str(elsewhere.parent))
    accounts.ledger().close()
    assert files(elsewhere.parent / AT_HOME) == {"budget.db", ".streamlit/ledger.id"}


@pytest.mark.parametrize("stray", STRAYS)
def test_a_stray_file_beside_the_packages_changes_nothing(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch, stray: str
) -> None:
    """Some packages leave theirs there: that is no repository, and its ledger would have every budget anew."""
    (accounts.PROGRAM / accounts.SOURCES).write_text(stray, encoding="utf-8", errors="surrogateescape")
    monkeypatch.setenv("HOME", str(elsewhere.parent))
    assert accounts.ledger_folder() == elsewhere.parent / AT_HOME


def test_one_that_lies_here_is_neither_believed_nor_passed_over(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever packed the folder may have granted budgets; or somebody always started it here. The name decides."""
    place = f"sqlite:///{elsewhere / 'budget.db'}"
    Ledger.open(place, marker=elsewhere / ".streamlit/ledger.id").close()
    (elsewhere / "budget.db").unlink()
    with pytest.raises(LedgerError, match="A ledger's marker lies in"):
        accounts.ledger()
    assert files(elsewhere) == {".streamlit/ledger.id"}
    assert files(accounts.PROGRAM) == set()
    monkeypatch.setenv(LEDGER_VARIABLE, place)
    assert accounts.ledger_folder() == elsewhere
    with pytest.raises(LedgerError, match="is gone"):
        accounts.ledger()


def test_another_accounts_marker_is_not_the_ledgers(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would forget how far the named ledger went, and take an older copy for it. The control: one's own."""
    marker = elsewhere / ".streamlit/ledger.id"
    marker.write_text("")
    monkeypatch.setenv(LEDGER_VARIABLE, f"sqlite:///{elsewhere / 'budget.db'}")
    assert accounts.ledger_folder.__wrapped__() == elsewhere
    another = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: another)
    with pytest.raises(LedgerError, match="another account's"):
        accounts.ledger_folder.__wrapped__()


def test_a_marker_that_leads_to_a_disk_that_is_not_there_is_one(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another ledger would have every budget anew."""
    (elsewhere / ".streamlit/ledger.id").symlink_to(elsewhere / "volume" / "ledger.id")
    with pytest.raises(LedgerError, match="A ledger's marker lies in"):
        accounts.ledger()
    monkeypatch.setenv(LEDGER_VARIABLE, f"sqlite:///{elsewhere / 'budget.db'}")
    with pytest.raises(LedgerError, match=r"ledger\.id is a link, or another account's"):
        accounts.ledger()
    monkeypatch.setenv(MARKER_VARIABLE, str(elsewhere / ".streamlit/ledger.id"))
    with pytest.raises(LedgerError, match="Mount that disk first"):
        accounts.ledger()


def test_a_ledger_that_another_program_makes_here_changes_nothing(elsewhere: Path) -> None:
    """As a notebook does, or an exported script: neither while the dashboard runs nor when it starts again."""
    before = accounts.ledger()
    Ledger.open(f"sqlite:///{elsewhere / 'budget.db'}").close()
    assert accounts.ledger() is before
    before.close()
    accounts._ledger.clear()
    accounts.ledger_folder.cache_clear()
    assert accounts.ledger_folder() == accounts.PROGRAM


def test_what_the_environment_names_counts_first(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LEDGER_VARIABLE, f"sqlite:///{elsewhere / 'named.db'}")
    accounts.ledger().close()
    assert (elsewhere / "named.db").exists()
    assert files(accounts.PROGRAM) == {".streamlit/ledger.id"}
