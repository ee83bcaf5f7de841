"""Words that came with somebody's plan: each beside what it stands for, and used once the person here says so."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from dpengine.data import Labels
from dpengine.queries.conditions_in_words import in_words
from pages import session
from pages.session import sent_words
from pages.widgets.escaping import unmarked, whole

_AT_ONCE, _PIXELS = 8, 260
"""So many lines stand as they are; more can be scrolled."""


def offer() -> None:
    """What a plan that was opened would have sentences say, where they do not say it yet."""
    plan = session.scenario()
    words = sent_words.aside(plan.schema)
    if words is None or plan.built_in or words == plan.labels:
        return
    lines = list(_lines(words, plan.table_name))
    with st.container(border=True, key="words_sent"):
        st.markdown(
            "**This plan came with words for its table.** Sentences say them once you have read them: do they mean the "
            "same as what stands before them?"
        )
        with st.container(height=_PIXELS if len(lines) > _AT_ONCE else "content", border=False):
            st.markdown("\n".join(lines))
        with st.container(horizontal=True):
            st.button("Use these words", key=session.key_of_plan("use_words"), on_click=_use, args=(words,))
            st.button("Leave them out", key="leave_words_out", type="tertiary", on_click=sent_words.put_away)


def _lines(words: Labels, table: str) -> Iterator[str]:
    if words.table:
        yield f"- the table {whole(table)}: **{unmarked(words.table)}**"
    for column in words.columns:
        yield f"- {whole(column.column)}: **{unmarked(column.words)}**"
    for phrase in words.phrases:
        yield f"- those with {in_words(phrase.condition, whole)}: they **{unmarked(phrase.words)}**"


def _use(words: Labels) -> None:
    """Of the plan for which they were shown: another one may have come meanwhile."""
    if sent_words.aside(session.scenario().schema) == words:
        session.use_words(words)
