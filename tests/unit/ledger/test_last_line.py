"""The database's own refusals, for a change that goes past the code: each is tried on the file itself."""

import pytest

from dpengine.ledger.storage.tables import METADATA, accounts
from dpengine.privacy import Guarantee
from tests.examples.ledger_planting import NEXT, planted
from tests.examples.ledgers import ROWS, asking, ledger_at, opened, people, stored, tampered
from tests.servers.ledger_places import FilePlace


@pytest.fixture
def place(path):
    """The same ledger, for charges that are planted in it."""
    return FilePlace(folder=path.parent)


@pytest.fixture
def path(tmp_path):
    """A ledger with one account of epsilon 1, raised from 0.9, of which 0.4 is spent and answered."""
    path = tmp_path / "budget.db"
    account = opened(ledger_at(path), people(), epsilon=0.9, delta=1e-6)
    account.top_up(Guarantee(epsilon=1.0, delta=1e-6), reason="one more question")
    account.charge("first", asking(0.4))
    account.store_answer("first", [[7]])
    return path


def test_what_fits_goes_through_so_that_the_refusals_below_mean_something(place):
    assert planted(place, "r", 600_000_000) == ""


@pytest.mark.parametrize(
    "table, column",
    [
        ("meta", "version"),
        ("accounts", "granted_epsilon"),
        ("charges", "epsilon"),
        ("answers", "noisy"),
        ("topups", "head"),
    ],
)
def test_nothing_is_ever_deleted_or_changed(path, table, column):
    assert "append only" in tampered(path, f"DELETE FROM {table}")
    assert "append only" in tampered(path, f"UPDATE {table} SET {column} = 1")


@pytest.mark.parametrize("table", sorted(METADATA.tables))
def test_nothing_is_ever_replaced(path, table):
    before = stored(path, f"SELECT * FROM {table}")
    said = tampered(path, f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}")
    assert "already there" in said or "not the next place" in said
    assert stored(path, f"SELECT * FROM {table}") == before


def test_an_answer_that_replaces_another_in_the_next_place_is_refused(path):
    values = f"({NEXT}), charge, '[[8]]', answered, head"
    said = tampered(
        path, f"INSERT OR REPLACE INTO answers (id, charge, noisy, answered, head) SELECT {values} FROM answers"
    )
    assert "already there" in said
    assert stored(path, "SELECT noisy FROM answers") == [("[[7]]",)]


def test_a_charge_that_replaces_the_same_request_is_refused(place):
    assert "already there" in planted(place, "first", 1, insert="INSERT OR REPLACE")


def test_an_edition_that_replaces_another_in_the_next_place_is_refused(path):
    ledger = ledger_at(path)
    opened(ledger, people(ROWS[:2]), predecessor=ledger.accounts()[0])
    names = [column.name for column in accounts.columns]
    values = ", ".join({"id": f"({NEXT})", "fingerprint": "fingerprint || 'x'"}.get(name, name) for name in names)
    said = tampered(path, f"INSERT OR REPLACE INTO accounts SELECT {values} FROM accounts WHERE predecessor = 1")
    assert "already there" in said
    assert len(stored(path, "SELECT 1 FROM accounts")) == 2


def test_a_total_of_which_anything_shrinks_is_refused(path):
    columns = "account, granted_epsilon + ?, granted_delta + ?, granted_rho + ?, reason, granted, head"
    total = f"INSERT INTO topups SELECT ({NEXT}), {columns} FROM topups"
    for more in ((-1, 1, 0), (1, -1, 0), (1, 0, -1), (0, 0, 0), (0, 0, 1)):
        assert "not a larger total" in tampered(path, total, *more), more
    assert tampered(path, total, 1, 0, 0) == ""


@pytest.mark.parametrize(
    "epsilon, delta, reason",
    [
        (600_000_001, 0, "over budget"),
        (1, 10**12 + 1, "over budget"),
        (2**62, 0, "over budget"),
        (0, 0, "CHECK"),
        (-1, 0, "CHECK"),
        (1, -1, "CHECK"),
        (float("nan"), 0, "not the running total"),
        (float("inf"), 0, "cannot store REAL"),
        (0.5, 0, "cannot store REAL"),
        ("much", 0, "cannot store TEXT"),
        (None, 0, "not the running total"),
    ],
)
def test_amounts_that_no_sum_should_see(place, path, epsilon, delta, reason):
    assert reason in planted(place, "r", epsilon, delta)
    assert len(stored(path, "SELECT 1 FROM charges")) == 1


def test_a_charge_needs_an_account(place):
    assert "not the running total" in planted(place, "r", 1, account=77)


def test_concentrated_accounts_are_bounded_by_rho(tmp_path):
    place = FilePlace(folder=tmp_path)
    opened(place.open(), people(), epsilon=1.0, delta=1e-6, rule="concentrated")
    ((granted,),) = place.asked("SELECT granted_rho FROM accounts")
    assert "over budget" in planted(place, "r", 1, 0, granted + 1)
    assert planted(place, "r", 10**12, 0, granted) == ""
