"""What stands in place of a session's own plan, rows and values for a while; they are given back as they were."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dpengine.scenario import Scenario
from pages.session.aims import BELIEF
from pages.session.plan import OWN_LINK, forget_what_was_shown, plan_to_share

_OWN = "own_values"
_OF_A_PLAN = (
    "table",
    "table_form",
    "exact_shown",
    "question",
    "question_marks",
    "plans",
    "guesses",
    BELIEF,
    "kept_beliefs",
    "kept_typed_targets",
    "kept_budget_planned_for",
    "kept_left_on_the_dial",
    "kept_released",
    "kept_refused",
    "kept_request",
)
"""What a session holds beside its plan: the rows that it was brought, and what was typed, shown and asked."""


def lend(plan: Scenario, settings: Mapping[str, object]) -> None:
    """Put a practice plan in place of the session's own, and values in place of its own; None is as nobody touched it.

    Whatever was lent before is given back first. The address goes on holding the plan that is the session's own.
    """
    give_back()
    lent = {**dict.fromkeys(_OF_A_PLAN), **settings, OWN_LINK: plan_to_share().to_link(), "scenario": plan}
    st.session_state[_OWN] = {key: st.session_state.get(key) for key in lent}
    _put(lent)
    forget_what_was_shown()


def is_lent() -> bool:
    """Whether what this session holds is lent: what is done with it is gone when it is given back."""
    return _OWN in st.session_state


def give_back() -> None:
    """Put the session's own plan, rows and values back; nothing where nothing was lent."""
    own = st.session_state.pop(_OWN, None)
    if own is not None:
        forget_what_was_shown()
        _put(own)


def _put(values: Mapping[str, object]) -> None:
    for key, value in values.items():
        if value is None:
            st.session_state.pop(key, None)
        else:
            st.session_state[key] = value
