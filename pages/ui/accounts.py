"""The session's account in the server's ledger, the requests its buttons stand for, and what they brought."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from dpengine.errors import BudgetExceededError, DPEngineError, LedgerError
from dpengine.ledger import Account, Ledger, Release, Terms
from dpengine.plan import PlannedQuery
from dpengine.privacy import Event, Guarantee
from dpengine.release import release
from pages.ui import session

LEDGER_URL = "EPSILON_EXPLORER_LEDGER"
LEDGER_MARKER = "EPSILON_EXPLORER_MARKER"


@st.cache_resource
def _ledger(url: str, marker: str) -> Ledger:
    return Ledger.open(url, marker=Path(marker))


def ledger() -> Ledger:
    """The server's one ledger; its place comes from the environment, else budget.db beside the program."""
    url = os.environ.get(LEDGER_URL, "sqlite:///budget.db")
    return _ledger(url, os.environ.get(LEDGER_MARKER, ".streamlit/ledger.id"))


def current() -> Account | None:
    """The account of the session's table, if one was opened; a broken ledger is reported where it matters."""
    table = session.table()
    if table is None:
        return None
    try:
        return ledger().account_of(table)
    except LedgerError as error:
        session.notice(str(error))
        return None


def left_epsilon() -> float | None:
    """The epsilon that is left in the session's account, if there is one whose rule adds up epsilons."""
    account = current()
    left = None if account is None else account.remaining
    return left.epsilon if isinstance(left, Guarantee) else None


def earlier_events() -> list[Mapping[Event, int]]:
    """What the accountants see of everything charged so far to the session's account, oldest first."""
    account = current()
    if account is None:
        return []
    return [entry.planned_query.events(entry.schema, account.neighbors) for entry in account.charges()]


def open_planned() -> None:
    """Open the account that the plan describes."""
    plan = session.scenario()
    ledger().open_account(
        session.required_table(), plan.schema, neighbors=plan.neighbors, budget=plan.budget, rule=plan.rule
    )


def restart_practice() -> None:
    """Start a practice account over, under the terms of the plan as it is now."""
    plan, account = session.scenario(), current()
    if account is not None:
        account.restart(
            Terms.of(plan.schema, neighbors=plan.neighbors, budget=plan.budget, rule=plan.rule, practice=True)
        )
    session.remember("released", None)
    session.remember("refused", None)


def request_id(planned: PlannedQuery, account: Account) -> str:
    """The id of the request that a rendered button stands for: the same for every click on it."""
    intent = (account.id, planned)
    kept = session.remembered("request", None)
    if not isinstance(kept, tuple) or kept[0] != intent:
        kept = (intent, secrets.token_hex(16))
        session.remember("request", kept)
    return str(kept[1])


def ask(planned: PlannedQuery, account: Account, request: str) -> None:
    """Release, and keep the answer or the refusal for the page; the next button is a new request."""
    answered: Release | None = None
    refused: tuple[PlannedQuery, str] | None = None
    try:
        answered = release(planned, session.required_table(), account, request_id=request)
    except BudgetExceededError as error:
        refused = planned, str(error)
    except DPEngineError as error:
        session.notice(str(error))
        return
    session.remember("released", answered)
    session.remember("refused", refused)
    session.remember("request", None)


def released_for(planned: PlannedQuery | None) -> Release | None:
    """The answer that this session released last, if it answers this question."""
    kept = session.remembered("released", None)
    same = isinstance(kept, Release) and planned is not None and kept.planned_query.query == planned.query
    return kept if same and isinstance(kept, Release) else None


def refused_for(planned: PlannedQuery) -> str:
    """Why this very question was refused last, if it was."""
    kept = session.remembered("refused", None)
    return str(kept[1]) if isinstance(kept, tuple) and kept[0] == planned else ""


def asked_before(planned: PlannedQuery, account: Account) -> bool:
    """Whether this question has an answer already."""
    return any(item.planned_query.query == planned.query for item in account.releases())
