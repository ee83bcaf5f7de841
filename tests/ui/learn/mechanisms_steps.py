"""The page on mechanisms in tests: one of its steps, and the dial of a step."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from pages.learn.mechanisms.mechanisms import LESSON
from tests.ui.steps import at_named_step


def at(page: AppTest, name: str) -> AppTest:
    """The page on the step of this name."""
    return at_named_step(page, LESSON, name)


def dial(page: AppTest, key: str, epsilon: float) -> AppTest:
    """The page with the dial of a step turned to an epsilon."""
    return page.number_input(key=f"mechanisms_{key}_epsilon_box").set_value(epsilon).run()
