"""The tour through the app: every step, left and resumed, from an address, with a table of one's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import NumberColumn, PrivacyUnit, Schema
from dpengine.errors import InvalidParameterError
from pages.tour.progress import Progress
from pages.tour.steps import CHECK, CHECK_KEY, MOST_WORDS, PAGE, STEPS, TourStop
from tests.running.cases import each
from tests.servers.server import APP, ROOT
from tests.ui.reading import texts

OpenPage = Callable[[str], AppTest]
LAST = len(STEPS)
SCHEMA = Schema(name="visits", columns=(NumberColumn(name="age", lower=0, upper=100),), unit=PrivacyUnit())
WAYS = ("tour_start", "tour_next", "tour_back", "tour_here")


def bar(page: AppTest) -> str:
    """What the bar says; empty where there is none."""
    return " ".join(element.proto.body for element in page.get("html") if "tour-words" in element.proto.body)


def press(page: AppTest, key: str) -> AppTest:
    """Press a button; AppTest does not know by itself that a button has opened another page."""
    page.button(key=key).click().run()
    now = page.session_state["kept_tour"]
    return page.switch_page(now.step.page) if isinstance(now, Progress) and key in WAYS else page


def keys(page: AppTest) -> list[str]:
    return [str(button.key) for button in page.button if str(button.key).startswith("tour_")]


@pytest.fixture
def started(open_page: OpenPage) -> AppTest:
    """The tour at its first step."""
    return press(open_page("start/tour"), "tour_start")


def at(number: int, started: AppTest) -> AppTest:
    """The tour at this step."""
    for _ in range(number - 1):
        press(started, "tour_next")
    return started


def addressed(text: str, page: str = "explore/budget") -> AppTest:
    """A new session that begins with this in its address."""
    fresh = AppTest.from_file(APP, default_timeout=60).switch_page(f"pages/{page}/page.py")
    fresh.query_params["tour"] = text
    return fresh.run()


def in_address(page: AppTest) -> object:
    values = page.query_params.get("tour", [])
    return values[0] if isinstance(values, list) and values else values or None


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_step_is_on_a_page_that_exists_and_has_few_words(step: TourStop) -> None:
    assert (ROOT / step.page).is_file()
    assert MOST_WORDS == 30
    for own in (False, True):
        words = f"{step.words(built_in=not own)} {step.notice}"
        assert 5 < len(words.split()) <= 30
        assert not set(words) & set("<>&=δεΔ"), "No formula, no sign."


def test_a_step_of_many_words_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="at most 30 words"):
        TourStop(name="x", page=PAGE, try_this="word " * 20, notice="word " * 11, watch=lambda: None)
    TourStop(name="x", page=PAGE, try_this="word " * 20, notice="word " * 10, watch=lambda: None)


def test_the_way_leads_through_every_step_and_ends_with_a_question(started: AppTest) -> None:
    pages = []
    for number, step in enumerate(STEPS, 1):
        assert not started.exception
        assert f"{number} of {LAST} · {step.name}." in bar(started)
        assert f'aria-label="Step {number} of {LAST}"' in bar(started)
        assert in_address(started) == str(number)
        pages.append(started.session_state["kept_page"])
        if number < LAST:
            press(started, "tour_next")
    assert pages == ["", *(Path(step.page).parent.name for step in STEPS[1:])]
    assert started.radio(key=CHECK_KEY).options == [answer.text for answer in CHECK.answers]
    assert press(started, "tour_back").session_state["kept_page"] == pages[-2]


def test_nobody_is_on_a_tour_who_did_not_start_one(open_page: OpenPage) -> None:
    page = open_page("explore/budget")
    assert bar(page) == ""
    assert keys(page) == []
    assert in_address(page) is None


def test_a_tour_that_is_left_is_resumed_where_it_was(started: AppTest) -> None:
    page = press(at(4, started), "tour_leave")
    assert bar(page) == ""
    assert in_address(page) == "4-left"
    page.switch_page(PAGE).run()
    assert page.button(key="tour_start").label == f"Resume the tour (step 4 of {LAST})"
    press(page, "tour_start")
    assert "4 of 8 · Trade-off." in bar(page)
    assert page.number_input(key="tradeoff_epsilon_box").value == 0.1


def test_who_strays_keeps_the_place_and_finds_the_way_back(started: AppTest) -> None:
    page = at(2, started).switch_page("pages/learn/definition/page.py").run()
    assert "your place is kept" in bar(page)
    assert keys(page) == ["tour_here", "tour_leave"]
    assert "2 of 8 · Data." in bar(press(page, "tour_here"))


def test_a_reload_and_a_second_person_go_on_from_the_address(ledger_folder: object) -> None:
    page = addressed("5")
    assert "5 of 8 · Budget." in bar(page)
    assert not page.warning
    assert "your place is kept" in bar(addressed("4"))
    left = addressed("4-left", page="start/tour")
    assert bar(left) == ""
    assert left.button(key="tour_start").label == f"Resume the tour (step 4 of {LAST})"


@pytest.mark.parametrize("text", ["9", "1" * 10_000])
def test_an_address_that_names_no_step_gets_a_sentence(ledger_folder: object, text: str) -> None:
    page = addressed(text)
    assert not page.exception
    assert "tour must be a step of the tour, from 1 to 8" in page.warning[0].value
    assert bar(page) == ""
    assert in_address(page) is None
    assert not page.run().warning


@each("text", ["0", "9", "99", "-1", "4.0", "x", "", "٤", "4-", "4-left-left", " 4"])
def test_what_names_no_step_is_refused(text: str) -> None:
    with pytest.raises(InvalidParameterError, match="from 1 to 8"):
        Progress.from_address(text)


@each("progress", [Progress(number=1), Progress(number=8, left=True)])
def test_what_the_address_says_comes_back(progress: Progress) -> None:
    assert Progress.from_address(progress.to_address()) == progress


def test_a_table_of_ones_own_stays_and_is_told_what_it_costs(app: AppTest) -> None:
    own = replace(app.session_state["scenario"], table_name="visits", schema=SCHEMA, queries=())
    fresh = AppTest.from_file(APP, default_timeout=60).switch_page("pages/explore/release/page.py")
    fresh.query_params["plan"], fresh.query_params["tour"] = own.to_link(), "6"
    fresh.run()
    assert "cost real budget" in bar(fresh)
    assert "practice" not in bar(fresh)
    press(fresh, "tour_next")
    assert fresh.session_state["scenario"] == own


def test_an_analyst_sees_no_tour(ledger_folder: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.access.visit.by_a_test", lambda: False)
    monkeypatch.setenv("EPSILON_EXPLORER_SERVED", "yes")
    page = addressed("7", page="attack/averaging")
    assert bar(page) == ""
    assert page.title[0].value.startswith("In the long run, ")


TRIED: dict[str, Callable[[AppTest], object]] = {
    "Welcome": lambda page: page.number_input(key="welcome_epsilon_box").set_value(1.0),
    "Data": lambda page: page.button(key="open_patients").click(),
    "Questions": lambda page: page.button(key="add_question").click(),
    "Trade-off": lambda page: page.number_input(key="target_error_0").set_value(5.0),
    "Budget": lambda page: page.number_input(key="budget_rounds").set_value(50),
    "Averaging": lambda page: page.segmented_control(key="averaging_step").set_value(1),
}


@pytest.mark.parametrize("number", [n for n, step in enumerate(STEPS, 1) if step.name in TRIED])
def test_a_step_that_was_tried_has_its_mark(ledger_folder: object, number: int) -> None:
    step = STEPS[number - 1]
    page = addressed(str(number), page=step.page.removeprefix("pages/").removesuffix("/page.py"))
    assert "✓ Done" not in bar(page), "Nothing has moved yet."
    TRIED[step.name](page)
    page.run()
    if step.live:
        page.run()
    assert "✓ Done" in bar(page)
    assert f"Step {number} of {LAST}; done: {number}" in bar(page)
    press(page, "tour_next")
    assert "✓ Done" not in bar(page)
    assert f"; done: {number}" in bar(page)


def test_a_released_answer_and_a_right_answer_have_their_marks(ledger_folder: object) -> None:
    page = addressed("6", page="explore/release")
    for label in ("Open the account", "Release this answer"):
        assert "✓ Done" not in bar(page)
        next(button for button in page.button if button.label == label).click().run()
    assert "✓ Done" in bar(page)
    press(press(page, "tour_next"), "tour_next")
    right = next(place for place, answer in enumerate(CHECK.answers) if answer.right)
    page.radio(key=CHECK_KEY).set_value(right).run()
    press(page, f"{CHECK_KEY}_button")
    assert page.success
    assert "done: 6, 8" in bar(page)
    finished = press(page, "tour_leave")
    assert bar(finished) == ""
    assert in_address(finished) is None
    assert "**Release** ✓" in texts(finished)
