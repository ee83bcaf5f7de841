"""What a person takes away: the privacy label of one answer, the whole history as CSV and as JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from dpengine.data import Labels
from dpengine.ledger import Account, History, Release
from dpengine.reports import history_csv, history_json, privacy_label, spreadsheet_file


def label_download(
    account: Account, *released: Release, labels: Labels, key: str, words: str = "Privacy label of this answer"
) -> None:
    """One page to print or to pin up, written when it is asked for; of several answers to a question as one."""
    st.download_button(
        words,
        lambda: privacy_label(History.of(account), *(one.request_id for one in released), labels=labels),
        file_name=f"{_file_name('label', account)}-{_numbered(released)}{released[-1].time:%Y%m%d-%H%M%S}.html",
        mime="text/html",
        key=key,
        on_click="ignore",
        help="One page (HTML) that says what was released, what it cost and what it promises. Print it, pin it up.",
    )


def history_downloads(account: Account, *, spoken: Labels) -> None:
    """Everything that stands in the history, for spreadsheets and for programs; written when it is asked for."""
    row = st.container(horizontal=True)
    row.download_button(
        "Download as CSV",
        lambda: spreadsheet_file(history_csv(History.of(account), words=spoken)),
        file_name=f"{_file_name('history', account)}.csv",
        mime="text/csv",
        key="history_csv",
        on_click="ignore",
    )
    row.download_button(
        "Download as JSON",
        lambda: history_json(History.of(account)),
        file_name=f"{_file_name('history', account)}.json",
        mime="application/json",
        key="history_json",
        on_click="ignore",
    )


def _numbered(released: Sequence[Release]) -> str:
    return f"{len(released)}-answers-" if len(released) > 1 else ""


def _file_name(kind: str, account: Account) -> str:
    """Letters and digits of any table's name, and whether it is practice."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", account.table_name).strip("-")[:40] or "table"
    return f"{kind}-practice-{name}" if account.practice else f"{kind}-{name}"
