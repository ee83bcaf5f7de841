"""The table of the course: its numbers are the engine's, and each function that it names is there."""

from __future__ import annotations

from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

from tests.examples.course import NUMBERS, CourseItem, course_items
from tests.servers.server import ROOT

ITEMS = {one.item: one for one in course_items(ROOT / "docs" / "course.md")}


def test_a_row_is_read_cell_by_cell(tmp_path: Path) -> None:
    written = tmp_path / "course.md"
    written.write_text(
        "| notes | item | page | there | engine |\n|---|---|---|---|---|\n| A | P(\\|Z\\|) | x: y | 3 | `f` |\n"
    )
    assert course_items(written) == [CourseItem(item="P(|Z|)", page="x", step="y", said="3", engine="f")]


@pytest.mark.parametrize("item", NUMBERS)
def test_the_engine_says_the_number_of_a_row(item: str) -> None:
    assert NUMBERS[item]() in ITEMS[item].said


@pytest.mark.parametrize("item", [one for one in ITEMS.values() if one.engine], ids=lambda one: one.item)
def test_the_function_of_a_row_is_there(item: CourseItem) -> None:
    parts = item.engine.split(".")
    module = next(".".join(parts[:end]) for end in range(len(parts), 0, -1) if _is_module(".".join(parts[:end])))
    found: object = reduce(getattr, parts[len(module.split(".")) :], import_module(module))
    assert callable(found)
    assert item.item in NUMBERS


def _is_module(name: str) -> bool:
    try:
        import_module(name)
    except ImportError:
        return False
    return True
