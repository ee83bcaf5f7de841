"""Everything that an account has promised and charged, as it stood at one moment: what files for people are made of."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self

from sqlalchemy import Connection, select

from dpengine.errors import InvalidParameterError
from dpengine.ledger.accounts import rows
from dpengine.ledger.accounts.account import Account
from dpengine.ledger.answers.released import Release
from dpengine.ledger.entries.entry import Entry
from dpengine.ledger.entries.terms import Terms
from dpengine.ledger.entries.topup import TopUp
from dpengine.ledger.storage import chain
from dpengine.ledger.storage.amounts import Amounts
from dpengine.ledger.storage.tables import charges, topups


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """One charge with the account's totals right after it; `spent` includes it."""

    entry: Entry
    granted: Amounts
    spent: Amounts

    @property
    def left(self) -> Amounts:
        return self.spent.left_of(self.granted)

    @property
    def release(self) -> Release | None:
        """Its answer, or None while it has none."""
        return None if self.entry.noisy is None else Release.of(self.entry)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """The account of an earlier edition of the table: people in both are covered by the sum of the two."""

    table_name: str
    opened: datetime
    granted: Amounts
    spent: Amounts


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """An account with all its lines, oldest first; `terms` are those of the moment, `opened_with` the first budget.

    `head` is the hash of everything that the whole ledger held then.
    """

    table_name: str
    terms: Terms
    opened: datetime
    opened_with: Amounts
    lines: tuple[HistoryLine, ...] = field(repr=False)
    top_ups: tuple[TopUp, ...] = ()
    earlier: tuple[Edition, ...] = ()
    head: str

    @classmethod
    def of(cls, account: Account) -> Self:
        """What the ledger holds of this account now."""
        earlier = tuple(_edition(one) for one in account.lineage()[:-1])
        with account.store.reading() as connection:
            row = rows.required_account(connection, account.id)
            top_ups = rows.top_ups(connection, account.id)
            granted = Amounts(epsilon=row.granted_epsilon, delta=row.granted_delta, rho=row.granted_rho)
            budgets = _budgets(connection, account.id, (granted, *(raised.granted for raised in top_ups)))
            terms = replace(account.terms, granted=top_ups[-1].granted if top_ups else granted)
            entries = [Entry.of(found, terms, account=account.name) for found in rows.entries(connection, account.id)]
            head = chain.head(connection)
        return cls(
            table_name=account.table_name,
            terms=terms,
            opened=account.opened,
            opened_with=granted,
            lines=with_totals(entries, budgets),
            top_ups=top_ups,
            earlier=earlier,
            head=head,
        )

    @property
    def spent(self) -> Amounts:
        """Everything charged."""
        return self.lines[-1].spent if self.lines else Amounts()

    @property
    def left(self) -> Amounts:
        return self.spent.left_of(self.terms.granted)

    @property
    def releases(self) -> tuple[Release, ...]:
        """All answers, oldest first."""
        return tuple(release for line in self.lines if (release := line.release) is not None)

    def in_order(self) -> Iterator[HistoryLine | TopUp]:
        """Charges and top-ups in the order in which the ledger wrote them, whatever its clock said."""
        waiting = list(self.top_ups)
        for line in self.lines:
            while waiting and waiting[0].granted.within(line.granted, "basic"):
                yield waiting.pop(0)
            yield line
        yield from waiting

    def line(self, request_id: str) -> HistoryLine:
        """The charge of this request; raises InvalidParameterError where there is none."""
        for line in self.lines:
            if line.entry.request_id == request_id:
                return line
        raise InvalidParameterError("request_id", request_id, "that of a charge of this account")


def with_totals(entries: list[Entry], budgets: list[Amounts]) -> tuple[HistoryLine, ...]:
    """Entries, oldest first, each with the budget of its moment and with everything spent up to it."""
    lines, spent = [], Amounts()
    for entry, granted in zip(entries, budgets, strict=True):
        spent = spent + entry.charge.amounts
        lines.append(HistoryLine(entry=entry, granted=granted, spent=spent))
    return tuple(lines)


def _budgets(connection: Connection, account: int, grants: tuple[Amounts, ...]) -> list[Amounts]:
    """The budget at each charge of an account, by the order in which the ledger wrote: its clock may have jumped."""
    charged, raised = (
        list(connection.scalars(select(table.c.id).where(table.c.account == account).order_by(table.c.id)))
        for table in (charges, topups)
    )
    return [grants[bisect(raised, number)] for number in charged]


def _edition(account: Account) -> Edition:
    granted, spent = account.balance()
    return Edition(table_name=account.table_name, opened=account.opened, granted=granted, spent=spent)
