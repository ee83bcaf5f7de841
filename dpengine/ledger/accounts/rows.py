"""What the ledger asks of its tables, one statement each, within a transaction of the caller."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Table, bindparam, func, insert, select

from dpengine.data import PrivacyUnit
from dpengine.errors import LedgerError
from dpengine.ledger.accounts.opening import Opening
from dpengine.ledger.entries.entry import Request, text_of
from dpengine.ledger.entries.terms import Terms
from dpengine.ledger.entries.topup import TopUp
from dpengine.ledger.storage import chain
from dpengine.ledger.storage.account_state import ENTRY, LOST, AccountStanding, standing
from dpengine.ledger.storage.amounts import Amounts
from dpengine.ledger.storage.chain import WRITTEN, Link
from dpengine.ledger.storage.prepared import Columns, Prepared
from dpengine.ledger.storage.tables import CHAINED, accounts, answers, charges, topups
from dpengine.privacy import Neighbors


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
        raise LedgerError(LOST)
    return row


def all_accounts(connection: Connection) -> list[Row[Any]]:
    """Every account in the order of opening, restarted practice ones included."""
    return list(connection.execute(select(accounts).order_by(accounts.c.id)))


def successor(connection: Connection, key: int) -> Row[Any] | None:
    """The account that continues another one, for a new edition of its table."""
    return connection.execute(select(accounts).where(accounts.c.predecessor == key)).first()


def add_account(connection: Connection, opening: Opening, *, generation: int, time: str) -> int:
    """One more generation of a table's account; its number."""
    terms, after = opening.terms, chain.newest(connection)
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
        after=after,
    )
    return int(added["id"])


def terms_of(connection: Connection, row: Row[Any]) -> Terms:
    """The terms of an account, with the budget as it is now."""
    return Terms(
        unit=PrivacyUnit(identifier=row.identifier, rows=row.rows_each),
        neighbors=Neighbors(row.neighbors),
        people=row.people,
        rule=row.rule,
        granted=balance(connection, row.id)[0],
        practice=bool(row.practice),
    )


def balance(connection: Connection, key: int) -> tuple[Amounts, Amounts]:
    """What an account may spend in all, and everything charged to it so far."""
    now = standing(connection, key)
    return now.granted, now.spent


def top_ups(connection: Connection, key: int) -> tuple[TopUp, ...]:
    """Every time that an account's budget was raised, oldest first."""
    raised = connection.execute(select(topups).where(topups.c.account == key).order_by(topups.c.id))
    return tuple(
        TopUp(granted=_granted(row), reason=row.reason, time=datetime.fromisoformat(row.granted)) for row in raised
    )


def add_top_up(connection: Connection, key: int, total: Amounts, *, reason: str, time: str) -> None:
    """One more total; the database itself refuses one that is not larger."""
    columns = {
        "account": key,
        "granted_epsilon": total.epsilon,
        "granted_delta": total.delta,
        "granted_rho": total.rho,
        "reason": reason,
        "granted": time,
    }
    _add(connection, topups, columns, after=chain.newest(connection))


def entry(connection: Connection, key: int, request_id: str) -> Columns | None:
    """A charge with its answer, if there is one."""
    return standing(connection, key, request_id).known


def entries(connection: Connection, key: int) -> Sequence[Columns]:
    """All charges of an account, oldest first."""
    return [row._asdict() for row in connection.execute(_ENTRIES.where(charges.c.account == key))]


def count_charges(connection: Connection, key: int) -> int:
    """How many charges an account has, answered or not."""
    return connection.execute(_COUNTED.select_from(charges).where(charges.c.account == key)).scalar_one()


def count_answers(connection: Connection, key: int) -> int:
    """How many charges of an account are answered."""
    answered = answers.join(charges, answers.c.charge == charges.c.id)
    return connection.execute(_COUNTED.select_from(answered).where(charges.c.account == key)).scalar_one()


def add_charge(
    connection: Connection, request: Request, amounts: Amounts, *, key: int, at: AccountStanding, time: str
) -> Columns:
    """One more charge, as it was written; the database itself refuses one that is over budget, or adds up wrongly."""
    total = at.spent + amounts
    columns = {
        "account": key,
        "request_id": request.request_id,
        "request_hash": request.digest,
        "planned": request.planned,
        "table_schema": request.schema,
        "epsilon": amounts.epsilon,
        "delta": amounts.delta,
        "rho": amounts.rho,
        "total_epsilon": total.epsilon,
        "total_delta": total.delta,
        "total_rho": total.rho,
        "charged": time,
    }
    return _add(connection, charges, columns, after=at.newest)


def add_answer(connection: Connection, charge: int, noisy: str, *, at: AccountStanding, time: str) -> None:
    """The answer of a charge that has none."""
    _add(connection, answers, {"charge": charge, "noisy": noisy, "answered": time}, after=at.newest)


def _add(connection: Connection, table: Table, columns: Columns, *, after: Link) -> Columns:
    """Write a row right after the newest one; only here does the chain grow, and its store hears of it."""
    row = chain.linked(table, columns, after)
    _ADDING[table.name].run(connection, row)
    connection.info[WRITTEN] = Link(row["id"], row["head"])
    return row


def _granted(row: Row[Any]) -> Amounts:
    return Amounts(epsilon=row.granted_epsilon, delta=row.granted_delta, rho=row.granted_rho)


_NEWEST = (
    select(accounts)
    .where(accounts.c.fingerprint == bindparam("fingerprint"), accounts.c.practice == bindparam("practice"))
    .order_by(accounts.c.generation.desc())
    .limit(1)
)
_ENTRIES = select(*ENTRY).outerjoin(answers, answers.c.charge == charges.c.id).order_by(charges.c.id)
_COUNTED = select(func.count())
_ADDING = {table.name: Prepared(insert(table).inline()) for table in CHAINED}
