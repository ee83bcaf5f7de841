"""What if we had asked smaller? Everybody guesses how many smaller questions fit; then the staircases climb."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpengine.charts import Chart
from dpengine.charts.rooms import smaller_charts
from dpengine.charts.rooms.smaller_charts import Staircase, Staircases
from dpengine.formatting import amount
from dpengine.queries.sensitivity.sentences import agreeing
from dpengine.workshop import Participant, Room, Saying, Smaller, sayings
from dpengine.workshop.smaller import AS_MANY, MORE, MOST, SO_MANY_TIMES_MORE, counted
from pages.access import roles
from pages.phrasing import rules
from pages.room import room_style, saying, spending_words, state, wall
from pages.room.steps import spend_screen
from pages.room.steps.step import Script, WorkshopStep
from pages.widgets import outputs

_KIND, _HEIGHT, _HEIGHT_OF_OURS = "vote", 640, 420
MOSTLY_THEY_CANCEL = "Naive assumes that every answer betrays you in the same direction. Mostly they cancel."
_IN_WORDS = {10: "ten", 100: "a hundred", 1000: "a thousand"}


def question(found: Smaller) -> str:
    """What is asked of everybody."""
    return f"Same budget, questions {_IN_WORDS[found.times]} times smaller: how many fit?"


def options(found: Smaller) -> dict[int, str]:
    """What people may vote, with the numbers."""
    more = found.times * found.before
    return {
        AS_MANY: f"{found.before:,}, as many as before",
        SO_MANY_TIMES_MORE: f"about {more:,}, {_IN_WORDS[found.times]} times as many",
        MORE: "many more than that",
    }


def _phone(room: Room, whom: Participant) -> None:
    room_style.choices()
    _vote(room, whom)


@roles.part
def _vote(room: Room, whom: Participant) -> None:
    """Three buttons, of which the last that was pressed counts; once they are shown, what is true."""
    with saying.sentences():
        room = state.now(room.id)
        found = state.smaller(room)
        own = next((int(one.value) for one in sayings.said_by(state.rooms(), whom, _KIND)), None)
        if _is_shown(room):
            said = "" if own is None else f"You said: {options(found)[own]}.\n\n"
            outputs.finding(finding(found), "Look at the projector.")
            st.markdown(f"{said}{MOSTLY_THEY_CANCEL}")
            return
        outputs.finding(question(found), "Nobody sees who said what. You may still change it.")
        st.markdown(_before(found))
        saying.refusal(_KIND)
        for value, label in options(found).items():
            st.button(
                f"✓ {label}" if value == own else label,
                key=f"smaller_vote_{value}",
                width="stretch",
                on_click=_send,
                args=(room, whom, value),
            )


def _send(room: Room, whom: Participant, value: int) -> None:
    saying.say(room, whom, _KIND, number=0, value=value)


def _is_shown(room: Room) -> bool:
    return room.phase == 1


def _before(found: Smaller) -> str:
    return (
        f"At ε {amount(found.times * found.each)} each, **{found.before:,}** fit the budget of "
        f"ε {amount(found.budget)}. At ε {amount(found.each)} each, every answer has "
        f"{_IN_WORDS[found.times]} times the noise."
    )


def finding(found: Smaller) -> str:
    """How many fit by each rule."""
    said = [f"{rules.RULES[rule].label} {_number(fits)}" for rule, fits in _in_order(found)]
    return f"Questions that fit: {', '.join(said)}"


def _in_order(found: Smaller) -> list[tuple[str, int | None]]:
    return sorted(found.fits.items(), key=lambda one: one[1] or MOST + 1)


def _number(fits: int | None) -> str:
    return f"{fits:,}" if fits else f"more than {MOST:,}"


def _screen(room: Room) -> None:
    """How many have voted; then the staircases, and the votes."""
    room_style.broad()
    found, said = state.smaller(room), state.said(room, _KIND)
    if not _is_shown(room):
        people = len(state.everybody(room))
        st.title(question(found), anchor=False)
        voted = f"{room_style.dots(len(said), people)} {len(said)} of {people} {agreeing(len(said), 'have')} voted"
        listed = "\n".join(f"- {label}" for label in options(found).values())
        st.markdown(f"{_before(found)}\n\n{listed}\n\n# {voted}")
        spend_screen.burns(st.container(), state.burnt(room), height=_HEIGHT_OF_OURS)
        return
    st.title(finding(found), anchor=False)
    st.markdown(f"## {MOSTLY_THEY_CANCEL}", anchors=False)
    wall.picture(st.container(), picture(room, found), height=_HEIGHT, key="chart_room_smaller")
    st.markdown(f"{_told(found, said)}\n\n{_decides(room, found)}")


def _told(found: Smaller, said: Sequence[Saying]) -> str:
    """How many people voted for each, and which sum says so."""
    votes, true = counted(said), {SO_MANY_TIMES_MORE: "naive", found.best_vote: "advanced"}
    return " · ".join(
        f"{label}{f' ({true[value]})' if value in true else ''}: **{votes[value]}**"
        for value, label in options(found).items()
    )


def in_short(room: Room) -> str:
    """For the record: what was asked, how many fit, and the votes; empty where nobody voted."""
    said = state.said(room, _KIND)
    if not said:
        return ""
    found = state.smaller(room)
    return f"{_before(found)} {finding(found)}. We had voted: {_told(found, said)}. {MOSTLY_THEY_CANCEL}"


def picture(room: Room, found: Smaller) -> Chart:
    """The staircases, the room's own dot at their beginning."""
    burnt, palette = state.burnt(room), outputs.palette()
    return smaller_charts.staircases(
        Staircases(
            questions=found.questions,
            stairs=[
                Staircase(
                    label=rules.RULES[rule].label,
                    spent=found.spent[rule],
                    fits=fits,
                    color=getattr(palette, rules.RULES[rule].color),
                )
                for rule, fits in _in_order(found)
            ],
            budget=found.budget,
            asked=burnt.answered,
            epsilon=burnt.own_epsilon,
        ),
        palette,
    )


def _decides(room: Room, found: Smaller) -> str:
    """Which rule would refuse, and what the other one asks for."""
    own = room.setting.plan.rule
    return (
        f"Both add up the same noisy answers, and both are safe. This room’s account counts by "
        f"**{rules.RULES[own].label}**, which lets everybody ask what they like. Advanced needs the "
        "whole list beforehand; and any answer may be more likely than ε allows, by up to "
        f"{spending_words.chance(found.delta)}."
    )


STEP = WorkshopStep(
    name="smaller",
    title="What if we had asked smaller?",
    script=Script(
        goal="People see naive and advanced part, and why: what small answers reveal mostly cancels.",
        minutes=6,
        say=(
            "Suppose we had the same budget once more, and had asked smaller questions. How many fit? Vote.",
            (
                "Then press “Show the staircases”. Naive adds up the worst of every answer. Advanced counts on worst "
                "cases hardly ever coming together."
            ),
            "Look where our room stands: few large questions used up the same budget, before the lines part.",
        ),
        mistaken=(
            "“Then small questions are free.” No: each has as much more noise, and all together still cost.",
            "“Advanced is less safe.” It is as valid a sum of what all answers together can reveal, with a δ.",
        ),
        ending="Which of our questions could have borne as much more error?",
    ),
    phone=_phone,
    screen=_screen,
)
