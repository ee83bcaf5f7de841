"""Whoever empties a number box, on any page, gets a sentence or nothing, and never an error of ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import menu

PAGES = [path for section in {**menu.CURATORS, **menu.FOR_ALL}.values() for path in section]
WITH_BOXES = {"queries", "tradeoff", "budget", "host"}


@pytest.mark.parametrize("path", PAGES)
def test_every_box_of_a_page_may_be_empty(open_page: Callable[[str], AppTest], path: str) -> None:
    name = Path(path).stem
    page = open_page(path.removeprefix("pages/").removesuffix(".py"))
    keys = [str(box.key) for box in page.number_input]
    assert keys or name not in WITH_BOXES
    for key in keys:
        if key not in [box.key for box in page.number_input]:
            continue
        page.number_input(key=key).set_value(None).run()
        assert not page.exception, key
