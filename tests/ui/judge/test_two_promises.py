"""Two promises: the finding follows the choices, nothing is guessed, and no name comes alive."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.promises import Promise
from dpengine.promises.recorded import RECORDED
from pages.judge.two_promises.choosing import FIRST, KEY, SECOND
from tests.ui.reading import texts

OpenPage = Callable[[str], AppTest]


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    found = open_page("judge/two_promises")
    assert not found.exception
    return found


def _choose(page: AppTest, first: str, second: str) -> AppTest:
    page.selectbox(key=f"{KEY}_First").set_value(first)
    return page.selectbox(key=f"{KEY}_Second").set_value(second).run()


def test_it_opens_with_a_larger_epsilon_that_is_the_stronger_promise(page: AppTest) -> None:
    assert page.title[0].value == f"{SECOND} is the stronger promise over 365 days"
    assert "| ε | 2 | 17.14 |" in texts(page)
    assert "**Stronger is not strong:**" in texts(page)
    page.select_slider(key=f"{KEY}_days").set_value(1).run()
    assert page.title[0].value == f"{FIRST} is the stronger promise over 1 day"
    assert "Stronger is not strong" not in texts(page), "At most 88.1 out of 100 under the first."
    assert [one.value.replace("\\", "") for one in page.caption[:2]] == [
        RECORDED[name].in_full for name in (FIRST, SECOND)
    ]
    _choose(page, SECOND, FIRST)
    assert page.selectbox(key=f"{KEY}_First").value == SECOND


def test_a_box_waits_for_what_no_promise_can_know(page: AppTest) -> None:
    _choose(page, "Wikipedia page views", "Windows app use")
    assert page.title[0].value == "The two promises cannot be compared as they stand"
    assert "Wikipedia page views: it protects single events. Say how many a day one person has." in texts(page)
    assert [box.value for box in page.number_input] == [None, None]
    page.number_input(key=f"{KEY}_one_events").set_value(20.0).run()
    assert "Windows app use: it protects devices. Say how many one person has." in texts(page)
    page.number_input(key=f"{KEY}_devices").set_value(2).run()
    assert not page.exception
    assert "Wikipedia page views: 20 events of each person count in one release." in texts(page)
    assert "cannot be compared" not in page.title[0].value
    page.pills(key=f"{KEY}_whom").set_value("10 × the events").run()
    assert "200 events of each person" in texts(page)
    page.number_input(key=f"{KEY}_one_events").set_value(None).run()
    assert "cannot be compared" in page.title[0].value


def test_a_promise_without_events_or_devices_asks_for_nothing(page: AppTest) -> None:
    assert not page.number_input


def test_the_same_twice_is_never_stronger(page: AppTest) -> None:
    _choose(page, SECOND, SECOND)
    assert page.title[0].value == "Both promise nearly the same over 365 days"


def test_what_is_empty_says_why_and_never_the_other_reason(page: AppTest) -> None:
    _choose(page, "Facebook movement maps", "US broadband")
    shown = texts(page)
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in shown.splitlines() if line.startswith("| ")}
    assert rows["δ"] == "| δ | 0: none | 0: none |"
    assert ":gray[not looked up] | with and without one person" in rows["which tables must look alike"]
    assert "not said" not in rows["which tables must look alike"]


def test_the_promise_in_hand_is_the_first_with_a_name_that_stays_a_name(page: AppTest) -> None:
    page.session_state["kept_promise_in_hand"] = Promise(name="[x](y) $z$", epsilon=0.5, delta=0.0, unit="person")
    page.run()
    (held,) = [one for one in page.selectbox(key=f"{KEY}_First").options if one.startswith("From “Judge a promise”")]
    page.selectbox(key=f"{KEY}_First").set_value(held).run()
    assert not page.exception
    shown = "\n".join(one.value for one in (*page.title, *page.markdown))
    assert "[x](y)" not in shown
    assert r"\[x\]\(y\)" in shown
    assert "how often results are published was not said" in texts(page)
