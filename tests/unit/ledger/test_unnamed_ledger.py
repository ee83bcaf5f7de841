"""A ledger that a program opens without saying which."""

from pathlib import Path

import pytest

from dpengine.errors import LedgerError
from dpengine.ledger import Ledger
from dpengine.ledger.commands import main
from dpengine.ledger.storage.ledger_place import AT_HOME, MARKER_VARIABLE, URL_VARIABLE, url_in_use
from tests.examples.ledgers import asking, opened, people


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nobody's own: without a ledger at first."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(folder))
    return folder


def test_without_a_name_it_is_the_one_of_the_environment(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(URL_VARIABLE, f"sqlite:///{tmp_path / 'named.db'}")
    monkeypatch.setenv(MARKER_VARIABLE, str(tmp_path / "its.id"))
    Ledger.open().close()
    assert [path.name for path in tmp_path.glob("*.db")] == ["named.db"]
    assert [path.name for path in tmp_path.glob("*.id")] == ["its.id"]
    Ledger.open(f"sqlite:///{tmp_path / 'another.db'}").close()
    assert (tmp_path / "another.db.id").exists(), "A ledger that is named here has the marker beside it."
    for variable in (URL_VARIABLE, MARKER_VARIABLE):
        monkeypatch.delenv(variable)
    Ledger.open().close()
    assert (tmp_path / "budget.db").exists(), "the control"


def test_without_a_name_a_copy_from_before_is_refused_as_the_dashboard_refuses_it(tmp_path, monkeypatch):
    """Whose marker lies beside the ledger: an exported script or a notebook there opens what the dashboard opens."""
    monkeypatch.chdir(tmp_path)
    for variable in (URL_VARIABLE, MARKER_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    url, marker = f"sqlite:///{tmp_path / 'budget.db'}", tmp_path / ".streamlit/ledger.id"
    marker.parent.mkdir()
    of_the_dashboard = Ledger.open(url, marker=marker)
    account = opened(of_the_dashboard, people())
    of_the_dashboard.back_up(tmp_path / "before.db")
    account.charge("r", asking(1.0))
    of_the_dashboard.close()
    assert str(Ledger.open().accounts()[0].remaining) == "epsilon 0", "The control: nothing was replaced."
    for file in tmp_path.glob("budget.db*"):
        file.unlink()
    (tmp_path / "before.db").rename(tmp_path / "budget.db")
    with pytest.raises(LedgerError, match="ends at entry"):
        Ledger.open()


def test_without_a_name_a_dashboards_marker_that_leads_nowhere_is_missed(tmp_path, monkeypatch):
    """The disk that it leads to is not mounted: another marker would take an older ledger, or a new one."""
    for variable in (URL_VARIABLE, MARKER_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit/ledger.id").symlink_to(tmp_path / "volume" / "ledger.id")
    with pytest.raises(LedgerError, match="Mount that disk first"):
        Ledger.open()
    (tmp_path / "volume").mkdir()
    Ledger.open().close()
    assert (tmp_path / "volume" / "ledger.id").exists(), "The control."


def test_without_a_name_it_is_the_installed_dashboards_where_there_is_none_here(home, tmp_path, monkeypatch):
    """A fresh one would have the whole budget of a table that the dashboard has spent."""
    for variable in (URL_VARIABLE, MARKER_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    installed = home / AT_HOME
    (installed / ".streamlit").mkdir(parents=True)
    dashboards = Ledger.open(f"sqlite:///{installed / 'budget.db'}", marker=installed / ".streamlit/ledger.id")
    opened(dashboards, people()).charge("r", asking(1.0))
    dashboards.close()
    monkeypatch.chdir(tmp_path)
    assert str(Ledger.open().accounts()[0].remaining) == "epsilon 0"
    assert list(tmp_path.iterdir()) == []
    assert main(["accounts"]) == 0
    Ledger.open("sqlite:///budget.db").close()
    for left in ("budget.db", "budget.db.id"):
        with pytest.raises(LedgerError, match="Name the one that is meant"):
            url_in_use()
        monkeypatch.setenv(URL_VARIABLE, "sqlite:///budget.db")
        assert url_in_use() == "sqlite:///budget.db", "The control: it is named."
        monkeypatch.delenv(URL_VARIABLE)
        (tmp_path / left).unlink()
    assert Ledger.open().accounts(), "The control: there is one alone again."
    monkeypatch.chdir(installed)
    assert url_in_use() == "sqlite:///budget.db", "The dashboard's own folder."
