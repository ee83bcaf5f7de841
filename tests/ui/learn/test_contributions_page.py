"""The lesson on contributions: a row is not a person, the best bound, and what groups cost."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import sample_frame
from dpengine.formatting import amount, at_most
from tests.ui.reading import texts
from tests.ui.steps import at_step

NewApp = Callable[[], AppTest]


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """The page, to be opened on one of its steps."""
    return new_app().switch_page("pages/learn/contributions/page.py")


def at(page: AppTest, number: int) -> AppTest:
    return at_step(page, "contributions", number)


def dial(page: AppTest, key: str, epsilon: float) -> AppTest:
    return page.number_input(key=f"contributions_{key}_epsilon_box").set_value(epsilon).run()


def test_five_rows_multiply_epsilon_by_five(page: AppTest) -> None:
    at(page, 1)
    for epsilon, of_person in ((0.5, "2.5"), (0.1, "0.5"), (2.0, "10")):
        dial(page, "one", epsilon)
        found = f"People with 5 rows are protected less: ε = {of_person}, not {amount(epsilon)}"
        assert page.title[0].value == found


def test_what_a_bound_drops_is_counted(page: AppTest) -> None:
    at(page, 2)
    people = Counter(Counter(sample_frame("rand_hie")["person"]).values())
    total = sum(size * count for size, count in people.items())
    for bound in (1, 4):
        dropped = sum(max(size - bound, 0) * count for size, count in people.items())
        assert f"| at most {bound} | {100 * dropped / total:.0f}% |" in texts(page)


BEST = {
    ("Years with 2 or more hospital stays", 0.01): 1,
    ("Years with 2 or more hospital stays", 0.1): 4,
    ("Years with 2 or more hospital stays", 1.0): 5,
    ("All years", 0.1): 5,
    ("Mean spending a year", 0.1): 1,
    ("Mean spending a year", 10.0): 5,
}


def test_the_best_bound_depends_on_question_and_epsilon(page: AppTest) -> None:
    at(page, 2)
    for (question, epsilon), best in BEST.items():
        page.pills(key="contributions_bound_question").set_value(question)
        dial(page, "bound", epsilon)
        rows = f"{best} row{'s' if best > 1 else ''} per person"
        assert page.title[0].value == f"At ε = {amount(epsilon)}, keeping {rows} errs least"
        assert "**without looking**" in texts(page)


def test_the_noise_of_a_count_grows_with_the_bound(page: AppTest) -> None:
    dial(at(page, 2), "bound", 0.1)
    noise = math.sqrt(2) * 5 / 0.1
    assert f"| at most 5 | 0% | 0 | {amount(noise)} | **{amount(noise)}** |" in texts(page)


def test_what_one_person_changes_and_what_the_mechanisms_pay(page: AppTest) -> None:
    at(page, 3)
    for groups, rows in ((1, 1), (5, 2), (20, 3), (100, 10)):
        page.select_slider(key="contributions_groups_groups").set_value(groups)
        page.select_slider(key="contributions_groups_rows").set_value(rows).run()
        laplace = math.log(20.0) * groups * rows / 0.1
        assert f"**{groups * rows:,}** (L1 sensitivity) | **±{at_most(laplace)}** |" in texts(page)
        assert f"**{amount(math.sqrt(groups) * rows)}** (L2 sensitivity) |" in texts(page)
        assert ("Laplace noise is smaller" if groups < 9 else "Gaussian noise is smaller") in page.title[0].value


@pytest.mark.parametrize("step, key", [(1, "one"), (2, "bound"), (3, "groups")])
def test_the_ends_of_the_dial_are_drawn_and_beyond_stands_a_sentence(page: AppTest, step: int, key: str) -> None:
    at(page, step)
    for epsilon in (1e-6, 100.0, 10000.0):
        dial(page, key, epsilon)
        assert not page.exception, epsilon
        refused = ["ε = 10000 is more than this picture can show (at most 100); it still shows 100."]
        assert [error.value.replace("\\", "") for error in page.error] == refused * (epsilon > 100)
