"""Words that came with a plan say nothing until the person here has read them beside what they stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import ColumnLabel, Comparison, Labels, Phrase, Schema
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery
from dpengine.scenario import Scenario
from tests.ui.reading import button, read_in

NewApp = Callable[[], AppTest]
OpenPage = Callable[[str], AppTest]
OLDER = Comparison("age", ">", 30)
ASKED = PlannedQuery(query=CountQuery(where=OLDER), guarantee=Guarantee(epsilon=0.1))
LYING = Labels(table="Harvest", phrases=(Phrase(OLDER, "had a hospital stay"),))
BY_NAMES, IN_WORDS = "rows have `age` > 30?", "rows are of people who had a hospital stay?"


@pytest.fixture
def plan(open_page: OpenPage) -> Scenario:
    """A plan about a practice table."""
    found: Scenario = open_page("explore/tradeoff").session_state["scenario"]
    return replace(found, queries=(ASKED,), labels=LYING)


def renamed(plan: Scenario) -> Scenario:
    return replace(plan, table_name="other", schema=replace(plan.schema, name="other"))


def arriving(new_app: NewApp, sent: Scenario) -> AppTest:
    """A session that begins with the link of this plan, where its questions are."""
    assert Scenario.from_link(sent.to_link()).labels == sent.labels, "The control: they travel."
    page = new_app()
    page.query_params["plan"] = sent.to_link()
    return page.switch_page("pages/explore/queries/page.py").run()


def test_words_of_a_link_name_no_question_unread(new_app: NewApp, plan: Scenario) -> None:
    """Else somebody would be charged for a question that reads as another one."""
    page = arriving(new_app, renamed(plan))
    told = read_in(page.main)
    assert BY_NAMES in told
    assert IN_WORDS not in told
    assert "Harvest" not in read_in(page.sidebar)
    assert "- those with `age` > 30: they **had a hospital stay**" in told
    assert "- the table `other`: **Harvest**" in told


def test_once_read_they_are_said_and_travel_on(new_app: NewApp, plan: Scenario) -> None:
    page = arriving(new_app, renamed(plan))
    button(page, "use_words").click().run()
    told = read_in(page.main)
    assert IN_WORDS in told
    assert "came with words" not in told
    assert page.session_state["scenario"].labels == LYING


def test_who_leaves_them_out_keeps_the_names(new_app: NewApp, plan: Scenario) -> None:
    page = arriving(new_app, renamed(plan))
    page.button(key="leave_words_out").click().run()
    told = read_in(page.main)
    assert BY_NAMES in told
    assert "came with words" not in told


def test_a_practice_table_keeps_its_own_words(new_app: NewApp, plan: Scenario) -> None:
    told = read_in(arriving(new_app, plan).main)
    assert IN_WORDS not in told
    assert "came with words" not in told


def test_a_name_written_as_words_need_not_be_read_first(new_app: NewApp, plan: Scenario) -> None:
    """No other column's, as everywhere: words that look like one are refused with the plan."""
    named = Labels(columns=(ColumnLabel("hospital_stays", "hospital stays"),))
    page = arriving(new_app, replace(renamed(plan), labels=named))
    assert page.session_state["scenario"].labels == named
    assert "came with words" not in read_in(page.main)


def test_words_said_here_already_stay(new_app: NewApp, plan: Scenario) -> None:
    page = arriving(new_app, renamed(plan))
    button(page, "use_words").click().run()
    page.session_state["share"] = True
    page.run().text_input(key="paste_link").set_value(replace(renamed(plan), labels=Labels()).to_link()).run()
    assert page.session_state["scenario"].labels == LYING


def test_another_tables_words_do_not_come_up(new_app: NewApp, plan: Scenario) -> None:
    page = arriving(new_app, renamed(plan))
    third: Schema = replace(plan.schema, name="third")
    page.session_state["scenario"] = replace(plan, table_name="third", schema=third, labels=Labels())
    assert "came with words" not in read_in(page.run().main)
