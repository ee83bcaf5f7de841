"""A file that is read otherwise while it is declared, and as before again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.privacy import Neighbors
from tests.examples.workbooks import parts, zipped

OpenPage = Callable[[str], AppTest]
ROWS = [
    ["city", "größe", "clinic", "who"],
    *([f"{i % 2}-{name}", "1.5", "x y", f"p{i}"] for i, name in enumerate("abcd")),
]
TEXT = "\n".join(",".join(row) for row in ROWS).encode()
BOOK = zipped(parts({"Visits": ROWS, "Notes": [["city", "year"], ["a", "b"]]}))
AS_TYPED: dict[str, dict[str, object]] = {
    "text_input": {"values_0": "Koeln, Bonn"},
    "number_input": {"upper_1": 50, "person_rows": 3},
    "radio": {"neighbors": Neighbors.REPLACE_ONE, "unit_kind": "identifier"},
    "selectbox": {"kind_0": "category", "kind_1": "number", "kind_2": "text", "identifier": "who"},
}


@pytest.mark.parametrize(
    ("kind", "key", "other", "differs"),
    [
        ("number_input", "upload_header", 2, True),
        ("selectbox", "upload_delimiter", ";", True),
        ("selectbox", "upload_encoding", "windows-1252", True),
        ("selectbox", "upload_sheet", "Notes", True),
        ("selectbox", "upload_decimal", ",", True),
        ("number_input", "upload_skip_last", 2, False),
    ],
)
def test_what_was_declared_comes_back_with_its_column(
    open_page: OpenPage, kind: str, key: str, other: object, differs: bool
) -> None:
    page = open_page("explore/data")
    file = ("a.xlsx", BOOK, "") if key == "upload_sheet" else ("a.csv", TEXT, "text/csv")
    declare(page.file_uploader(key="upload_file").set_value(file).run())
    back = getattr(page, kind)(key=key).value
    getattr(page, kind)(key=key).set_value(other).run()
    assert (typed(page) == AS_TYPED) is not differs, "the control"
    getattr(page, kind)(key=key).set_value(back).run()
    assert typed(page) == AS_TYPED


def declare(page: AppTest) -> None:
    for i, column in enumerate(("category", "number", "text", "text")):
        page.selectbox(key=f"kind_{i}").set_value(column)
    page.radio(key="unit_kind").set_value("identifier")
    page.radio(key="neighbors").set_value(Neighbors.REPLACE_ONE).run()
    page.text_input(key="values_0").set_value("Koeln, Bonn")
    page.number_input(key="upper_1").set_value(50)
    page.number_input(key="person_rows").set_value(3)
    page.selectbox(key="identifier").set_value("who").run()
    assert typed(page) == AS_TYPED


def typed(page: AppTest) -> dict[str, dict[str, object]]:
    """What the same boxes hold, as far as they are there."""
    there = {(kind, one.key): one.value for kind in AS_TYPED for one in getattr(page, kind)}
    return {kind: {key: there.get((kind, key)) for key in boxes} for kind, boxes in AS_TYPED.items()}
