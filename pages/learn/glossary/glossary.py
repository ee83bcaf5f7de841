"""The glossary: every word of art in one sentence, to search, in themes that lead to the pages which show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.access import roles
from pages.lesson.lesson import choice
from pages.phrasing.glossary import THEMES, Term, found
from pages.phrasing.words_below import explained
from pages.widgets import outputs
from pages.widgets.escaping import unmarked

KEY = "glossary"
ALL = "All"


@roles.part
def show() -> None:
    """Search and themes above; a card for each theme below, in two columns that are about as long."""
    heading = st.container()
    with st.container(border=True, key=f"card_{KEY}"):
        search = st.text_input(
            "Search", key=f"{KEY}_search", placeholder="a word, such as noise", label_visibility="collapsed"
        )
        theme = choice("Theme", (ALL, *(one.title for one in THEMES.values())), key=f"{KEY}_theme")
    groups = _groups(found(search), theme)
    with heading:
        outputs.finding(finding(search, sum(map(len, groups.values()))), "What does this word mean, in one sentence?")
    if not groups:
        st.markdown("Try a shorter word, or another theme. Symbols work too: ε, δ, ρ.")
    for place, names in zip(st.columns(2, gap="medium"), _halves(groups), strict=True):
        for name in names:
            _card(place, name, groups[name])


def finding(search: str, count: int) -> str:
    """How many words there are, or how many fit."""
    fitting = f" with “{unmarked(search.strip())}”" if search.strip() else ""
    words = "word" if count == 1 else "words"
    return f"{count} {words}{fitting}, one sentence each" if count else f"No word{fitting}"


def _groups(terms: Sequence[Term], theme: str) -> Mapping[str, list[Term]]:
    """The terms of each theme that is wanted and has any."""
    wanted = [name for name, one in THEMES.items() if theme in (ALL, one.title)]
    return {name: members for name in wanted if (members := [term for term in terms if term.theme == name])}


def _halves(groups: Mapping[str, Sequence[Term]]) -> tuple[list[str], list[str]]:
    """The themes for the left and for the right column: each goes where fewer words stand."""
    columns: tuple[list[str], list[str]] = ([], [])
    for name in groups:
        min(columns, key=lambda column: sum(len(groups[one]) for one in column)).append(name)
    return columns


def _card(place: DeltaGenerator, name: str, terms: Sequence[Term]) -> None:
    """One theme: its words, and the pages that show them."""
    theme = THEMES[name]
    with place.container(border=True, key=f"card_{KEY}_{name}"):
        st.markdown(f"## {theme.title}", anchors=False)
        st.markdown("\n".join(f"- {explained(term.name)}" for term in terms))
        with st.container(horizontal=True):
            for page in theme.pages:
                st.page_link(f"pages/{page}/page.py")
