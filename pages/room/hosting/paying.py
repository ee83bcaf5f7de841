"""Which account a new room spends from: the table's own, a practice account started over, or one that is opened now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256

import streamlit as st

from dpengine.errors import RoomError
from dpengine.ledger import Account, Amounts, Terms
from dpengine.plan.amounts import granted_by
from dpengine.scenario import Scenario
from dpengine.workshop import Room
from pages import session
from pages.phrasing import wording
from pages.plan import accounts
from pages.room import state, tables
from pages.widgets.escaping import code, unmarked
from pages.widgets.options import apart

FRESH, AS_IT_IS = "fresh", "as it is"
GUESSED_PEOPLE = 1000.0
"""Where nobody has said how many people a table is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payer:
    """The account that the session's table has, if any, and the open rooms that spend from it already."""

    account: Account | None
    practice: bool
    sharing: tuple[Room, ...]

    @property
    def shown(self) -> str:
        """The account as the form shows it; another text where somebody has opened or raised it since."""
        known = self.account
        terms = None if known is None else (known.id, known.budget, known.rule)
        return sha256(repr((terms, [room.id for room in self.sharing])).encode()).hexdigest()

    @property
    def fixed(self) -> bool:
        """Whether the account's budget and rule decide, whatever somebody would like."""
        return self.account is not None and not self.practice

    def terms(self, plan: Scenario, choice: str) -> Scenario:
        """The plan under the terms on which its questions will be charged."""
        if self.account is None or (self.practice and choice != AS_IT_IS):
            return plan
        account = self.account
        return replace(plan, budget=account.budget, rule=account.rule, neighbors=account.neighbors)

    def left(self, plan: Scenario, choice: str) -> Amounts:
        """What the room may spend."""
        if self.account is None or (self.practice and choice != AS_IT_IS):
            return granted_by(plan.budget)
        granted, spent = self.account.balance()
        return spent.left_of(granted)


class NobodyPaysError(RoomError):
    """A table that no room can spend from yet, and the page on which that can be mended."""

    def __init__(self, sentence: str, *, page: str, label: str) -> None:
        super().__init__(sentence)
        self.page, self.label = page, label


def payer(rooms: Sequence[Room]) -> Payer:
    """Who pays for the session's table.

    Raises NobodyPaysError where its rows are not here, or may be of the same people; other errors as the ledger does.
    """
    if session.table() is None:
        raise NobodyPaysError(
            "The rows of this table are not here. Bring them on the Data page, then open the room.",
            page="pages/explore/data/page.py",
            label="To the tables →",
        )
    account, practice = accounts.current(), session.is_built_in()
    if account is None and not practice and accounts.of_real_people():
        raise NobodyPaysError(
            "Somebody in this table may be in an earlier one: say what you know on Release, and open its account.",
            page="pages/explore/release/page.py",
            label="To Release →",
        )
    sharing = tuple(room for room in rooms if account and room.account == account.id and room.state != "closed")
    return Payer(account=account, practice=practice, sharing=sharing)


def chosen(found: Payer) -> str | None:
    """Say who pays; where another room spends from the same practice account, ask what becomes of it."""
    if found.account is None:
        kind = "A practice account" if found.practice else "The account of this table"
        st.caption(f"{kind} is opened on these terms.")
    elif not found.practice:
        st.markdown(f"The account of this table decides: **{wording.left_of(found.account)}**. Its rule stays.")
        return AS_IT_IS
    elif found.sharing:
        return _shared(found.sharing)
    elif answers := found.account.count_answers():
        st.caption(
            f"The practice account starts over: its {answers:,} answer{'s are' if answers > 1 else ' is'} deleted."
        )
    return FRESH


def _shared(sharing: Sequence[Room]) -> str | None:
    names = ", ".join(f"{unmarked(room.setting.title)} ({room.spaced_code})" for room in sharing)
    st.markdown(f"**Another open room spends from this table's practice account:** {names}.")
    labels = {FRESH: "Close it, and start with a fresh budget", AS_IT_IS: "Both spend what is left of one budget"}
    return st.radio(
        "What should happen to it?",
        list(labels),
        index=None,
        format_func=apart(labels, labels.__getitem__),
        key="host_shared",
    )


def account(found: Payer, plan: Scenario, choice: str) -> Account:
    """The account of a new room: found, opened or started over; rooms that spent from an ended one are closed."""
    table = session.required_table()
    if found.account is None:
        paying = accounts.ledger().open_account(
            table, plan.schema, neighbors=plan.neighbors, budget=plan.budget, rule=plan.rule, beside=()
        )
    elif choice == AS_IT_IS:
        paying = found.account
    else:
        paying = _started_over(found.account, plan)
        for room in found.sharing:
            state.rooms().close(room)
    if not found.practice:
        tables.lend(paying.id, table)
    return paying


def again(room: Room) -> Account:
    """The practice account of a room's table, started over on the room's terms."""
    plan = room.setting.plan
    known = accounts.ledger().account_of(session.built_in_table(plan.table_name)) if plan.built_in else None
    if known is None:
        raise RoomError("Only a room on a practice account starts over: a real budget never comes back.")
    return _started_over(known, plan)


def _started_over(known: Account, plan: Scenario) -> Account:
    terms = Terms.of(plan.schema, neighbors=plan.neighbors, budget=plan.budget, rule=plan.rule, practice=True)
    if known.terms == terms and not known.charges():
        return known
    session.remember("released", None)
    session.remember("refused", None)
    return known.restart(terms)


def bring_back(room: Room) -> str:
    """Lend the session's table to its room again, after a restart say; the sentence to show where it is missing."""
    plan = room.setting.plan
    if plan.built_in:
        newest = accounts.ledger().account_of(session.built_in_table(plan.table_name))
        started_over = newest is not None and newest.id != room.account
        return "This room's practice account was started over elsewhere: start this room over too." * started_over
    if not tables.is_here(room) and has_the_rows(room):
        tables.lend(room.account, session.required_table())
    if tables.is_here(room):
        return ""
    return (
        f"This server does not have the rows of {code(plan.table_name)} any more. Bring them on the **Data** page, "
        "declared as they are in the room."
    )


def has_the_rows(room: Room) -> bool:
    """Whether this session may lend a room what it asks about: a public table may everybody.

    A closed room is opened again by nobody else: the pages of whoever has the rows lend them by themselves.
    """
    held, own = session.table(), accounts.current()
    same = held is not None and held.schema == room.setting.plan.schema
    return room.setting.plan.built_in or (same and own is not None and own.id == room.account)


def give_back() -> None:
    """A room is over: rows go that nobody may be asked about any more."""
    tables.keep_for(state.rooms().all())


def entries() -> str:
    """How many people a public table is about, and how often one may stand in it; empty where everybody does once."""
    plan = session.scenario()
    if not plan.built_in or plan.schema.one_row_each:
        return ""
    people, entries, most = _public_sizes(plan.table_name)
    return (
        f"{people:,} people stand in it with {entries:,} entries, up to {most} each; a promise is for a whole person."
    )


@cache
def _public_sizes(name: str) -> tuple[int, int, int]:
    found = session.built_in_table(name).contributions()
    return found.people, found.rows, found.most


def people() -> float:
    """How many people the session's table is about, as far as that is public."""
    declared = session.scenario().schema.people
    return GUESSED_PEOPLE if declared is None else float(declared)
