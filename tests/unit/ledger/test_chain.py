"""The chain of hashes: whatever is altered, put in or taken out past the code shows, column by column."""

import shutil
import sqlite3

import pytest

from dpengine.errors import LedgerError
from dpengine.ledger import Ledger
from dpengine.ledger.storage import chain
from dpengine.ledger.storage.tables import METADATA
from dpengine.privacy import Guarantee
from tests.examples.ledgers import ROWS, asking, found, ledger_at, opened, people, stored

COLUMNS = [(table.name, column.name) for table in METADATA.sorted_tables for column in table.columns]


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A ledger of two accounts, one of them raised, three charges and two answers, which follow from one another."""
    path = tmp_path_factory.mktemp("filled") / "budget.db"
    ledger = ledger_at(path)
    first = opened(ledger, people(), epsilon=1.0, delta=1e-6)
    opened(ledger, people(ROWS[:2]))
    for request_id in ("a", "b", "c"):
        first.charge(request_id, asking(0.1))
    first.top_up(Guarantee(epsilon=2.0, delta=1e-6), reason="the study was extended")
    first.store_answer("b", [[7]])
    first.store_answer("a", [[9]])
    ledger.verify()
    ledger.close()
    return path.parent


@pytest.fixture
def path(filled, tmp_path):
    """A copy of it, with its marker."""
    return shutil.copytree(filled, tmp_path / "ledger") / "budget.db"


def alter(path, *statements):
    """Changes made by somebody who takes down everything that the database has against them, and puts it back."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    with connection:
        guards = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        changed = [connection.execute(statement).rowcount for statement in statements]
        for _, made in guards:
            connection.execute(made)
    connection.close()
    assert all(changed)


def test_every_table_has_something_to_alter(path):
    assert all(stored(path, f"SELECT count(*) FROM {table}") > [(0,)] for table in METADATA.tables)


@pytest.mark.parametrize("portion", [1, 2, 3, 7, 8, 9, 500])
def test_every_row_is_read_once_whatever_the_portions_are(path, monkeypatch, portion):
    monkeypatch.setattr(chain, "_PORTION", portion)
    ledger_at(path).verify()
    alter(path, "UPDATE charges SET epsilon = epsilon + 1 WHERE request_id = 'c'")
    with pytest.raises(LedgerError):
        ledger_at(path).verify()


def test_the_same_value_written_again_is_no_alteration(path):
    alter(path, "UPDATE charges SET epsilon = epsilon, planned = planned")
    ledger_at(path).verify()


@pytest.mark.parametrize("table, column", COLUMNS)
def test_an_altered_column_shows(path, table, column):
    ledger = ledger_at(path)
    other = {int: f"{column} + 77", str: f"{column} || 'x'", bytes: "zeroblob(32)", type(None): "77"}
    old = stored(path, f"SELECT {column} FROM {table} ORDER BY rowid LIMIT 1")[0][0]
    new = "'somebody'" if column == "identifier" else other[type(old)]
    alter(path, f"UPDATE {table} SET {column} = {new} WHERE rowid = (SELECT min(rowid) FROM {table})")
    with pytest.raises(LedgerError, match=r"was altered|exchanged for another"):
        ledger.verify()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM answers WHERE charge = 4",
        "DELETE FROM charges WHERE id = 5",
        "DELETE FROM topups WHERE id = 6",
        f"INSERT INTO answers (id, charge, noisy, answered, head) VALUES (9, 5, '[[1]]', 'now', '{'0' * 64}')",
        f"INSERT INTO answers (id, charge, noisy, answered, head) VALUES (1, 5, '[[1]]', 'now', '{'0' * 64}')",
        f"INSERT INTO answers (id, charge, noisy, answered, head) VALUES ({2**62}, 5, '[[1]]', 'now', '{'0' * 64}')",
        "UPDATE answers SET charge = 5 WHERE charge = 4",
        "UPDATE charges SET id = 77 WHERE id = 5",
    ],
)
def test_a_row_put_in_or_taken_out_shows(path, statement):
    alter(path, statement)
    with pytest.raises(LedgerError, match="was altered"):
        ledger_at(path).verify()


def test_what_was_taken_off_the_end_shows_in_the_head_and_below_the_mark_alone(path):
    head = ledger_at(path).head
    alter(path, "DELETE FROM answers WHERE id = 8")
    cut_short = Ledger.found(f"sqlite:///{path}")
    assert cut_short is not None
    cut_short.verify()
    assert cut_short.head != head
    with pytest.raises(LedgerError, match="ends at entry 7, but entry 8 was written"):
        ledger_at(path)


def test_the_head_changes_with_everything_written(path):
    ledger = ledger_at(path)
    account, heads = found(path, people()), [ledger.head]
    account.charge("d", asking(0.1))
    heads.append(ledger.head)
    account.store_answer("d", [[1]])
    heads.append(ledger.head)
    opened(ledger, people(ROWS[:3]))
    heads.append(ledger.head)
    assert len(set(heads)) == 4
    account.charge("d", asking(0.1))
    assert ledger.head == heads[-1]


def test_two_new_ledgers_begin_differently(tmp_path, path):
    assert ledger_at(tmp_path / "other.db").head != ledger_at(tmp_path / "third.db").head
