"""The database's own refusals, for a change that goes past the code: each is tried on the file itself."""

import pytest

from dpengine.ledger.tables import METADATA
from dpengine.privacy import Guarantee
from tests.ledgers import asking, ledger_at, opened, people, stored, tampered

CHARGE = (
    "INSERT INTO charges "
    "(account, request_id, request_hash, planned, table_schema, epsilon, delta, rho, charged) "
    "VALUES (1, ?, 'hash', 'planned', 'schema', ?, ?, ?, 'now')"
)


@pytest.fixture
def path(tmp_path):
    """A ledger with one account of epsilon 1, raised from 0.9, of which 0.4 is spent and answered."""
    path = tmp_path / "budget.db"
    account = opened(ledger_at(path), people(), epsilon=0.9, delta=1e-6)
    account.top_up(Guarantee(epsilon=1.0, delta=1e-6), reason="one more question")
    account.charge("first", asking(0.4))
    account.store_answer("first", [[7]])
    return path


def test_what_fits_goes_through_so_that_the_refusals_below_mean_something(path):
    assert tampered(path, CHARGE, "r", 600_000_000, 0, 1) == ""


@pytest.mark.parametrize(
    "table, column",
    [
        ("meta", "version"),
        ("accounts", "granted_epsilon"),
        ("charges", "epsilon"),
        ("answers", "noisy"),
        ("links", "head"),
    ],
)
def test_nothing_is_ever_deleted_or_changed(path, table, column):
    assert "append only" in tampered(path, f"DELETE FROM {table}")
    assert "append only" in tampered(path, f"UPDATE {table} SET {column} = 1")


@pytest.mark.parametrize("table", sorted(METADATA.tables))
def test_nothing_is_ever_replaced(path, table):
    before = stored(path, f"SELECT * FROM {table}")
    said = tampered(path, f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}")
    assert "already there" in said or (table == "topups" and "not a larger total" in said)
    assert stored(path, f"SELECT * FROM {table}") == before


def test_a_charge_that_replaces_the_same_request_is_refused(path):
    assert "already there" in tampered(path, CHARGE.replace("INSERT", "INSERT OR REPLACE"), "first", 1, 0, 1)


@pytest.mark.parametrize(
    "epsilon, delta, reason",
    [
        (600_000_001, 0, "over budget"),
        (1, 10**12 + 1, "over budget"),
        (2**62, 0, "over budget"),
        (0, 0, "CHECK"),
        (-1, 0, "CHECK"),
        (1, -1, "CHECK"),
        (float("nan"), 0, "over budget"),
        (float("inf"), 0, "cannot store REAL"),
        (0.5, 0, "cannot store REAL"),
        ("much", 0, "cannot store TEXT"),
        (None, 0, "over budget"),
    ],
)
def test_amounts_that_no_sum_should_see(path, epsilon, delta, reason):
    message = tampered(path, CHARGE, "r", epsilon, delta, 1)
    assert reason in message
    assert len(stored(path, "SELECT 1 FROM charges")) == 1


def test_a_charge_needs_an_account(path):
    assert "over budget" in tampered(path, CHARGE.replace("VALUES (1", "VALUES (2"), "r", 1, 0, 1)


def test_concentrated_accounts_are_bounded_by_rho(tmp_path):
    path = tmp_path / "budget.db"
    opened(ledger_at(path), people(), epsilon=1.0, delta=1e-6, rule="concentrated")
    (granted,) = stored(path, "SELECT granted_rho FROM accounts")[0]
    assert "over budget" in tampered(path, CHARGE, "r", 1, 0, granted + 1)
    assert tampered(path, CHARGE, "r", 10**12, 0, granted) == ""
