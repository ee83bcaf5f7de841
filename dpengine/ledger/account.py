"""One table's budget: what it promises, what is left, and the two steps that every answer takes through it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from dpengine.data import PrivacyUnit, Schema, Table
from dpengine.errors import AccountMismatchError, InvalidParameterError, LedgerError, RequestReusedError
from dpengine.ledger import rows
from dpengine.ledger.amounts import Amounts, Charge, cost_of
from dpengine.ledger.entry import Entry, Request, noisy_text
from dpengine.ledger.refusal import refusal
from dpengine.ledger.released import Release
from dpengine.ledger.store import Store
from dpengine.ledger.terms import Terms
from dpengine.plan import PlannedQuery
from dpengine.privacy import ConcentratedEvent, Guarantee, Neighbors


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A handle on an account; everything that changes is read from the ledger each time."""

    store: Store = field(repr=False)
    id: int
    fingerprint: str = field(repr=False)
    generation: int
    table_name: str
    terms: Terms
    schema: Schema = field(repr=False)

    @property
    def budget(self) -> Guarantee:
        return self.terms.budget

    @property
    def rule(self) -> str:
        return self.terms.rule

    @property
    def neighbors(self) -> Neighbors:
        return self.terms.neighbors

    @property
    def unit(self) -> PrivacyUnit:
        return self.terms.unit

    @property
    def practice(self) -> bool:
        return self.terms.practice

    @property
    def granted(self) -> Guarantee | ConcentratedEvent:
        """The budget as the rule counts it."""
        return self.terms.granted.under(self.rule)

    @property
    def spent(self) -> Guarantee | ConcentratedEvent:
        """Everything charged so far, as the rule counts it."""
        return self.exact_spent().under(self.rule)

    @property
    def remaining(self) -> Guarantee | ConcentratedEvent:
        """What is left, as the rule counts it."""
        return self.exact_spent().left_of(self.terms.granted).under(self.rule)

    def exact_spent(self) -> Amounts:
        """Everything charged so far under both rules, in whole numbers."""
        with self.store.reading() as connection:
            return rows.spent(connection, self.id)

    def cost(self, planned: PlannedQuery, schema: Schema | None = None) -> Charge:
        """What a question would be charged; nothing is charged."""
        amounts = cost_of(planned, schema or self.schema, self.neighbors)
        return Charge(rule=self.rule, amounts=amounts)

    def fits(self, planned: PlannedQuery, schema: Schema | None = None, *, rule: str | None = None) -> bool:
        """Whether a question fits in what is left; with `rule`, whether it and all before it fit under that one."""
        asked = cost_of(planned, schema or self.schema, self.neighbors)
        total = self.exact_spent() + asked
        return total.storable and total.within(self.terms.granted, rule or self.rule)

    def charges(self) -> tuple[Entry, ...]:
        """All charges, oldest first, answered or not."""
        with self.store.reading() as connection:
            return tuple(Entry.of(row, self.terms) for row in rows.entries(connection, self.id))

    def releases(self) -> tuple[Release, ...]:
        """All answers that were ever released, oldest first."""
        return tuple(Release.of(entry) for entry in self.charges() if entry.noisy is not None)

    def charge(self, request_id: str, planned: PlannedQuery, schema: Schema | None = None) -> Entry:
        """Step 1: charge a question, durably, before any row is read; an id that was charged before costs nothing.

        Raises BudgetExceededError where it does not fit, RequestReusedError where the id stands for another question.
        """
        asked = cost_of(planned, schema or self.schema, self.neighbors)
        request = Request.of(request_id, planned, schema or self.schema)
        with self.store.writing() as connection:
            known = self._known(connection, request)
            if known is None:
                self._require_newest(connection)
                self._add(connection, request, asked)
            return known or self._entry(connection, request_id)

    def store_answer(self, request_id: str, noisy: Sequence[Sequence[int]]) -> Entry:
        """Step 2: store an answer unless there is one; returns the one that stays, which alone may be shown."""
        with self.store.writing() as connection:
            row = rows.entry(connection, self.id, request_id)
            if row is None:
                raise LedgerError("Only what was charged can be answered.")
            if row.noisy is None:
                rows.add_answer(connection, row.id, noisy_text(noisy), time=self.store.now())
        with self.store.reading() as connection:
            return self._entry(connection, request_id)

    def restart(self, terms: Terms | None = None) -> Account:
        """A practice account with nothing spent, under the same or other terms; the old one stays in the ledger.

        Restarting one that was restarted already returns its successor.
        """
        if not self.practice or not (terms or self.terms).practice:
            raise InvalidParameterError(
                "account", self.table_name, "a practice account: a real budget never comes back"
            )
        with self.store.writing() as connection:
            if not self._has_successor(connection):
                rows.add_account(
                    connection,
                    terms or self.terms,
                    fingerprint=self.fingerprint,
                    table_name=self.table_name,
                    generation=self.generation + 1,
                    time=self.store.now(),
                )
            successor = newest(self.store, connection, self.fingerprint, self.schema, practice=True)
        if successor is None:
            raise LedgerError("The practice account could not be restarted.")
        successor.terms.require_same(terms or self.terms)
        return successor

    def require_table(self, table: Table) -> None:
        """Raise AccountMismatchError unless this is the account's table, declared with the account's terms."""
        same = table.fingerprint(self.store.secret) == self.fingerprint and table.built_in == self.practice
        if not same:
            raise AccountMismatchError("table", repr(self.table_name), repr(table.schema.name))
        self.terms.require_schema(table.schema)

    def _known(self, connection: Connection, request: Request) -> Entry | None:
        row = rows.entry(connection, self.id, request.request_id)
        if row is not None and row.request_hash != request.digest:
            raise RequestReusedError(request.request_id)
        return None if row is None else Entry.of(row, self.terms)

    def _add(self, connection: Connection, request: Request, asked: Amounts) -> None:
        spent, granted = rows.spent(connection, self.id), self.terms.granted
        if not (spent + asked).within(granted, self.rule):
            raise refusal(asked, spent=spent, granted=granted, rule=self.rule)
        (spent + asked).require_storable()
        rows.add_charge(connection, request, asked, account=self.id, time=self.store.now())

    def _entry(self, connection: Connection, request_id: str) -> Entry:
        row = rows.entry(connection, self.id, request_id)
        if row is None:
            raise LedgerError("The ledger lost an entry while it was in use.")
        return Entry.of(row, self.terms)

    def _has_successor(self, connection: Connection) -> bool:
        row = rows.newest_account(connection, self.fingerprint, practice=self.practice)
        return row is not None and row.generation > self.generation

    def _require_newest(self, connection: Connection) -> None:
        if self._has_successor(connection):
            raise LedgerError("This practice account was restarted; use the new one. Nothing was charged.")


def newest(store: Store, connection: Connection, fingerprint: str, schema: Schema, *, practice: bool) -> Account | None:
    """The latest account of a table, if there is one."""
    row = rows.newest_account(connection, fingerprint, practice=practice)
    if row is None:
        return None
    return Account(
        store=store,
        id=row.id,
        fingerprint=fingerprint,
        generation=row.generation,
        table_name=row.table_name,
        terms=rows.terms_of(row),
        schema=schema,
    )
