"""A made-up kind of question goes through every place that speaks of kinds; without one of its facets it is none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from sqlglot import exp
from streamlit.testing.v1 import AppTest

from dpengine.accuracy import answer_error, guess_without_rows, largest_shift, sampling_error
from dpengine.attacks.on_answers.counts import counts_in
from dpengine.attacks.on_answers.released_answers import Answers, Told
from dpengine.data import Comparison, Schema
from dpengine.errors import RefusedQueryError
from dpengine.ledger import History
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import cost_of
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import ProportionQuery, Query, parse_sql, to_sql
from dpengine.queries.forms import KINDS, ByGroup, CountForm, RatioForm, kind
from dpengine.queries.sql import aggregates
from dpengine.release import release
from dpengine.reports import (
    AskedInRoom,
    history_csv,
    history_from_json,
    history_json,
    plan_csv,
    plan_notebook,
    plan_script,
    policy_brief,
    privacy_label,
    room_record,
)
from dpengine.scenario import Scenario
from dpengine.workshop import Setting
from pages.explore.queries import query_kinds
from pages.explore.queries.query_kinds import Kind
from pages.explore.tradeoff import ungrouped
from pages.question.condition_form import TypedCondition, typed_condition
from pages.session.first_plan import first_plan
from tests.examples.explored import DAY, explored
from tests.examples.kept import SCHEMA, visits
from tests.examples.ledgers import ledger_at, opened
from tests.examples.made_up import PartOfQuery, read_from_sql
from tests.examples.rooms_kept import record
from tests.running.cases import each
from tests.ui.reading import button, texts

ILL, MUMPS = Comparison("ill", "=", True), Comparison("disease", "=", "mumps")
ASKED = PlannedQuery(query=PartOfQuery(ILL), guarantee=Guarantee(epsilon=2.0))
WORDS = "what part has ill = yes"
PLAN = Scenario(
    table_name="visits",
    schema=SCHEMA,
    neighbors=Neighbors.ADD_REMOVE,
    budget=Guarantee(epsilon=30.0, delta=1e-5),
    queries=(ASKED,),
)


def _form(schema: Schema, where: TypedCondition) -> Query:
    having = typed_condition(schema, key="having", invitation="Add a condition", needed=True).finished()
    st.markdown("The part that …")
    return PartOfQuery(having=having or ILL, where=where.finished())


LINE = Kind(label="What part of the rows", query=_form, of=(PartOfQuery,))


@pytest.fixture(autouse=True)
def _entered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that an addition edits beside its own two files: three lines."""
    monkeypatch.setitem(KINDS, "PartOfQuery", PartOfQuery)
    monkeypatch.setitem(aggregates.FIGURES, exp.CountIf, read_from_sql)
    monkeypatch.setitem(query_kinds.KINDS, "part", LINE)


def test_it_is_planned_priced_and_guessed() -> None:
    parts = ASKED.parts(SCHEMA, Neighbors.ADD_REMOVE)
    assert [float(part.share) for part in parts] == [0.5, 0.5]
    assert cost_of(ASKED, SCHEMA, Neighbors.ADD_REMOVE).epsilon == 2 * 10**9
    guess = guess_without_rows(ASKED.query, SCHEMA, rows=1000)
    assert (guess.records, guess.answers) == (1000.0, (0.5,))
    error = answer_error(ASKED.query, parts, ASKED.mechanisms(SCHEMA, Neighbors.ADD_REMOVE), guess)
    assert 0.0 < error.quantile(0.95) < 0.1
    assert largest_shift(ASKED.query, parts, guess) == pytest.approx((4 + 0.5 * 4) / (1000 - 4))
    assert sampling_error(ASKED.query, guess) is not None


def test_it_is_kept_in_files_and_links_and_written_in_sql() -> None:
    assert Scenario.from_json(PLAN.to_json()) == PLAN
    assert Scenario.from_link(PLAN.to_link()) == PLAN
    room = Setting(title="A room", plan=PLAN)
    assert Setting.from_json(room.to_json()) == room
    assert room.allows(ASKED)
    text = to_sql(ASKED.query, SCHEMA)
    assert text == "SELECT count_if(ill = TRUE) FROM visits"
    assert parse_sql(text, SCHEMA) == ASKED.query
    with pytest.raises(RefusedQueryError, match="With GROUP BY only"):
        parse_sql(f"{text} GROUP BY color", SCHEMA)


def test_every_report_says_it(tmp_path: Path) -> None:
    known = explored(PLAN, rows=visits())
    assert WORDS.capitalize() in policy_brief(known).replace("“", "").replace("”", "")
    assert "queries.PartOfQuery(" in plan_script(PLAN, DAY) or "PartOfQuery(having=" in plan_script(PLAN, DAY)
    assert "PartOfQuery" in json.dumps(plan_notebook(PLAN, DAY))
    assert WORDS in plan_csv(PLAN)


def test_it_is_released_and_its_history_label_and_record_say_it(tmp_path: Path) -> None:
    account = opened(ledger_at(tmp_path / "b.db"), visits(), epsilon=20.0)
    released = release(ASKED, visits(), account, request_id="one")
    lower, upper = released.interval(0.95)
    assert 0.0 <= float(lower) <= float(released.answer) <= float(upper) <= 1.0
    history = History.of(account)
    assert WORDS in history_csv(history)
    assert history_from_json(history_json(history)).lines[0].entry.planned_query == ASKED
    assert "count_if(ill = TRUE)" in history_csv(history)
    assert WORDS.capitalize() in privacy_label(history, "one")
    asked = (AskedInRoom(planned=ASKED, release=released),)
    assert "What part has <code>ill</code> = yes?" in room_record(replace(record(), asked=asked))
    told = Told(planned=ASKED, noisy=((30,), (60,)))
    assert counts_in(Answers(schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE, told=(told,))).alike == ()


@pytest.fixture
def page(new_app: Callable[[], AppTest]) -> AppTest:
    """The dashboard with a plan of it alone, on a practice table."""
    app, asked = new_app(), replace(ASKED, query=PartOfQuery(MUMPS))
    app.session_state["scenario"] = replace(first_plan("patients"), queries=(asked,), budget=Guarantee(epsilon=9.0))
    return app


SAID = {
    "queries": "part has disease = “mumps”",
    "tradeoff": "wholes",
    "budget": "The question fits: it would spend ε 2 of ε 9",
}


@each("place", SAID)
def test_every_screen_shows_it(page: AppTest, place: str) -> None:
    page.switch_page(f"pages/explore/{place}/page.py").run()
    assert not page.exception
    assert SAID[place] in texts(page)


def test_it_is_released_on_its_page(page: AppTest) -> None:
    page.switch_page("pages/explore/release/page.py").run()
    button(page, "open_account").click().run()
    (press,) = [one for one in page.button if one.label == "Release this answer"]
    press.click().run()
    assert not page.exception
    assert page.title[0].value.startswith("The answer: 0.")
    assert "What part has disease = “mumps”" in str(page.dataframe[-1].value)


def test_it_is_built_from_the_menu_and_taken_back_into_it(page: AppTest) -> None:
    page.switch_page("pages/explore/queries/page.py").run()
    page.selectbox(key="query_kind").set_value("part").run()
    page.text_area(key="sql_text").set_value("SELECT count_if(sex = 'male') FROM patients").run()
    assert page.selectbox(key="query_kind").value == "part"
    page.button(key="add_question").click().run()
    assert page.session_state["scenario"].queries[-1].query == PartOfQuery(Comparison("sex", "=", "male"))


def test_by_group_it_is_counted_since_no_kind_asks_closer() -> None:
    assert ungrouped.by_group(ASKED.query, "color").in_words() == "how many rows has each color"


FACETS = ("parts", "combine", "unit", "noun", "cell", "in_words", "sql", "counted", "answer_range", "ends")


@contextmanager
def entered_for_a_while() -> Iterator[None]:
    before = dict(KINDS)
    try:
        yield
    finally:
        KINDS.clear()
        KINDS.update(before)


@each("facet", FACETS)
def test_a_kind_that_lacks_a_facet_is_none(facet: str) -> None:
    own = {name: value for name, value in vars(PartOfQuery).items() if name in FACETS and name != facet}
    with entered_for_a_while(), pytest.raises(TypeError, match=rf"Lacking lacks {facet}\."):
        kind(type("Lacking", (RatioForm,), {"__slots__": (), **own}))
    whole = {name: value for name, value in vars(PartOfQuery).items() if name in FACETS}
    with entered_for_a_while():
        assert kind(dataclass(frozen=True)(type("Whole", (RatioForm,), whole))) is KINDS["Whole"]


@each("forms", [(), (RatioForm, CountForm), (ByGroup,)])
def test_a_kind_without_one_form_is_none(forms: tuple[type[Query], ...]) -> None:
    own = {name: value for name, value in vars(PartOfQuery).items() if name in FACETS}
    with entered_for_a_while(), pytest.raises(TypeError, match="has to be of one form: CountForm, SumForm, RatioForm"):
        kind(type("Formless", forms or (Query,), {"__slots__": (), **own}))


def test_every_kind_stands_in_one_line_of_the_menu() -> None:
    lines = [sum(one in line.of for line in query_kinds.KINDS.values()) for one in KINDS.values()]
    assert lines == [1] * len(KINDS)
    assert ProportionQuery in KINDS.values()
    assert np.array(lines).sum() > 13
