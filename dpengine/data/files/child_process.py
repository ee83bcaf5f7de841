"""Files are parsed in a process of their own, with limited memory and time: what bursts there hurts nobody here."""

from __future__ import annotations

import contextlib
import json
import logging
import mmap
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import IO

import pyarrow as pa

from dpengine.data.files.cells import Cells
from dpengine.data.files.file_form import FileForm
from dpengine.data.files.layout import LeftOut
from dpengine.data.files.limits import DECODED_BYTES, MEMORY_BYTES, SECONDS
from dpengine.data.files.reading import ReadingWatch
from dpengine.data.files.sources import nameless_file
from dpengine.errors import IntakeError

_CHILD = Path(__file__).with_name("parsing_child.py")
_KEPT = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "TEMP", "TMP", "TZ")
TASK = "TASK"
"""The variable that says what to do: a sheet's name may tell of people, and every account may read a command line."""
_SMALL = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "2",
    "OMP_NUM_THREADS": "2",
    "OPENBLAS_NUM_THREADS": "1",
}
_POLL = 0.05
_LINE = 2**16
_SIGXCPU = getattr(signal, "SIGXCPU", 0)
_OUT_OF_MEMORY = (-signal.SIGABRT, -getattr(signal, "SIGKILL", 9))
"""A library that is refused memory gives up; a system that has none left kills."""
_STAGE = "Reading the cells"
_DAMAGED = "The file cannot be read; it may be damaged."
_NOT_BEGUN = "No file can be read here: the process that reads files does not start. Tell the administrator."


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What a child is to do, and how much it may take; with `sample` it stops after that many rows."""

    form: FileForm
    ending: str = ""
    sample: int | None = None
    memory: int = MEMORY_BYTES
    seconds: int = SECONDS

    @property
    def too_large(self) -> str:
        return (
            f"Reading the file takes more than {self.memory:,} bytes of memory: its cells seem to have far more than "
            f"the {DECODED_BYTES:,} bytes that are read."
        )

    @property
    def too_slow(self) -> str:
        return f"Reading the file takes more than {self.seconds} seconds, the most that it may take."


def read_apart(file: IO[bytes], task: Task, reading: ReadingWatch, *, share: float = 1.0) -> Cells:
    """The cells of a file, parsed by a child; raises IntakeError with what is wrong in it, or the limit it passed.

    The child ends before this returns, whatever is raised; it is heard and may be stopped 20 times a second. When it is
    done the whole work has come as far as `share`.
    """
    with nameless_file() as answer:
        with _child(file, answer, task) as (child, told):
            until = time.monotonic() + task.seconds
            while not _ended(child):
                reading.tell(told.share * share, _STAGE)
                if time.monotonic() > until:
                    raise IntakeError(task.too_slow)
        if child.returncode != 0:
            raise IntakeError(told.reason(child.returncode, task))
        return _cells(answer)


class _Told:
    """What a child says while it works, gathered by a thread of its own: the child never waits for a listener."""

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        self.share, self._begun, self._refusal, self._burst, self._child = 0.0, False, "", False, child
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait until the last line is heard."""
        self._thread.join()

    def reason(self, code: int, task: Task) -> str:
        """Why it gave nothing: its own sentence, or the limit that ended it."""
        if self._refusal:
            return self._refusal
        logging.getLogger(__name__).warning("The process that reads files ended with code %d.", code)
        if code == -_SIGXCPU:
            return task.too_slow
        if self._burst or code in _OUT_OF_MEMORY:
            return task.too_large
        return _DAMAGED if self._begun else _NOT_BEGUN

    def _listen(self) -> None:
        for line in iter(partial(self._child.stderr.readline, _LINE), b""):  # type: ignore[union-attr]
            try:
                value = json.loads(line)
            except ValueError:
                continue  # a library's own last words, which may quote cells
            if isinstance(value, float | int):
                self._begun, self.share = True, float(value)
            elif isinstance(value, str):
                self._refusal = value
            self._burst = self._burst or value is None


@contextlib.contextmanager
def _child(file: IO[bytes], answer: IO[bytes], task: Task) -> Iterator[tuple[subprocess.Popen[bytes], _Told]]:
    """A running child and what it tells; it is dead, and heard to its last line, when this ends."""
    child = subprocess.Popen(  # noqa: S603 - our own interpreter and our own file
        [sys.executable, "-I", str(_CHILD)],
        stdin=file,
        stdout=answer,
        stderr=subprocess.PIPE,
        env={name: os.environ[name] for name in _KEPT if name in os.environ}
        | _SMALL
        | {TASK: json.dumps(asdict(task) | {"path": sys.path})},
    )
    with child:
        told = _Told(child)
        try:
            yield child, told
        finally:
            child.kill()
            told.join()


def _ended(child: subprocess.Popen[bytes]) -> bool:
    """Whether the child has ended, after waiting for a moment."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(_POLL)
        return True
    return False


def _cells(answer: IO[bytes]) -> Cells:
    """What the child wrote, without copying it."""
    mapped = mmap.mmap(answer.fileno(), 0, access=mmap.ACCESS_READ)
    table = pa.ipc.open_stream(pa.py_buffer(mapped)).read_all()
    told = json.loads(table.schema.metadata[b"told"])
    left_out = told["left_out"] | {"nameless": tuple(told["left_out"]["nameless"])}
    return Cells(
        names=tuple(table.column_names),
        columns=tuple(table.columns),
        form=FileForm(**told["form"]),
        left_out=LeftOut(**left_out),
        sheets=tuple(told["sheets"]),
        groups=tuple(told["groups"]),
        stored=tuple(told["stored"]),
    )
