"""How wrong, how revealing, how costly: one question, one dial."""

from __future__ import annotations

import streamlit as st

from pages.ui import choices, closer_look, entry, inputs, outputs, session, targets, tradeoff_panels

DIAL = "tradeoff_epsilon"


@st.fragment
def consequences() -> None:
    """Everything that moves with the dial, rerun alone."""
    heading = st.container()
    planned = choices.question(st.container(), key="tradeoff_question")
    if planned is None:
        with heading:
            outputs.finding("There is no question to weigh yet")
        return
    dial, cards, around = st.container(border=True, key="card_dial"), st.container(), st.container()
    with dial:
        epsilon = inputs.dial(key=DIAL, kept=planned.guarantee.epsilon, owner=session.question_index())
    with outputs.sentences_for_errors():
        subject = tradeoff_panels.settings(planned.at(epsilon))
        with heading:
            outputs.finding(tradeoff_panels.finding(subject), tradeoff_panels.detail(subject))
        with cards:
            pictures = tradeoff_panels.three_cards(subject)
        with around:
            targets.show(subject, dial=DIAL)
        if around.button(tradeoff_panels.keep_label(subject), key="tradeoff_keep"):
            session.keep_query(subject.planned)
            st.rerun()
        pictures += closer_look.show(subject)
        outputs.numbers_behind(pictures, key="tradeoff_numbers")


entry.require_curator()
consequences()
