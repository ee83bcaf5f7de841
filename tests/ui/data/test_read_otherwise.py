"""A file that is read otherwise while it is declared, and as before again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.privacy import Neighbors

OpenPage = Callable[[str], AppTest]
TEXT = b"city,cost\nKoeln,1.5\nBonn,20\nKoeln,3\n"


@pytest.mark.parametrize(
    ("kind", "key", "other", "back"),
    [("number_input", "upload_header", 2, 1), ("selectbox", "upload_delimiter", ";", ",")],
)
def test_what_was_declared_comes_back_with_its_column(
    open_page: OpenPage, kind: str, key: str, other: object, back: object
) -> None:
    page = open_page("explore/data")
    page.file_uploader(key="upload_file").set_value(("a.csv", TEXT, "text/csv")).run()
    page.selectbox(key="kind_0").set_value("category").run()
    page.text_input(key="values_0").set_value("Koeln, Bonn")
    page.number_input(key="upper_1").set_value(50)
    page.radio(key="neighbors").set_value(Neighbors.REPLACE_ONE).run()
    getattr(page, kind)(key=key).set_value(other).run()
    assert page.session_state["upper_1" if kind == "number_input" else "upper_0"] is None
    getattr(page, kind)(key=key).set_value(back).run()
    assert page.text_input(key="values_0").value == "Koeln, Bonn"
    assert page.number_input(key="upper_1").value == 50
    assert page.radio(key="neighbors").value is Neighbors.REPLACE_ONE
