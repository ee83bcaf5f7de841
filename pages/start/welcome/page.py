"""The whole idea in one picture: one question, one dial, three consequences; then the doors."""

from __future__ import annotations

import streamlit as st

from pages.access import roles
from pages.plan import entry
from pages.question import pictures
from pages.question.dial import component
from pages.start.welcome import welcome_panels
from pages.tour import bar
from pages.widgets import outputs

DIAL = "welcome_epsilon"


@roles.curators_part
def consequences() -> None:
    """One real question on a built-in table, whatever the plan of this session is."""
    said, place = st.container(), st.container()
    with said:
        epsilon = component.epsilon(key=DIAL, kept=0.1)
    with outputs.sentences_for_errors():
        question = welcome_panels.question(epsilon)
        with place:
            component.show(question, key=DIAL, detail=welcome_panels.STORY)
        welcome_panels.doors()
        bar.ways_in("pages/start/welcome/page.py", key="welcome")
        outputs.numbers_behind(lambda: pictures.of_the_dial(question, outputs.palette()), key="welcome_numbers")


entry.require_curator()
consequences()
