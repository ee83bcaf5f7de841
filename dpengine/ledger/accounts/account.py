"""One table's budget: what it promises, what is left, and the two steps that every answer takes through it."""

from __future__ import annotations

import hashlib
import json
import operator
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import reduce
from typing import Any, Self

from sqlalchemy import Connection, Row

from dpengine.data import PrivacyUnit, Schema, Table
from dpengine.errors import (
    AccountMismatchError,
    InvalidParameterError,
    LedgerError,
    RefusedQueryError,
    RequestReusedError,
)
from dpengine.ledger.accounts import rows
from dpengine.ledger.accounts.opening import Opening
from dpengine.ledger.accounts.refusal import refusal
from dpengine.ledger.answers.released import Release
from dpengine.ledger.entries.entry import Entry, Request, noisy_text
from dpengine.ledger.entries.terms import Terms
from dpengine.ledger.entries.topup import TopUp, require_larger, require_reason
from dpengine.ledger.storage.account_state import AccountStanding, standing
from dpengine.ledger.storage.amounts import Amounts, Charge, cost_of
from dpengine.ledger.storage.prepared import Columns
from dpengine.ledger.storage.store import Store
from dpengine.plan import PlannedQuery
from dpengine.privacy import ConcentratedEvent, Guarantee, Neighbors
from dpengine.queries import declared_number
from dpengine.scenario import from_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A handle on an account; whatever may change is read from the ledger each time.

    `terms` and the schema are those of the moment when the account was found; `predecessor` is the number of the
    account that this one continues for a new edition of its table.
    """

    store: Store = field(repr=False)
    id: int
    fingerprint: str = field(repr=False)
    generation: int
    predecessor: int | None
    table_name: str
    opened: datetime
    terms: Terms
    schema: Schema = field(repr=False)

    @classmethod
    def of(cls, store: Store, connection: Connection, row: Row[Any], schema: Schema | None = None) -> Self:
        """The account of a stored row; its table's schema as it is declared now, else as it was at the opening."""
        return cls(
            store=store,
            id=row.id,
            fingerprint=row.fingerprint,
            generation=row.generation,
            predecessor=row.predecessor,
            table_name=row.table_name,
            opened=datetime.fromisoformat(row.opened),
            terms=rows.terms_of(connection, row),
            schema=schema or from_plain(json.loads(row.table_schema)),
        )

    @property
    def name(self) -> str:
        """32 digits that no other account has, of this ledger or another; they tell nothing of table or ledger."""
        return hashlib.sha256(f"{self.store.ledger_id}/{self.id}".encode()).hexdigest()[:32]

    @property
    def budget(self) -> Guarantee:
        """The (epsilon, delta) that the account will never exceed, top-ups included."""
        return replace(self.terms, granted=self.balance()[0]).budget

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
        """The budget as the rule counts it, top-ups included."""
        return self.balance()[0].under(self.rule)

    @property
    def spent(self) -> Guarantee | ConcentratedEvent:
        """Everything charged so far, as the rule counts it."""
        return self.exact_spent().under(self.rule)

    @property
    def remaining(self) -> Guarantee | ConcentratedEvent:
        """What is left, as the rule counts it."""
        granted, spent = self.balance()
        return spent.left_of(granted).under(self.rule)

    def balance(self) -> tuple[Amounts, Amounts]:
        """What was granted and what is spent under both rules, in whole numbers, at one moment."""
        with self.store.reading() as connection:
            return rows.balance(connection, self.id)

    def exact_spent(self) -> Amounts:
        """Everything charged so far under both rules, in whole numbers."""
        return self.balance()[1]

    def cost(self, planned: PlannedQuery, schema: Schema | None = None) -> Charge:
        """What a question would be charged; nothing is charged."""
        amounts = cost_of(planned, schema or self.schema, self.neighbors)
        return Charge(rule=self.rule, amounts=amounts)

    def fits(self, planned: PlannedQuery, schema: Schema | None = None, *, rule: str | None = None) -> bool:
        """Whether a question fits in what is left; with `rule`, whether it and all before it fit under that one."""
        asked = cost_of(planned, schema or self.schema, self.neighbors)
        granted, spent = self.balance()
        total = spent + asked
        return total.storable and total.within(granted, rule or self.rule)

    def charges(self) -> tuple[Entry, ...]:
        """All charges, oldest first, answered or not."""
        with self.store.reading() as connection:
            return tuple(Entry.of(row, self.terms, account=self.name) for row in rows.entries(connection, self.id))

    def releases(self) -> tuple[Release, ...]:
        """All answers that were ever released, oldest first."""
        return tuple(Release.of(entry) for entry in self.charges() if entry.noisy is not None)

    def count_charges(self) -> int:
        """How many charges there are, answered or not; none of them is read."""
        with self.store.reading() as connection:
            return rows.count_charges(connection, self.id)

    def count_answers(self) -> int:
        """How many answers were ever released; none of them is read."""
        with self.store.reading() as connection:
            return rows.count_answers(connection, self.id)

    def released(self, request_id: str) -> Release | None:
        """The answer to one request; None where there is none, or not yet."""
        with self.store.reading() as connection:
            row = rows.entry(connection, self.id, request_id)
        entry = None if row is None else Entry.of(row, self.terms, account=self.name)
        return None if entry is None or entry.noisy is None else Release.of(entry)

    def is_charged(self, request_id: str, *, within: Connection | None = None) -> bool:
        """Whether a request was charged, answered or not; `within` somebody's transaction, else as it stands now."""
        with nullcontext(within) if within is not None else self.store.reading() as connection:
            return rows.entry(connection, self.id, request_id) is not None

    def charge(
        self,
        request_id: str,
        planned: PlannedQuery,
        schema: Schema | None = None,
        *,
        most: Amounts | None = None,
        require: Callable[[Connection], object] | None = None,
    ) -> Entry:
        """Step 1: charge a question, durably, before any row is read; an id that was charged before costs nothing.

        `most` is a smaller total than was granted, which this charge may not bring the account beyond; `require`
        raises, in the transaction of the charge, where that is not to be made any more.
        Raises BudgetExceededError where it does not fit, RequestReusedError where the id stands for another question,
        RefusedQueryError where the answer was declared.
        """
        asked = cost_of(planned, schema or self.schema, self.neighbors)
        request = Request.of(request_id, planned, schema or self.schema)
        declared = declared_number(planned.query, schema or self.schema, self.neighbors)
        with self.store.writing_to(self.id, request_id) as (connection, now):
            known = self._known(now, request)
            if known is None:
                if require is not None:
                    require(connection)
                if declared:
                    raise RefusedQueryError(declared)
                self._require_newest(now)
                known = self._add(connection, now, request, asked, most)
        return Entry.of(known, self.terms, account=self.name)

    def store_answer(self, request_id: str, noisy: Sequence[Sequence[int]]) -> Entry:
        """Step 2: store an answer unless there is one; returns the one that stays, which alone may be shown."""
        with self.store.writing_to(self.id, request_id) as (connection, now):
            charged = now.known
            if charged is None:
                raise LedgerError("Only what was charged can be answered.")
            if charged["noisy"] is None:
                rows.add_answer(connection, charged["id"], noisy_text(noisy), at=now, time=self.store.now())
            return self._entry(connection, request_id)

    def top_up(self, budget: Guarantee, *, reason: str) -> TopUp:
        """Raise the budget to a new total, which is what everybody in the table is promised from then on.

        Never silently: the total and its reason are an entry of their own. The same total for the same reason is
        written once. Raises InvalidParameterError unless the total is larger and the reason can be read.
        """
        reason = require_reason(reason)
        total = Terms.of(self.schema, neighbors=self.neighbors, budget=budget, rule=self.rule, practice=self.practice)
        with self.store.writing() as connection:
            now = standing(connection, self.id)
            self._require_newest(now)
            known = rows.top_ups(connection, self.id)
            if not known or (known[-1].granted, known[-1].reason) != (total.granted, reason):
                require_larger(total.granted, now.granted)
                rows.add_top_up(connection, self.id, total.granted, reason=reason, time=self.store.now())
                known = rows.top_ups(connection, self.id)
        return known[-1]

    def top_ups(self) -> tuple[TopUp, ...]:
        """Every time that the budget was raised, oldest first."""
        with self.store.reading() as connection:
            return rows.top_ups(connection, self.id)

    def lineage(self) -> tuple[Account, ...]:
        """The accounts of all editions of this table up to this one, oldest first: people in all are covered by
        the sum of their budgets.
        """
        found = [self]
        with self.store.reading() as connection:
            while (earlier := found[0].predecessor) is not None:
                found.insert(0, Account.of(self.store, connection, rows.required_account(connection, earlier)))
        return tuple(found)

    def promised_over_editions(self) -> Guarantee:
        """What somebody who is in all editions of this table is promised: the sum of their budgets."""
        return reduce(operator.add, (account.budget for account in self.lineage()))

    def restart(self, terms: Terms | None = None) -> Account:
        """A practice account with nothing spent, under the same or other terms; the old one stays in the ledger.

        Restarting one that was restarted already returns its successor.
        """
        anew = terms or self.terms
        if not self.practice or not anew.practice:
            raise InvalidParameterError(
                "account", self.table_name, "a practice account: a real budget never comes back"
            )
        with self.store.writing() as connection:
            if not self._is_restarted(standing(connection, self.id)):
                opening = Opening(fingerprint=self.fingerprint, schema=self.schema, terms=anew)
                rows.add_account(connection, opening, generation=self.generation + 1, time=self.store.now())
            successor = newest(self.store, connection, self.fingerprint, self.schema, practice=True)
        if successor is None:
            raise LedgerError("The practice account could not be restarted.")
        successor.terms.require_same(anew)
        return successor

    def require_table(self, table: Table) -> None:
        """Raise AccountMismatchError unless this is the account's table, declared with the account's terms."""
        same = table.fingerprint(self.store.secret) == self.fingerprint and table.built_in == self.practice
        if not same:
            raise AccountMismatchError(
                "table",
                repr(self.table_name),
                repr(table.schema.name),
                sentence=f"This account is that of {self.table_name!r}, whose rows are different. Nothing was charged.",
            )
        self.terms.require_schema(table.schema)

    def _known(self, now: AccountStanding, request: Request) -> Columns | None:
        if now.known is not None and now.known["request_hash"] != request.digest:
            raise RequestReusedError(request.request_id)
        return now.known

    def _add(
        self, connection: Connection, now: AccountStanding, request: Request, asked: Amounts, most: Amounts | None
    ) -> Columns:
        total = now.spent + asked
        for granted in (now.granted, most or now.granted):
            if not total.within(granted, self.rule):
                raise refusal(asked, spent=now.spent, granted=granted, rule=self.rule)
        total.require_storable()
        return rows.add_charge(connection, request, asked, key=self.id, at=now, time=self.store.now())

    def _entry(self, connection: Connection, request_id: str) -> Entry:
        row = rows.entry(connection, self.id, request_id)
        if row is None:
            raise LedgerError("The ledger lost an entry while it was in use.")
        return Entry.of(row, self.terms, account=self.name)

    def _is_restarted(self, now: AccountStanding) -> bool:
        return self.practice and now.generation > self.generation

    def _require_newest(self, now: AccountStanding) -> None:
        if self._is_restarted(now):
            raise LedgerError("This practice account was restarted; use the new one. Nothing was charged.")


def newest(store: Store, connection: Connection, fingerprint: str, schema: Schema, *, practice: bool) -> Account | None:
    """The latest account of a table, if there is one."""
    row = rows.newest_account(connection, fingerprint, practice=practice)
    return None if row is None else Account.of(store, connection, row, schema)
