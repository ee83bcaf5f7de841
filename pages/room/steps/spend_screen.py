"""The projector while a room spends its budget: how it burns, who asked what without names, the first refusal."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.charts.rooms import room_charts
from dpengine.charts.rooms.room_charts import RoomBurn
from dpengine.formatting import in_signs
from dpengine.ledger import Release
from dpengine.plan.amounts import Amounts
from dpengine.spending import strips
from dpengine.workshop import Ask, Burning, Room
from pages.phrasing import wording
from pages.plan import budget_bar
from pages.room import room_style, spending_words, state, wall
from pages.widgets import outputs

LAST_SHOWN, BESIDE_A_REFUSAL = 5, 3
"""How many questions a room reads at once."""
_CELLS = 4
_HEIGHT, _HEIGHT_BESIDE_A_REFUSAL = 900, 560


def show(room: Room) -> None:
    """The budget burning, and the last questions with their answers; the first refusal has the wall to itself."""
    room_style.broad()
    burnt, asked = state.burnt(room), state.asked(room)
    if burnt.beyond is not None and _ends_refused(burnt):
        with st.container(key="projector_refusal"):
            st.title(_title(burnt), anchor=False)
            st.markdown(f"## {spending_words.beyond(room, burnt, burnt.beyond)[0]}", anchors=False)
        return
    st.title(_title(burnt), anchor=False)
    if burnt.beyond is not None:
        aloud, sums = spending_words.beyond(room, burnt, burnt.beyond)
        st.markdown(f"## {aloud}\n{sums}", anchors=False)
    left, right = st.columns([1.45, 1], gap="large")
    height = _HEIGHT if burnt.beyond is None else _HEIGHT_BESIDE_A_REFUSAL
    burns(left, burnt, height=height)
    with right:
        st.html("".join(map(budget_bar.drawn, strips(burnt.balance, Amounts()))))
        _last(room, asked, LAST_SHOWN if burnt.beyond is None else BESIDE_A_REFUSAL)


def burns(place: DeltaGenerator, burnt: Burning, *, height: int) -> None:
    """The budget as this room has burnt it."""
    picture = room_charts.together(_drawn(burnt), outputs.palette())
    wall.picture(place, picture, height=height, key="chart_room_burns")


def _ends_refused(burnt: Burning) -> bool:
    """Whether nothing was answered since the budget refused for the first time."""
    since = burnt.questions.index(burnt.refusal) if burnt.refusal else 0
    return all(one.refused for one in burnt.questions[since:])


def _title(burnt: Burning) -> str:
    if burnt.beyond is not None:
        return "Refused, for ever"
    count = burnt.answered - sum(bool(one.sentence) and not one.refused for one in burnt.questions)
    nothing = "and nothing was answered" if burnt.questions else "and nobody has asked yet"
    after = f"after {count} answer{'s' if count > 1 else ''}" if count else nothing
    return f"{in_signs(burnt.left)} is left, {after}"


def _drawn(burnt: Burning) -> RoomBurn:
    lines = burnt.questions
    tried = [one.naive + one.planned.guarantee.epsilon if one.refused else math.nan for one in lines]
    return RoomBurn(
        naive=np.array([one.naive for one in lines], dtype=np.float64),
        advanced=np.array([one.advanced for one in lines], dtype=np.float64),
        refused=np.array(tried, dtype=np.float64),
        budget=burnt.budget.epsilon,
        counted=np.array([one.counted for one in lines]) if burnt.rule == "concentrated" else None,
    )


def _last(room: Room, asked: tuple[Ask, ...], most: int) -> None:
    """The newest questions first; nobody's name, nor anything that tells two people apart."""
    known = state.answers(room)
    st.markdown("## Asked last", anchors=False)
    if not asked:
        st.markdown("Choose a question on your phone, and press **Ask**.")
    for one in reversed(asked[-most:]):
        _line(room, one, _told(known.get(one.request_id)))


def _told(released: Release | None) -> str:
    """The answer; of many numbers the first few."""
    if released is None:
        return ""
    answer = f"**{spending_words.answer(released)}**"
    return "  \n".join(line for line in (answer, " · ".join(spending_words.cells(released, _CELLS))) if line)


def _line(room: Room, one: Ask, answer: str) -> None:
    says = {
        "waiting": "its answer waits",
        "refused": ":red[**✕ refused**]",
        "capped": ":orange[**✕ beyond that person’s own cap**], nothing charged",
        "answered": f"{answer or one.sentence} · {spending_words.paid(room, one)}",
    }
    st.markdown(f"{wording.asked(one.planned, room.setting.plan.spoken)}  \n{says[one.state]}")
