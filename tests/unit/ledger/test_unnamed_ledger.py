"""A ledger that a program opens without saying which."""

from dpengine.ledger import Ledger
from dpengine.ledger.ledger import MARKER_VARIABLE, URL_VARIABLE


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
