"""The steps of a lesson or an attack, opened at once where the page was not open yet, and their dials."""

from __future__ import annotations

import re

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import NumberInput

from pages.lesson.lesson import Lesson


def at_step(page: AppTest, name: str, number: int) -> AppTest:
    """The page on this step: a page that has not run yet begins there, another gets there by its menu of steps."""
    key = f"{name}_step"
    if page.segmented_control:
        page.segmented_control(key=key).set_value(number - 1)
    else:
        page.session_state[key] = number - 1
    return page.run()


def at_named_step(page: AppTest, lesson: Lesson, name: str) -> AppTest:
    """The same by the step's name, which stays when others come before it."""
    return at_step(page, lesson.key, [step.name for step in lesson.steps].index(name) + 1)


def box(page: AppTest, name: str) -> NumberInput:
    """The number box of a dial: another one stands in its place each time that the page has moved it."""
    return next(one for one in page.number_input if re.fullmatch(rf"{name}(_\d+)?", str(one.key)))
