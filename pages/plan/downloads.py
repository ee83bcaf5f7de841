"""What was explored, to take along: a policy brief, a script and a notebook that rebuild the plan, its numbers.

All of it is public: where somebody brought the table, a brief knows typed guesses and no exact value, shown or not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import singledispatch

import streamlit as st

from dpengine.accuracy import Guess, guess_from_rows
from dpengine.errors import DPEngineError
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import Amounts
from dpengine.reports import (
    Explored,
    listed,
    plan_csv,
    plan_notebook,
    plan_script,
    policy_brief,
    spreadsheet_file,
)
from dpengine.scenario import Scenario
from dpengine.spending import step_of
from pages import session
from pages.access import roles
from pages.plan import accounts
from pages.question import guesses
from pages.question.question_view import QuestionView
from pages.widgets.escaping import unmarked

About = QuestionView | PlannedQuery | Scenario
_CONFIDENCE, _PRIOR = 95.0, 50.0
WHAT_THEY_HOLD = (
    "**Take the plan with you.** :gray[Policy brief, script, notebook and numbers describe the plan: these four files "
    "contain no released answer and no individual record.]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settings:
    """What a file is about: a plan, the question in focus, what is assumed."""

    plan: Scenario
    confidence: float
    prior: float


def row(about: About, *, key: str) -> None:
    """Four files about the question in focus and the plan around it, each written when it is asked for."""
    settings = _settings(about)
    plan = accounts.as_charged(settings.plan)
    if not plan.queries:
        return
    refused = _refused(plan)
    if refused:
        st.markdown(f"**This plan cannot be taken along as files.** {unmarked(refused)}")
        return
    st.markdown(WHAT_THEY_HOLD)
    place, name = st.container(horizontal=True), _file_name(plan.table_name)
    for file in _files(plan, settings):
        place.download_button(
            file.label,
            roles.until_signed_out(file.written),
            file_name=file.name.format(name),
            mime=file.mime,
            key=f"{key}_{file.label.split()[0].lower()}",
            on_click="ignore",
            help=file.help,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """One file: its button, what writes it, and what it is called around the name of the table."""

    label: str
    written: Callable[[], str | bytes]
    name: str
    help: str
    mime: str = "text/plain"


def _files(plan: Scenario, settings: _Settings) -> tuple[_File, ...]:
    return (
        _File(
            label="Policy brief",
            written=_brief(plan, settings),
            name="policy-brief-{}.html",
            mime="text/html",
            help="Two pages to print or send (HTML).",
        ),
        _File(
            label="Python script",
            written=_script(plan),
            name="plan_{}.py",
            help=_REBUILDS,
        ),
        _File(
            label="Notebook",
            written=lambda: plan_notebook(plan, _today()),
            name="plan_{}.ipynb",
            mime="application/x-ipynb+json",
            help=_REBUILDS,
        ),
        _File(
            label="Numbers as CSV",
            written=lambda: spreadsheet_file(plan_csv(plan)),
            name="plan_{}.csv",
            mime="text/csv",
            help="One row for every noisy part: sensitivity, scale, epsilon.",
        ),
    )


_REBUILDS = "Rebuilds the plan with dpengine and with OpenDP alone, and compares the scales of the noise."


def _refused(plan: Scenario) -> str:
    """Why a question of the plan cannot be answered; empty where all can."""
    try:
        for planned in plan.queries:
            step_of(planned, plan.schema, plan.neighbors)
    except DPEngineError as error:
        return str(error)
    return ""


@singledispatch
def _settings(about: About) -> _Settings:
    raise NotImplementedError(type(about).__name__)


@_settings.register
def _(about: QuestionView) -> _Settings:
    plan = about.plan.with_query_at(session.question_index(), about.planned)
    return _Settings(plan=plan, confidence=about.confidence, prior=about.prior)


@_settings.register
def _(about: PlannedQuery) -> _Settings:
    return _settings(session.scenario().with_query_at(session.question_index(), about))


@_settings.register
def _(about: Scenario) -> _Settings:
    return _Settings(plan=about, confidence=_kept("confidence", _CONFIDENCE), prior=_kept("prior", _PRIOR))


def _kept(key: str, start: float) -> float:
    """A share of 1 that the trade-off page keeps as so many of 100."""
    kept = session.remembered(key, start)
    return (kept if isinstance(kept, float) else start) / 100.0


def _brief(plan: Scenario, settings: _Settings) -> Callable[[], str]:
    """What writes the brief later, when no session is at hand: everything that it needs is looked up now."""
    focus, account = session.question_index(), accounts.current()
    rows = session.required_table() if session.is_built_in() else None
    typed = {place: guesses.public(plan.queries[place], place) for place in listed(plan, focus)}
    answered = [place for place in typed if guesses.was_typed(plan.queries[place], place)]
    sized = [place for place in typed if guesses.size_of(plan.queries[place], place) == "said"]
    granted, spent = (None, Amounts()) if account is None else account.balance()

    def guess(place: int) -> Guess:
        planned = plan.queries[place]
        if rows is not None:
            return guess_from_rows(planned.query, plan.schema, plan.neighbors, rows)
        return guesses.fitting(typed[place], planned, plan)

    def written() -> str:
        known: Mapping[int, Guess] = {place: guess(place) for place in typed}
        return policy_brief(
            Explored(
                plan=plan,
                place=focus,
                guesses=known,
                day=_today(),
                answered=answered,
                sized=sized,
                public=rows is not None,
                confidence=settings.confidence,
                prior=settings.prior,
                spent=spent,
                granted=granted,
            )
        )

    return written


def _script(plan: Scenario) -> Callable[[], str]:
    """What writes the script later, likewise."""
    form = session.table_form()
    return lambda: plan_script(plan, _today(), form=form)


def _today() -> date:
    return date.today()  # noqa: DTZ011  # the day on the wall of whoever runs this server


def _file_name(table_name: str) -> str:
    """Letters and digits of any table's name, so that the script can be imported."""
    return re.sub(r"[^A-Za-z0-9]+", "_", table_name).strip("_")[:40] or "table"
