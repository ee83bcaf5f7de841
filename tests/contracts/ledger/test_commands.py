"""The command line, and copies: what is written can be restored, and holds what the ledger held."""

import json
import runpy
import stat
import sys

import pytest
from sqlalchemy import make_url

from dpengine.data import load_sample
from dpengine.errors import LedgerError
from dpengine.ledger.commands import main
from dpengine.ledger.storage.postgres_triggers import NAMESPACE
from dpengine.privacy import Guarantee, Neighbors
from tests.contracts.ledger.laws import again, the_table
from tests.examples.ledgers import asking, opened


@pytest.fixture
def used(place):
    """A place whose ledger has an account with a top-up, two charges and one answer."""
    account = opened(place.open(), the_table(), epsilon=1.0)
    account.charge("first", asking(0.4))
    account.store_answer("first", [[7]])
    account.top_up(Guarantee(epsilon=1.5), reason="the board agreed")
    account.charge("second", asking(0.1))
    return place


def said(capsys, *arguments):
    code = main(list(arguments))
    told = capsys.readouterr()
    return code, told.out.strip(), told.err.strip()


def test_verify_and_head(used, capsys):
    head = used.open().head
    assert said(capsys, "verify", "--ledger", used.url) == (0, f"The ledger is whole. Its head is {head}.", "")
    assert said(capsys, "head", "--ledger", used.url) == (0, head, "")
    used.unguarded("UPDATE charges SET epsilon = 1 WHERE request_id = 'first'")
    code, out, err = said(capsys, "verify", "--ledger", used.url)
    assert (code, out) == (1, "")
    assert "altered" in err or "guards are missing" in err


def test_accounts_in_exact_decimals(used, capsys):
    line = '1  "people"  naive rule  epsilon 1 left of epsilon 1.5'
    assert said(capsys, "accounts", "--ledger", used.url) == (0, line, "")


def test_an_export_has_everything_but_the_secrets(used, capsys, tmp_path):
    to = tmp_path / "out.json"
    assert said(capsys, "export", str(to), "--ledger", used.url)[0] == 0
    everything = json.loads(to.read_text())
    (account,) = everything["accounts"]
    assert [(one["request_id"], one["noisy"]) for one in account["charges"]] == [("first", [[7]]), ("second", None)]
    assert (account["granted"], account["spent"]) == ("epsilon 1.5", "epsilon 0.5")
    assert account["top_ups"][0]["reason"] == "the board agreed"
    assert everything["head"] == used.open().head
    (secret,), (fingerprint,) = (
        used.asked("SELECT secret FROM meta")[0],
        used.asked("SELECT fingerprint FROM accounts")[0],
    )
    assert secret.hex() not in to.read_text()
    assert fingerprint not in to.read_text()
    assert said(capsys, "export", str(to), "--ledger", used.url)[0] == 1
    assert to.stat().st_mode & 0o077 == 0


def test_an_export_that_cannot_be_read_leaves_no_file(used, capsys, tmp_path):
    used.unguarded("UPDATE charges SET planned = '{' WHERE request_id = 'first'")
    code, out, err = said(capsys, "export", str(tmp_path / "out.json"), "--ledger", used.url)
    assert (code, out) == (1, "")
    assert "altered" in err or "guards are missing" in err
    assert not (tmp_path / "out.json").exists()


def test_an_export_has_restarted_practice_accounts_too(file_place, capsys, tmp_path):
    table, schema = load_sample("patients")
    terms = {"neighbors": Neighbors.ADD_REMOVE, "budget": Guarantee(epsilon=1.0)}
    account = file_place.open().open_account(table, schema, **terms)
    account.charge("first", asking(0.4))
    account.restart()
    to = tmp_path / "out.json"
    assert said(capsys, "export", str(to), "--ledger", file_place.url)[0] == 0
    before, after = json.loads(to.read_text())["accounts"]
    assert [one["request_id"] for one in before["charges"]] == ["first"]
    assert (before["generation"], after["generation"], after["charges"]) == (1, 2, [])


def test_a_copy_is_private_and_never_written_over(used, tmp_path):
    to = tmp_path / "copy"
    used.open().back_up(to)
    assert to.stat().st_mode & 0o077 == 0
    before = to.read_bytes()
    with pytest.raises(LedgerError, match="exists already"):
        used.open().back_up(to)
    assert to.read_bytes() == before
    with pytest.raises(LedgerError, match="cannot be written"):
        used.open().back_up(tmp_path / "nowhere" / "copy")


def test_a_copy_in_sqlite_holds_what_is_still_beside_the_file(file_place, capsys, tmp_path):
    ledger = file_place.open()
    account = opened(ledger, the_table())
    account.charge("r", asking(0.4))
    assert (tmp_path / "budget.db-wal").stat().st_size
    to = tmp_path / "copy.db"
    assert said(capsys, "backup", str(to), "--ledger", file_place.url)[0] == 0
    head = ledger.head
    ledger.close()
    file_place.restore(to)
    restored = file_place.open()
    restored.verify()
    assert restored.head == head
    assert again(file_place).remaining == Guarantee(epsilon=0.6)


def test_a_ledger_whose_password_stands_in_a_file_is_backed_up(server_place, capsys, tmp_path, monkeypatch):
    """Its lines name a host and a port, and pg_dump is led to a port of ours."""
    url = make_url(server_place.url)
    opened(server_place.open(), the_table())
    told = ":".join(word.replace("\\", r"\\").replace(":", r"\:") for word in (str(url.username), str(url.password)))
    file = tmp_path / "pgpass"
    file.write_text(f"{url.host}:{url.port}:*:{told}\n")
    file.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(file))
    without = f"postgresql://{url.username}@{url.host}:{url.port}/{url.database}"
    assert said(capsys, "backup", str(tmp_path / "copy.dump"), "--ledger", without)[::2] == (0, "")


def test_a_dump_of_postgresql_is_restored_with_its_guards(server_place, capsys, tmp_path):
    account = opened(server_place.open(), the_table())
    account.charge("r", asking(0.4))
    account.store_answer("r", [[7]])
    head = server_place.open().head
    to = tmp_path / "copy.dump"
    assert said(capsys, "backup", str(to), "--ledger", server_place.url)[0] == 0
    server_place.asked(f"DROP SCHEMA {NAMESPACE} CASCADE")
    with pytest.raises(LedgerError, match="is gone"):
        server_place.open()
    server_place.restore(to)
    restored = server_place.open()
    restored.verify()
    assert restored.head == head
    assert again(server_place).remaining == Guarantee(epsilon=0.6)
    assert "append only" in server_place.tampered("DELETE FROM answers")


def test_a_loss_is_accepted_by_an_administrator_who_says_so(used, capsys, tmp_path):
    """A backup from before the last charge is refused; going on without it is a decision, and leaves a line."""
    assert said(capsys, "accept-loss", str(tmp_path / "none"), "--ledger", used.url)[2].startswith("There is no marker")
    older, newer, head = tmp_path / "older", tmp_path / "newer", used.open().head
    accept = ("accept-loss", str(used.marker), "--ledger", used.url)
    assert said(capsys, *accept)[:2] == (
        0,
        "Nothing is missing: the ledger holds every entry that the marker remembers.",
    )
    used.open().back_up(older)
    used.marker.chmod(0o640)
    again(used).charge("third", asking(0.1))
    lost = used.open().head
    used.open().back_up(newer)
    used.restore(older)
    code, out, err = said(capsys, *accept)
    assert (code, out) == (1, "")
    assert "ends at entry 5, lacks entry 6, which the marker remembers" in err
    assert "every budget gets back" in err
    with pytest.raises(LedgerError, match="accept-loss"):
        used.open()
    used.restore(newer)
    assert used.open().head == lost
    used.restore(older)
    assert said(capsys, *accept, "--forget-lost-charges")[0] == 0
    assert stat.S_IMODE(used.marker.stat().st_mode) == 0o640, "It is still the server's, which writes into it."
    assert f"accepted 5 {head} instead of 6 {lost}" in used.marker.read_text()
    for request_id in ("fourth", "fifth"):
        again(used).charge(request_id, asking(0.1))
    used.open().verify()
    assert f"accepted 5 {head} instead of 6 {lost}" in used.marker.read_text()
    assert said(capsys, *accept)[0] == 0


def test_a_ledger_that_is_not_there_is_not_made(tmp_path, capsys):
    code, out, err = said(capsys, "verify", "--ledger", f"sqlite:///{tmp_path / 'budget.db'}")
    assert (code, out) == (1, "")
    assert "There is no ledger in" in err
    assert list(tmp_path.iterdir()) == []


def test_a_password_is_in_no_sentence(capsys):
    for url in (
        "postgresql://u:se cret@h:pass word/db",
        "postgresql://u:secret@127.0.0.1:1/db",
        "mysql://u:secret@h/d",
    ):
        code, out, err = said(capsys, "head", "--ledger", url)
        assert code == 1
        assert "secret" not in out + err
        assert "word" not in out + err.replace("password", "")


@pytest.mark.parametrize("arguments", [["backup"], ["export"], ["accept-loss"], ["head", "file"], ["burn"], []])
def test_what_makes_no_sense(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


def test_the_environment_names_the_ledger(file_place, monkeypatch, capsys):
    """As `python -m dpengine.ledger head` does."""
    head = file_place.open().head
    monkeypatch.setenv("EPSILON_EXPLORER_LEDGER", file_place.url)
    monkeypatch.setattr(sys, "argv", ["ledger", "head"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("dpengine.ledger", run_name="__main__")
    assert not ended.value.code
    assert capsys.readouterr().out.strip() == head
