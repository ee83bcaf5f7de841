"""What everybody may see: of each account its promise, its budget and what was released; no table, no plan."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from dpengine.charts import Chart
from dpengine.charts.budget import budget_charts
from dpengine.errors import LedgerError
from dpengine.ledger import Account, Entry, History, Release, answers_alike, combined
from dpengine.reports import DECIDED_BEFOREHAND, MAY_HAVE_CHANGED
from dpengine.scenario import Scenario
from dpengine.seen_text import drawn
from dpengine.spending import Spending, step_of
from pages import session
from pages.phrasing import account_words, charge_words, released_words, rules, wording
from pages.plan import accounts, answer_panels, history_panels
from pages.question import bias_words, uninformative
from pages.widgets import outputs
from pages.widgets.escaping import code, unmarked
from pages.widgets.options import apart

WITHOUT = "The list of accounts cannot be read now. The terminal of the server says why; tell the curator."
MOST_TOGETHER = 20
MOST_BURNS = 16
"""Of so many accounts the picture of the budget is kept."""
RULE = {
    "basic": "Costs are just added up (naive rule).",
    "concentrated": "Costs are added up in rho (concentrated rule).",
}


def all_accounts() -> tuple[Account, ...]:
    """Every account of this server, those of real tables first, each kind oldest first."""
    return tuple(sorted(accounts.ledger().accounts(), key=lambda account: account.practice))


def chosen(place: DeltaGenerator) -> Account | None:
    """The account that this session looks at, out of a list where there are several; None while there is none."""
    known = {account.id: account for account in all_accounts()}
    if not known:
        return None
    ids = list(known)
    kept = session.remembered("published", ids[0])
    session.set_widget("published_account", kept if kept in known else ids[0])
    if len(known) > 1:
        place.selectbox(
            "Answers about which table?",
            ids,
            format_func=apart(ids, lambda one: _label(known[one])),
            key="published_account",
            on_change=_keep,
        )
    return known[int(session.widget_value("published_account"))]


def _keep() -> None:
    session.remember("published", session.widget_value("published_account"))


def _label(account: Account) -> str:
    kind = "practice, " if account.practice else ""
    return f"{drawn(account.table_name)} ({kind}opened {account.opened:%Y-%m-%d})"


def nothing_yet(what: str = "Answers stand here as soon as the curator releases one.") -> None:
    """The page before anything could be released, and what will stand there."""
    outputs.finding("Nothing has been released yet", what)
    st.markdown(
        "Until then, the lessons (**Learn**, above) say what such an answer will promise, and what it will not."
    )


def answers_title(account: Account) -> str:
    """How many answers there are, about what."""
    count = account.count_answers()
    return f"{count:,} answer{'' if count == 1 else 's'} released about {code(account.table_name)}"


def budget_title(account: Account) -> str:
    """How much is left."""
    return f"{wording.left_of(account)} for {code(account.table_name)}"


def kind(account: Account) -> str:
    """Whether real people stand behind the account."""
    if account.practice:
        return "**Practice:** a public table, for trying things out; its account may be started over."
    return (
        "Real people: what is spent never comes back. The curator can only raise the budget, with a reason, "
        "which would then stand below for everybody."
    )


def newest(account: Account) -> None:
    """The answer released last, in large letters."""
    held = History.of(account)
    released = held.releases
    if not released:
        st.markdown("Nothing has left this table so far.")
        return
    last = released[-1]
    asked = wording.asked(last.planned_query, wording.labels_of(account))
    with st.container(border=True, key="card_newest"):
        st.markdown(
            f":gray[The newest, {last.time:%Y-%m-%d %H:%M} UTC]  \n**{asked}**\n"
            f"## {unmarked(released_words.headline(last, released_words.CONFIDENCE))}\n"
            f"It cost {charge_words.signs(last.charge)}. {_means(last)}"
        )
        _together(last, released, practice=account.practice)
        if not last.answer_is_number:
            answer_panels.cells(last.estimate, key="newest")
    history_panels.history(account, held, spoken=wording.labels_of(account))


def _means(last: Release) -> str:
    """What says nothing, what the interval of a single number is for (many have it below), what the caps leave out."""
    known = last.estimate
    lost = (
        ""
        if last.is_choice
        else uninformative.of_release(known, released_words.bounds(known, released_words.CONFIDENCE))
    )
    words = unmarked(released_words.meaning(last, released_words.CONFIDENCE)) if last.answer_is_number else ""
    cut = wording.clamping(last.query, last.schema) if last.is_choice else ""
    return " ".join(filter(None, (lost, cut, words, bias_words.around(last.query, last.schema))))


def _together(last: Release, released: Sequence[Release], *, practice: bool) -> None:
    """All answers to the newest question as one, where there are several that have an average."""
    alike = () if last.is_choice else answers_alike(released, last)
    if 1 < len(alike) <= MOST_TOGETHER:
        known = released_words.headline(combined(alike).estimate, released_words.CONFIDENCE)
        changed = "" if practice else f" :gray[{MAY_HAVE_CHANGED}]"
        st.markdown(
            f"The {len(alike)} answers to this question together: **{unmarked(known)}**. "
            f":gray[{DECIDED_BEFOREHAND}]{changed}"
        )


def all_budgets(current: Account) -> None:
    """Every account of this server in one table, the one looked at first; one alone needs no table."""
    known = sorted(all_accounts(), key=lambda account: account.id != current.id)
    if len(known) > 1:
        st.dataframe(pd.DataFrame(map(_budget_of, known)), hide_index=True)


def _budget_of(account: Account) -> dict[str, object]:
    return {
        "table": _label(account),
        "budget": wording.guarantee(account.budget),
        "spent": charge_words.counted(account.exact_spent(), account.rule),
        "left": wording.left(account),
        "answers": account.count_answers(),
    }


def terms(account: Account) -> None:
    """What the account promises to whom."""
    plan = promised(account)
    st.markdown(
        f"**Whose rows:** {wording.unit_line(plan)}{wording.group_limits(plan)}.  \n"
        f"**Answers hide** {account.neighbors.sentence.removeprefix('Answers hide ')}  \n"
        f"**Budget:** {wording.guarantee(account.budget)}; spent so far: {wording.spent(account.spent)}. "
        f"{RULE[account.rule]} {wording.EPSILON_PROTECTS}"
    )
    for raised in account.top_ups():
        st.markdown(
            f"Raised on {raised.time:%Y-%m-%d} to {wording.guarantee(raised.budget)}: {unmarked(raised.reason)}"
        )
    if editions := account_words.editions(account):
        st.markdown(editions)


def promised(account: Account) -> Scenario:
    """The account's own terms in the form of a plan without questions, for the words that speak of plans."""
    return Scenario(
        table_name=account.table_name,
        schema=account.schema,
        neighbors=account.neighbors,
        queries=(),
        budget=account.budget,
        rule=account.rule,
    )


def _spending(account: Account, charges: Sequence[Entry]) -> Spending:
    """Everything charged so far, oldest first, the last of it as the question that was asked after all others."""
    steps = [
        replace(step_of(entry.planned_query, entry.schema, entry.neighbors), amounts=entry.charge.amounts)
        for entry in charges[:-1]
    ]
    last = replace(promised(account), schema=charges[-1].schema, queries=(charges[-1].planned_query,))
    return Spending(scenario=last, rounds=1, budget=account.budget, earlier=steps)


@st.cache_data(max_entries=MOST_BURNS, show_spinner=False)
def _curves(name: str, count: int, budget: str, _account: Account) -> dict[str, NDArray[np.float64]]:
    """The epsilon after each of so many charges under the rules; the same for everybody, since no charge changes."""
    spending = _spending(_account, _account.charges()[:count])
    names = dict.fromkeys(("exact", "advanced", _account.rule))
    return {name: spending.spent(name) for name in names if spending.understands(name)}


def burn(account: Account) -> list[Chart]:
    """How the answers so far used up the budget, under the account's rule and others."""
    count, budget = account.count_charges(), account.budget
    if not count:
        st.markdown("Nothing is spent yet: a picture of it begins with the first answer.")
        return []
    curves = _curves(account.name, count, repr(budget), account)
    picture = budget_charts.burn(
        questions=np.arange(1, count + 1),
        lines=rules.lines(curves, (), outputs.palette()),
        budget=budget.epsilon,
        palette=outputs.palette(),
        height=340,
    )
    with st.container(border=True, key="card_published_burn"):
        outputs.chart(st.container(), picture, key="chart_published_burn")
        label = rules.RULES[account.rule].label
        st.markdown(f":gray[The line “{label}” decides what is refused; the others are for comparison.]")
    return [picture]


@contextmanager
def sentence_for_a_broken_ledger() -> Iterator[None]:
    """One sentence for everybody; what a ledger says of itself names places on this server, and goes to its log."""
    try:
        yield
    except LedgerError:
        logging.getLogger(__name__).exception("The ledger could not be read for a page that everybody sees.")
        st.error(WITHOUT)
