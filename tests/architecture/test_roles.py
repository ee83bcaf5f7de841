"""Every page is on everybody's list or lets only the curator in, by itself: a menu that hides it is no guard."""

from __future__ import annotations

import ast

import pytest

from pages.ui import menu
from tests.architecture.guards import begins_with_guard
from tests.server import ROOT

PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(ROOT.glob("pages/*/*.py"))
    if path.parent.name != "ui" and path.stem != "__init__"
}
FOR_ALL = {path for section in menu.FOR_ALL.values() for path in section}
CURATORS = {path for section in menu.CURATORS.values() for path in section}
WITHOUT_ROWS = {"published_panels", "outputs", "entry"}
"""What a page for everybody may be built of, beside lessons: none of these holds a table or a plan."""


def test_every_page_is_on_one_list() -> None:
    assert set(PAGES) == FOR_ALL | CURATORS
    assert not FOR_ALL & CURATORS


def test_curator_pages_refuse_by_themselves() -> None:
    assert {path for path, source in PAGES.items() if not begins_with_guard(source)} == FOR_ALL


@pytest.mark.parametrize("path", sorted(FOR_ALL))
def test_a_page_for_everybody_knows_no_table(path: str) -> None:
    assert used(PAGES[path]) <= WITHOUT_ROWS or path.startswith("pages/learn/")


@pytest.mark.parametrize(
    "source",
    [
        '"""Doc."""\nimport streamlit as st\nst.title("x")\nentry.require_curator()',
        "x = session.required_table()\nentry.require_curator()",
        "if session.table():\n    entry.require_curator()",
        "def f():\n    entry.require_curator()",
        "roles.current()",
        "",
    ],
)
def test_a_page_that_looks_first_is_seen(source: str) -> None:
    assert not begins_with_guard(source)


def test_a_guarded_page_passes() -> None:
    assert begins_with_guard(
        '"""Doc."""\nfrom pages.ui import entry\nKEY = "a"\n\ndef f(): ...\n\nentry.require_curator()'
    )


def used(source: str) -> set[str]:
    """The modules of pages.ui that a page imports."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    return {alias.name for node in nodes if node.module == "pages.ui" for alias in node.names}
