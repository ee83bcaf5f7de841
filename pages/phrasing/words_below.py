"""The words of art on a page, one sentence each, behind one button at its foot that leads on to the glossary."""

from __future__ import annotations

import streamlit as st

from pages.phrasing.glossary import TERMS, WORDS

LABEL = "Glossary for this page"


def show(page: str) -> None:
    """One popover below a page that uses words of art; nothing below any other."""
    if page not in WORDS:
        return
    with st.popover(LABEL, key="words_on_this_page"):
        st.page_link("pages/learn/glossary/page.py", label="The whole glossary →")
        st.markdown(sentences(page))


def sentences(page: str) -> str:
    """The page's words and what they mean, as a list."""
    return "\n".join(f"- {explained(name)}" for name in WORDS[page])


def explained(name: str) -> str:
    """A word, its one sentence, and what others call it."""
    also = TERMS[name].also
    return f"**{name}**: {TERMS[name].meaning}" + (f" :gray[Also called: {', '.join(also)}.]" if also else "")
