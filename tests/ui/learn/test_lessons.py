"""What every lesson owes: each step opens with a finding, each answer of the closing question has its sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import NumberInput

from dpengine.errors import InvalidParameterError
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import LOOKED_UP, PAGES, Lesson, check_key, to_check_yourself
from tests.servers.server import ROOT
from tests.ui.reading import read_in, texts
from tests.ui.step_words import FORMULA, assert_it_reads_well, how, running

OpenPage = Callable[[str], AppTest]
FILES = {path.parent.name for path in (ROOT / "pages" / "learn").glob("*/page.py")}
NAMES = sorted(FILES - set(LOOKED_UP))
LAST = list(PAGES)[-1]


def lesson_of(name: str) -> Lesson:
    found: Lesson = import_module(f"pages.learn.{name}.{name}").LESSON
    return found


def steps(page: AppTest, name: str) -> list[int]:
    return list(range(len(page.segmented_control(key=f"{name}_step").options)))


def open_step(page: AppTest, name: str, number: int) -> AppTest:
    """Open a step by its number, as the menu of steps shows it."""
    return page.segmented_control(key=f"{name}_step").set_value(number - 1).run()


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    """One lesson after the other."""
    return str(request.param)


def test_the_way_on_leads_through_all_steps_each_with_a_finding_of_its_own(open_page: OpenPage, name: str) -> None:
    page = open_page(f"learn/{name}")
    assert [fold.label for fold in page.sidebar.expander] == ["The table of your plan"]
    findings = []
    for index in steps(page, name):
        assert page.segmented_control(key=f"{name}_step").value == index
        assert bool(onward(page, name)) == (index == len(lesson_of(name).steps))
        assert not page.exception
        assert not page.error
        findings.append(page.title[0].value)
        assert_it_reads_well(page)
        if index < len(lesson_of(name).steps):
            page.button(key=f"{name}_next").click().run()
    assert len(findings) == len(lesson_of(name).steps) + 1
    assert len(set(findings)) == len(findings)
    assert lesson_of(name).question not in findings, "The title is a finding; the question stands below it."
    assert findings[-1] == to_check_yourself(lesson_of(name))
    assert "Nothing spent." in texts(page)
    page.button(key=f"{name}_back").click().run()
    assert page.title[0].value == findings[-2]
    assert page.radio == []


def onward(page: AppTest, name: str) -> list[str]:
    """What the button says that leads to the next lesson, where there is one."""
    return [button.label for button in page.button if button.key == f"{name}_onward"]


def test_every_answer_gets_its_own_sentence_and_is_remembered(open_page: OpenPage, name: str) -> None:
    lesson = lesson_of(name)
    page = open_page(f"learn/{name}")
    open_step(page, name, len(steps(page, name)))
    for number, check in enumerate(lesson.checks):
        answer_each(page, check, check_key(lesson, number))
    page.switch_page("pages/start/welcome/page.py").run()
    page.switch_page(f"pages/learn/{name}/page.py").run()
    assert page.title[0].value == to_check_yourself(lesson)
    for number, check in enumerate(lesson.checks):
        assert page.radio(key=check_key(lesson, number)).value == len(check.answers) - 1
        assert check.answers[-1].feedback in "".join(box.value for box in (*page.success, *page.info))
    lead_on(page, name)


def answer_each(page: AppTest, check: Check, key: str) -> None:
    """One closing question: nothing is said before the button is pressed, then what belongs to the answer."""
    said = len(page.success), len(page.info)
    assert page.button(key=f"{key}_button").disabled
    for index, answer in enumerate(check.answers):
        page.radio(key=key).set_value(index)
        if index < 2:
            page.run()
            assert (len(page.success), len(page.info)) == said
        page.button(key=f"{key}_button").click().run()
        (shown,) = [box for box in (*page.success, *page.info) if answer.feedback in box.value]
        assert shown.value.startswith("**✓ " if answer.right else "**✗ "), "Told apart without color."
        assert (len(page.success), len(page.info)) == (said[0] + answer.right, said[1] + (not answer.right))
    assert len({answer.feedback for answer in check.answers}) == len(check.answers)


def lead_on(page: AppTest, name: str) -> None:
    """The check leads to the next lesson, at its first step, and from the last one to a table."""
    page.button(key=f"{name}_onward").click()
    (label,) = onward(page, name)
    page.run()
    following = label.removeprefix("Next lesson: ").removesuffix(" →")
    keys = [key for key, title in PAGES.items() if title == following]
    assert not page.exception
    assert bool(keys) == (name != LAST)
    if keys:
        assert page.segmented_control(key=f"{keys[0]}_step").value == 0
    else:
        assert label == "Try it on a table: Trade-off →"
        assert page.number_input(key="tradeoff_epsilon_box").value
        assert len(page.sidebar.expander) == 0, "The facts of the table are folded on lessons alone."


def dials(page: AppTest) -> list[NumberInput]:
    """The boxes of epsilon on a step."""
    return [one for one in page.number_input if re.search(r"_epsilon_box(_\d+)?$", str(one.key))]


def test_the_dial_stays_where_it_was_left_from_step_to_step(open_page: OpenPage, name: str) -> None:
    """And back on an earlier step too."""
    page, left = open_page(f"learn/{name}"), 0.0
    found = []
    for number in (*range(1, len(steps(page, name))), 1):
        open_step(page, name, number)
        for box in dials(page):
            found.append(number)
            if not left:
                box.set_value(left := 0.7).run()
            else:
                assert box.value == left, number
                dials(page)[0].set_value(left := left + 0.1).run()
    assert not page.exception
    assert found
    if found[-1] == 1:
        assert found.count(1) == 2


def test_the_lessons_are_those_of_the_folder() -> None:
    assert sorted(PAGES) == NAMES
    assert set(LOOKED_UP) <= FILES


@pytest.mark.parametrize("right", [(False, False), (True, True), (True,)])
def test_a_check_has_one_right_answer_among_several(right: tuple[bool, ...]) -> None:
    with pytest.raises(InvalidParameterError):
        Check(question="?", answers=[Answer(text=str(i), feedback="", right=one) for i, one in enumerate(right)])


def test_formulas_stand_behind_one_switch_that_begins_closed(open_page: OpenPage) -> None:
    """What the walks look for in the text of every step is there, in the part that is folded."""
    page = open_page("learn/definition")
    (fold,) = how(page)
    assert not fold.proto.expanded
    assert FORMULA.search(read_in(fold))
    assert_it_reads_well(page)
    assert read_in(fold) not in running(page)
    open_step(page, "definition", 2)
    assert not how(page), "A step without a formula has no switch."


@pytest.mark.parametrize("text", ["$k$", "e^ε", "ln 3", "√n", "σ = 2", "Theorem 2", "Warner 1965", "NP-hard"])
def test_a_formula_in_a_text_is_found(text: str) -> None:
    assert FORMULA.search(f"A step says {text}.")


READS_ROWS = ("session.table", "required_table", "exact_guess", "exact_shown", "built_in_guess")


def test_no_lesson_reads_the_table_of_the_session() -> None:
    """What a lesson shows is invented or built in; a page that does read rows is seen by the same look."""
    sources = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "pages/learn").rglob("*.py")}
    assert {name for name, source in sources.items() if any(word in source for word in READS_ROWS)} == set()
    assert any(word in (ROOT / "pages/question/guesses.py").read_text(encoding="utf-8") for word in READS_ROWS)
