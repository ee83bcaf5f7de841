"""The steps of a lesson or an attack, opened at once where the page was not open yet."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def at_step(page: AppTest, name: str, number: int) -> AppTest:
    """The page on this step: a page that has not run yet begins there, another gets there by its menu of steps."""
    key = f"{name}_step"
    if page.segmented_control:
        page.segmented_control(key=key).set_value(number - 1)
    else:
        page.session_state[key] = number - 1
    return page.run()
