"""Files are parsed by a process of their own: bounded, heard, stopped, and gone afterwards."""

import codecs
import gzip
import itertools
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pytest

from dpengine.data import RowCount, read_table
from dpengine.data.files import child_process
from dpengine.data.files.child_process import Task, read_apart
from dpengine.data.files.file_form import FileForm
from dpengine.data.files.limits import DECODED_BYTES
from dpengine.data.files.reading import ReadingWatch
from dpengine.data.files.sources import nameless_file
from dpengine.errors import IntakeError
from tests.examples.workbooks import workbook
from tests.unit.data.reading import LINES, PEOPLE

SMALL = "\n".join(LINES).encode()
LARGE = b"name,age,city\n" + b"ann,31,Rome\n" * 1_500_000


def apart(content, reading=None, form=FileForm(), **limits):  # noqa: B008 - frozen
    with nameless_file() as file:
        file.write(content)
        file.seek(0)
        return read_apart(file, Task(form=form, **limits), reading or ReadingWatch())


@pytest.fixture
def left_behind(tmp_path, monkeypatch):
    """Children and open files of this process, and nameless or temporary files, beyond those before the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    def seen():
        ours = Path(f"/proc/{os.getpid()}")
        children = (ours / f"task/{os.getpid()}/children").read_text().split()
        opened = map(target, list((ours / "fd").iterdir()))
        files = [
            of for of in opened if of.startswith((str(tmp_path), "/memfd:", "pipe:"))
        ]  # other threads have theirs elsewhere
        return {*children, *files, *Path(tempfile.gettempdir()).iterdir()}

    def target(descriptor):
        try:
            return f"{descriptor.readlink()} {descriptor.stat().st_ino}"  # files without a name share one
        except FileNotFoundError:
            return ""  # closed since, as the one of this look itself

    before = seen()
    return lambda: seen() - before


@pytest.fixture
def another_file_that_is_open():
    with nameless_file():
        yield


def test_the_control_a_file_left_open_is_seen(another_file_that_is_open, left_behind):
    with nameless_file():
        assert left_behind()
    assert not left_behind()


@pytest.mark.parametrize(
    "content",
    [SMALL, gzip.compress(SMALL), workbook(["name", "age", "city"], *(["ann", 31, "Rome"],) * 3)],
    ids=["csv", "gzip", "xlsx"],
)
def test_this_process_never_parses(monkeypatch, content, left_behind):
    from dpengine.data.files import csv_text, excel_package, file_cells, gzip_file

    def fail(*args, **kwargs):
        raise AssertionError

    for module, name in (
        (csv_text, "csv_batches"),
        (gzip_file, "unpacked"),
        (file_cells, "batches_of"),
        (excel_package, "require_workbook"),
    ):
        monkeypatch.setattr(module, name, fail)
    with pytest.raises(AssertionError):
        file_cells.batches_of(content, form=FileForm(), ending="")
    assert apart(content).rows == 3
    assert not left_behind()


def test_a_child_starts_without_the_engines():
    code = (
        f"import runpy, sys; runpy.run_path({str(child_process._CHILD)!r})['_open_rooms']([]);"
        "from dpengine.data.files import excel_file, file_cells, parquet_file; import pyarrow;"
        "pyarrow.array(['a cell']), pyarrow.scalar('');"
        "print([name for name in ('ibis', 'duckdb', 'pandas', 'streamlit', 'scipy', 'sqlglot') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_too_little_memory_is_named_and_nothing_is_left_behind(left_behind):
    with pytest.raises(
        IntakeError, match=r"takes more than 420,000,000 bytes of memory: .* 268,435,456 bytes that are read"
    ):
        apart(
            gzip.compress(b"a,b\n" + b"1,2\n" * 10**6, 1) + gzip.compress(b"1,2\n" * 10**6, 1) * 49, memory=420_000_000
        )
    assert apart(SMALL, memory=420_000_000).rows == 3, "the control"
    assert not left_behind()


def test_too_little_time_is_named_and_nothing_is_left_behind(left_behind):
    with pytest.raises(IntakeError, match="takes more than 0 seconds"):
        apart(LARGE, seconds=0)
    assert not left_behind()


@pytest.mark.parametrize(
    "encoding, written, mark",
    [
        pytest.param("utf-8", "utf-8", b"", marks=pytest.mark.slow),
        pytest.param("utf-8", "utf-8", codecs.BOM_UTF8, marks=pytest.mark.slow),
        ("utf-16", "utf-16-le", codecs.BOM_UTF16_LE),
    ],
)
def test_the_largest_text_fits_in_the_memory_of_a_child(encoding, written, mark):
    line = ("0123456789" * 20 + "\n").encode(written)
    rows = (DECODED_BYTES - 2**24) // len(line) // 100
    content = gzip.compress(mark + "a\n".encode(written)) + gzip.compress(line * rows) * 100
    assert apart(content, form=FileForm(encoding=encoding)).rows == 100 * rows


def test_the_person_hears_how_far_it_is():
    heard = []
    table = read_table(SMALL, schema=PEOPLE, reading=ReadingWatch(progress=lambda *told: heard.append(told)))
    assert table.run(RowCount()).tolist() == [3]
    shares = [share for share, _ in heard]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == 1
    assert [stage for i, (_, stage) in enumerate(heard) if heard[i - 1][1] != stage] == [
        "Opening the file",
        "Reading the cells",
        "Casting the cells",
        "Storing the rows",
        "Counting what does not fit",
        "Ready",
    ]


def test_what_a_child_says_is_heard_while_it_works(monkeypatch, tmp_path):
    child = tmp_path / "child.py"
    child.write_text(
        "import sys, time\nfor x in (0.0, 0.25, 0.75): print(x, file=sys.stderr, flush=True); time.sleep(2)"
    )
    monkeypatch.setattr(child_process, "_CHILD", child)
    heard = []

    def progress(share, _):
        heard.append(share)
        if share == 0.375:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), nameless_file() as file:
        read_apart(file, Task(form=FileForm()), ReadingWatch(progress=progress), share=0.5)
    assert sorted(set(heard)) == [0, 0.125, 0.375], "half of what the child says"


def test_a_person_stops_it(left_behind):
    asked = []

    def cancelled():
        asked.append(time.monotonic())
        return len(asked) > 4

    with pytest.raises(IntakeError, match=r"^Reading was stopped\.$"):
        read_table(LARGE, schema=PEOPLE, reading=ReadingWatch(cancelled=cancelled))
    assert len(asked) == 5
    assert max(later - earlier for earlier, later in itertools.pairwise(asked)) < 2, "0.05 where nobody else works"
    assert not left_behind()


def test_a_person_who_stops_at_the_end_gets_no_table(left_behind):
    stages = []
    with pytest.raises(IntakeError, match="Reading was stopped"):
        read_table(
            SMALL,
            schema=PEOPLE,
            reading=ReadingWatch(
                progress=lambda _, stage: stages.append(stage), cancelled=lambda: "Casting" in str(stages)
            ),
        )
    assert stages[-1] == "Casting the cells"
    assert not left_behind()


def test_whatever_ends_this_process_ends_the_child(left_behind):
    def interrupted(share, stage):
        if stage == "Reading the cells":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_table(LARGE, schema=PEOPLE, reading=ReadingWatch(progress=interrupted))
    assert not left_behind()


def test_a_child_that_dies_is_told_apart_from_a_file_that_is_wrong(monkeypatch, tmp_path):
    for code, sentence in (
        ("import os; os.abort()", "bytes of memory"),
        ("import os; os.kill(os.getpid(), 9)", "bytes of memory"),
        ("raise ImportError", "does not start"),
        ("print('x'); import sys; print(0.0, file=sys.stderr); raise ValueError", "may be damaged"),
        ("print('x' * 10**6); import sys; sys.stderr.write('secret\\n' * 20_000); sys.exit(3)", "does not start"),
        ("import signal, os; os.kill(os.getpid(), signal.SIGSEGV)", "does not start"),
        ("import signal, os; os.kill(os.getpid(), signal.SIGXCPU)", "more than 20 seconds"),
        ("import time; time.sleep(100)", "more than 1 seconds"),
    ):
        child = tmp_path / "child.py"
        child.write_text(code)
        monkeypatch.setattr(child_process, "_CHILD", child)
        with pytest.raises(IntakeError, match=sentence):
            apart(SMALL, seconds=1 if "sleep" in code else 20)


def test_a_child_knows_no_secret_of_the_server(monkeypatch, tmp_path):
    monkeypatch.setenv("DATABASE_PASSWORD", "hunter2")
    child = tmp_path / "child.py"
    child.write_text("import os, sys, json; sys.stderr.write(json.dumps(' '.join(os.environ)) + chr(10)); sys.exit(1)")
    monkeypatch.setattr(child_process, "_CHILD", child)
    with pytest.raises(IntakeError) as told:
        apart(SMALL)
    assert "PASSWORD" not in str(told.value)
    assert "OMP_NUM_THREADS" in str(told.value), "the control"


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_no_command_line_names_a_sheet(monkeypatch, tmp_path):
    """Every account of the machine reads it. The control: the child's variables, which its own account alone reads."""
    child = tmp_path / "child.py"
    child.write_text("import sys\nprint(0.0, file=sys.stderr, flush=True)\nsys.stdin.read()")
    monkeypatch.setattr(child_process, "_CHILD", child)
    reading, writing = os.pipe()
    task = Task(form=FileForm(sheet="HIV positive"))
    with (
        os.fdopen(reading, "rb") as file,
        nameless_file() as answer,
        child_process._child(file, answer, task) as (one, told),
    ):
        while not told._begun:
            assert one.poll() is None
        command, variables = (Path(f"/proc/{one.pid}/{name}").read_bytes() for name in ("cmdline", "environ"))
        os.close(writing)
    assert b"child.py" in command
    assert b"HIV positive" not in command
    assert b"HIV positive" in variables


def test_the_cells_are_where_the_child_wrote_them():
    before = pa.total_allocated_bytes()
    cells = apart(LARGE)
    assert cells.rows == 1_500_000
    assert pa.total_allocated_bytes() - before < 2**20, "not copied"
