"""What the ledger asks of its tables, one statement each, within a transaction of the caller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, func, insert, select

from dpengine.data import PrivacyUnit
from dpengine.ledger import chain
from dpengine.ledger.amounts import Amounts
from dpengine.ledger.entry import Request
from dpengine.ledger.tables import accounts, answers, charges
from dpengine.ledger.terms import Terms
from dpengine.privacy import Neighbors


def newest_account(connection: Connection, fingerprint: str, *, practice: bool) -> Row[Any] | None:
    """The latest generation of a table's account."""
    mine = (accounts.c.fingerprint == fingerprint) & (accounts.c.practice == int(practice))
    return connection.execute(select(accounts).where(mine).order_by(accounts.c.generation.desc()).limit(1)).first()


def add_account(
    connection: Connection, terms: Terms, *, fingerprint: str, table_name: str, generation: int, time: str
) -> None:
    """One more generation of a table's account."""
    _add(
        connection,
        accounts,
        {
            "fingerprint": fingerprint,
            "practice": int(terms.practice),
            "generation": generation,
            "table_name": table_name,
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


def terms_of(row: Row[Any]) -> Terms:
    """The terms under which an account was opened."""
    return Terms(
        unit=PrivacyUnit(identifier=row.identifier, rows=row.rows_each),
        neighbors=Neighbors(row.neighbors),
        people=row.people,
        rule=row.rule,
        granted=Amounts(epsilon=row.granted_epsilon, delta=row.granted_delta, rho=row.granted_rho),
        practice=bool(row.practice),
    )


def spent(connection: Connection, account: int) -> Amounts:
    """Everything charged to an account so far."""
    totals = (func.coalesce(func.sum(charges.c[name]), 0) for name in ("epsilon", "delta", "rho"))
    epsilon, delta, rho = connection.execute(select(*totals).where(charges.c.account == account)).one()
    return Amounts(epsilon=int(epsilon), delta=int(delta), rho=int(rho))


def entry(connection: Connection, account: int, request_id: str) -> Row[Any] | None:
    """A charge with its answer, if there is one."""
    mine = (charges.c.account == account) & (charges.c.request_id == request_id)
    return connection.execute(_entries().where(mine)).one_or_none()


def entries(connection: Connection, account: int) -> list[Row[Any]]:
    """All charges of an account, oldest first."""
    return list(connection.execute(_entries().where(charges.c.account == account).order_by(charges.c.id)))


def add_charge(connection: Connection, request: Request, amounts: Amounts, *, account: int, time: str) -> None:
    """One more charge; the database itself refuses one that is over budget."""
    _add(
        connection,
        charges,
        {
            "account": account,
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


def _add(connection: Connection, table: Table, columns: Mapping[str, object]) -> None:
    """Write a row and its link in the chain, within one transaction."""
    row = insert(table).values(columns).returning(*table.primary_key.columns)
    chain.extend(connection, table, connection.execute(row).scalar_one())


def _entries() -> Select[Any]:
    return select(charges, answers.c.noisy).outerjoin(answers, answers.c.charge == charges.c.id)
