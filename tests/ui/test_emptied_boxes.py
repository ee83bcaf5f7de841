"""Whoever empties a number box, on any page, gets a sentence or nothing, and never an error of ours."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.test_charts_and_their_tables import PAGES, WITH_BOXES, name_of


@pytest.mark.parametrize("path", [path for path in PAGES if name_of(path) in WITH_BOXES])
def test_every_box_of_a_page_may_be_empty(open_page: Callable[[str], AppTest], path: str) -> None:
    page = open_page(path.removeprefix("pages/").removesuffix("/page.py"))
    for key in [str(box.key) for box in page.number_input]:
        if key not in [box.key for box in page.number_input]:
            continue
        page.number_input(key=key).set_value(None).run()
        assert not page.exception, key
