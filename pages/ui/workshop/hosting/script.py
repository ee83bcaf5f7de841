"""The facilitator's script of a step: why, how long, what to say, what people get wrong, the question to end on."""

from __future__ import annotations

import streamlit as st

from dpengine.workshop import Room
from pages.ui.workshop import steps
from pages.ui.workshop.steps import Script

LOBBY = Script(
    goal="Everybody is in, and knows that no account and no real name is needed.",
    minutes=3,
    say=(
        "Scan the code, or open the address and type the code. Any name will do: it need not be your own.",
        "What you say here is counted, and shown without your name.",
        "Locked your phone, or lost the page? Open it again: you come back to where you were.",
    ),
    mistaken=(
        "A phone that uses mobile data does not find this laptop: it has to be in the same Wi-Fi.",
        "Some guest networks keep devices apart. A phone's hotspot for all of you helps.",
    ),
    ending="Who has ever wondered whether a statistic could give somebody away?",
)
"""Before the first step."""


def card(room: Room) -> None:
    """The script of what is on now."""
    step = steps.of(room)
    script = LOBBY if step is None else step.script
    with st.container(border=True, key="card_host_script"):
        st.markdown(f"## Your script :gray[· about {script.minutes} minutes]\n{script.goal}")
        _listed("Say", script.say)
        _listed("What people get wrong", script.mistaken)
        if script.ending:
            st.markdown(f"**End on.** {script.ending}")


def _listed(title: str, lines: tuple[str, ...]) -> None:
    if lines:
        st.markdown(f"**{title}**\n" + "\n".join(f"- {line}" for line in lines))
