"""The way from a table to an answer: its stations and the budget stay in sight, and each page leads on to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import ModeQuery
from pages.shell import menu
from tests.ui.hosted import press
from tests.ui.reading import read_in

OpenPage = Callable[[str], AppTest]
STATIONS = [menu.named(path) for path in menu.PATH]


def bar(page: AppTest) -> list[str]:
    return [one.proto.body for one in page.sidebar.get("html")]


@pytest.mark.parametrize(("station", "following"), [*pairwise([*STATIONS, "released"])])
def test_one_button_after_another_leads_from_the_table_to_what_was_released(
    open_page: OpenPage, station: str, following: str
) -> None:
    page, titles = open_page(f"explore/{station}"), [*menu.PATH.values(), "Released answers"]
    links = [link.proto.label for link in page.sidebar.get("page_link")]
    assert links == [f"{number} · {name}" for number, name in enumerate(menu.PATH.values(), 1)]
    button = page.button(key=f"next_after_{station}")
    assert button.label == f"Next: {titles[STATIONS.index(station) + 1]} →"
    there = open_page(f"explore/{following}")
    assert button.click().run().title[0].value == there.title[0].value
    assert not page.exception


@pytest.mark.parametrize("name", ["released", "budgets"])
def test_from_what_everybody_may_read_a_button_leads_back(open_page: OpenPage, name: str) -> None:
    """Else they are ends while nothing was released."""
    page, release = open_page(f"explore/{name}"), open_page("explore/release")
    assert page.button(key=f"back_from_{name}").click().run().title[0].value == release.title[0].value
    assert not [one for one in page.button if str(one.key).startswith("back_from_")], "The control: not on Release."


def test_no_other_page_leads_on_so(open_page: OpenPage) -> None:
    page = open_page("explore/released")
    assert not [button for button in page.button if str(button.key).startswith("next_after_")]
    assert not page.sidebar.get("page_link")


@pytest.mark.parametrize("station", STATIONS)
def test_table_promise_and_budget_are_in_sight_on_each_station(open_page: OpenPage, station: str) -> None:
    page = open_page(f"explore/{station}")
    said = read_in(page.sidebar)
    assert "**Health insurance study · practice data**" in said
    assert "Answers hide whether any one person is in the table" in said
    assert "Show exact values" in said
    (drawn,) = bar(page)
    assert 'aria-label="spent ε 0, your 3 questions ε 0.3, left afterwards ε 2.7"' in drawn
    assert "width: 10.000%" in drawn


def test_what_was_spent_stands_in_the_bar(open_page: OpenPage) -> None:
    page = open_page("explore/release")
    press(page, "Open the account")
    press(page, "Release this answer")
    (drawn,) = bar(page)
    assert 'aria-label="spent ε 0.1, your 2 other questions ε 0.2, left afterwards ε 2.7"' in drawn


def test_a_plan_that_cannot_be_priced_has_no_bar_and_a_page_all_the_same(open_page: OpenPage) -> None:
    page = open_page("explore/queries")
    plan = page.session_state["scenario"]
    chosen = PlannedQuery(query=ModeQuery("self_rated_health"), guarantee=Guarantee(epsilon=0.1))
    page.session_state["scenario"] = replace(plan, queries=(chosen.with_mechanism("gaussian", delta=1e-7),))
    assert not page.run().exception
    assert bar(page) == []
    page.session_state["scenario"] = replace(plan, queries=(chosen,))
    assert len(bar(page.run())) == 1, "The control."
