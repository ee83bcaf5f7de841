"""A file as read: every cell is the text that the file has, without the spaces around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpengine.data.declared.columns import NAME_LIMIT
from dpengine.data.files.file_form import UNSAID, FileForm
from dpengine.data.files.layout import NOTHING_LEFT_OUT, LeftOut
from dpengine.data.files.limits import COLUMNS, DECODED_BYTES, LINE_BYTES, ROWS, require_at_most
from dpengine.data.files.notation import Notation
from dpengine.errors import IntakeError
from dpengine.seen_text import look, read_alike

SEPARATOR = "\x1f"
"""Stands between the cells of a row in its content, so no cell may hold it."""
HEADER_MISSING = " Is the header line missing?"
_VALUE = re.compile(r"[-+]?\d[\d.,:/-]*")
_FORBIDDEN = (("\0", "NUL"), (SEPARATOR, "unit separator"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CellBatches:
    """A file while it is read: its names, then batches of rows with the share of the file that they end at.

    A batch is one Arrow array of text for each name; `form` is how the file was read, with nothing left open that it
    was looked into for; `sheets` are the names of a workbook's sheets, `groups` the columns of each of a sheet's tables
    that stand side by side, `stored` what a file with types says of each column: boolean, whole number, number, date
    or nothing.
    """

    names: tuple[str, ...]
    batches: Iterable[tuple[float, Sequence[pa.Array]]]
    form: FileForm = UNSAID
    left_out: LeftOut = NOTHING_LEFT_OUT
    sheets: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    stored: tuple[str, ...] = ()

    def tidy(self) -> Iterator[tuple[float, list[pa.Array]]]:
        """The batches without surrounding spaces; raises IntakeError as soon as a limit is passed."""
        rows = size = 0
        for share, columns in self.batches:
            rows, size = rows + len(columns[0]), size + sum(column.nbytes for column in columns)
            require_at_most("The file", rows, ROWS, "rows")
            require_at_most("The decoded file", size, DECODED_BYTES, "bytes")
            yield share, [_tidy(name, column) for name, column in zip(self.names, columns, strict=True)]
        if rows == 0:
            raise IntakeError("The file has a header but no rows.")


@dataclass(frozen=True, slots=True)
class Cells:
    """Column names in the file's order, and one Arrow column of text for each, in which "" is a missing cell.

    The rest is as in CellBatches.
    """

    names: tuple[str, ...]
    columns: tuple[pa.ChunkedArray, ...]
    form: FileForm = UNSAID
    left_out: LeftOut = NOTHING_LEFT_OUT
    sheets: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    stored: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Sequence[str], columns: Sequence[pa.ChunkedArray]) -> Cells:
        """Cells without surrounding spaces; raises IntakeError where a limit is passed or nothing can be read."""
        batch = (1.0, [column.combine_chunks() for column in columns])
        return cls.gathered(CellBatches(names=require_names(names), batches=[batch]))

    @classmethod
    def gathered(cls, read: CellBatches) -> Cells:
        """All batches of a file, read in this process: for files that come with the project."""
        batches = [columns for _, columns in read.tidy()]
        columns = tuple(pa.chunked_array(chunks) for chunks in zip(*batches, strict=True))
        return cls(read.names, columns, read.form, read.left_out, read.sheets, read.groups, read.stored)

    @property
    def notation(self) -> Notation:
        """How its numbers and days are written."""
        return self.form.notation

    @property
    def rows(self) -> int:
        """How many rows the file has."""
        return len(self.columns[0])

    def first(self, rows: int) -> Cells:
        """The first of its rows, or all where it has no more."""
        return replace(self, columns=tuple(column.slice(0, rows) for column in self.columns))

    def blanks(self, name: str) -> int:
        """How many cells of a column are empty."""
        return int(pc.sum(pc.equal(self.columns[self.names.index(name)], "")).as_py() or 0)

    def arrow(self) -> pa.Table:
        """The cells under names that no file can choose: cell_0, cell_1 and so on."""
        return pa.table(list(self.columns), names=[place(i) for i in range(len(self.names))])


def place(index: int) -> str:
    """The name under which an engine sees the column at this place of the file."""
    return f"cell_{index}"


def named_places(header: Sequence[str]) -> tuple[int, ...]:
    """The columns that have a name; raises IntakeError where none has, or where values stand in the header."""
    named = tuple(i for i, name in enumerate(header) if name.strip())
    if not named:
        raise IntakeError("No column of the header has a name.")
    if len(named) < len(header) and _like_values(header):
        unnamed = next(i for i in range(len(header)) if i not in named)
        raise IntakeError(f"Column {unnamed + 1} of the header has no name.{HEADER_MISSING}")
    return named


def _like_values(names: Sequence[str]) -> bool:
    """A number or a date is rarely a name."""
    return any(_VALUE.fullmatch(name.strip()) for name in names)


def require_names(names: Sequence[str]) -> tuple[str, ...]:
    """The header without surrounding spaces; raises IntakeError where a name is empty, too long or there twice."""
    require_at_most("The file", len(names), COLUMNS, "columns")
    if not names:
        raise IntakeError("The file has no columns.")
    tidy = tuple(name.strip() for name in names)
    fault = next(filter(None, map(_fault, range(1, len(tidy) + 1), tidy)), None) or _repetition(tidy)
    if fault is not None:
        raise IntakeError(fault + (HEADER_MISSING if _like_values(tidy) else ""))
    return tidy


def _fault(number: int, name: str) -> str | None:
    """What is wrong with the name at this place of the header, from 1, if anything is."""
    if not name:
        return f"Column {number} of the header has no name."
    if len(name) > NAME_LIMIT:
        return f"The name of column {number} has {len(name):,} characters; at most {NAME_LIMIT} are read."
    if not look(name):
        return f"The name of column {number} shows nothing."
    if not name.isprintable():
        return f"The name of column {number} has a character that cannot be printed: {name!r}."
    return None


def _repetition(names: tuple[str, ...]) -> str | None:
    alike = read_alike(names)
    if alike is None:
        return None
    if len({name.casefold() for name in alike}) == 1:
        return f"Two columns have the same name: {alike[0]!r} and {alike[1]!r} (upper and lower case count as equal)."
    return f"Two columns have names that read alike: {alike[0]!a} and {alike[1]!a}."


def _tidy(name: str, column: pa.Array) -> pa.Array:
    letters = column.buffers()[2]
    seen = np.frombuffer(letters if letters is not None else b"", dtype=np.uint8)
    for forbidden, called in _FORBIDDEN:
        if np.any(seen == ord(forbidden)) and pc.any(pc.match_substring(column, forbidden)).as_py():
            raise IntakeError(f"A cell of column {name!r} has the control character {called}, which is not read.")
    require_at_most(f"A cell of column {name!r}", pc.max(pc.binary_length(column)).as_py() or 0, LINE_BYTES, "bytes")
    return pc.utf8_trim_whitespace(column)
