"""Whose a ledger's file is: its owner alone reads it, and nobody adopts another account's."""

import os

import pytest

from dpengine.errors import LedgerError
from tests.examples.ledgers import ledger_at, opened, people


def test_only_its_owner_may_read_it(tmp_path):
    path = tmp_path / "budget.db"
    opened(ledger_at(path), people())
    assert path.stat().st_mode & 0o077 == 0


def test_one_that_came_back_readable_by_others_is_its_owners_again(tmp_path):
    """As after a copy of a backup."""
    path = tmp_path / "budget.db"
    ledger_at(path).close()
    path.chmod(0o644)
    ledger_at(path).close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_another_accounts_is_not_adopted(tmp_path, monkeypatch):
    path = tmp_path / "budget.db"
    ledger_at(path).close()
    ours = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: ours + 1)
    with pytest.raises(LedgerError, match="belongs to another account"):
        ledger_at(path)
    monkeypatch.undo()
    ledger_at(path).close()
