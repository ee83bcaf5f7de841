"""What others chose: the page starts at the budget, names the nearest of each group, and links every source."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.accounting import epsilon
from dpengine.deployments import DEPLOYMENTS, SCOPES, covering, nearest
from dpengine.privacy import PureEvent
from pages.learn.deployments import deployments
from tests.ui.reading import texts

OpenPage = Callable[[str], AppTest]


def test_it_starts_at_the_budget_and_follows_the_dial(open_page: OpenPage) -> None:
    page = open_page("learn/deployments")
    assert not page.exception
    assert page.number_input(key="deployments_epsilon_box").value == 3.0
    assert page.title[0].value == "ε 3: between US Census homes (2.47) and Births in Israel (9.98)"
    page.number_input(key="deployments_epsilon_box").set_value(50.0).run()
    assert page.title[0].value == "ε 50: above US Census more detail (26.34)"
    assert "All about one person or home: above US Census more detail (26.34)" in texts(page)


def test_the_nearest_of_each_group_are_named(open_page: OpenPage) -> None:
    page = open_page("learn/deployments")
    for at in (0.01, 0.1, 2.0, 9.98, 100.0):
        page.number_input(key="deployments_epsilon_box").set_value(at).run()
        for scope, words in SCOPES.items():
            line = next(line for line in texts(page).splitlines() if line.startswith(f"- {words}:"))
            named = [f"{one.short} ({one.epsilon:g})" for one in nearest(at, covering(scope)) if one is not None]
            assert named
            assert [name for name in named if name not in line] == []


def test_every_deployment_stands_there_with_its_link(open_page: OpenPage) -> None:
    shown = texts(open_page("learn/deployments"))
    for one in DEPLOYMENTS:
        (row,) = [line for line in shown.splitlines() if f"**{one.name}**" in line]
        assert f"({one.source.address})" in row
        assert row.startswith(f"| **{one.epsilon:g}**")
        assert one.unit in row


def test_what_a_month_of_days_comes_to_is_their_sum(open_page: OpenPage) -> None:
    daily = next(one for one in DEPLOYMENTS if f"{one.short}: ε" in texts(open_page("learn/deployments")))
    month = epsilon({PureEvent(epsilon=daily.epsilon): deployments.DAYS}, delta=0.0, accountant="basic")
    assert month == pytest.approx(30 * daily.epsilon)
    assert f"may add up to {month:.4g} in 30 days" in texts(open_page("learn/deployments"))


def test_groups_cover_all_deployments() -> None:
    assert sorted(one.name for scope in SCOPES for one in covering(scope)) == sorted(one.name for one in DEPLOYMENTS)
