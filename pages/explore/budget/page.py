"""How the budget burns, question by question, and which way of adding up stops first."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages import session
from pages.access import roles
from pages.explore.budget import accepted_panels, budget_panels, burn_panels, parallel_panels
from pages.phrasing import wording
from pages.plan import downloads, entry
from pages.widgets import outputs


@roles.curators_part
def burning() -> None:
    """Everything that moves with the shares, rerun alone."""
    heading, picture = st.container(key="still_budget"), st.container(key="budget_picture")
    shares = st.container(border=True, key="card_shares")
    with outputs.sentences_for_errors():
        with shares:
            plan = budget_panels.shares()
        with heading:
            budget_panels.finding(plan)
        with picture:
            drawn = burn_panels.first(plan)
            every = burn_panels.choices(plan)
            shown = budget_panels.shown_rules(plan, every=every)
            if every:
                drawn += burn_panels.every_rule(plan, shown)
            st.markdown(f":gray[{wording.EPSILON_PROTECTS} {wording.DELTA_MEANS}]")
        budget_panels.where_each_stops(plan, shown)
        accepted_panels.turned_around(plan)
        parallel_panels.different_people(plan.scenario)
        budget_panels.where_advanced_wins(plan)
        budget_panels.families(plan)
        downloads.row(replace(plan.scenario, budget=plan.budget), key="budget_take")
        outputs.numbers_behind(drawn, key="budget_numbers")


entry.require_curator()
if session.scenario().queries:
    burning()
else:
    outputs.finding("There is nothing to spend on yet", "Add a question on the **Questions** page.")
