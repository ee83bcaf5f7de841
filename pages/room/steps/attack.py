"""Attack it: the room's own answers, averaged, subtracted, put together; with the budget's protection and without."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpengine.queries.sensitivity.sentences import plural
from dpengine.workshop import Participant, Room
from pages.room import room_style, state, tables, wall
from pages.room.attack_words import ACTS, RoomFinding
from pages.room.steps import spend
from pages.room.steps.step import Script, WorkshopStep
from pages.widgets import outputs

NOTHING = ("Nothing was released yet", "Without an answer there is nothing to attack: spend some of the budget first.")
_HEIGHT = 540


def _act(room: Room) -> RoomFinding | None:
    """The act that the host has come to; None while nothing was answered."""
    found = state.findings(room, partial(tables.public, room))
    return None if found is None else ACTS[min(room.phase, len(ACTS) - 1)](found)


def _phone(room: Room, whom: Participant) -> None:
    own = sum(one.state == "answered" for one in spend.own_asks(room, whom))
    act = _act(state.changed(room.id))
    if act is None:
        outputs.finding(*NOTHING)
        return
    outputs.finding(act.title, act.how)
    st.markdown(f"**With noise and budget.** {act.protected}")
    st.markdown(f"**Without them.** {act.bare}")
    st.markdown(f":gray[You asked for {own} of the room's {plural(len(state.answers(room)), 'answer')}.]")


def _screen(room: Room) -> None:
    room_style.broad()
    act = _act(room)
    if act is None:
        outputs.finding(*NOTHING)
        return
    st.title(act.title, anchor=False)
    st.markdown(act.how)
    left, right = st.columns(2, gap="large")
    left.markdown(f"## With noise and budget\n{act.protected}", anchors=False)
    right.markdown(f"## Without them\n{act.bare}", anchors=False)
    if act.picture is not None:
        drawn = act.picture(outputs.palette())
        wall.picture(st.container(), drawn, height=_HEIGHT, key=f"chart_attack_{room.phase}")


STEP = WorkshopStep(
    name="attack",
    title="Attack it",
    script=Script(
        goal="People see what their own answers give away, and what the noise and the budget kept back.",
        minutes=12,
        say=(
            (
                "Now we are the attackers. We have the answers that we were given; if they are too few, invented "
                "people stand in for the table, and the screen says so."
            ),
            "First we average: who asked the same question often? Watch how fast the noise shrinks, and what it cost.",
            "Then we subtract one count from another. Then we put many counts together, as one solves a Sudoku.",
            "Last: what does all of it tell about one person, about you? That number is a limit, not a guess.",
        ),
        mistaken=(
            "“The noise protects us.” Noise alone does not: it is averaged away. Noise and a budget that ends protect.",
            "“We hid the names, that is enough.” None of these attacks needed a name.",
            "“So we learned nothing.” We learned a lot about the group. It is the single person who stays hidden.",
        ),
        ending="Which of today's answers would you still publish, if it were your own record?",
    ),
    phone=_phone,
    screen=_screen,
)
