"""What every attack's page owes: three acts or more, a finding for each, a sentence for each answer, the way on."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import pytest
from streamlit.testing.v1 import AppTest

from pages.access.roles import Role
from pages.lesson.lesson import AFTER_THE_LAST, ATTACKS, Lesson, check_key, to_check_yourself
from tests.servers.server import ROOT
from tests.ui.reading import texts
from tests.ui.step_words import assert_it_reads_well
from tests.ui.waiting import at_rest

OpenPage = Callable[[str], AppTest]
IN_ORDER = ("linkage", "homogeneity", "differencing", "averaging", "reconstruction", "guessing")
ACTS = ("What is published", "What the attacker does", "What ε changes")


def lesson_of(name: str) -> Lesson:
    found: Lesson = import_module(f"pages.attack.{name}.{name}").LESSON
    return found


def open_step(page: AppTest, name: str, index: int) -> AppTest:
    return at_rest(page.segmented_control(key=f"{name}_step").set_value(index).run())


@pytest.fixture(params=list(ATTACKS))
def name(request: pytest.FixtureRequest) -> str:
    """One attack after the other."""
    return str(request.param)


def test_the_attacks_are_those_of_the_folder_in_their_order() -> None:
    assert set(ATTACKS) == {path.parent.name for path in (ROOT / "pages" / "attack").glob("*/page.py")}
    assert list(ATTACKS) == [name for name in IN_ORDER if name in ATTACKS]


def test_its_acts_each_with_its_finding_and_a_check(open_page: OpenPage, name: str) -> None:
    page, findings = at_rest(open_page(f"attack/{name}")), []
    lesson = lesson_of(name)
    assert tuple(step.name for step in lesson.steps)[: len(ACTS)] == ACTS
    for index in range(len(lesson.steps) + 1):
        open_step(page, name, index)
        assert not page.exception
        assert not page.error
        findings.append(page.title[0].value)
        assert_it_reads_well(page)
    assert len(set(findings)) == len(findings)
    assert lesson.question not in findings, "The title is a finding; the question stands below it."
    assert findings[-1] == to_check_yourself(lesson)
    assert lesson.question in texts(page)
    check_answers(page, lesson)
    open_the_next(page, name)


def check_answers(page: AppTest, lesson: Lesson) -> None:
    """Each answer of each closing question gets a sentence of its own."""
    for number, check in enumerate(lesson.checks):
        key = check_key(lesson, number)
        assert page.button(key=f"{key}_button").disabled
        for index, answer in enumerate(check.answers):
            page.radio(key=key).set_value(index)
            if index == 0:
                page.run()
            page.button(key=f"{key}_button").click().run()
            shown = page.success if answer.right else page.info
            assert answer.feedback in shown[-1].value
        assert len({answer.feedback for answer in check.answers}) == len(check.answers)


def open_the_next(page: AppTest, name: str) -> None:
    """The way on leads to the next attack, from the last one to a table."""
    onward, names = page.button(key=f"{name}_onward"), list(ATTACKS)
    following = names[names.index(name) + 1 :]
    at_rest(onward.click().run())
    assert not page.exception
    if following:
        assert onward.label == f"Next attack: {ATTACKS[following[0]]} →"
        assert page.segmented_control(key=f"{following[0]}_step").value == 0
    else:
        assert onward.label == AFTER_THE_LAST[Role.CURATOR][1]
