"""The presenter's path: every stop, its sentence beside the engine's number, and all that is given back afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import NumberColumn, PrivacyUnit, Schema
from dpengine.errors import InvalidParameterError
from pages.session.first_plan import first_plan
from pages.tour.paths import SHOW
from pages.tour.presenting import MOST_SAID, STOPS, PresenterStop
from pages.tour.progress import Progress
from tests.running.cases import each
from tests.servers.server import ROOT
from tests.ui.reading import texts

NewApp = Callable[[], AppTest]
LAST = len(STOPS)
SCHEMA = Schema(name="visits", columns=(NumberColumn(name="age", lower=0, upper=100),), unit=PrivacyUnit())
OWN = replace(first_plan("rand_hie"), table_name="visits", schema=SCHEMA, queries=())
WELCOME = "pages/start/welcome/page.py"


def bar(page: AppTest) -> str:
    """What the bar says; empty where there is none."""
    return " ".join(element.proto.body for element in page.get("html") if "on-show" in element.proto.body)


def press(page: AppTest, key: str) -> AppTest:
    """Press a button; AppTest does not know by itself that a button has opened another page."""
    page.button(key=key).click().run()
    now = page.session_state["kept_show"]
    return page.switch_page(now.step.page if isinstance(now, Progress) else page.session_state["kept_show_began"])


def pressed(page: AppTest, label: str) -> AppTest:
    """Press a button of the page itself, found by its words."""
    return next(button for button in page.button if button.label == label).click().run()


@pytest.fixture
def started(app: AppTest) -> AppTest:
    """The path at its first stop, begun on the first page."""
    return press(app, "welcome_show")


def at(number: int, started: AppTest) -> AppTest:
    for _ in range(number - 1):
        press(started, "tour_next")
    return started


def addressed(new_app: NewApp, number: int, **more: str) -> AppTest:
    """A new session that opens a stop by its address, on the stop's page."""
    page = new_app().switch_page(STOPS[number - 1].page)
    for name, value in {"show": str(number), **more}.items():
        page.query_params[name] = value
    return page.run()


def in_address(page: AppTest, name: str) -> Any:
    values = page.query_params.get(name, [])
    return values[0] if isinstance(values, list) and values else values or None


@pytest.mark.parametrize("stop", STOPS, ids=lambda stop: stop.name)
def test_a_stop_has_one_sentence_to_be_read_aloud_on_a_page_that_exists(stop: PresenterStop) -> None:
    assert (ROOT / stop.page).is_file()
    assert 15 < len(stop.say.split()) <= MOST_SAID == 25
    assert not set(stop.say) & set("<>&=δεΔ"), "No formula, no sign."


def test_a_sentence_too_long_to_be_said_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="at most 25 words"):
        PresenterStop(name="x", page=WELCOME, say="word " * 26)
    PresenterStop(name="x", page=WELCOME, say="word " * 25)


def test_the_path_leads_through_its_stops_and_ends_where_it_began(started: AppTest) -> None:
    for number, stop in enumerate(STOPS, 1):
        assert not started.exception
        assert f"{number} of {LAST} · {stop.name}." in bar(started)
        assert stop.say in bar(started)
        assert in_address(started, "show") == str(number)
        if number < LAST:
            press(started, "tour_next")
    press(started, "tour_back")
    assert f"5 of {LAST}" in bar(started)
    ended = press(press(started, "tour_next"), "tour_leave")
    assert ended.session_state["kept_page"] == ""
    assert bar(ended) == ""
    assert in_address(ended, "show") is None
    assert ended.button(key="welcome_show").label == "Ten minutes for a minister"


def test_what_is_said_of_reconstruction_is_what_the_engine_recovers(started: AppTest) -> None:
    assert "128 of 128 yes/no secrets" in bar(started)
    assert "128 of 128" in started.title[0].value
    assert started.select_slider(key="reconstruction_error").value == 2


def test_what_is_said_of_twelve_rows_is_what_the_engine_counts(started: AppTest) -> None:
    page = at(2, started)
    assert "these twelve rows" in bar(page)
    assert "the disease of four people" in bar(page)
    assert "4 people are exposed" in page.title[0].value


def test_a_lesson_opens_as_nobody_has_touched_it_and_is_given_back(app: AppTest) -> None:
    app.switch_page("pages/attack/reconstruction/page.py").run()
    app.select_slider(key="reconstruction_people").set_value(32).run()
    app.session_state["kept_reconstruction_day"] = 12
    page = press(app.switch_page(WELCOME).run(), "welcome_show")
    assert "128 of 128" in page.title[0].value
    press(page, "tour_leave").switch_page("pages/attack/reconstruction/page.py").run()
    assert page.select_slider(key="reconstruction_people").value == 32
    assert page.session_state["kept_reconstruction_day"] == 12
    assert page.segmented_control(key="reconstruction_step").value == 0


def test_the_limit_is_the_step_about_ben(started: AppTest) -> None:
    page = at(3, started)
    assert page.segmented_control(key="definition_step").value == 3
    assert "Ben" in texts(page)
    assert "took no part" in bar(page)


def test_nothing_is_charged_by_arriving_and_one_press_charges_once(started: AppTest) -> None:
    page = at(5, started)
    assert "Press “Open the account”, then “Release this answer”." in bar(page)
    pressed(page, "Open the account")
    assert "Press “Release this answer”." in bar(page)
    assert "ε 3" in texts(page)
    pressed(page, "Release this answer")
    assert "ε 2.9" in texts(page)
    assert "Reading it again is free" in bar(page)


def test_more_than_is_left_is_refused_and_nothing_is_charged(new_app: NewApp) -> None:
    page = pressed(addressed(new_app, 6), "Open the account")
    assert page.session_state["scenario"].queries[1].guarantee.epsilon == 6.0
    assert page.session_state["question"] == 1
    assert page.title[0].value.startswith("It does not fit: this question costs ε 6, and ε 3 is left")
    assert next(button for button in page.button if button.label == "Release this answer").disabled
    assert "is off, and the title says why" in bar(page)


def test_a_plan_of_ones_own_stays_in_the_address_and_is_given_back(new_app: NewApp) -> None:
    page = addressed(new_app, 5, plan=OWN.to_link())
    assert page.session_state["scenario"].table_name == "rand_hie"
    assert in_address(page, "plan") == OWN.to_link()
    pressed(pressed(page, "Open the account"), "Release this answer")
    assert in_address(page, "plan") == OWN.to_link()
    press(page, "tour_next")
    page.switch_page("pages/explore/data/page.py").run()
    assert page.session_state["scenario"] == OWN
    assert "It shows your own plan and table" in bar(page)
    press(page, "tour_here")
    assert page.session_state["scenario"].table_name == "rand_hie"
    page.button(key="tour_leave").click().run()
    assert page.session_state["scenario"] == OWN
    assert in_address(page, "plan") == OWN.to_link()


def test_rows_that_were_brought_are_out_of_reach_until_they_are_given_back(app: AppTest) -> None:
    rows = SimpleNamespace(schema=SCHEMA, closed=False)
    app.session_state["table"], app.session_state["exact_shown"] = rows, False
    page = press(app, "welcome_show")
    assert "table" not in page.session_state
    assert page.session_state["exact_shown"]
    press(page, "tour_leave")
    assert page.session_state["table"] is rows
    assert not page.session_state["exact_shown"]


def test_rows_that_are_out_of_reach_are_closed_with_all_others() -> None:
    def end() -> None:
        from types import SimpleNamespace

        import streamlit as st

        from pages import session
        from pages.session.first_plan import first_plan

        closed: list[str] = []
        session.scenario()
        st.session_state.table = SimpleNamespace(schema=None, close=lambda: closed.append("it"))
        session.lend(first_plan("rand_hie"), {})
        session.forget_everything()
        st.markdown(f"closed {closed}")

    assert AppTest.from_function(end).run().markdown[0].value == "closed ['it']"


def test_an_address_leads_to_the_page_of_its_stop(new_app: NewApp) -> None:
    page = new_app()
    page.query_params["show"] = "3"
    page.run()
    assert "3 of 6" in bar(page)
    assert page.session_state["kept_page"] == "definition"


@each("text", ["0", "7", "3-left", "x"])
def test_what_names_no_stop_is_refused(text: str) -> None:
    with pytest.raises(InvalidParameterError, match="from 1 to 6"):
        Progress.from_address(text, SHOW)


def test_a_tour_waits_until_the_path_has_ended(new_app: NewApp) -> None:
    page = addressed(new_app, 4, tour="2")
    assert "4 of 6 · The dial." in bar(page)
    assert page.number_input(key="tradeoff_epsilon_box").value == 0.1
    page.button(key="tour_leave").click().run()
    assert "2 of 8 · Data." in " ".join(element.proto.body for element in page.get("html"))
    assert in_address(page, "tour") == "2"


def test_an_analyst_reads_who_may_present(new_app: NewApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.access.visit.by_a_test", lambda: False)
    monkeypatch.setenv("EPSILON_EXPLORER_SERVED", "yes")
    page = addressed(new_app, 1)
    assert bar(page) == ""
    assert "The presenter’s path is for the curator" in page.warning[0].value
    assert not page.run().warning
