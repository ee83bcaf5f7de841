"""Spend it together: everybody asks from their phone, each answer charges the one account of the room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.data import Table
from dpengine.errors import DPEngineError
from dpengine.formatting import in_signs
from dpengine.ledger import Release
from dpengine.plan import PlannedQuery
from dpengine.scenario import Scenario
from dpengine.workshop import Ask, Participant, Room, asking
from pages import session
from pages.access import roles
from pages.phrasing import in_full, wording
from pages.room import own_count, room_style, saying, spending_words, state, tables
from pages.room.steps import spend_screen
from pages.room.steps.step import Script, WorkshopStep
from pages.widgets import outputs
from pages.widgets.escaping import unmarked
from pages.widgets.options import apart

CHANGED = (
    "The room, the price or your question has changed since you pressed. Nothing was charged; press again if you still "
    "want to ask."
)
_FELT = st.components.v2.component(
    "room_refused",
    html="<span hidden></span>",
    js="let felt = false;\n\nexport default function () {\n"
    "  if (!felt) navigator.vibrate?.([120, 80, 240]);\n  felt = true;\n}\n",
)
"""A phone that can do so vibrates once."""
_PRESSED, _QUESTION = "room_pressed", "room_question"
_DRAWN = "room_asks_drawn"
OWN = -1
"""The place in the list of the count that people put together themselves."""
WAITS = (
    "Your last question still waits for its answer: this server could not finish it. It counts once, and is answered "
    "as soon as it can be."
)


def _phone(room: Room, whom: Participant) -> None:
    room_style.choices()
    _asking(room, whom)


@roles.part
def _asking(room: Room, whom: Participant) -> None:
    """The questions, one button, and what came of it; none of it runs the rest of the page again.

    A press counts in the run that it began, or not at all: what cannot be asked now is not asked later, unpressed.
    """
    press = take_press()
    with saying.sentences():
        room = state.now(room.id)
        refused = state.burnt(room).refusal is not None  # before anything is drawn: what comes meanwhile is drawn anew
        outputs.finding(_title(room), "Every answer is paid from one budget, everybody's.")
        planned = _chosen(room)
        spot, said = st.container(key="room_button"), st.container()
        if press is not None and not isinstance(planned, str):
            _ask(said, room, whom, planned, press)
        own = own_asks(room, whom)
        with spot:
            _button(room, whom, planned, own)
        _answers(state.changed(room.id), own)
        session.remember(_DRAWN, (_ends(own), refused))
        if refused:
            _FELT(key="room_refused")


@dataclass(frozen=True, slots=True)
class _Press:
    """Of the button for somebody's next question: in which room as it stood, its number and price, what was chosen.

    Who chooses another question and presses before the button says so, pays what the button said, or nothing. So does
    who is still putting a count together: of another column, its value may not have been in sight yet.
    """

    room: int
    version: int
    number: int
    price: str
    own: PlannedQuery | None
    chosen: object


def _title(room: Room) -> str:
    """That nothing more can be asked, once the budget has refused and holds nothing of the list."""
    burnt = state.burnt(room)
    count = len(room.setting.plan.queries)
    if burnt.refusal is None or any(spending_words.fits(room, room.planned(place), burnt) for place in range(count)):
        return "Ask the table"
    return spending_words.NOTHING_MORE


def take_press() -> _Press | None:
    """The press that began this run, once."""
    press = session.remembered(_PRESSED, None)
    session.remember(_PRESSED, None)
    return press if isinstance(press, _Press) else None


def _keep_press(room: int, version: int, number: int, price: str, own: PlannedQuery | None) -> None:
    session.remember(_PRESSED, _Press(room, version, number, price, own, session.widget_held(_QUESTION)))


_Seen = tuple[tuple[tuple[int, str], ...], bool]


def _seen_now(room: Room, own: Sequence[Ask]) -> _Seen:
    """What a phone shows of a person's questions, which and how each ended; and whether the budget has refused one."""
    return _ends(own), state.burnt(room).refusal is not None


def _ends(own: Sequence[Ask]) -> tuple[tuple[int, str], ...]:
    return tuple((one.number, one.state) for one in own)


def own_asks(room: Room, whom: Participant) -> tuple[Ask, ...]:
    """What this person has asked; what a stopped server left without an answer is answered first."""
    own = asking.asks_of(state.rooms(), whom)
    if all(one.state != "waiting" for one in own):
        return own
    try:
        table = tables.of(room)
        return tuple(_finished(whom, one, table) for one in own)
    except DPEngineError:
        st.warning(WAITS)
        st.button("Look again", key="room_look_again")
        return own


def _finished(whom: Participant, one: Ask, table: Table) -> Ask:
    return one if one.state != "waiting" else asking.ask(state.rooms(), whom, one.planned, table, number=one.number)


def _chosen(room: Room) -> PlannedQuery | str:
    """The question that is chosen, at its price here, or the sentence of what it still needs."""
    queries = room.setting.plan.queries
    places = [*range(len(queries)), *([OWN] if own_count.columns(room) else [])]
    names = {place: wording.asked(queries[place], room.setting.plan.spoken) for place in places if place != OWN} | {
        OWN: "A count of my own"
    }
    place = st.radio(
        "Your question", places, format_func=apart(places, names.__getitem__), key=_QUESTION, width="stretch"
    )
    planned = own_count.asked(room) if place == OWN else room.planned(place)
    if not isinstance(planned, str) and (named := _in_full(planned, room.setting.plan, own=place == OWN)):
        st.markdown(named)
    return planned


def _in_full(planned: PlannedQuery, plan: Scenario, *, own: bool) -> str:
    """What the button asks, as far as it does not stand above it: lists have no room for the whole of every name."""
    return (f"**{wording.asked(planned, plan.spoken)}**" if own else "") + in_full.beside(planned, plan)


def _button(room: Room, whom: Participant, planned: PlannedQuery | str, own: Sequence[Ask]) -> None:
    """The button of one intent: it stands for the person's next number, however often it is pressed.

    Another question, or another price, has another button: a tap on what a slow phone still shows asks nothing.
    Once the budget has refused, nobody need press for what is refused as well.
    """
    asked = int(sha256(repr((planned, room.setting.plan.spoken)).encode()).hexdigest()[:15], 16)
    key = f"room_ask_{whom.id}_{room.version}_{len(own)}_{asked}"
    off = _off(room, planned)
    if off or isinstance(planned, str):
        st.button(off, key=key, disabled=True, width="stretch")
        return
    price = spending_words.price(room, planned)
    press = (room.id, room.version, len(own), price, _own(planned))
    st.button(f"Ask: costs {price}", key=key, type="primary", width="stretch", on_click=_keep_press, args=press)


def _off(room: Room, planned: PlannedQuery | str) -> str:
    """Why the button is off; empty where it is not. The first refusal is the room's to be seen."""
    burnt = state.burnt(room)
    if burnt.refusal is not None and burnt.share >= 1.0:
        return spending_words.NOTHING_LEFT
    if isinstance(planned, str):
        return planned
    if burnt.refusal is not None and not spending_words.fits(room, planned, burnt):
        return spending_words.does_not_fit(burnt)
    return ""


def _own(planned: PlannedQuery) -> PlannedQuery | None:
    """A count that somebody puts together; a question of the list is known by its place there."""
    return planned if session.widget_held(_QUESTION) == OWN else None


def _ask(said: DeltaGenerator, room: Room, whom: Participant, planned: PlannedQuery, press: _Press) -> None:
    """Ask what is chosen, under the number of the button that was pressed; not in a room that has changed since."""
    price, chosen = spending_words.price(room, planned), session.widget_held(_QUESTION)
    if press != _Press(room.id, room.version, press.number, price, _own(planned), chosen):
        said.warning(CHANGED)
        return
    try:
        asking.ask(state.rooms(), whom, planned, tables.of(room), number=press.number)
    except DPEngineError as refused:
        said.warning(unmarked(in_signs(saying.sentence(refused))))


def _answers(room: Room, own: tuple[Ask, ...]) -> None:
    """The newest first, which alone is explained."""
    known = asking.answers_to(state.rooms(), room, own)
    for one in reversed(own):
        with st.container(border=True, key=f"card_ask_{one.number}"):
            st.markdown(f":gray[{wording.asked(one.planned, room.setting.plan.spoken)}]")
            if one.state in ("refused", "capped"):
                st.markdown(spending_words.refused(room, one))
                _explained(spending_words.why(one), newest=one is own[-1])
            elif one.request_id in known:
                _answered(room, one, known[one.request_id], newest=one is own[-1])
            else:
                st.markdown(one.sentence or "Its answer waits.")


def _answered(room: Room, one: Ask, released: Release, *, newest: bool) -> None:
    answer = spending_words.answer(released)
    st.markdown(f"## {answer}" if newest else f"**{answer}**", anchors=False)
    if told := spending_words.cells(released):
        st.markdown("\n".join(f"- {line}" for line in told))
    st.markdown(f"Paid: **{spending_words.paid(room, one)}**, by everybody.")
    _explained(spending_words.meaning(released), newest=newest)


def _explained(words: str, *, newest: bool) -> None:
    if newest:
        st.markdown(f":gray[{words}]")


def _left(room: Room, whom: Participant) -> None:
    """The line at the foot of the phone.

    Where the page above is behind what its owner has asked, it is drawn anew: a look that falls into the moment of a
    press may end its run before the answer is drawn, and another tab may have asked. So it is once the budget refused.
    """
    own = tuple(one for one in state.asked(room) if one.participant == whom.id)
    if _is_behind(now := _seen_now(room, own)):
        session.remember(_DRAWN, now)
        st.rerun()
    burnt = state.burnt(room)
    words = (spending_words.left_for_all(burnt), "" if burnt.share >= 1.0 else spending_words.left_for_one(room, own))
    with st.container(key="room_foot"):
        st.markdown(" · ".join(word for word in words if word))


def _is_behind(now: _Seen) -> bool:
    """Whether more has happened than the page shows; the look may itself be a moment old."""
    drawn = session.remembered(_DRAWN, now)
    return isinstance(drawn, tuple) and len(drawn[0]) <= len(now[0]) and drawn != now


STEP = WorkshopStep(
    name="spend",
    title="Spend it together",
    script=Script(
        goal="People feel that answers cost, that everybody pays, and that a spent budget never comes back.",
        minutes=10,
        say=(
            "We have one table and one budget for all of us. Choose a question on your phone, and press Ask.",
            "You get the answer at once, with how wrong it may be. Look up: each answer burns a piece of the budget.",
            (
                "The line just adds up every price: naive. Advanced, a finer sum and just as valid, comes out the same "
                "after few answers, and is drawn once it lies below. The next step shows where it does."
            ),
            "Go on until the table says no. Then somebody reads the sentence on the projector aloud.",
        ),
        mistaken=(
            "“I asked only once, so I spent little.” All questions are about the same people, so all prices add up.",
            "“Tomorrow we can go on.” No. Nobody can take the answers back, so the budget does not come back either.",
            "“The same question again is free.” New noise reveals more, so it costs. Reading the old answer is free.",
        ),
        ending="Who should have asked first, and which question did we not get to ask because of it?",
    ),
    phone=_phone,
    live=_left,
    screen=spend_screen.show,
)
