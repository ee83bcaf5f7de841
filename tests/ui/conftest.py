"""The dashboard in AppTest: every page through app.py, with a ledger of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from dpengine.data import load_sample
from pages.ui import accounts
from pages.ui.session import rows
from pages.ui.workshop import state
from tests.server import APP, own_ledger

RUN_SECONDS = 60
read_once = cache(load_sample)
"""The built-in tables, as a server reads them: once for all sessions, and so for all tests."""
scanned_once = cache(manifest_scanner.scan_component_manifests)
"""The components of installed packages, which a server looks for once when it starts, and AppTest in each session."""


@pytest.fixture
def ledger_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this test's ledger. What Streamlit caches else is computed from public values: it stays."""
    for name, value in own_ledger(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(rows, "load_sample", read_once)
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", scanned_once)
    accounts._ledger.clear()
    state._rooms.clear()
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
def open_page(ledger_folder: Path) -> Callable[[str], AppTest]:
    """Open a page in a session of its own, by its address: `open_page("explore/tradeoff")`."""
    assert ledger_folder.exists()
    return lambda page: AppTest.from_file(APP, default_timeout=RUN_SECONDS).switch_page(f"pages/{page}.py").run()
