"""Judge this together: three open questions about somebody's promise, then what the room said and what it comes to."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpengine.charts.privacy import promise_charts
from dpengine.charts.privacy.promise_charts import LossRow
from dpengine.queries.sensitivity.sentences import agreeing
from dpengine.workshop import Participant, Room, Saying
from dpengine.workshop.judging import ACCEPT, ASK_FIRST, COST, JudgedPromise, JudgeQuestion
from pages.access import roles
from pages.room import room_style, saying, state, wall
from pages.room.steps import judge_words
from pages.room.steps.step import Script, WorkshopStep
from pages.widgets import outputs
from pages.widgets.escaping import unmarked

_KIND, _HEIGHT, _MOST_TOLD, _MOST_DOTS = "judgment", 420, 3, 20
CHANCE = "Right: how many out of 100 times an attacker who thinks it 50:50 can be right, at most. Pure chance is 50."


def _phone(room: Room, whom: Participant) -> None:
    room_style.choices()
    _questions(room, whom)


@roles.part
def _questions(room: Room, whom: Participant) -> None:
    """Each answer a button, of which the last that was pressed counts; once they are shown, what all said."""
    with saying.sentences():
        room = state.now(room.id)
        found, said = judge_words.of(room), state.said(room, _KIND)
        own = {one.number: one.value for one in said if one.participant == whom.id}
        if _is_shown(room):
            _told(found, said, own)
            return
        outputs.finding(judge_words.title(found.promise), "Nobody sees who said what. You may still change it.")
        st.markdown(judge_words.listed(found.promise))
        saying.refusal(_KIND)
        for number, question in enumerate(found.questions):
            with st.container(border=True, key=f"card_judge_{number}"):
                _one(room, whom, number, question, own.get(number))
        if len(own) == len(found.questions):
            st.markdown("**Thank you.** Look at the projector.")


def _one(room: Room, whom: Participant, number: int, question: JudgeQuestion, own: float | None) -> None:
    st.markdown(f"**{number + 1}. {question.text}**")
    for choice in question.choices:
        st.button(
            f"✓ {choice.text}" if choice.value == own else choice.text,
            key=f"judge_{number}_{choice.value}",
            width="stretch",
            on_click=_send,
            args=(room, whom, number, choice.value),
        )


def _send(room: Room, whom: Participant, number: int, value: int) -> None:
    saying.say(room, whom, _KIND, number=number, value=value)


def _is_shown(room: Room) -> bool:
    return room.phase == 1


def _told(found: JudgedPromise, said: Sequence[Saying], own: dict[int, float]) -> None:
    """What a year comes to, then what everybody answered, one's own marked."""
    outputs.finding(judge_words.finding(found), judge_words.why(found))
    cost = found.questions[COST]
    mine = cost.choice(own.get(COST))
    if mine is not None:
        right = "✓ You said so" if mine.value == cost.right else f"You said: {mine.text}"
        st.markdown(f"**{right}.** {mine.because}")
    lines = [f"| {after} | {epsilon} | {odds} |" for after, epsilon, odds in judge_words.figures(found)]
    st.markdown("\n".join(["| after | ε at most | right |", "|---|---|---|", *lines]))
    st.markdown(f":gray[{CHANCE} {' '.join(judge_words.assumed(found))}]")
    for number, question in enumerate(found.questions):
        with st.container(border=True, key=f"card_judge_{number}"):
            st.markdown(f"**{number + 1}. {question.text}**\n{_counts(question, said, number, own.get(number))}")
            chosen = question.choice(own.get(number))
            if number == ASK_FIRST and chosen is not None and chosen.because:
                st.markdown(f":gray[You asked about {chosen.text}. {unmarked(chosen.because)}]")


def _counts(question: JudgeQuestion, said: Sequence[Saying], number: int, own: float | None) -> str:
    """How many gave each answer; of what may be asked, only what somebody would ask."""
    counts = zip(question.choices, judge_words.given(question, said, number), strict=True)
    return "\n".join(
        f"- {'✓ ' if choice.value == question.right else ''}{choice.text} · **{count}**"
        f"{' (yours)' if choice.value == own else ''}"
        for choice, count in counts
        if count or number != ASK_FIRST
    )


def _screen(room: Room) -> None:
    """The promise and how many have answered; then what it comes to, beside what everybody said."""
    room_style.broad()
    found, said = judge_words.of(room), state.said(room, _KIND)
    if _is_shown(room):
        _opened(found, said)
    else:
        _waiting(room, found, said)


def _waiting(room: Room, found: JudgedPromise, said: Sequence[Saying]) -> None:
    people = len(state.everybody(room))
    st.title(judge_words.title(found.promise), anchor=False)
    left, right = st.columns(2, gap="large")
    left.markdown(f"## What it says\n{judge_words.listed(found.promise)}", anchors=False)
    for number, question in enumerate(found.questions):
        answered = sum(judge_words.given(question, said, number))
        dots = room_style.dots(answered, people)
        choices = [choice.text for choice in question.choices]
        right.markdown(
            f"## {number + 1}. {question.text}\n{' · '.join(choices)}\n\n{dots} {answered} of {people} "
            f"{agreeing(answered, 'have')} answered",
            anchors=False,
        )


def _opened(found: JudgedPromise, said: Sequence[Saying]) -> None:
    """The engine's figures, and below them the answers: those to the first question with the right one marked."""
    st.title(judge_words.finding(found), anchor=False)
    st.markdown(f"{judge_words.title(found.promise)}. {judge_words.why(found)}")
    rows = [LossRow(heading=f"after {after}", totals={"one person": one}) for after, one in found.stretches.items()]
    picture = promise_charts.ranges(rows, outputs.palette())
    wall.picture(st.container(), picture, height=_HEIGHT, key="chart_judge")
    for place, number in zip(st.columns([1, 1.4, 1.2], gap="large"), (COST, ASK_FIRST, ACCEPT), strict=True):
        place.markdown(f"**{_SHORT[number]}**\n{_dots(found.questions[number], said, number)}")


_SHORT = {COST: "A year for one person: we said", ASK_FIRST: "We would ask first about", ACCEPT: "For our own data"}


def _dots(question: JudgeQuestion, said: Sequence[Saying], number: int) -> str:
    """A dot for each person beside what they answered; of what may be asked, what most would ask."""
    counts = list(zip(judge_words.given(question, said, number), question.choices, strict=True))
    if number == ASK_FIRST:
        counts = sorted((one for one in counts if one[0]), key=lambda one: -one[0])[:_MOST_TOLD]
    lines = []
    for count, choice in counts:
        text = f"**✓ {choice.text}**" if choice.value == question.right else choice.text
        lines.append(f"- {text} {'●' * count if count <= _MOST_DOTS else ''} **{count}**")
    return "\n".join(lines)


STEP = WorkshopStep(
    name="judge",
    title="Judge this together",
    script=Script(
        goal="People judge somebody else's ε: what it comes to for one person, and what was left unsaid.",
        minutes=10,
        say=(
            "Somebody made this promise. Read it aloud: how large, for whom, how often.",
            "Three questions, on your phone. Nobody sees who said what, and you may change your mind.",
            "When most have answered, ask two people what they would want to know before they say yes.",
            "Then press “Show the answers”: what a year of it comes to stands beside what we said.",
        ),
        mistaken=(
            "“ε 2 is ε 2.” For one day or for good: how often it is spent anew matters as much as its size.",
            "“They did not say it, so it is not so.” Not said is not a no, and not looked up here is not unsaid.",
            "“The sum is what somebody learns.” It is an upper limit for any attacker, who may learn far less.",
        ),
        ending="Which one sentence would you ask its author to add?",
    ),
    phone=_phone,
    screen=_screen,
)
