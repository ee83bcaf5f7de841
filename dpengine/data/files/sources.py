"""Where a file comes from: a path or bytes, within the upload limit, opened and never looked into here."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from dpengine.data.files.limits import require_at_most
from dpengine.errors import IntakeError, InvalidParameterError


@dataclass(frozen=True, slots=True)
class Source:
    """An open file at its beginning, and the ending of its name without .gz, in lower case."""

    file: IO[bytes]
    ending: str


@contextlib.contextmanager
def open_source(source: str | Path | bytes, *, most_bytes: int) -> Iterator[Source]:
    """The file, closed afterwards; raises IntakeError where there is none or it is too large."""
    if isinstance(source, bytes):
        require_at_most("The file", len(source), most_bytes, "bytes")
        with nameless_file() as file:
            file.write(source)
            file.seek(0)
            yield Source(file, "")
    elif isinstance(source, str | Path):
        with _opened(Path(source)) as file:
            require_at_most("The file", os.fstat(file.fileno()).st_size, most_bytes, "bytes")
            yield Source(file, _ending(Path(source)))
    else:
        raise InvalidParameterError("source", type(source).__name__, "a path, the bytes of a file or a table in memory")


def nameless_file() -> IO[bytes]:
    """An empty file that nobody else can open and that is gone once closed; in memory where there are such files."""
    if sys.platform == "linux":
        return os.fdopen(os.memfd_create("cells"), "w+b")
    return tempfile.TemporaryFile()  # type: ignore[unreachable,unused-ignore]


def _opened(path: Path) -> IO[bytes]:
    """A regular file, never through a reader that expands names."""
    try:
        if not path.is_file():
            raise IntakeError(f"There is no file {path.name!r}.")
        file = path.open("rb")
    except (OSError, ValueError):
        pass
    else:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file
        file.close()
    raise IntakeError("The file cannot be opened.")


def _ending(path: Path) -> str:
    return (path.with_suffix("") if path.suffix.lower() == ".gz" else path).suffix.lower()
