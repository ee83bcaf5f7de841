"""How wrong, how revealing, how costly: one question, one dial."""

from __future__ import annotations

import streamlit as st

from pages import session
from pages.access import roles
from pages.explore.tradeoff import closer_look, targets, tradeoff_panels
from pages.plan import downloads, entry
from pages.question import choices, pictures
from pages.question.dial import component
from pages.widgets import outputs

DIAL = "tradeoff_epsilon"


@roles.curators_part
def consequences() -> None:
    """Everything that moves with the dial, rerun alone."""
    planned = choices.question(st.container(), key="tradeoff_question")
    if planned is None:
        outputs.finding("There is no question to weigh yet")
        return
    said, dial, around = st.container(), st.container(), st.container()
    with said:
        epsilon = component.epsilon(key=DIAL, kept=planned.guarantee.epsilon, owner=session.question_mark())
    with outputs.sentences_for_errors():
        question = tradeoff_panels.settings(planned.at(epsilon))
        with around:
            feasible = targets.show(question, dial=DIAL)
        with said:
            tradeoff_panels.refused(question)
        with dial:
            component.show(question, key=DIAL, detail=tradeoff_panels.detail(question), feasible=feasible)
        with around:
            tradeoff_panels.keep(question)
        shown = closer_look.show(question)
        outputs.numbers_behind(
            lambda: [*pictures.of_the_dial(question, outputs.palette()), *shown], key="tradeoff_numbers"
        )
        downloads.row(question, key="tradeoff_take")


entry.require_curator()
consequences()
