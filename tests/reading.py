"""What is written on a page of the dashboard, as a person reads it."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def texts(page: AppTest) -> str:
    """Every title, paragraph, warning and error, without the backslashes that keep names harmless."""
    elements = (*page.title, *page.markdown, *page.warning, *page.error, *page.info)
    return "\n".join(element.value for element in elements).replace("\\", "")
