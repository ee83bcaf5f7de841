"""Opening a ledger: what is made, what is remembered, and what is refused in words."""

import contextlib
import sqlite3

import pytest
from sqlalchemy import Engine, event

from dpengine.errors import LedgerError
from dpengine.ledger import Ledger
from dpengine.ledger.storage import marker as markers
from dpengine.ledger.storage import sqlite
from dpengine.privacy import Guarantee
from tests.examples.ledgers import asking, ledger_at, opened, people, stored, tampered


@contextlib.contextmanager
def heard(target, name, listener):
    event.listen(target, name, listener)
    try:
        yield
    finally:
        event.remove(target, name, listener)


def refusal_unless(fine):
    return contextlib.nullcontext() if fine else pytest.raises(LedgerError, match="Another program")


def test_a_new_ledger_is_made_once_and_found_again(tmp_path):
    path = tmp_path / "budget.db"
    ledger_at(path)
    known = stored(path, "SELECT ledger_id, secret FROM meta")
    ledger_at(path)
    assert stored(path, "SELECT ledger_id, secret FROM meta") == known
    assert stored(path, "PRAGMA journal_mode") == [("wal",)]


def test_only_its_owner_may_read_it(tmp_path):
    path = tmp_path / "budget.db"
    opened(ledger_at(path), people())
    assert [file.stat().st_mode & 0o077 for file in (path, tmp_path / "budget.db.id")] == [0, 0]


def test_every_commit_reaches_the_disk(tmp_path):
    ledger = ledger_at(tmp_path / "budget.db")
    with ledger._store.writing() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
        assert connection.exec_driver_sql("PRAGMA recursive_triggers").scalar() == 1


def test_a_change_begins_as_the_only_writer(tmp_path):
    path = tmp_path / "budget.db"
    with ledger_at(path)._store.writing():
        assert "locked" in tampered(path, "PRAGMA busy_timeout = 0") + _begin_at_once(path)


def _begin_at_once(path):
    connection = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        return str(error)
    finally:
        connection.close()
    return ""


def test_the_secret_is_shown_nowhere(tmp_path):
    path = tmp_path / "budget.db"
    ledger = ledger_at(path)
    secret = stored(path, "SELECT secret FROM meta")[0][0]
    account = opened(ledger, people())
    shown = repr(ledger) + repr(account) + repr(ledger._store) + repr(account.store.database)
    assert repr(secret) not in shown
    assert secret.hex() not in shown
    assert account.fingerprint not in shown


class TestMarkerBesideTheLedger:
    """What a notebook gets, where nobody names a marker."""

    def test_the_first_start_writes_it(self, tmp_path):
        path = tmp_path / "budget.db"
        ledger_at(path)
        assert markers.remembered_id(tmp_path / "budget.db.id") == stored(path, "SELECT ledger_id FROM meta")[0][0]
        ledger_at(path)

    def test_a_ledger_that_is_gone_is_not_made_anew(self, tmp_path):
        path = tmp_path / "budget.db"
        opened(ledger_at(path), people()).charge("r", asking(1.0))
        path.unlink()
        with pytest.raises(LedgerError, match=r"is gone\. Restore it from a backup.*delete .*budget\.db\.id"):
            ledger_at(path)
        assert not path.exists()

    def test_another_ledger_in_its_place_is_refused(self, tmp_path):
        path, other = tmp_path / "budget.db", tmp_path / "other.db"
        for place in (path, other):
            ledger_at(place).close()
        other.replace(path)
        with pytest.raises(LedgerError, match="is not the ledger that this program charged before"):
            ledger_at(path)

    def test_removing_both_starts_anew_on_purpose(self, tmp_path):
        path, marker = tmp_path / "budget.db", tmp_path / "budget.db.id"
        opened(ledger_at(path), people()).charge("r", asking(1.0))
        for file in (path, marker):
            file.unlink()
        assert opened(ledger_at(path), people()).spent == Guarantee(epsilon=0.0)

    def test_a_ledger_with_a_marker_elsewhere_gets_none_beside_it(self, tmp_path):
        ledger_at(tmp_path / "budget.db", marker=tmp_path / "ledger.id")
        assert not (tmp_path / "budget.db.id").exists()


class TestMarker:
    def test_the_first_start_writes_it(self, tmp_path):
        path, marker = tmp_path / "budget.db", tmp_path / "settings" / "ledger.id"
        ledger_at(path, marker=marker)
        assert markers.remembered_id(marker) == stored(path, "SELECT ledger_id FROM meta")[0][0]
        ledger_at(path, marker=marker)

    def test_a_ledger_that_is_gone_is_not_made_anew(self, tmp_path):
        path, marker = tmp_path / "budget.db", tmp_path / "ledger.id"
        ledger_at(path, marker=marker)
        path.unlink()
        with pytest.raises(LedgerError, match=r"is gone\. Restore it from a backup.*delete .*ledger\.id"):
            ledger_at(path, marker=marker)
        assert not path.exists()

    def test_an_emptied_ledger_is_not_made_anew(self, tmp_path):
        path, marker = tmp_path / "budget.db", tmp_path / "ledger.id"
        ledger_at(path, marker=marker)
        path.write_bytes(b"")
        with pytest.raises(LedgerError, match="not a ledger"):
            ledger_at(path, marker=marker)

    def test_another_ledger_is_refused(self, tmp_path):
        path, other, marker = tmp_path / "budget.db", tmp_path / "other.db", tmp_path / "ledger.id"
        ledger_at(path, marker=marker)
        ledger_at(other)
        with pytest.raises(LedgerError, match=r"other\.db is not the ledger that this program charged before"):
            ledger_at(other, marker=marker)

    def test_deleting_the_marker_starts_anew_on_purpose(self, tmp_path):
        path, marker = tmp_path / "budget.db", tmp_path / "ledger.id"
        ledger_at(path, marker=marker)
        first = marker.read_text()
        path.unlink()
        marker.unlink()
        ledger_at(path, marker=marker)
        assert marker.read_text() != first

    def test_a_crash_before_the_marker_is_written_adopts_the_ledger(self, tmp_path):
        path, marker = tmp_path / "budget.db", tmp_path / "ledger.id"
        ledger_at(path)
        (tmp_path / "budget.db.id").unlink()
        ledger_at(path, marker=marker)
        assert markers.remembered_id(marker) == stored(path, "SELECT ledger_id FROM meta")[0][0]

    @pytest.mark.parametrize("content", [b"", b"\xff\xfe"])
    def test_an_unreadable_marker_is_no_first_start(self, tmp_path, content):
        marker = tmp_path / "ledger.id"
        marker.write_bytes(content)
        with pytest.raises(LedgerError, match="cannot be read"):
            ledger_at(tmp_path / "budget.db", marker=marker)
        assert not (tmp_path / "budget.db").exists()

    def test_a_marker_that_cannot_be_written_is_said(self, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(LedgerError, match="cannot be written"):
            ledger_at(tmp_path / "budget.db", marker=tmp_path / "file" / "ledger.id")


class TestRefusals:
    @pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "sqlite:///file:x?mode=memory&uri=true"])
    def test_a_ledger_in_memory_would_forget(self, url):
        with pytest.raises(LedgerError, match="outlives the program"):
            Ledger.open(url)

    @pytest.mark.parametrize("url", ["nonsense", "", "budget.db"])
    def test_what_is_no_url(self, url):
        with pytest.raises(LedgerError, match="named by a URL"):
            Ledger.open(url)

    def test_another_kind_of_database(self):
        with pytest.raises(LedgerError, match="an SQLite file or in a PostgreSQL database") as caught:
            Ledger.open("mysql://user:secret@host/budget")
        assert "secret" not in str(caught.value)

    def test_a_missing_folder(self, tmp_path):
        with pytest.raises(LedgerError, match="does not exist"):
            ledger_at(tmp_path / "nowhere" / "budget.db")

    def test_a_folder_in_the_place_of_the_file(self, tmp_path):
        with pytest.raises(LedgerError, match="cannot be opened"):
            ledger_at(tmp_path)

    def test_a_file_that_is_no_database(self, tmp_path):
        path = tmp_path / "budget.db"
        path.write_text("this is a letter, long enough to be taken for the header of a database file" * 9)
        with pytest.raises(LedgerError, match="not a database"):
            ledger_at(path)

    def test_somebody_elses_database_is_left_alone(self, tmp_path):
        path = tmp_path / "budget.db"
        tampered(path, "CREATE TABLE recipes (name TEXT)")
        with pytest.raises(LedgerError, match="a database, but not a ledger"):
            ledger_at(path)
        assert stored(path, "SELECT name FROM sqlite_schema") == [("recipes",)]
        assert stored(path, "PRAGMA journal_mode") == [("delete",)]

    def test_a_ledger_from_the_future(self, tmp_path):
        path = tmp_path / "budget.db"
        ledger_at(path)
        tampered(path, "DROP TRIGGER meta_never_update")
        assert not tampered(path, "UPDATE meta SET version = 99")
        with pytest.raises(LedgerError, match="another version of this program"):
            ledger_at(path)

    def test_a_ledger_that_lost_a_table(self, tmp_path):
        path = tmp_path / "budget.db"
        ledger_at(path)
        tampered(path, "DROP TABLE answers")
        with pytest.raises(LedgerError, match="part of the ledger is missing"):
            ledger_at(path)

    def test_a_damaged_file(self, tmp_path):
        path = tmp_path / "budget.db"
        account = opened(ledger_at(path), people(), epsilon=100)
        for number in range(40):
            account.charge(f"r{number}", asking(0.1))
        account.store.database.close()
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.seek(size // 2)
            file.write(b"\xa5" * (size // 2))
        with pytest.raises(LedgerError, match="damaged"):
            ledger_at(path)

    def test_a_ledger_that_cannot_be_written(self, tmp_path, monkeypatch):
        path = tmp_path / "budget.db"
        ledger_at(path)
        connect = sqlite3.connect
        monkeypatch.setattr(
            sqlite3,
            "connect",
            lambda url, **rest: connect(url.replace("mode=rwc", "mode=ro").replace("mode=rw", "mode=ro"), **rest),
        )
        with pytest.raises(LedgerError, match="cannot be written"):
            ledger_at(path, marker=None)

    def test_a_ledger_that_another_program_holds(self, tmp_path):
        path = tmp_path / "budget.db"
        ledger_at(path)
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError, match="Another program"):
            ledger_at(path, patience=0.1)
        holder.close()

    @pytest.mark.parametrize("leaves_in_time", [True, False])
    def test_a_new_file_that_another_program_is_writing_into_is_waited_for(self, tmp_path, leaves_in_time):
        """SQLite itself does not wait for a writer when it is asked for a write-ahead log."""
        path = tmp_path / "budget.db"
        path.touch()
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        met = []

        def note_and_leave(context):
            met.append(str(context.original_exception))
            if leaves_in_time:
                holder.execute("ROLLBACK")

        with heard(Engine, "handle_error", note_and_leave), refusal_unless(leaves_in_time):
            ledger_at(path, patience=60.0 if leaves_in_time else 0.1)
        holder.close()
        assert met[0] == "database is locked"
        assert stored(path, "PRAGMA journal_mode") == [("wal" if leaves_in_time else "delete",)]

    def test_an_old_sqlite(self, tmp_path, monkeypatch):
        monkeypatch.setattr(sqlite, "OLDEST_SQLITE", (99, 0, 0))
        with pytest.raises(LedgerError, match="needs SQLite"):
            ledger_at(tmp_path / "budget.db")


class TestWhileInUse:
    def test_a_deleted_ledger_charges_nothing(self, tmp_path):
        path = tmp_path / "budget.db"
        account = opened(ledger_at(path), people())
        path.unlink()
        for _ in range(2):
            with pytest.raises(LedgerError, match="missing"):
                account.charge("r", asking(0.1))
        assert not path.exists()

    def test_an_exchanged_ledger_charges_nothing(self, tmp_path):
        path, other = tmp_path / "budget.db", tmp_path / "other.db"
        account = opened(ledger_at(path), people())
        kept = ledger_at(other)
        opened(kept, people())
        kept.close()
        other.replace(path)
        with pytest.raises(LedgerError, match="exchanged for another"):
            account.charge("r", asking(0.1))
        assert stored(path, "SELECT count(*) FROM charges") == [(0,)]

    def test_errors_quote_no_statement(self, tmp_path):
        path = tmp_path / "budget.db"
        account = opened(ledger_at(path), people())
        tampered(path, "DROP TABLE answers")
        with pytest.raises(LedgerError) as caught:
            account.charge("private-id", asking(0.1))
        assert "SELECT" not in str(caught.value)
        assert "private-id" not in str(caught.value)
        assert "private-id" not in repr(caught.value.__context__)
        assert caught.value.__suppress_context__
