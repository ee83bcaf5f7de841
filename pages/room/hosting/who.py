"""Who is in a room and who may still join, for the host alone, and the way out for those who should not be in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

import streamlit as st

from dpengine.workshop import Participant, Room, people
from dpengine.workshop.arrivals import Arrival
from dpengine.workshop.room import MOST_PEOPLE
from pages import session
from pages.room import state
from pages.widgets.escaping import code
from pages.widgets.options import apart

LATE = {"in the last minute": 1, "in the last 5 minutes": 5, "in the last 30 minutes": 30}
MOST_ADDRESSES = 5


def door(room: Room) -> None:
    """The switch that lets nobody else in; whoever is in stays, and comes back."""
    shut = st.toggle(
        "Nobody else joins",
        value=room.shut,
        key=f"host_shut_{room.id}_{room.version}",
        help="People who are in stay in, and come back after closing the page.",
    )
    if shut != room.shut:
        _admit(room, shut=shut, places=room.places)


def show(room: Room) -> None:
    """The names for whoever asks for them; those that are ticked may be let go, many at once."""
    everybody, came = {one.id: one for one in state.everybody(room)}, state.arrivals_in(room)
    _raise_places(room, came)
    if not st.toggle("Show who is in", key="host_names"):
        return
    if not everybody:
        st.markdown(":gray[Nobody yet.]")
        return
    key = f"host_who_{room.id}_{room.version}"
    session.widget_stays_within(key, list(everybody))
    _tick_together(dict(_groups(came)), key)
    ticked = st.pills(
        "Tick those to remove",
        list(everybody),
        selection_mode="multi",
        format_func=apart(everybody, lambda number: code(everybody[number].name)),
        key=key,
        wrap=True,
    )
    if ticked:
        _offer(room, [everybody[number] for number in ticked])


def _admit(room: Room, *, shut: bool, places: int) -> None:
    state.rooms().admit(room, shut=shut, places=places)
    state.changed(room.id)
    st.rerun()


def _raise_places(room: Room, came: Sequence[Arrival]) -> None:
    """Where one address has taken all its places, say so and let in more."""
    most = max(Counter(one.origin for one in came).values(), default=0)
    if most < room.places or room.places >= MOST_PEOPLE:
        return
    came_from = f"{most} {'person' if most == 1 else 'people'} came from one address"
    st.warning(f"**{came_from}**, and no more may. One Wi-Fi often has one address.")
    if st.button(f"Let in up to {MOST_PEOPLE} from one address", key=f"host_places_{room.id}_{room.version}"):
        _admit(room, shut=room.shut, places=MOST_PEOPLE)


def _groups(came: Sequence[Arrival]) -> Iterator[tuple[str, list[int]]]:
    """Who came late, each time only where it is more people, and who came from one address, with their numbers."""
    now, before = state.rooms().now(), 0
    for name, minutes in LATE.items():
        late = [one.participant for one in came if one.at >= now - timedelta(minutes=minutes)]
        if len(late) > before:
            yield name, late
        before = len(late)
    crowds = Counter(one.origin for one in came).most_common(MOST_ADDRESSES)
    for place, (origin, count) in enumerate(crowds, start=1):
        if 1 < count < len(came):
            yield f"from address {place}", [one.participant for one in came if one.origin == origin]


def _tick_together(groups: Mapping[str, list[int]], key: str) -> None:
    """Buttons that tick many; each may be unticked again."""
    if not groups:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="host_ticks"):
        st.markdown("Tick who joined", width="content")
        for name, numbers in groups.items():
            st.button(
                f"{name} ({len(numbers)})",
                key=f"host_tick_{name.replace(' ', '_')}",
                on_click=session.set_widget,
                args=(key, numbers),
            )


def _offer(room: Room, whom: Sequence[Participant]) -> None:
    one = len(whom) == 1
    asked = f"Let {code(whom[0].name)} go? Their name is" if one else f"Let **{len(whom)} people** go? Their names are"
    again = "" if room.shut else " They may join again, unless nobody else joins."
    st.markdown(
        f"{asked} free then, and their guesses, choices and answers to the check no longer count. What they asked "
        f"stays paid. If answers are being shown, everybody who looks can tell which of them were theirs.{again}"
    )
    if st.button("Yes, let them go", key=f"host_let_go_{room.id}_{room.version}"):
        people.let_go(state.rooms(), room, whom)
        state.changed(room.id)
        st.rerun()
