"""The ledger: opens accounts and finds them again."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from dpengine.data import Schema, Table
from dpengine.errors import InvalidParameterError, LedgerError
from dpengine.ledger import chain, rows
from dpengine.ledger import marker as markers
from dpengine.ledger.account import Account, newest
from dpengine.ledger.store import Clock, Store, path_of, universal_time
from dpengine.ledger.terms import Terms
from dpengine.privacy import Guarantee, Neighbors

DEFAULT_URL = "sqlite:///budget.db"


class Ledger:
    """All accounts in one durable file; safe to use from many threads and processes at once.

    A request is charged before a row is read, and an account that is used up refuses for ever.
    """

    __slots__ = ("_path", "_store")

    def __init__(self, store: Store, path: Path) -> None:
        self._store, self._path = store, path

    @classmethod
    def open(
        cls,
        url: str = DEFAULT_URL,
        *,
        marker: Path | None = None,
        patience: float = 30.0,
        clock: Clock = universal_time,
    ) -> Self:
        """The ledger at a URL, made if there is none yet; raises LedgerError in a sentence that says what to do.

        `marker`: a file that remembers the ledger, so that a lost one is not taken for a first start; beside the
        ledger, its name with ".id" behind it, unless another one is named. To start anew on purpose remove both.
        `patience`: seconds to wait while others write.
        """
        path = path_of(url)
        marker = marker or markers.beside(path)
        remembered = markers.remembered_id(marker)
        if remembered is not None:
            markers.require_present(path, marker)
        store = Store.open(path, may_create=remembered is None, patience=patience, clock=clock)
        if remembered is not None:
            markers.require_same(path, marker, remembered=remembered, found=store.ledger_id)
        else:
            markers.remember(marker, store.ledger_id)
        return cls(store, path)

    def open_account(
        self,
        table: Table,
        schema: Schema,
        *,
        neighbors: Neighbors,
        budget: Guarantee,
        rule: str = "basic",
        practice: bool = False,
    ) -> Account:
        """A table's account, opened on these terms or found again; raises AccountMismatchError if it has others.

        The account of a built-in table is a practice account, whether asked for or not.
        """
        _require_own_schema(table, schema)
        practice = _is_practice(table, asked=practice)
        terms = Terms.of(schema, neighbors=neighbors, budget=budget, rule=rule, practice=practice)
        fingerprint = table.fingerprint(self._store.secret)
        with self._store.writing() as connection:
            account = newest(self._store, connection, fingerprint, schema, practice=practice)
            if account is None:
                rows.add_account(
                    connection,
                    terms,
                    fingerprint=fingerprint,
                    table_name=schema.name,
                    generation=1,
                    time=self._store.now(),
                )
                account = newest(self._store, connection, fingerprint, schema, practice=practice)
        if account is None:
            raise LedgerError("The account could not be opened.")
        account.terms.require_same(terms)
        return account

    def account_of(self, table: Table) -> Account | None:
        """The account that a table already has, found by its content."""
        fingerprint = table.fingerprint(self._store.secret)
        with self._store.reading() as connection:
            return newest(self._store, connection, fingerprint, table.schema, practice=table.built_in)

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
            whole = chain.is_whole(connection)
        if not whole:
            raise LedgerError(
                "The ledger was altered: its entries do not follow from one another. Restore it from a backup."
            )

    def __repr__(self) -> str:
        return f"Ledger({str(self._path)!r})"


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
