"""Check: four questions at the end, first answered, then shown and explained."""

from __future__ import annotations

import streamlit as st

from dpengine.charts.rooms import room_charts
from dpengine.queries.sensitivity.sentences import agreeing, plural
from dpengine.workshop import CHECK, Participant, Room, checks
from dpengine.workshop.checks import QUESTIONS, CheckQuestion
from pages import session
from pages.access import roles
from pages.room import room_style, saying, state, wall
from pages.room.steps.step import Script, WorkshopStep
from pages.widgets import outputs
from pages.widgets.options import apart

_KIND, _EMPTY, _ROW, _AROUND = "check", "check_empty", 43, 18


def _phone(room: Room, whom: Participant) -> None:
    room_style.choices()
    _questions(room, whom)


@roles.part
def _questions(room: Room, whom: Participant) -> None:
    """Each with its own button, which reads the choice when it is pressed; what was sent stays."""
    with saying.sentences():
        said = state.said(state.now(room.id), _KIND)
        own = {one.number: int(one.value) for one in said if one.participant == whom.id}
        if _is_shown(room):
            _explained(own)
            return
        outputs.finding("Four questions", "Nobody sees who said what. Your first answer counts.")
        saying.refusal(_KIND)
        for number, question in enumerate(QUESTIONS):
            with st.container(border=True, key=f"card_check_{number}"):
                _one(room, whom, number, question, own.get(number))
        if len(own) == len(QUESTIONS):
            st.markdown("**Thank you.** Look at the projector.")


def _one(room: Room, whom: Participant, number: int, question: CheckQuestion, sent: int | None) -> None:
    st.markdown(f"**{number + 1}. {question.text}**")
    if sent is not None:
        st.markdown(f"Sent: {question.choices[sent].text}")
        return
    st.radio(
        question.text,
        range(len(question.choices)),
        index=None,
        format_func=apart(range(len(question.choices)), lambda place: question.choices[place].text),
        key=_key(number),
        label_visibility="collapsed",
        width="stretch",
    )
    st.button(
        "Send this answer",
        key=f"check_send_{number}",
        type="primary",
        width="stretch",
        on_click=_send,
        args=(room, whom, number),
    )
    if session.remembered(_EMPTY, None) == number:
        session.remember(_EMPTY, None)
        st.warning("Choose an answer first, then send it.")


def _send(room: Room, whom: Participant, number: int) -> None:
    """Send what is chosen at this moment; a second press changes nothing."""
    chosen = session.widget_held(_key(number))
    if isinstance(chosen, int):
        saying.say(room, whom, _KIND, number=number, value=chosen)
    else:
        session.remember(_EMPTY, number)


def _key(number: int) -> str:
    return f"check_{number}"


def _is_shown(room: Room) -> bool:
    return room.step == CHECK and room.phase == 1


def _explained(own: dict[int, int]) -> None:
    right = sum(own.get(number) == question.right for number, question in enumerate(QUESTIONS))
    missing = len(QUESTIONS) - len(own)
    outputs.finding(
        f"{right} right, {missing} not answered" if missing else f"{right} of {len(own)} right", "And this is why."
    )
    for number, question in enumerate(QUESTIONS):
        with st.container(border=True, key=f"card_check_{number}"):
            st.markdown(f"**{number + 1}. {question.text}**")
            sent = own.get(number)
            if sent is not None and sent != question.right:
                said = question.choices[sent]
                st.markdown(f"**✗ Not quite.** You said: {said.text}. {said.because}")
            mark = "✓ Right:" if sent == question.right else "Right is:"
            st.markdown(f"**{mark}** {question.choices[question.right].text}. {question.because}")


def _screen(room: Room) -> None:
    """How many have answered; then every answer as a dot, the right one marked: phones say why it is right."""
    room_style.broad()
    said = state.said(room, _KIND)
    counts = [checks.given(said, number) for number in range(len(QUESTIONS))]
    if not _is_shown(room):
        _waiting(room, counts)
        return
    everybody = sum(map(sum, counts))
    right = sum(given[question.right] for given, question in zip(counts, QUESTIONS, strict=True))
    found = f"{right} of {plural(everybody, 'answer')} sent {agreeing(right, 'are')} right"
    st.title(found if everybody else "Nobody has answered", anchor=False)
    for number, (question, given) in enumerate(zip(QUESTIONS, counts, strict=True)):
        st.markdown(f"## {question.text}", anchors=False)
        names = [choice.text for choice in question.choices]
        picture = room_charts.choices(names=names, given=given, right=question.right, palette=outputs.palette())
        height = _ROW * len(names) + _AROUND
        wall.picture(st.container(), picture, height=height, key=f"chart_check_{number}")


def _waiting(room: Room, counts: list[tuple[int, ...]]) -> None:
    people = len(state.everybody(room))
    st.title("Four questions, on your phone", anchor=False)
    halves = st.columns(2, gap="large")
    for number, (question, given) in enumerate(zip(QUESTIONS, counts, strict=True), start=1):
        answered = sum(given)
        dots = room_style.dots(answered, people)
        choices = "\n".join(f"- {choice.text}" for choice in question.choices)
        halves[number > len(QUESTIONS) / 2].markdown(
            f"## {number}. {question.text}\n{choices}\n\n{dots} {answered} of {people} "
            f"{agreeing(answered, 'have')} answered",
            anchors=False,
        )


STEP = WorkshopStep(
    name="check",
    title="Check",
    script=Script(
        goal="Everybody finds out what they take home, and what they had mixed up.",
        minutes=7,
        say=(
            "Four questions, on your phone. Nobody sees who said what. Your first answer counts.",
            "When most have answered, let two or three say what they chose, and why.",
            "Then press “Show the answers”: they appear as dots, with the right one marked; each phone says why.",
        ),
        mistaken=(
            "“Epsilon says how wrong the answer is.” It says how little one person matters. The error follows from it.",
            "“A refusal is an error of the program.” It is the promise being kept.",
            "“Then nothing is learned about me.” What holds for people like you is learned, with or without you.",
        ),
        ending="Who outside this room should have seen today's refusal?",
    ),
    phone=_phone,
    screen=_screen,
)
