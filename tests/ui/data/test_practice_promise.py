"""A practice table under either relation: what its answers hide is chosen on the Data page, and said everywhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.privacy import Neighbors
from tests.ui.reading import button, read_in, texts

OpenPage = Callable[[str], AppTest]
KEY = "practice_neighbors"


@pytest.fixture
def voters(open_page: OpenPage) -> AppTest:
    page = open_page("explore/data")
    return page.button(key="open_anes_1996").click().run()


def questions(page: AppTest) -> str:
    page.switch_page("pages/explore/queries/page.py").run()
    assert not page.exception
    return texts(page)


def test_a_share_of_a_public_number_of_people_and_a_histogram_say_what_one_person_changes(voters: AppTest) -> None:
    before = questions(voters)
    assert "1 / 944" not in before
    assert "all counts together by at most 1." in before
    voters.switch_page("pages/explore/data/page.py").run()
    voters.radio(key=KEY).set_value(Neighbors.REPLACE_ONE).run()
    assert "944 people, every row is another person" in texts(voters)
    after = questions(voters)
    assert "One of 944 people can change a share by at most 1 / 944. (One person replaced.)" in after
    assert "one count may fall and another rise for each row: all counts together change by at most 2." in after


def test_what_answers_hide_is_part_of_the_plan_and_may_be_taken_back(voters: AppTest) -> None:
    before = voters.session_state["scenario"]
    voters.radio(key=KEY).set_value(Neighbors.REPLACE_ONE).run()
    assert voters.session_state["scenario"].neighbors is Neighbors.REPLACE_ONE
    assert voters.session_state["scenario"].queries == before.queries
    voters.button(key="open_patients").click().run()
    assert voters.radio(key=KEY).value is Neighbors.ADD_REMOVE, "Each table has its own."
    voters.button(key="open_anes_1996").click().run()
    assert voters.radio(key=KEY).value is Neighbors.REPLACE_ONE
    voters.radio(key=KEY).set_value(Neighbors.ADD_REMOVE).run()
    assert voters.session_state["scenario"] == before


def test_a_practice_account_goes_on_by_its_own_until_it_is_started_over(voters: AppTest) -> None:
    voters.switch_page("pages/explore/release/page.py").run()
    button(voters, "open_account").click().run()
    voters.switch_page("pages/explore/data/page.py").run()
    assert "start the practice account over" not in read_in(voters.main)
    voters.radio(key=KEY).set_value(Neighbors.REPLACE_ONE).run()
    assert "The account of this table hides" in read_in(voters.main)
    assert "start the practice account over on the **Release** page" in read_in(voters.main)
    voters.switch_page("pages/explore/release/page.py").run()
    assert "The account of this table hides" in read_in(voters.main)
    button(voters, "restart_account_").click().run()
    voters.switch_page("pages/explore/data/page.py").run()
    assert "The account of this table hides" not in read_in(voters.main)
