"""Columns whose names read alike where there is no room for all of them: the one that is picked is asked about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import BooleanColumn, Comparison, Schema
from dpengine.queries import CountQuery

BEGIN, END = "In the last twelve months, have you been ", " by a doctor, a nurse or anybody else?"
NAMES = {
    "in their middle": (f"{BEGIN}treated{END}", f"{BEGIN}refused{END}", f"{BEGIN}advised{END}"),
    "in the numbers behind them": (f"{BEGIN}treated{END}", f"{BEGIN}refused{END}", f"{BEGIN[:20]}…{END[-19:]} (2)"),
}


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_each_of_them_can_be_asked_about(open_page: Callable[[str], AppTest], names: Sequence[str]) -> None:
    page = open_page("explore/queries")
    schema = Schema(name="survey", columns=tuple(BooleanColumn(name=name) for name in names))
    page.session_state["scenario"] = replace(
        page.session_state["scenario"], table_name=schema.name, schema=schema, queries=()
    )
    page.run()
    for row, name in enumerate(names):
        page.button(key="where_add").click().run()
        page.selectbox(key=f"where_{row}_column").set_value(name).run()
        page.button(key="add_question").click().run()
        assert page.session_state["scenario"].queries[-1].query == CountQuery(where=Comparison(name, "=", True))
