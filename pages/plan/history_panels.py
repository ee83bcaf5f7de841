"""Everything that an account was ever charged for, newest first, to read and to keep."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from dpengine.data import Labels
from dpengine.ledger import Account, Amounts, History, HistoryLine, Release, TopUp
from dpengine.reports import same_questions
from pages import session
from pages.phrasing import charge_words, released_words, wording
from pages.phrasing.released_words import CONFIDENCE
from pages.plan import label_panels
from pages.question import uninformative
from pages.widgets import number_box
from pages.widgets.escaping import plain
from pages.widgets.options import apart

ON_A_PAGE = 20
Event = tuple[HistoryLine | TopUp, Amounts]
WAITING = "charged, not answered yet"


def history(account: Account, held: History | None = None, *, spoken: Labels) -> None:
    """The table, its downloads, and the label of any answer in it; `held` is what a page has read of it already."""
    held = held or History.of(account)
    count = sum(line.entry.noisy is not None for line in held.lines)
    st.markdown(f"## History: {count:,} answer{'' if count == 1 else 's'} released")
    events = _events(held)
    if not events:
        return
    shown = _on_page(events)
    asked = same_questions.labels(
        [line.entry for line in held.lines], lambda planned: plain(wording.asked(planned, spoken))
    )
    st.dataframe(pd.DataFrame([_row(event, spent, account.rule, asked) for event, spent in shown]), hide_index=True)
    label_panels.history_downloads(account, spoken=spoken)
    lines = [event for event, _ in shown if isinstance(event, HistoryLine)]
    _label_of_any(account, [line.release for line in lines if line.release is not None], asked, spoken)


def _events(held: History) -> list[Event]:
    """Every charge and every raise of the budget, oldest first, each with all that was spent by then."""
    spent, events = Amounts(), []
    for event in held.in_order():
        spent = event.spent if isinstance(event, HistoryLine) else spent
        events.append((event, spent))
    return events


def _on_page(events: Sequence[Event]) -> list[Event]:
    """Newest first, twenty at a time: every interval in the table is computed anew."""
    pages = math.ceil(len(events) / ON_A_PAGE)
    page = 1
    if pages > 1:
        label = f"Page of the history, 1 to {pages:,}"
        page = int(
            number_box.kept(
                st.container(), label, key="history_page", start=1, min_value=1, max_value=pages, step=1, width=240
            )
        )
    end = len(events) - (page - 1) * ON_A_PAGE
    return list(reversed(events[max(0, end - ON_A_PAGE) : end]))


def _answer(release: Release) -> str:
    """The whole answer, and first of all whether it says anything."""
    known = release.estimate
    line = released_words.one_line(known, CONFIDENCE)
    return f"says nothing: {line}" if uninformative.answers_nothing(known) else line


def _row(event: HistoryLine | TopUp, spent: Amounts, rule: str, asked: Mapping[str, str]) -> dict[str, object]:
    if isinstance(event, TopUp):
        return {
            "question": f"Budget raised to {wording.guarantee(event.budget)}: {event.reason}",
            "answer, 95% interval": "",
            "when (UTC)": f"{event.time:%Y-%m-%d %H:%M}",
            "charged": "",
            "left after": _left(event.granted, spent, rule),
        }
    release = event.release
    return {
        "question": asked[event.entry.request_id],
        "answer, 95% interval": WAITING if release is None else _answer(release),
        "when (UTC)": f"{event.entry.time:%Y-%m-%d %H:%M}",
        "charged": charge_words.signs(event.entry.charge),
        "left after": _left(event.granted, spent, rule),
    }


def _left(granted: Amounts, spent: Amounts, rule: str) -> str:
    """What is left of a budget; a delta that nothing has spent is not worth a word."""
    left = spent.left_of(granted)
    return charge_words.remaining(left if spent.delta else replace(left, delta=0), rule)


def _label_of_any(account: Account, released: Sequence[Release], asked: Mapping[str, str], spoken: Labels) -> None:
    """Choose an answer of those in the table, and take its label away."""
    if not released:
        return
    choice, button = st.columns([3, 1], vertical_alignment="bottom")
    named = [f"{item.time:%Y-%m-%d %H:%M:%S}  {asked[item.request_id]}" for item in released]
    places = range(len(released))
    session.widget_starts_over("label_of", 0, owner=(released[0].request_id, len(released)))
    place = choice.selectbox(
        "An answer of this history", places, format_func=apart(places, named.__getitem__), key="label_of"
    )
    with button:
        chosen = released[place or 0]
        label_panels.label_download(
            account, chosen, labels=spoken, key="label_of_history", words="Privacy label of the chosen answer"
        )
