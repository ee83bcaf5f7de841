"""A file as read: every cell is the text that the file has, without the spaces around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from dpengine.data.columns import NAME_LIMIT
from dpengine.data.limits import COLUMNS, DECODED_BYTES, LINE_BYTES, ROWS, require_at_most
from dpengine.errors import IntakeError

SEPARATOR = "\x1f"
"""Stands between the cells of a row in its content, so no cell may hold it."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Column names in the file's order, and one Arrow column of text for each, in which "" is a missing cell."""

    names: tuple[str, ...]
    columns: tuple[pa.ChunkedArray, ...]

    @classmethod
    def of(cls, names: Sequence[str], columns: Sequence[pa.ChunkedArray]) -> Cells:
        """Cells without surrounding spaces; raises IntakeError where a limit is passed or nothing can be read."""
        tidy = require_names(names)
        rows = len(columns[0])
        if rows == 0:
            raise IntakeError("The file has a header but no rows.")
        require_at_most("The file", rows, ROWS, "rows")
        require_at_most("The decoded file", sum(column.nbytes for column in columns), DECODED_BYTES, "bytes")
        return cls(tidy, tuple(_tidy(name, column) for name, column in zip(tidy, columns, strict=True)))

    @property
    def rows(self) -> int:
        """How many rows the file has."""
        return len(self.columns[0])

    def blanks(self, name: str) -> int:
        """How many cells of a column are empty."""
        return int(pc.sum(pc.equal(self.columns[self.names.index(name)], "")).as_py())

    def arrow(self) -> pa.Table:
        """The cells under names that no file can choose: cell_0, cell_1 and so on."""
        return pa.table(list(self.columns), names=[place(i) for i in range(len(self.names))])


def place(index: int) -> str:
    """The name under which an engine sees the column at this place of the file."""
    return f"cell_{index}"


def require_names(names: Sequence[str]) -> tuple[str, ...]:
    """The header without surrounding spaces; raises IntakeError where a name is empty, too long or there twice."""
    require_at_most("The file", len(names), COLUMNS, "columns")
    tidy = tuple(name.strip() for name in names)
    for i, name in enumerate(tidy, start=1):
        if not name:
            raise IntakeError(f"Column {i} of the header has no name.")
        if len(name) > NAME_LIMIT:
            raise IntakeError(f"The name of column {i} has {len(name):,} characters; at most {NAME_LIMIT} are read.")
        if not name.isprintable():
            raise IntakeError(f"The name of column {i} has a character that cannot be printed: {name!r}.")
    _require_no_repetition(tidy)
    return tidy


def _require_no_repetition(names: tuple[str, ...]) -> None:
    first: dict[str, str] = {}
    for name in names:
        if name.casefold() in first:
            raise IntakeError(
                f"Two columns have the same name: {first[name.casefold()]!r} and {name!r} "
                "(upper and lower case count as equal)."
            )
        first[name.casefold()] = name


def _tidy(name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    for forbidden, called in (("\0", "NUL"), (SEPARATOR, "unit separator")):
        if pc.any(pc.match_substring(column, forbidden)).as_py():
            raise IntakeError(f"A cell of column {name!r} has the control character {called}, which is not read.")
    require_at_most(f"A cell of column {name!r}", pc.max(pc.binary_length(column)).as_py(), LINE_BYTES, "bytes")
    return pc.utf8_trim_whitespace(column)
