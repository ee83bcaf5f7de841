"""What a run writes lies in a folder of its own, in memory, which goes with it, unless somebody wants to keep it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.running import scratch


def begun(config: Any) -> str | None:
    """Where the run writes from now on."""
    scratch.begin(config)
    return os.environ.get(scratch.VARIABLE)


def test_what_is_written_goes_with_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(scratch.VARIABLE, "somebody's")
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(scratch, "MEMORY", tmp_path)
    monkeypatch.setattr(scratch, "ENOUGH", 2**60)
    ends: list[Callable[[], None]] = []
    run = SimpleNamespace(option=SimpleNamespace(basetemp=None), add_cleanup=ends.append)

    assert begun(run) == "somebody's"
    monkeypatch.delenv(scratch.VARIABLE)
    assert begun(run) is None, "There is no room."
    monkeypatch.setattr(scratch, "ENOUGH", 0)
    folder = Path(begun(run) or "")
    assert folder.parent == tmp_path
    assert Path(tempfile.mkdtemp()).parent == folder
    assert Path(run.option.basetemp).parent == folder
    (end,) = ends
    end()
    assert list(tmp_path.iterdir()) == []
