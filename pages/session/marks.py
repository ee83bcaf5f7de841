"""Which question is which: a number that stays with a planned question wherever it stands, and is never given twice.

What somebody says about a question is kept under its number: what becomes of the others does not touch it, and a new
question starts with nothing said.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpengine.scenario import Scenario

_MARKS, _NEXT = "question_marks", "next_question_mark"


def marks(plan: Scenario) -> tuple[int, ...]:
    """The number of each question of this session's plan about a table, in their order."""
    kept: dict[object, tuple[int, ...]] = st.session_state.setdefault(_MARKS, {})
    known = kept.get(_table(plan), ())[: len(plan.queries)]
    kept[_table(plan)] = (*known, *(_new() for _ in range(len(plan.queries) - len(known))))
    return kept[_table(plan)]


def follow(before: Scenario, now: Scenario, came_from: Sequence[int | None]) -> None:
    """Give each question of a plan the number of the one before that it is, and a new one where that is None."""
    known = marks(before)
    st.session_state[_MARKS][_table(now)] = tuple(_new() if place is None else known[place] for place in came_from)


def stayed(before: Scenario, now: Scenario) -> list[int | None]:
    """Where each question stood that is asked in the same place in both plans; None for any other."""
    old = [planned.query for planned in before.queries]
    return [place if old[place : place + 1] == [one.query] else None for place, one in enumerate(now.queries)]


def _table(plan: Scenario) -> object:
    return plan.table_name, plan.schema


def _new() -> int:
    number: int = st.session_state.get(_NEXT, 0)
    st.session_state[_NEXT] = number + 1
    return number
