"""Attack it: the room's own answers, averaged, subtracted, put together; with the budget's protection and without."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpengine.queries.sensitivity.sentences import plural
from dpengine.workshop import Participant, Room, guessing
from dpengine.workshop.hands import AVERAGE, SUBTRACT
from pages.access import roles
from pages.phrasing import wording
from pages.room import room_style, saying, state, tables, wall
from pages.room.attack_words import ACTS, NAMES, Attack, RoomFinding
from pages.room.steps import spend
from pages.room.steps.attack_hands import HANDS, QUIZ, asking, has_chosen, is_asked, is_played, tally
from pages.room.steps.step import Script, WorkshopStep
from pages.widgets import outputs

NOTHING = ("Nothing was released yet", "Without an answer there is nothing to attack: spend some of the budget first.")
_HEIGHT, _LINE = 540, 130


def attack_on(room: Room) -> Attack | None:
    """Everything that the acts are made of; None while nothing was answered."""
    found = state.findings(room, partial(tables.public, room))
    if found is None:
        return None
    everybody = [one.id for one in state.everybody(room)]
    played = state.won(room)[guessing.WHOLE_BUDGET]
    return Attack(
        found=found,
        quote=wording.said_of(room.setting.plan.spoken),
        done=state.done(room),
        everybody=everybody,
        played=played,
    )


def _act(attack: Attack, room: Room) -> RoomFinding:
    """The act that the host has come to."""
    return ACTS[room.phase](attack)


def _phone(room: Room, whom: Participant) -> None:
    _hands(room, whom)


@roles.part
def _hands(room: Room, whom: Participant) -> None:
    """Something to do first; below it, what the act found."""
    with saying.sentences():
        own = sum(one.state == "answered" for one in spend.own_asks(room, whom))
        room = state.changed(room.id)
        attack = attack_on(room)
        if attack is None:
            outputs.finding(*NOTHING)
            return
        act = _act(attack, room)
        st.title(NAMES[room.phase], anchor=False)
        HANDS[room.phase](room, whom, attack.found)
        saying.refusal("hand")
        if room.phase == SUBTRACT and not has_chosen(whom):
            return
        if room.phase != AVERAGE or not is_played(attack.found):
            st.markdown(f"**{act.title}.**")
            st.markdown(f":gray[{act.how}]")
            st.markdown(f"**With noise and budget.** {act.protected}")
            st.markdown(f"**Without them.** {act.bare}")
        st.markdown(f":gray[You asked for {own} of the room's {plural(len(state.answers(room)), 'answer')}.]")


def _screen(room: Room) -> None:
    room_style.broad()
    attack = attack_on(room)
    if attack is None:
        outputs.finding(*NOTHING)
        return
    if room.phase == SUBTRACT and is_asked(attack):
        st.title(QUIZ, anchor=False)
        st.markdown(asking(room, attack))
        return
    act = _act(attack, room)
    st.title(act.title, anchor=False)
    st.markdown(act.how)
    left, right = st.columns(2, gap="large")
    left.markdown(f"## With noise and budget\n{act.protected} {act.tried}", anchors=False)
    right.markdown(f"## Without them\n{act.bare}", anchors=False)
    if room.phase == SUBTRACT:
        st.markdown(tally(room, attack.found, attack.done))
    if act.picture is not None:
        drawn = act.picture(outputs.palette())
        height = _HEIGHT - _LINE * (room.phase == SUBTRACT)
        wall.picture(st.container(), drawn, height=height, key=f"chart_attack_{room.phase}")


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
            "First we average. Press, and one more answer joins: watch the line close in. Our budget refuses this.",
            (
                "Then we subtract one count from another: choose which. Then we put many counts together, as one "
                "solves a Sudoku: each of you is an invented person. Open what the attacker says about you."
            ),
            "Last: what does all of it tell about one person? Guess on, with one answer that costs the whole budget.",
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
