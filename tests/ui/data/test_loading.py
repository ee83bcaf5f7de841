"""A large file is read in the background: progress, Cancel, another file meanwhile, and a table that stays in use."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import IntakeReport, NumberColumn, Schema, Table, read_table
from dpengine.data.files.reading import ReadingWatch
from dpengine.errors import EngineError, IntakeError
from pages.plan.table import loading_panel
from pages.plan.work import Work
from tests.ui.reading import button, texts
from tests.ui.waiting import arrived, being_read

OpenPage = Callable[[str], AppTest]
COLUMNS = 8
ROWS, MANY = 100_000, 300_000
ONE = Schema(name="t", columns=(NumberColumn(name="a0", lower=0, upper=9),))
PROCESSES = Path("/proc/self/task")


@cache
def large(rows: int = ROWS) -> bytes:
    """A table that takes more than a moment to read."""
    header = ",".join(f"a{i}" for i in range(COLUMNS)).encode()
    return header + b"\n" + b"1,2,3,4,5,6,7,8\n" * rows


def late_fault() -> bytes:
    """Nothing is wrong in the rows that a preview sees."""
    return large(MANY) + b"1,2\n"


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    return open_page("explore/data")


def declared(page: AppTest, content: bytes, name: str = "large.csv") -> AppTest:
    """The first column as a number, the others left out."""
    page.file_uploader(key="upload_file").set_value((name, content, "text/csv")).run()
    for i in range(1, COLUMNS):
        page.selectbox(key=f"kind_{i}").set_value("leave out")
    page.selectbox(key="kind_0").set_value("number").run()
    page.number_input(key="lower_0").set_value(0)
    return page.number_input(key="upper_0").set_value(9).run()


@pytest.fixture
def going_on() -> Iterator[threading.Event]:
    """Set where a file that is being read may be read to its end; until then its reader waits in the middle."""
    gate = threading.Event()
    yield gate
    gate.set()


def start(page: AppTest, monkeypatch: pytest.MonkeyPatch, going_on: threading.Event) -> Work[Table]:
    """Press the button, and see the progress instead of waiting for the table."""
    tell = Work.tell

    def slowly(loading: Work[Table], share: float, stage: str = "") -> None:
        tell(loading, share, stage)
        assert going_on.wait(60.0)

    monkeypatch.setattr(Work, "tell", slowly)
    monkeypatch.setattr(loading_panel, "PATIENCE", 0.0)
    button(page, "use_table").click().run()
    loading = being_read(page)
    assert loading is not None
    assert "**Reading `large.csv`**" in texts(page)
    assert not any(str(one.key).startswith("use_table") for one in page.button)
    return loading


def ended(loading: Work[Table]) -> bool:
    """Whether thread and child are gone within a moment."""
    until = time.monotonic() + 20.0
    while time.monotonic() < until:
        if loading.done(0.1) and not reading_threads() and not children():
            return True
    return False


def reading_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "work of a page"]


def children() -> list[str]:
    """Those that read a file; databases of other tests may be children, too."""
    living = [child for task in PROCESSES.glob("*/children") for child in task.read_text(encoding="ascii").split()]
    return [child for child in living if is_reader(Path(f"/proc/{child}/cmdline"))]


def is_reader(command: Path) -> bool:
    try:
        return b"parsing_child" in command.read_bytes()
    except OSError:
        return False


def test_a_cancelled_file_leaves_the_table_in_use_and_what_was_typed(
    page: AppTest, monkeypatch: pytest.MonkeyPatch, going_on: threading.Event
) -> None:
    loading = start(declared(page, large()), monkeypatch, going_on)
    page.button(key="cancel_loading").click().run()
    going_on.set()
    assert ended(loading)
    with pytest.raises(IntakeError, match="stopped"):
        loading.result()
    assert "Reading was stopped. The table in use is still the one before" in texts(page)
    assert not page.error, "It was the person's own wish."
    assert page.session_state["scenario"].table_name == "rand_hie"
    assert page.number_input(key="upper_0").value == 9
    arrived(button(page, "use_table").click().run())
    assert "was stopped" not in texts(page)
    assert page.session_state["table"].intake_report.rows_read == ROWS


def test_what_was_said_about_a_cancelled_file_is_gone_after_another_page(
    page: AppTest, monkeypatch: pytest.MonkeyPatch, going_on: threading.Event
) -> None:
    loading = start(declared(page, large()), monkeypatch, going_on)
    page.button(key="cancel_loading").click().run()
    going_on.set()
    assert ended(loading)
    assert "Reading was stopped." in texts(page.run())
    page.switch_page("pages/explore/budget/page.py").run()
    page.switch_page("pages/explore/data/page.py").run()
    assert any(str(one.key).startswith("use_table") for one in page.button)
    assert "Reading was stopped." not in texts(page)


def test_another_file_stops_the_one_that_is_read(
    page: AppTest, monkeypatch: pytest.MonkeyPatch, going_on: threading.Event
) -> None:
    loading = start(declared(page, large()), monkeypatch, going_on)
    page.file_uploader(key="upload_file").set_value(("small.csv", b"x,y\n1,2\n2,1\n", "text/csv")).run()
    assert being_read(page) is None
    going_on.set()
    assert ended(loading)
    assert "y" in page.selectbox(key="kind_1").label
    assert not page.error
    assert page.session_state["scenario"].table_name == "rand_hie"


def test_a_practice_table_opened_meanwhile_is_not_replaced(page: AppTest) -> None:
    gate, stopped = threading.Event(), []

    def slow(reading: ReadingWatch) -> Table:
        gate.wait(60.0)
        stopped.append(reading.cancelled())
        return read_table(b"a0\n1\n", schema=ONE)

    loading = loading_panel.reading(slow)
    page.session_state["kept_loading"] = loading
    page.run()
    assert "**Reading `the file`**" in texts(page)
    page.button(key="open_patients").click().run()
    gate.set()
    assert loading.done(60.0)
    assert stopped == [True]
    assert page.run().session_state["scenario"].table_name == "patients"
    assert "Reading" not in texts(page)
    with pytest.raises(EngineError):
        loading.result().contributions()


def test_a_file_read_while_another_page_was_open_is_there_on_return(
    page: AppTest, monkeypatch: pytest.MonkeyPatch, going_on: threading.Event
) -> None:
    loading = start(declared(page, large()), monkeypatch, going_on)
    page.switch_page("pages/explore/tradeoff/page.py").run()
    going_on.set()
    assert loading.done(60.0)
    page.switch_page("pages/explore/data/page.py").run()
    assert page.title[0].value == "`large`: 1 column, one row per person"


def test_a_fault_far_down_is_a_sentence_and_nothing_is_lost(page: AppTest) -> None:
    arrived(button(declared(page, late_fault()), "use_table").click().run())
    assert f"Line {MANY + 2:,}" in texts(page)
    assert loading_panel.STILL_THERE in texts(page)
    assert page.session_state["scenario"].table_name == "rand_hie"
    assert page.number_input(key="upper_0").value == 9
    assert any(str(one.key).startswith("use_table") for one in page.button)


def test_a_share_that_grows_is_heard_and_a_table_comes_of_it() -> None:
    loading = loading_panel.reading(lambda reading: read_table(large(MANY), schema=ONE, reading=reading))
    shares = []
    while not loading.done(0.02):
        shares.append(loading.share)
    assert shares == sorted(shares)
    assert len(set(shares)) > 2
    with_rows = loading.result()
    assert isinstance(with_rows.intake_report, IntakeReport)
    with_rows.close()


def test_what_is_stopped_after_its_end_is_freed() -> None:
    loading = loading_panel.reading(lambda reading: read_table(b"a0\n1\n", schema=ONE, reading=reading))
    assert loading.done(60.0)
    table = loading.result()
    assert table.contributions().rows == 1
    loading.stop()
    with pytest.raises(EngineError):
        table.contributions()


def test_no_more_than_a_few_files_are_read_at_once() -> None:
    gate, at_once, most = threading.Event(), [0], [0]

    def wait(reading: ReadingWatch) -> Table:
        at_once[0] += 1
        most[0] = max(most[0], at_once[0])
        gate.wait(30.0)
        at_once[0] -= 1
        raise IntakeError("enough")

    loadings = [loading_panel.reading(wait) for _ in range(loading_panel.PLACES.most + 2)]
    stopped = loadings[-1]
    stopped.stop()
    assert stopped.done(10.0), "One that waits for its turn can be stopped too."
    gate.set()
    assert all(loading.done(30.0) for loading in loadings)
    assert most[0] == loading_panel.PLACES.most
