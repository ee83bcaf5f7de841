"""A ledger that a program opens without saying which."""

from dpengine.ledger import Ledger
from dpengine.ledger.ledger import URL_VARIABLE


def test_without_a_name_it_is_the_one_of_the_environment(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(URL_VARIABLE, f"sqlite:///{tmp_path / 'named.db'}")
    Ledger.open().close()
    assert [path.name for path in tmp_path.glob("*.db")] == ["named.db"]
    monkeypatch.delenv(URL_VARIABLE)
    Ledger.open().close()
    assert (tmp_path / "budget.db").exists(), "the control"
