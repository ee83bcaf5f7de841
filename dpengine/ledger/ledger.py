"""The ledger: opens accounts and finds them again."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Connection

from dpengine.data import Schema, Table
from dpengine.errors import InvalidParameterError, named, require_kind
from dpengine.ledger.accounts import editions, rows
from dpengine.ledger.accounts.account import Account, newest
from dpengine.ledger.accounts.export import everything
from dpengine.ledger.accounts.opening import Opening
from dpengine.ledger.entries.terms import Terms
from dpengine.ledger.storage import chain
from dpengine.ledger.storage import marker as markers
from dpengine.ledger.storage.databases import database_of
from dpengine.ledger.storage.ledger_place import marker_in_use, url_in_use
from dpengine.ledger.storage.store import Clock, Store, universal_time
from dpengine.privacy import Guarantee, Neighbors


class Ledger:
    """All accounts in one durable database; safe to use from many threads and processes at once.

    A request is charged before a row is read, and an account that is used up refuses for ever.
    """

    __slots__ = ("_store",)

    def __init__(self, store: Store) -> None:
        self._store = store

    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        marker: Path | None = None,
        patience: float = 30.0,
        clock: Clock = universal_time,
    ) -> Self:
        """The ledger at a URL, made if there is none yet; raises LedgerError in a sentence that says what to do.

        `url`: else the one that the environment names, which the dashboard uses, too, or budget.db here, or that of an
        installed dashboard where there is none here; so its marker.
        `marker`: a file that remembers the ledger and how far it has come, so that a lost one is not taken for a first
        start and one that lost charges is refused; beside the ledger's file, its name with ".id" behind it, unless
        another one is named (in the current folder for PostgreSQL). To start anew on purpose remove both.
        `patience`: seconds to wait while others write.
        """
        database = database_of(url_in_use() if url is None else url, patience=patience)
        marker = marker or (marker_in_use(database) if url is None else database.marker)
        first_start = markers.remembered_id(marker) is None
        if not first_start:
            markers.require_present(database, marker)
        store = Store.open(database, may_create=first_start, clock=clock)
        ledger = cls(markers.marked(store, marker))
        with ledger.store.reading():
            return ledger

    @classmethod
    def found(cls, url: str) -> Self | None:
        """The ledger at a URL, which is never made here and asks no marker; None where there is none."""
        database = database_of(url, patience=30.0)
        return cls(Store.open(database, may_create=False, clock=universal_time)) if database.is_there() else None

    @named
    def open_account(  # noqa: PLR0913  # its terms, and what somebody knows of the accounts beside it
        self,
        table: Table,
        schema: Schema,
        *,
        neighbors: Neighbors,
        budget: Guarantee,
        rule: str = "basic",
        practice: bool = False,
        predecessor: Account | None = None,
        beside: Collection[Account] | None = None,
    ) -> Account:
        """A table's account, opened on these terms or found again; raises AccountMismatchError if it has others.

        The account of a built-in table is a practice account, whether asked for or not. `predecessor`: the account of
        an earlier edition of the table, which this one continues; people in both are covered by the sum of the two.
        `beside`: the accounts of real people that whoever opens this one knows of, and of which they have said what is
        in common; raises LedgerError where another one has been opened meanwhile. None asks for no such look.
        """
        require_kind("predecessor", predecessor, Account | None)
        _require_own_schema(table, schema)
        practice = _is_practice(table, asked=practice)
        terms = Terms.of(schema, neighbors=neighbors, budget=budget, rule=rule, practice=practice)
        opening = Opening(
            fingerprint=table.fingerprint(self._store.secret),
            schema=schema,
            terms=terms,
            predecessor=None if predecessor is None else predecessor.id,
        )
        with self._store.writing() as connection:
            account = self._found_or_added(connection, opening, predecessor, beside)
        account.terms.require_same(terms)
        if predecessor is not None:
            editions.require_same(account, predecessor)
        return account

    def _found_or_added(
        self,
        connection: Connection,
        opening: Opening,
        predecessor: Account | None,
        beside: Collection[Account] | None,
    ) -> Account:
        """The table's account, within the transaction that adds it where there is none."""
        row = rows.newest_account(connection, opening.fingerprint, practice=opening.terms.practice)
        if row is None:
            if beside is not None and not opening.terms.practice:
                editions.require_none_beside(connection, beside)
            if predecessor is not None:
                editions.require_continues(connection, opening, predecessor)
            row = rows.required_account(
                connection, rows.add_account(connection, opening, generation=1, time=self._store.now())
            )
        return Account.of(self._store, connection, row, opening.schema)

    def account_of(self, table: Table) -> Account | None:
        """The account that a table already has, found by its content."""
        fingerprint = table.fingerprint(self._store.secret)
        with self._store.reading() as connection:
            return newest(self._store, connection, fingerprint, table.schema, practice=table.built_in)

    def accounts(self) -> tuple[Account, ...]:
        """Every account in the order of opening, found without its table; of a restarted practice one the newest."""
        with self._store.reading() as connection:
            latest = {(row.fingerprint, row.practice): row for row in rows.all_accounts(connection)}
            return tuple(Account.of(self._store, connection, row) for row in latest.values())

    def account(self, number: int) -> Account:
        """An account by its number, found without its table; raises LedgerError where there is none."""
        with self._store.reading() as connection:
            return Account.of(self._store, connection, rows.required_account(connection, number))

    def editions_before(self, table: Table, *, neighbors: Neighbors) -> tuple[Account, ...]:
        """The accounts that this table's may continue: real ones of the same promise that none continues yet."""
        fingerprint, identifier = table.fingerprint(self._store.secret), table.schema.unit.identifier
        everything = self.accounts()
        continued = {account.predecessor for account in everything}
        return tuple(
            account
            for account in everything
            if (account.neighbors, account.unit.identifier) == (neighbors, identifier)
            and not account.practice
            and account.id not in continued
            and account.fingerprint != fingerprint
        )

    def lookalikes(self, table: Table) -> tuple[Account, ...]:
        """Other accounts of real people whose table looks like this one in another form, what is most alike first.

        Of those the newest first.
        """
        fingerprint = table.fingerprint(self._store.secret)
        alike = (
            account
            for account in self.accounts()
            if not account.practice
            and account.fingerprint != fingerprint
            and editions.resembles(account.schema, table.schema)
        )
        return tuple(
            sorted(alike, key=lambda one: (*editions.likeness(one.schema, table.schema), one.id), reverse=True)
        )

    def everything(self) -> dict[str, Any]:
        """All that the ledger holds but its secret and fingerprints, as plain values, at one moment."""
        return everything(self._store)

    def back_up(self, to: Path) -> None:
        """Write a copy of the whole ledger into a new file while others go on using it; raises LedgerError.

        SQLite's own backup, or a dump by pg_dump. It holds the budgets of that moment: if anything was charged since,
        a ledger restored from it is refused until an administrator accepts the loss.
        """
        self._store.database.back_up(to)

    def close(self) -> None:
        """Let go of the database; the next question opens it again."""
        self._store.database.close()

    @property
    def store(self) -> Store:
        """The database, for what is kept beside the ledger."""
        return self._store

    @property
    def head(self) -> str:
        """The hash of everything written so far, for reports: a restored or altered ledger has another one."""
        with self._store.reading() as connection:
            return chain.head(connection)

    def verify(self) -> None:
        """Recompute the chain of hashes; raises LedgerError where an account, a charge or an answer was altered,
        put in, or taken out from between. What was taken off the end shows in `head` alone, beside a report's.
        """
        with self._store.reading() as connection:
            chain.require_whole(connection)

    def __repr__(self) -> str:
        return f"Ledger({self._store.database.place!r})"


def _require_own_schema(table: Table, schema: Schema) -> None:
    """The rows of a person are bounded by the schema that the table was read with."""
    if schema.unit != table.schema.unit:
        raise InvalidParameterError(
            "privacy unit", schema.unit, f"the one that the table was read with, {table.schema.unit!r}"
        )


def _is_practice(table: Table, *, asked: bool) -> bool:
    """Built-in tables have practice accounts, since everybody knows their rows; tables of real people never do."""
    if asked and not table.built_in:
        raise InvalidParameterError("practice", asked, "False for a table of real people")
    return table.built_in
