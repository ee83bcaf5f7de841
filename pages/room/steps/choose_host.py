"""Choose epsilon, on the host's page: how the room's choice becomes the setting."""

from __future__ import annotations

import streamlit as st

from dpengine.formatting import amount
from dpengine.workshop import CHOOSE, PHASES, Fitting, Room
from dpengine.workshop.voting import said_aloud
from pages import session
from pages.room import dial_question, state
from pages.room.hosting import fitting_words
from pages.room.steps import choose_screen
from pages.widgets import number_box, outputs
from pages.widgets.typed_numbers import LARGEST_EPSILON, SMALLEST_EPSILON

BOX = "choose_epsilon"


def controls(room: Room) -> None:
    """A number box that holds the last middle choice, rounded, and two buttons; what holds now is said."""
    found = choose_screen.last_seen(room)
    start = said_aloud(found.median) if found else room.epsilon or dial_question.own_epsilon(room)
    session.widget_starts_over(BOX, start, owner=(room.id, start))
    box, take, back = st.columns([1, 1.6, 1.6], vertical_alignment="bottom")
    epsilon = number_box.kept(
        box,
        "The room’s epsilon",
        key=BOX,
        start=start,
        min_value=SMALLEST_EPSILON,
        max_value=LARGEST_EPSILON,
        step=None,
        format="%.4g",
    )
    fits = state.fits(room, epsilon)
    if take.button(
        f"Take the room’s choice: ε {amount(epsilon, 6)}",
        key=f"choose_take_{room.version}_{epsilon!r}",
        type="primary" if waits(room) else "secondary",
        width="stretch",
        disabled=found is None or not fits.any_at_all,
    ):
        _set(room, epsilon)
    if back.button(
        "Back to what was planned", key=f"choose_back_{room.version}", width="stretch", disabled=not room.epsilon
    ):
        _set(room, None)
    st.markdown(_now(room))
    st.markdown(_held_at(epsilon, fits) if found and room.epsilon is None else "")


def _held_at(epsilon: float, fits: Fitting) -> str:
    instead = "" if fits.any_at_all else " **Type a smaller one.**"
    return f"At ε {amount(epsilon, 6)}: {fitting_words.sentence(fits)}{instead}"


def waits(room: Room) -> bool:
    """Whether the last round is shown, and the room's choice is not the setting yet: what a host does next."""
    last = room.step == CHOOSE and room.phase == PHASES[CHOOSE] - 1
    return last and room.epsilon is None and choose_screen.last_seen(room) is not None


def _set(room: Room, epsilon: float | None) -> None:
    with outputs.sentences_for_errors():
        state.rooms().choose_epsilon(room, epsilon)
        state.changed(room.id)
        st.rerun()


def _now(room: Room) -> str:
    if room.epsilon is None:
        first = "**Take it before you go on**, or go on as planned. " if waits(room) else ""
        planned = {one.guarantee.epsilon for one in room.setting.plan.queries}
        each = f"ε {amount(planned.pop(), 6)}" if len(planned) == 1 else "an ε of its own"
        return f"{first}:gray[As planned, each question costs {each}.]"
    return f"Each question costs **ε {amount(room.epsilon, 6)}** from now on: the room’s choice."
