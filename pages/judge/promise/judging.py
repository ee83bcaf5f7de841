"""The page: which promise, what it comes to, and the parts in which it is looked at more closely."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.charts.privacy import promise_charts
from dpengine.promises import NOT_LOOKED_UP, NOT_SAID
from dpengine.reports.evaluations import figures
from dpengine.reports.evaluations.promise_fields import GROUPS, unsaid
from pages import session
from pages.access import roles
from pages.judge.promise import among, dangers, exactness, form, hand, taking, worth
from pages.judge.promise.hand import CHOICE, KEY, Hand
from pages.lesson import step_menu
from pages.lesson.lesson import picture_and_words
from pages.widgets import outputs
from pages.widgets.escaping import unmarked

QUESTION = "What is somebody else's epsilon (ε) worth? The larger it is, the less it protects."
MEND = "No figures until this is mended"
PARTS: Mapping[str, Callable[[Hand], None]] = {
    "The promise": form.show,
    "What it is worth": worth.show,
    "How exact": exactness.show,
    "Among others": among.show,
    "Hazards": dangers.show,
    "Take along": taking.show,
}


@roles.part
def show() -> None:
    """The whole page."""
    heading = st.container()
    held = _choice()
    form.turn_to_the_mistake(held)
    with heading:
        outputs.finding(figures.title(held.promise) if held.promise else MEND, QUESTION)
    if held.promise is not None:
        _at_first_sight(held)
    elif session.widget_held(step_menu.menu_key(KEY)) or not form.says_it(held):
        st.error(unmarked(held.why))
    names = list(PARTS)
    index = step_menu.open_step(KEY, names)
    PARTS[names[index]](held)
    with st.container(horizontal=True):
        step_menu.to_the_steps_beside(KEY, names, index)


def _choice() -> Hand:
    """One of the deployments, or a promise that is typed, or at first the one that a link brought."""
    if refused := hand.take_from_address():
        st.error(unmarked(refused))
    options = hand.choices()
    with st.container(border=True, key=f"card_{CHOICE}"):
        session.widget_starts_at(CHOICE, hand.first())
        chosen = st.selectbox(
            "Whose promise: a real deployment, or one that you type",
            options,
            key=CHOICE,
            on_change=_chosen,
            persist_state="session",
        )
        held = hand.taken(str(chosen))
        if held.changed:
            st.markdown(f":gray[Not as it was read any more: you changed {len(held.changed)} of its answers.]")
        elif held.read:
            st.markdown(f":gray[{unmarked(held.read.note)}]")
    return held


def _chosen() -> None:
    """The link in the address is about another promise now, seen for one person first; typing starts with its size."""
    session.forget_link()
    session.set_widget(worth.WHOM, next(iter(figures.SUBJECTS)))
    if session.widget_held(CHOICE) == hand.TYPED:
        session.set_widget(step_menu.menu_key(KEY), 0)
        session.set_widget(form.GROUP, next(iter(GROUPS)))


def _at_first_sight(held: Hand) -> None:
    promise = held.promise
    if promise is None or not figures.rows(promise):
        st.info("Say below how large it is: ε, ρ, or the noise. Everything else may stay open.")
        return
    place, words = picture_and_words(KEY)
    picture = promise_charts.ranges(figures.rows(promise), outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_chart")
    words.markdown("\n\n".join(one for one in (*figures.odds(promise), figures.family(promise)) if one))
    _unsaid(words, held)
    st.caption(figures.TEN_TIMES)
    if assumed := figures.assumed(promise):
        st.markdown("**What these figures assume**\n" + "\n".join(f"- {sentence}" for sentence in assumed))
    outputs.numbers_behind((picture,), key=f"{KEY}_numbers")


def _unsaid(place: DeltaGenerator, held: Hand) -> None:
    """What nobody said, and what nobody looked up."""
    for why, words in ((NOT_SAID, "Not said"), (NOT_LOOKED_UP, "Not looked up here")):
        if names := unsaid(held.answers, why):
            place.markdown(f":gray[**{words}:** {names}.]")
