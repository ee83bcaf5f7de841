"""How an account stands at one moment, in one statement: all that must be known before a charge is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Label,
    ScalarSelect,
    Select,
    Table,
    Text,
    bindparam,
    func,
    select,
    true,
)

from dpengine.errors import LedgerError
from dpengine.ledger.storage.amounts import Amounts
from dpengine.ledger.storage.chain import Link, last_links
from dpengine.ledger.storage.prepared import Columns, Prepared
from dpengine.ledger.storage.tables import Whole, accounts, answers, charges, meta, topups

LOST = "The ledger lost an account while it was in use. Nothing was changed."
ENTRY = (*charges.columns, answers.c.noisy, answers.c.head.label("answer_head"))
"""A charge with its answer, and with the ledger's hash right after that was stored."""
_AMOUNTS = ("epsilon", "delta", "rho")


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountStanding:
    """What was granted and spent, and the newest row of the whole ledger, which the next one follows.

    `generation` is that of the table's newest account; `known` is the charge of the request that was asked about,
    with its answer if there is one.
    """

    ledger_id: str
    newest: Link
    generation: int
    granted: Amounts
    spent: Amounts
    known: Columns | None


def standing(connection: Connection, key: int, request_id: str = "") -> AccountStanding:
    """How an account stands; raises LedgerError where it is not there."""
    found = _STANDING.first(connection, {"account": key, "request": request_id})
    if found is None:
        raise LedgerError(LOST)
    return AccountStanding(
        ledger_id=found["ledger_id"],
        newest=Link(found["newest_id"], found["newest_head"]),
        generation=found["newest_generation"],
        granted=_amounts("granted", found),
        spent=_amounts("spent", found),
        known=None if found["id"] is None else found,
    )


def _amounts(which: str, found: Columns) -> Amounts:
    return Amounts(**{name: found[f"{which}_{name}"] for name in _AMOUNTS})


def _statement() -> Select[Any]:
    """Each table is asked for one row by an index, so that it takes no longer after a million charges.

    A request is looked up by its own id (the + 0 hides the account from PostgreSQL, which while a ledger is young takes
    the index of all its charges for as good, and remembers that).
    """
    key, request = bindparam("account", type_=Whole), bindparam("request", type_=Text)
    newest, last = last_links().subquery("newest"), charges.alias("last")
    columns = (
        meta.c.ledger_id,
        newest.c.id.label("newest_id"),
        newest.c.head.label("newest_head"),
        _newest_generation(),
        *(func.coalesce(topups.c[name], accounts.c[name]).label(name) for name in map("granted_{}".format, _AMOUNTS)),
        *(func.coalesce(last.c[f"total_{name}"], 0).label(f"spent_{name}") for name in _AMOUNTS),
        *ENTRY,
    )
    joined = (
        accounts.join(meta, true())
        .join(newest, true())
        .outerjoin(topups, topups.c.id == _newest_of(topups, key))
        .outerjoin(last, last.c.id == _newest_of(charges, key))
        .outerjoin(charges, (charges.c.request_id == request) & (charges.c.account + 0 == accounts.c.id))
        .outerjoin(answers, answers.c.charge == charges.c.id)
    )
    return select(*columns).select_from(joined).where(accounts.c.id == key)


def _newest_of(table: Table, key: ColumnElement[int]) -> ScalarSelect[int]:
    """The number of an account's newest row."""
    return select(table.c.id).where(table.c.account == key).order_by(table.c.id.desc()).limit(1).scalar_subquery()


def _newest_generation() -> Label[int]:
    later = accounts.alias("later")
    same = (later.c.fingerprint == accounts.c.fingerprint) & (later.c.practice == accounts.c.practice)
    return select(func.max(later.c.generation)).where(same).scalar_subquery().label("newest_generation")


_STANDING = Prepared(_statement())
