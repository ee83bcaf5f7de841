"""Whatever file is brought: it is read as it stands or refused in words, within a gigabyte; nothing else suffers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from dpengine.data import NumberColumn, RowCount, Schema, Table, TextColumn
from dpengine.data.files import child_process
from dpengine.data.files.cells import Cells
from dpengine.data.files.file_cells import batches_of
from dpengine.data.files.file_form import FileForm
from dpengine.data.files.limits import MEMORY_BYTES, SECONDS
from dpengine.data.files.reading import ReadingWatch
from dpengine.data.intake.table_intake import cells_of
from dpengine.errors import IntakeError
from tests.contracts.engines.hostile_binaries import BINARIES
from tests.contracts.engines.hostile_files import TEXT
from tests.running.cases import each
from tests.servers.server import ROOT
from tests.unit.data.reading import LINES, table_of

KINDS = {**TEXT, **BINARIES}
FILES = {f"{kind}: {name}": file for kind, files in KINDS.items() for name, file in files.items()}
BURSTING = {
    "compression bombs: a gigabyte of zeros",
    "Parquet bombs: a hundred gigabytes",
    "Parquet bombs: eight gigabytes in one batch",
    "Parquet bombs: 200 columns of one value",
    "Excel bombs: a sheet of spaces",
    "Excel bombs: a directory that lies",
    "Excel bombs: a last row far below",
    "long lines: ninety megabytes without an end",
}
"""Each way to fill memory: these files get a child of their own, and under -m slow every file does.

The others must be refused before they fill it: the one child that reads them all would end with them.
"""
ALONE = [pytest.param(name, marks=() if name in BURSTING else pytest.mark.slow, id=name) for name in FILES]
TOGETHER = [name for name in FILES if name not in BURSTING]
OURS = Path(f"/proc/{os.getpid()}")
GIGABYTE = 10**9
ROOM = 900 * 10**6
"""What a child may fill of its address space; the rest of a gigabyte is left for this process."""


def amount(process, name):
    """One line of what the system says about a process, in bytes; 0 once it has ended."""
    try:
        told = re.search(rf"{name}:\s+(\d+) kB", (process / "status").read_text())
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(told[1]) * 1024 if told else 0


class Peaks(threading.Thread):
    """The largest memory that this process gains, and that any child of it has, while something runs.

    The system's own account of dead children will not do: it begins with the size of the process that started them.
    """

    def __init__(self):
        super().__init__(daemon=True)
        self.children, self._before, self._over = 0, amount(OURS, "VmRSS"), threading.Event()
        self.growth = 0
        self._parent = threading.get_native_id()
        self._others = self._living()

    def run(self):
        while not self._over.wait(0.01):
            for child in self._living() - self._others:
                process = Path(f"/proc/{child}")
                if self._has_begun(process):
                    self.children = max(self.children, amount(process, "VmHWM"))
            self.growth = max(self.growth, amount(OURS, "VmRSS") - self._before)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self.join()

    def _living(self):
        """Children of the thread that watches; databases of other tests may be among them."""
        return set((OURS / f"task/{self._parent}/children").read_text().split())

    @staticmethod
    def _has_begun(process):
        """Until it runs a program of its own, a child has the memory of this process."""
        try:
            return (process / "cmdline").read_bytes() != (OURS / "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            return False


@pytest.fixture(scope="module")
def standing():
    table = table_of(*LINES)
    yield table
    table.close()


def test_there_are_enough_of_each_kind():
    assert len(FILES) >= 60
    assert {kind for kind, files in KINDS.items() if len(files) < 4} == set()
    assert set(FILES) >= BURSTING


@pytest.mark.timeout(6 * SECONDS)
@pytest.mark.parametrize("name", ALONE)
def test_a_hostile_file_hurts_nobody(name, standing):
    file = FILES[name]
    content = file.build()
    with Peaks() as peaks:
        found, sentence = read(content, FileForm(**file.options))
    require_read_or_refused(file, found, sentence)
    assert peaks.children < ROOM
    assert peaks.children + peaks.growth < GIGABYTE
    assert standing.run(RowCount()).tolist() == [3], "the table that was there before"


@pytest.fixture(scope="module")
def together():
    """What one child, with no more room than that of a single file, says of all other files, and its largest size."""
    begin = (
        f"import runpy, sys; runpy.run_path({str(child_process._CHILD)!r})['_open_rooms'](sys.path);"
        "runpy.run_module('tests.contracts.engines.hostile_reading', run_name='__main__')"
    )
    command = [sys.executable, "-c", begin, *TOGETHER]
    small = os.environ | child_process._SMALL
    said = subprocess.run(
        command, cwd=ROOT, env=small, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stderr[-2000:]
    return json.loads(said.stdout)


@pytest.mark.timeout(6 * SECONDS)
@each("name", TOGETHER)
def test_a_hostile_file_is_read_as_it_stands_or_refused_in_words(name, together):
    found, sentence = together["files"][name]
    require_read_or_refused(FILES[name], [tuple(row) for row in found], sentence)


@pytest.mark.timeout(6 * SECONDS)
def test_none_of_them_takes_more_than_a_child_may(together):
    assert 10**7 < together["peak"] < ROOM


@pytest.mark.parametrize(
    "name",
    [
        "wrong encodings: letters beyond the basic plane",
        "broken Parquet: letters that are none",
        "broken Excel: an entity from outside",
    ],
)
def test_the_control_a_child_of_its_own_says_the_same(name, together):
    found, sentence = read(FILES[name].build(), FileForm(**FILES[name].options))
    assert [[list(row) for row in found], sentence] == together["files"][name]


def require_read_or_refused(file, found, sentence):
    if file.rows is None:
        assert re.search(file.refused, sentence), sentence or found[:5]
        assert len(sentence) < 600
    else:
        assert found == file.rows, sentence


def read(content, form):
    """The rows, the header first, or the sentence of the refusal."""
    try:
        cells = cells_of(content, form, reading=ReadingWatch())
    except IntakeError as refusal:
        return [], str(refusal)
    return [cells.names, *zip(*(column.to_pylist() for column in cells.columns), strict=True)], ""


@each("name", [f"{kind}: {name}" for kind in ("numbers beyond range", "types that change late")
                                  for name in TEXT[kind]])  # fmt: skip
def test_cells_that_are_no_numbers_are_counted_wherever_they_stand(name):
    file = FILES[name]
    written = file.rows or []
    table = table_here(file.build(), Schema(name="t", columns=(NumberColumn(name="x", lower=0, upper=10),)))
    assert table.intake_report.columns[0].misfits == file.misfits
    assert table.run(RowCount()).tolist() == [len(written) - 1]
    table.close()


def test_a_column_may_have_any_printable_name():
    names = tuple(TEXT["paths and markup"])
    read = [batches_of(TEXT["paths and markup"][name].build(), form=FileForm(), ending="") for name in names]
    cells = Cells.of(names, [Cells.gathered(one).columns[0] for one in read])
    table = Table.of_cells(cells, schema=Schema(name="t", columns=tuple(TextColumn(name=name) for name in names)))
    assert tuple(column.name for column in table.intake_report.columns) == names
    assert table.run(RowCount()).tolist() == [1]
    table.close()


def table_here(content, schema):
    """Text that bursts nothing, parsed by this process."""
    cells = Cells.gathered(batches_of(content, form=FileForm(), ending=""))
    return Table.of_cells(cells, schema=schema)


def test_the_control_a_child_that_grows_is_seen():
    for grown in (0, 3 * 10**8):
        with Peaks() as peaks:
            subprocess.run([sys.executable, "-c", f"import time; x = b'x' * {grown}; time.sleep(0.2)"], check=True)
        assert max(grown, 1) <= peaks.children < grown + 10**8


def test_the_control_this_process_is_seen_to_grow():
    with Peaks() as peaks:
        held = b"x" * (2 * 10**8)
        threading.Event().wait(0.2)
    assert len(held) <= peaks.growth + 10**7


def test_no_child_can_grow_beyond_its_limit():
    assert MEMORY_BYTES <= 1024**3
