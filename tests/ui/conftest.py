"""The dashboard in AppTest: every page through app.py, with a ledger of the test's own."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO
from unittest.mock import MagicMock

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner
from streamlit.util import calc_hash

from dpengine.data import load_sample
from dpengine.data.files.cells import Cells
from dpengine.data.files.child_process import Task, read_apart
from dpengine.data.files.reading import ReadingWatch
from dpengine.data.intake import table_intake
from dpengine.frames import EPSILONS
from dpengine.ledger import Ledger
from pages.plan import accounts, work_panel
from pages.plan.table import loading_panel
from pages.room import state, tables
from pages.serving.layers import uploads
from pages.session import rows
from tests.examples.tables import cells_here
from tests.running.voice import retired
from tests.servers.server import APP, LEDGER_VARIABLE, MARKER_VARIABLE, own_ledger
from tests.ui.dials import make_films_of
from tests.ui.reading import read_in

RUN_SECONDS, PATIENCE_SECONDS = 60, 50.0
SMALL_FILE = 2**16
"""Files up to so many bytes have no process of their own; what that adds is the matter of unit/data and of browsers."""
read_once = cache(load_sample)
"""The built-in tables, as a server reads them: once for all sessions, and so for all tests."""
compiled_once = ScriptCache()
"""Pages as a server compiles them: once for all sessions, where AppTest would at each run."""
a_runtime = MagicMock(spec=Runtime)
"""The server that AppTest invents for each run: what a run is about is set on it anew."""


def parsed_here(file: IO[bytes], task: Task, reading: ReadingWatch, *, share: float = 1.0) -> Cells:
    """The cells of a file; a small one is read by this process, as that of its own would read it."""
    if os.fstat(file.fileno()).st_size > SMALL_FILE:
        return read_apart(file, task, reading, share=share)
    return cells_here(os.pread(file.fileno(), SMALL_FILE, 0), task.form, task.ending, sample=task.sample is not None)


def run_awaited(runner: LocalScriptRunner, timeout: float = RUN_SECONDS) -> None:
    """Wait for the end of the run, in place of looking a thousand times a second whether it is there."""
    thread = runner._script_thread
    assert thread is not None
    thread.join(timeout)
    if thread.is_alive():
        runner.request_stop()
        thread.join()
        pytest.fail(f"The page took more than {timeout} seconds.")


resolved = AppTest._resolve_page_hash


def page_hash(app: AppTest, path: str) -> str:
    """Before its first run AppTest takes a page's file for its name; ours has that of its folder."""
    return resolved(app, path) if app._registered_pages else calc_hash(Path(path).parent.name)


run_unread = AppTest._run


def run_read(app: AppTest, widget_state: WidgetStates | None = None, timeout: float | None = None) -> AppTest:
    """Whatever a test makes a page say, a person could read it: it is said in the product's voice (docs/voice.md)."""
    run_unread(app, widget_state, timeout)
    said = [retired(line) for line in f"{read_in(app.main)}\n{read_in(app.sidebar)}".splitlines()]
    assert not any(said), [words for words in said if words]
    return app


@pytest.fixture(scope="module", autouse=True)
def what_a_server_does_once() -> Iterator[None]:
    """Each test is a server's session, not its start, and so is what the tests of a file prepare together.

    Nor are components of other packages looked for, which a server does when it starts, and AppTest in each session.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app_test, "MagicMock", lambda **_: a_runtime)
        patch.setattr(local_script_runner, "require_widgets_deltas", run_awaited)
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", lambda: compiled_once)
        patch.setattr(rows, "load_sample", read_once)
        patch.setattr(manifest_scanner, "scan_component_manifests", list)
        patch.setattr(AppTest, "_resolve_page_hash", page_hash)
        patch.setattr(AppTest, "_run", run_read)
        patch.setattr(table_intake, "read_apart", parsed_here)
        yield


@pytest.fixture(autouse=True)
def the_main_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """What AppTest puts in its place goes again."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(autouse=True)
def nobody_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """All sessions of tests have one name, under which somebody has left in another test."""
    monkeypatch.setattr(uploads, "_ended", set())


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page waits until what it computes or reads is there; progress is shown where a test is about it."""
    for module in (work_panel, loading_panel):
        monkeypatch.setattr(module, "PATIENCE", PATIENCE_SECONDS)


@pytest.fixture(autouse=True)
def film(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dial hands over the frames at its two ends; where the film is what a test is about, more of them."""
    make_films_of(monkeypatch, (EPSILONS[0], EPSILONS[-1]))


@pytest.fixture(scope="session")
def new_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a ledger without accounts, to be copied."""
    folder = tmp_path_factory.mktemp("ledger")
    place = own_ledger(folder)
    Ledger.open(place[LEDGER_VARIABLE], marker=Path(place[MARKER_VARIABLE]))._store.database.close()
    return folder


@pytest.fixture
def ledger_folder(new_ledger: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of this test's ledger; no rooms, no rows lent to them. What is cached else is public: it stays."""
    with TemporaryDirectory() as folder:
        shutil.copytree(new_ledger, folder, dirs_exist_ok=True)
        for name, value in own_ledger(Path(folder)).items():
            monkeypatch.setenv(name, value)
        accounts._ledger.clear()
        state._rooms.clear()
        tables._lent.cache_clear()
        yield Path(folder)


@pytest.fixture
def new_app(ledger_folder: Path) -> Callable[[], AppTest]:
    """One more session of the dashboard on the same ledger, as of a second browser; it has not run yet."""
    assert ledger_folder.exists()
    return lambda: AppTest.from_file(APP, default_timeout=RUN_SECONDS)


@pytest.fixture
def app(new_app: Callable[[], AppTest]) -> AppTest:
    """The dashboard on its first page."""
    return new_app().run()


@pytest.fixture
def open_page(new_app: Callable[[], AppTest]) -> Callable[[str], AppTest]:
    """Open a page in a session of its own, by its address: `open_page("explore/tradeoff")`."""
    return lambda page: new_app().switch_page(f"pages/{page}/page.py").run()
