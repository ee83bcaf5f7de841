"""The dashboard in AppTest: every page through app.py, with a ledger of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from dpengine.data import load_sample
from pages.ui.session import rows
from tests.server import APP, own_ledger

RUN_SECONDS = 60
read_once = cache(load_sample)
"""The built-in tables, as a server reads them: once for all sessions, and so for all tests."""


@pytest.fixture
def ledger_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this test's ledger; what another test left in Streamlit's caches is forgotten."""
    for name, value in own_ledger(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(rows, "load_sample", read_once)
    streamlit.cache_data.clear()
    streamlit.cache_resource.clear()
    return tmp_path


@pytest.fixture
def new_app(ledger_folder: Path) -> Callable[[], AppTest]:
    """Start one more session of the dashboard on the same ledger, as a second browser would."""
    assert ledger_folder.exists()
    return lambda: AppTest.from_file(APP, default_timeout=RUN_SECONDS).run()


@pytest.fixture
def app(new_app: Callable[[], AppTest]) -> AppTest:
    """The dashboard on its first page."""
    return new_app()


@pytest.fixture
def open_page(new_app: Callable[[], AppTest]) -> Callable[[str], AppTest]:
    """Open a page in a session of its own: `open_page("explore/tradeoff")`."""
    return lambda page: new_app().switch_page(f"pages/{page}.py").run()
