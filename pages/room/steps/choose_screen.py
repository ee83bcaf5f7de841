"""Choose epsilon, on the projector: how many have chosen, and once the host shows them, all choices as dots."""

from __future__ import annotations

import streamlit as st

from dpengine.charts.rooms import workshop_charts
from dpengine.charts.rooms.workshop_charts import Chosen
from dpengine.formatting import amount
from dpengine.queries.sensitivity.sentences import agreeing, plural
from dpengine.workshop import Room, Votes, votes
from dpengine.workshop.voting import said_aloud
from pages.phrasing import wording
from pages.question.dial import words
from pages.room import dial_question, room_style, state, wall
from pages.widgets import outputs

CHART_HEIGHT = 600
_NAMES = ("first round", "second round")
ALIKE = 1.05
"""Up to so many times the least, the choices of a round are called the same."""


def show(room: Room) -> None:
    """A round that is open hides its choices; one that was shown stays, the second above the first."""
    shown = [(number, found) for number in (0, 1) if (found := seen(room, number)) is not None]
    st.title(_finding(room, shown), anchor=False)
    if room.round is not None:
        st.markdown(_waiting(room))
    if shown or room.round is not None:
        rounds = [_chosen(_NAMES[number], found) for number, found in shown]
        picture = workshop_charts.choices(rounds, outputs.palette(), height=CHART_HEIGHT // 2)
        wall.picture(st.container(), picture, height=CHART_HEIGHT, key="choose_dots")
    if room.round is None and shown:
        st.markdown(meaning(room, shown[-1][1]))


def seen(room: Room, number: int) -> Votes | None:
    """The choices of a round once the host has shown them; None before, and where nobody has chosen."""
    return votes(state.said(room, "choice"), number=number) if room.phase > 2 * number else None


def last_seen(room: Room) -> Votes | None:
    """The choices that were shown last."""
    return seen(room, 1) or seen(room, 0)


def _finding(room: Room, shown: list[tuple[int, Votes]]) -> str:
    if room.round is not None:
        return "How much privacy for how much error? Turn your dial" if room.round == 0 else "Choose once more"
    if not shown or shown[-1][0] < room.phase // 2:
        return "Nobody has chosen anything in this round"
    if room.epsilon is not None:
        return taken(room)
    found = shown[-1][1]
    if len(shown) == 1:
        return f"Our middle choice is ε {amount(said_aloud(found.median))}; {spread(found)}"
    before, now = (amount(said_aloud(votes.median)) for votes in (shown[0][1], found))
    return f"After talking: our middle choice is ε {now}, before ε {before}"


def taken(room: Room) -> str:
    """That the room's choice counts from now on, and how many answers the budget then holds."""
    epsilon = room.epsilon or dial_question.own_epsilon(room)
    return (
        f"We have chosen ε {amount(epsilon)}: the budget holds {plural(state.fits(room, epsilon).together, 'answer')}"
    )


def spread(found: Votes) -> str:
    """How far apart the choices are."""
    if len(found.epsilons) == 1:
        return "one person has chosen"
    if found.times <= ALIKE:
        return "all chose about the same"
    return f"the largest is {amount(found.times, 2)} times the smallest"


def _waiting(room: Room) -> str:
    """How many have chosen, and nothing else of an open round."""
    chosen = {one.participant for one in state.said(room, "choice") if one.number == room.round}
    people = len(state.everybody(room))
    asked = wording.asked(room.setting.plan.queries[room.setting.dialed], room.setting.plan.spoken)
    dots = room_style.dots(len(chosen), people)
    counted = f"{len(chosen)} of {people} {agreeing(len(chosen), 'have')} chosen"
    return f"{asked}\n\n# {counted}\n\n{dots}\n\nNo choice is shown before the round ends."


def meaning(room: Room, found: Votes) -> str:
    """What the middle choice costs and buys, who lies in the middle, and who else has chosen so."""
    epsilon = room.epsilon or said_aloud(found.median)
    question = dial_question.at(room, epsilon)
    middle = f"The middle half lies from ε {amount(said_aloud(found.lower))} to ε {amount(said_aloud(found.upper))}"
    apart = middle if found.times > ALIKE else spread(found).capitalize()
    return (
        f"{apart}. At ε {amount(epsilon)}, 95% of answers are within "
        f"**{words.within(question)}**. {dial_question.guessed(question)}\n\n{words.near(epsilon)}"
    )


def _chosen(name: str, found: Votes) -> Chosen:
    median, lower, upper = map(said_aloud, (found.median, found.lower, found.upper))
    return Chosen(name=name, epsilons=found.epsilons, median=median, lower=lower, upper=upper)
