"""Choose epsilon: everybody turns a dial of their own, then all choices are seen, then once more."""

from __future__ import annotations

import streamlit as st

from dpengine.formatting import amount
from dpengine.workshop import Participant, Room, Saying, sayings
from pages.access import roles
from pages.phrasing import wording
from pages.question.consequences import Detail
from pages.question.dial import component
from pages.room import dial_question, room_style, saying, state
from pages.room.steps import choose_host, choose_screen
from pages.room.steps.step import Script, WorkshopStep
from pages.widgets import outputs

DIAL = "room_epsilon"


def _phone(room: Room, whom: Participant) -> None:
    """The dial while a round is open, else what this person has chosen."""
    if room.round is None:
        own = sayings.said_by(state.rooms(), whom, "choice")
        if room.epsilon is None:
            outputs.finding("Look at the projector", "There are the choices of all of you, without names.")
        else:
            outputs.finding(choose_screen.taken(room))
        st.markdown(_all_own(own))
        return
    room_style.at_the_thumb()
    _dial(room, whom, room.round)


@roles.part
def _dial(room: Room, whom: Participant, number: int) -> None:
    """The question on a dial, and the button that keeps where it stands; the dial itself keeps nothing."""
    with saying.sentences():
        said, place, bar = st.container(), st.container(), st.container(key="choose_bar")
        own = sayings.said_by(state.rooms(), whom, "choice")
        start = own[-1].value if own else dial_question.own_epsilon(room)
        with said:
            epsilon = component.epsilon(key=DIAL, kept=start, owner=(room.id, whom.id, number))
        with bar:
            if st.button(
                f"This is my choice: ε {amount(epsilon, 6)}", key="room_choose", type="primary", width="stretch"
            ):
                saying.say(room, whom, "choice", number=number, value=epsilon)
                saying.refusal("choice")
                own = sayings.said_by(state.rooms(), whom, "choice")
            question = dial_question.at(room, epsilon)
            st.markdown(f"{_said(own, number, epsilon)}  \n:gray[{dial_question.guessed(question)}]")
        with place:
            component.show(question, key=DIAL, detail=_detail(room, number), public=True)


def _said(own: tuple[Saying, ...], number: int, epsilon: float) -> str:
    """What is kept of this round, and that it may be changed."""
    kept = next((one.value for one in own if one.number == number), None)
    if kept is None and own:
        return f"**ε {amount(own[-1].value, 6)} counts**, your choice of the first round, until you press the button."
    if kept is None:
        return "**Nothing chosen yet.** Nobody sees who chose what."
    if kept == epsilon:
        return f"✓ **Kept: ε {amount(kept, 6)}.** You may still change it."
    return f"**Kept: ε {amount(kept, 6)}**, until you press the button again."


def _all_own(own: tuple[Saying, ...]) -> str:
    if not own:
        return "You have chosen nothing so far."
    return "\n\n".join(f"Your choice in round {one.number + 1}: **ε {amount(one.value, 6)}**" for one in own)


def _detail(room: Room, number: int) -> Detail:
    asked = wording.asked(room.setting.plan.queries[room.setting.dialed], room.setting.plan.spoken)
    again = " **Second round: you have seen what all others chose.**" if number else ""
    return Detail(before=f"{asked}{again} Turn the dial: error and risk move together.", noise=False)


STEP = WorkshopStep(
    name="choose",
    title="Choose epsilon",
    script=Script(
        goal="People find out that epsilon is a choice between error and risk, and that it is theirs to make.",
        minutes=12,
        say=(
            (
                "Here is a real question. Its answer will be published with noise. Turn the dial: to the left more "
                "private and noisier, to the right more exact and more revealing."
            ),
            (
                "Watch two numbers only: how far the answer may be off, and how often somebody who guesses about one "
                "person can be right: 50 out of 100 is a coin. Choose what you could defend, without looking around."
            ),
            (
                "Now look at all choices. If yours is small: what were you afraid of? If yours is large: what "
                "would you do with the answer?"
            ),
            (
                "Second round: choose again, knowing what the others said. If you press nothing, your first "
                "choice stays. Then I take our middle choice (the median) as our setting."
            ),
        ),
        mistaken=(
            (
                "“A larger epsilon is better protection.” The other way round: epsilon is how much may be learned "
                "about one person."
            ),
            (
                "“There must be a right epsilon.” There is none. Real deployments lie far apart; the marks below the "
                "dots are some of them."
            ),
            (
                "“The middle is a fair deal.” The middle of the dial means nothing by itself. Ask what error "
                "the decision can bear."
            ),
        ),
        ending="What would have to be true about the people in this table for you to choose ten times less?",
    ),
    phone=_phone,
    screen=choose_screen.show,
    controls=choose_host.controls,
)
