"""Excel workbooks as cells: the stored value of each cell as the text that a CSV of the same sheet would have.

Formulas count as the value that was stored with them, error cells such as #DIV/0! as missing, hidden rows and columns
as any others; of merged cells the first has the value and the others are empty. Macros are never run.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

import pyarrow as pa
import python_calamine as calamine

from dpengine.data.cells import CellBatches, require_names
from dpengine.data.excel_extent import require_extent
from dpengine.data.excel_package import require_workbook
from dpengine.data.limits import COLUMNS, ROWS, require_at_most
from dpengine.errors import IntakeError

_BATCH_ROWS = 8192
_DAMAGED = "The Excel workbook cannot be read: it is damaged, or it is not what it claims to be."


def excel_batches(content: bytes, *, sheet: str | None = None) -> CellBatches:
    """The rows of a sheet, by default the first that is not hidden; raises IntakeError where there is no table.

    The header is the first row that holds anything; rows without any cell are left out, as blank lines of text are.
    """
    require_workbook(content)
    try:
        book = calamine.load_workbook(io.BytesIO(content))
        sheets = _sheets(book)
        name = _chosen(sheets, sheet)
        require_extent(content, name)
        chosen = book.get_sheet_by_name(name)
    except calamine.CalamineError:
        raise IntakeError(_DAMAGED) from None
    require_at_most("The sheet", chosen.width, COLUMNS, "columns")
    require_at_most("The sheet", chosen.height - 1, ROWS, "rows")
    rows = _rows(chosen)
    header = next(rows, None)
    if header is None:
        raise IntakeError(f"The sheet {chosen.name!r} is empty.")
    return CellBatches(names=require_names(header), batches=_batches(rows, chosen.height), sheets=sheets)


def _sheets(book: calamine.CalamineWorkbook) -> tuple[str, ...]:
    """The names of the sheets that have cells, those that are shown before the hidden ones."""
    known = [one for one in book.sheets_metadata if one.typ == calamine.SheetTypeEnum.WorkSheet]
    hidden = [one for one in known if one.visible != calamine.SheetVisibleEnum.Visible]
    return tuple(one.name for one in (*(one for one in known if one not in hidden), *hidden))


def _chosen(sheets: tuple[str, ...], asked: str | None) -> str:
    if not sheets:
        raise IntakeError("The Excel workbook has no sheet with cells.")
    if asked is not None and asked not in sheets:
        raise IntakeError(f"The workbook has no sheet {asked!r}; it has {', '.join(map(repr, sheets[:20]))}.")
    return sheets[0] if asked is None else asked


def _rows(sheet: calamine.CalamineSheet) -> Iterator[list[str]]:
    """Rows of text between the first and the last column that hold anything, without the rows that hold nothing."""
    for row in sheet.iter_rows():
        texts = [_TEXT[type(cell)](cell) for cell in row]
        if any(texts):
            yield texts


def _batches(rows: Iterator[list[str]], height: int) -> Iterator[tuple[float, Sequence[pa.Array]]]:
    """Columns of text, with the share of the sheet read so far."""
    gathered: list[list[str]] = []
    seen = 0
    for row in rows:
        gathered.append(row)
        if len(gathered) == _BATCH_ROWS:
            seen += len(gathered)
            yield min(seen / height, 1.0), _columns(gathered)
            gathered = []
    if gathered:
        yield 1.0, _columns(gathered)


def _columns(rows: list[list[str]]) -> list[pa.Array]:
    return [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]


def _number(cell: float) -> str:
    """The shortest text that is this number; whole numbers without a fraction.

    >>> _number(3.0), _number(0.1), _number(math.nan)
    ('3', '0.1', '')
    """
    return "" if math.isnan(cell) else repr(cell).removesuffix(".0")


def _moment(cell: datetime) -> str:
    return cell.isoformat(sep=" ").removesuffix(" 00:00:00")


def _duration(cell: timedelta) -> str:
    """Hours, which may be more than a day's, minutes and seconds."""
    seconds = round(cell.total_seconds())
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


_TEXT: Mapping[type, Callable[[Any], str]] = {
    str: str,
    int: str,
    float: _number,
    bool: lambda cell: "true" if cell else "false",
    date: date.isoformat,
    datetime: _moment,
    time: time.isoformat,
    timedelta: _duration,
}
