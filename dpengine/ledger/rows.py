"""What the ledger asks of its tables, one statement each, within a transaction of the caller."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, bindparam, func, insert, select, true

from dpengine.data import PrivacyUnit
from dpengine.errors import LedgerError
from dpengine.ledger import chain
from dpengine.ledger.amounts import Amounts
from dpengine.ledger.entry import Request, text_of
from dpengine.ledger.opening import Opening
from dpengine.ledger.tables import Whole, accounts, answers, charges, links, topups
from dpengine.ledger.terms import Terms
from dpengine.ledger.topup import TopUp
from dpengine.privacy import Neighbors

_AMOUNTS = ("epsilon", "delta", "rho")
_GRANTS = ("granted_epsilon", "granted_delta", "granted_rho")
_LOST = "The ledger lost an account while it was in use. Nothing was changed."


def newest_account(connection: Connection, fingerprint: str, *, practice: bool) -> Row[Any] | None:
    """The latest generation of a table's account."""
    return connection.execute(_NEWEST, {"fingerprint": fingerprint, "practice": int(practice)}).first()


def account(connection: Connection, key: int) -> Row[Any] | None:
    """One account by its number."""
    return connection.execute(select(accounts).where(accounts.c.id == key)).first()


def required_account(connection: Connection, key: int) -> Row[Any]:
    """An account that another row names."""
    row = account(connection, key)
    if row is None:
        raise LedgerError(_LOST)
    return row


def all_accounts(connection: Connection) -> list[Row[Any]]:
    """Every account in the order of opening, restarted practice ones included."""
    return list(connection.execute(select(accounts).order_by(accounts.c.id)))


def successor(connection: Connection, key: int) -> Row[Any] | None:
    """The account that continues another one, for a new edition of its table."""
    return connection.execute(select(accounts).where(accounts.c.predecessor == key)).first()


def add_account(connection: Connection, opening: Opening, *, generation: int, time: str) -> int:
    """One more generation of a table's account; its number."""
    terms = opening.terms
    added = _add(
        connection,
        accounts,
        {
            "fingerprint": opening.fingerprint,
            "practice": int(terms.practice),
            "generation": generation,
            "predecessor": opening.predecessor,
            "table_name": opening.schema.name,
            "table_schema": text_of(opening.schema),
            "identifier": terms.unit.identifier,
            "rows_each": terms.unit.rows,
            "neighbors": terms.neighbors.value,
            "people": terms.people,
            "rule": terms.rule,
            "granted_epsilon": terms.granted.epsilon,
            "granted_delta": terms.granted.delta,
            "granted_rho": terms.granted.rho,
            "opened": time,
        },
    )
    return int(added.id)


def terms_of(connection: Connection, row: Row[Any]) -> Terms:
    """The terms of an account, with the budget as it is now."""
    return Terms(
        unit=PrivacyUnit(identifier=row.identifier, rows=row.rows_each),
        neighbors=Neighbors(row.neighbors),
        people=row.people,
        rule=row.rule,
        granted=granted(connection, row.id),
        practice=bool(row.practice),
    )


def granted(connection: Connection, key: int) -> Amounts:
    """What an account may spend in all: the newest top-up's total, else what it was opened with."""
    return balance(connection, key)[0]


def balance(connection: Connection, key: int) -> tuple[Amounts, Amounts]:
    """What an account may spend in all, and everything charged to it so far."""
    row = connection.execute(_BALANCE, {"account": key}).first()
    if row is None:
        raise LedgerError(_LOST)
    return _granted(row), Amounts(epsilon=int(row.epsilon), delta=int(row.delta), rho=int(row.rho))


def top_ups(connection: Connection, key: int) -> tuple[TopUp, ...]:
    """Every time that an account's budget was raised, oldest first."""
    raised = connection.execute(select(topups).where(topups.c.account == key).order_by(topups.c.id))
    return tuple(
        TopUp(granted=_granted(row), reason=row.reason, time=datetime.fromisoformat(row.granted)) for row in raised
    )


def add_top_up(connection: Connection, key: int, total: Amounts, *, reason: str, time: str) -> None:
    """One more total; the database itself refuses one that is not larger."""
    amounts = {name: getattr(total, name.removeprefix("granted_")) for name in _GRANTS}
    _add(connection, topups, {"account": key, "reason": reason, "granted": time} | amounts)


def entry(connection: Connection, key: int, request_id: str) -> Row[Any] | None:
    """A charge with its answer, if there is one."""
    return connection.execute(_ENTRY, {"account": key, "request": request_id}).one_or_none()


def entries(connection: Connection, key: int) -> list[Row[Any]]:
    """All charges of an account, oldest first."""
    return list(connection.execute(_ENTRIES, {"account": key}))


def add_charge(connection: Connection, request: Request, amounts: Amounts, *, key: int, time: str) -> Row[Any]:
    """One more charge, as it was written; the database itself refuses one that is over budget."""
    return _add(
        connection,
        charges,
        {
            "account": key,
            "request_id": request.request_id,
            "request_hash": request.digest,
            "planned": request.planned,
            "table_schema": request.schema,
            "epsilon": amounts.epsilon,
            "delta": amounts.delta,
            "rho": amounts.rho,
            "charged": time,
        },
    )


def add_answer(connection: Connection, charge: int, noisy: str, *, time: str) -> None:
    """The answer of a charge that has none."""
    _add(connection, answers, {"charge": charge, "noisy": noisy, "answered": time})


def _add(connection: Connection, table: Table, columns: Mapping[str, object]) -> Row[Any]:
    """Write a row and its link in the chain, within one transaction."""
    (primary,) = table.primary_key.columns
    row = connection.execute(_ADDING[table.name], columns).one()
    chain.extend(connection, table, int(row._mapping[primary]), row)  # noqa: SLF001  SQLAlchemy's public name
    return row


def _granted(row: Row[Any]) -> Amounts:
    return Amounts(epsilon=row.granted_epsilon, delta=row.granted_delta, rho=row.granted_rho)


def _balance_of(key: ColumnElement[int]) -> Select[Any]:
    newest = select(func.max(topups.c.id)).where(topups.c.account == key).scalar_subquery()
    sums = (func.coalesce(func.sum(charges.c[name]), 0).label(name) for name in _AMOUNTS)
    spent = select(*sums).where(charges.c.account == key).subquery()
    totals = (func.coalesce(topups.c[name], accounts.c[name]).label(name) for name in _GRANTS)
    both = accounts.outerjoin(topups, topups.c.id == newest).join(spent, true())
    return select(*totals, *spent.c).select_from(both).where(accounts.c.id == key)


def _entries_of(key: ColumnElement[int]) -> Select[Any]:
    """Charges, each with its answer and with the ledger's hash right after that was stored."""
    linked = (links.c.key == charges.c.id) & (links.c.entity == answers.name)
    return (
        select(charges, answers.c.noisy, links.c.head)
        .outerjoin(answers, answers.c.charge == charges.c.id)
        .outerjoin(links, linked)
        .where(charges.c.account == key)
    )


_KEY: ColumnElement[int] = bindparam("account", type_=Whole)
_BALANCE = _balance_of(_KEY)
_NEWEST = (
    select(accounts)
    .where(accounts.c.fingerprint == bindparam("fingerprint"), accounts.c.practice == bindparam("practice"))
    .order_by(accounts.c.generation.desc())
    .limit(1)
)
_ENTRIES = _entries_of(_KEY).order_by(charges.c.id)
_ENTRY = _entries_of(_KEY).where(charges.c.request_id == bindparam("request"))
_ADDING = {table.name: insert(table).returning(*table.columns) for table in (accounts, topups, charges, answers)}
"""Built once: every charge asks for all of them."""
