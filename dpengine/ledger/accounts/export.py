"""The whole ledger as plain values, for a file that outlives it; without its secret and without any fingerprint."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from dpengine.ledger.accounts import rows
from dpengine.ledger.accounts.account import Account
from dpengine.ledger.entries.entry import Entry
from dpengine.ledger.storage import chain
from dpengine.ledger.storage.store import Store


def everything(store: Store) -> dict[str, Any]:
    """Every account, restarted ones included, with all its charges and answers, at one moment; amounts as decimals."""
    with store.reading() as connection:
        found = [Account.of(store, connection, row) for row in rows.all_accounts(connection)]
        return {"head": chain.head(connection), "accounts": [_account(connection, one) for one in found]}


def _account(connection: Connection, account: Account) -> dict[str, Any]:
    granted, spent = rows.balance(connection, account.id)
    return {
        "id": account.id,
        "generation": account.generation,
        "continues": account.predecessor,
        "table": account.table_name,
        "opened": account.opened,
        "terms": account.terms.in_words(),
        "granted": granted.in_words(account.rule),
        "spent": spent.in_words(account.rule),
        "top_ups": [
            {"granted": raised.granted.in_words(account.rule), "reason": raised.reason, "time": raised.time}
            for raised in rows.top_ups(connection, account.id)
        ],
        "charges": [
            _charge(Entry.of(row, account.terms, account=account.name)) for row in rows.entries(connection, account.id)
        ],
    }


def _charge(entry: Entry) -> dict[str, Any]:
    return {
        "request_id": entry.request_id,
        "time": entry.time,
        "question": repr(entry.planned_query),
        "charged": str(entry.charge),
        "noisy": entry.noisy,
        "head": entry.head,
    }
