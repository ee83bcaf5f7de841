"""The whole plan as a file that can be kept and read again; never a row, an exact value or a hash."""

from __future__ import annotations

import streamlit as st

from dpengine.errors import ScenarioError
from dpengine.scenario import Scenario
from pages.ui import session


def save_and_load() -> None:
    """A button that saves the plan, and an uploader that reads one; what cannot be read gets a sentence."""
    left, right = st.columns([1, 1], vertical_alignment="bottom")
    left.download_button(
        "Save this plan",
        session.scenario().to_json(),
        file_name="plan.json",
        mime="application/json",
        key="save_plan",
        on_click="ignore",
    )
    with right.popover("Load a plan", type="tertiary"):
        file = st.file_uploader("Saved plan (JSON)", type=["json"], key="load_plan")
    if file is None or session.remembered("loaded_plan", None) == file.file_id:
        return
    session.remember("loaded_plan", file.file_id)
    try:
        session.replace_scenario(Scenario.from_json(file.getvalue().decode("utf-8", errors="replace")))
    except ScenarioError as error:
        session.notice(str(error))
    st.rerun()
