"""The facilitator's script of a step: why, how long, what to say, what people get wrong, the question to end on."""

from __future__ import annotations

import streamlit as st

from dpengine.workshop import Room
from pages.room import steps
from pages.room.steps import Script

LOBBY = Script(
    goal="Everybody is in, and knows that no account and no real name is needed.",
    minutes=3,
    say=(
        "Scan the code, or open the address and type the code. Any name will do: it need not be your own.",
        "What you say here is counted, and shown without your name; only I can look at names.",
        "Locked your phone, or lost the page? Open it again, or scan again and press Go on: you come back.",
    ),
    mistaken=(
        "A phone that uses mobile data does not find this laptop: it has to be in the same Wi-Fi.",
        "Some guest networks keep devices apart. A phone's hotspot for all of you helps.",
    ),
    ending="Who has ever wondered whether a statistic could give somebody away?",
)
"""Before the first step."""


def card(room: Room) -> None:
    """What to say while this is on: why, how long, the words, the question to end on."""
    script = _of(room)
    with st.container(border=True, key="card_host_script"):
        st.markdown(f"## Your script :gray[· about {script.minutes} minutes]\n{script.goal}")
        st.markdown(f"**Say**\n{_listed(script.say)}")
        st.markdown(f"**End on.** {script.ending}")


def mistaken(room: Room) -> None:
    """What people usually get wrong about it, and what to answer."""
    with st.container(border=True, key="card_host_mistaken"):
        st.markdown(f"## What people get wrong\n{_listed(_of(room).mistaken)}")


def _of(room: Room) -> Script:
    step = steps.of(room)
    return LOBBY if step is None else step.script


def _listed(lines: tuple[str, ...]) -> str:
    return "\n".join(f"- {line}" for line in lines)
