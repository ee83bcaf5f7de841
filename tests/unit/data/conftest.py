"""Files that are parsed in this process, for tests of what is read: a process apart costs more than most files."""

from __future__ import annotations

from typing import IO

import pytest

from dpengine.data.files.cells import Cells
from dpengine.data.files.child_process import Task
from dpengine.data.files.reading import ReadingWatch
from dpengine.data.intake import table_intake
from tests.examples.tables import cells_here


@pytest.fixture
def parsed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a process apart adds is the matter of test_child_process, test_sources and the hostile files."""
    monkeypatch.setattr(table_intake, "read_apart", _read_here)


def _read_here(file: IO[bytes], task: Task, _reading: ReadingWatch, *, share: float = 1.0) -> Cells:
    return cells_here(file.read(), task.form, task.ending, sample=task.sample is not None)
