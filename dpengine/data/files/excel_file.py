"""Excel workbooks as cells: the stored value of each cell as the text that a CSV of the same sheet would have.

Formulas count as the value that was stored with them, error cells such as #DIV/0! as missing, hidden rows and columns
as any others; of cells merged side by side the first has the value, and the others are empty. Macros are never run.
"""

from __future__ import annotations

import io
import math
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
import python_calamine as calamine

from dpengine.data.files.cells import CellBatches, named_places, require_names
from dpengine.data.files.excel_extent import require_extent, uncomputed_formulas
from dpengine.data.files.excel_package import require_workbook
from dpengine.data.files.file_form import UNSAID, FileForm
from dpengine.data.files.first_look import settled
from dpengine.data.files.layout import NOTHING_LEFT_OUT, CellGrid, column_groups, left_out_of, letters, span
from dpengine.data.files.limits import COLUMNS, EXACT, ROWS, require_at_most
from dpengine.errors import IntakeError

_BATCH_ROWS = 8192
_DAMAGED = "The Excel workbook cannot be read: it is damaged, or it is not what it claims to be."


def excel_batches(content: bytes, form: FileForm = UNSAID, *, sample: bool = False) -> CellBatches:
    """The rows of a sheet, by default the first that is not hidden; raises IntakeError where there is no table.

    With `sample` what the form leaves open is as the sheet suggests, and what is left out is told; else the header is
    the first row that holds anything. Rows without any cell are left out, as blank lines of text are.
    """
    sheets, sheet = _opened(content, form.sheet)
    groups: tuple[str, ...] = ()
    left_out = NOTHING_LEFT_OUT
    if sample:
        grid = _grid(sheet)
        form, groups = settled(form, grid), column_groups(grid)
        left_out = replace(left_out_of(grid, form), uncomputed=uncomputed_formulas(content, sheet.name))
    first, _ = _span(sheet, form.columns)
    rows = (row for row, _ in _table(sheet, form))
    header = next(rows, None)
    if header is None:
        raise IntakeError(f"The sheet {sheet.name!r} {'has nothing from there on' if form.header else 'is empty'}.")
    places = named_places(header)
    names = require_names([header[i] for i in places])
    nameless = [letters(_offset(sheet) + first + i) for i in range(len(header)) if i not in places]
    filled = _filled(sheet, form) if sample else {}
    return CellBatches(
        names=names,
        batches=_batches(_but_the_last(rows, form.skip_last or 0), places, sheet.height),
        form=form,
        left_out=replace(
            left_out,
            nameless=tuple(nameless),
            filled={name: filled[i] for name, i in zip(names, places, strict=True) if i in filled},
        ),
        sheets=sheets,
        groups=groups,
    )


def _opened(content: bytes, asked: str | None) -> tuple[tuple[str, ...], calamine.CalamineSheet]:
    """The names of the sheets, and the one that is read; raises IntakeError where it is damaged or too large."""
    require_workbook(content)
    try:
        book = calamine.load_workbook(io.BytesIO(content))
        sheets = _sheets(book)
        name = _chosen(sheets, asked)
        require_extent(content, name)
        sheet = book.get_sheet_by_name(name)
    except calamine.CalamineError:
        raise IntakeError(_DAMAGED) from None
    require_at_most("The sheet", sheet.width, COLUMNS, "columns")
    require_at_most("The sheet", sheet.height - 1, ROWS, "rows")
    return sheets, sheet


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


def _grid(sheet: calamine.CalamineSheet) -> CellGrid:
    grid = CellGrid(offset=_offset(sheet))
    for number, row, _ in _rows(sheet):
        grid.add(number, row)
    return grid


def _offset(sheet: calamine.CalamineSheet) -> int:
    """How many columns stand before the first that holds anything."""
    return 0 if sheet.start is None else sheet.start[1]


def _span(sheet: calamine.CalamineSheet, columns: str | None) -> tuple[int, int]:
    """The first and the last of the columns that are read, from the first that holds anything."""
    if columns is None:
        return 0, sheet.width
    first, last = (place - _offset(sheet) for place in span(columns))
    if last < 0 or first >= sheet.width or first > last:
        raise IntakeError(f"The sheet {sheet.name!r} has nothing in the columns {columns}.")
    return max(first, 0), last


def _table(sheet: calamine.CalamineSheet, form: FileForm) -> Iterator[tuple[list[str], Sequence[int]]]:
    """The header and the rows below it, to the last that holds anything, and which cells of each were filled."""
    first, last = _span(sheet, form.columns)
    for number, row, filled in _rows(sheet):
        if number >= (form.header or 1) and any(row[first : last + 1]):
            yield row[first : last + 1], [place - first for place in filled if first <= place <= last]


def _filled(sheet: calamine.CalamineSheet, form: FileForm) -> Counter[int]:
    """How many cells of each column have the value of a cell above, with which they are merged."""
    if not _merged_downwards(sheet):
        return Counter()
    filled = [places for _, places in _table(sheet, form)][1:]
    return Counter(place for places in filled[: len(filled) - (form.skip_last or 0)] for place in places)


def _rows(sheet: calamine.CalamineSheet) -> Iterator[tuple[int, list[str], list[int]]]:
    """Every row's number, its text, from the first to the last that holds anything, and which of its cells were filled.

    Of cells that are merged downwards each has the value, for it is said of all of their rows.
    """
    merged = _merged_downwards(sheet)
    last, value = [-1] * sheet.width, [""] * sheet.width
    for row, cells in enumerate(sheet.iter_rows()):
        texts = [_TEXT[type(cell)](cell) for cell in cells]
        filled = []
        if merged and any(texts):
            filled = [i for i, text in enumerate(texts) if row <= last[i] and value[i] and not text]
        for i in filled:
            texts[i] = value[i]
        for place, bottom in merged.get(row, ()):
            last[place], value[place] = bottom, texts[place]
        yield row + 1, texts, filled


def _merged_downwards(sheet: calamine.CalamineSheet) -> dict[int, list[tuple[int, int]]]:
    """Place and last row of the merged cells that begin in a row."""
    merged: dict[int, list[tuple[int, int]]] = {}
    for (top, left), (bottom, _) in sheet.merged_cell_ranges or ():
        place = left - _offset(sheet)
        if bottom > top and 0 <= place < sheet.width:
            merged.setdefault(top, []).append((place, bottom))
    return merged


def _but_the_last(rows: Iterator[list[str]], count: int) -> Iterator[list[str]]:
    held: deque[list[str]] = deque()
    for row in rows:
        held.append(row)
        if len(held) > count:
            yield held.popleft()


def _batches(
    rows: Iterator[list[str]], places: Sequence[int], height: int
) -> Iterator[tuple[float, Sequence[pa.Array]]]:
    """These columns as text, with the share of the sheet read so far."""
    gathered: list[list[str]] = []
    seen = 0
    for row in rows:
        gathered.append(row)
        if len(gathered) == _BATCH_ROWS:
            seen += len(gathered)
            yield min(seen / height, 1.0), _columns(gathered, places)
            gathered = []
    if gathered:
        yield 1.0, _columns(gathered, places)


def _columns(rows: list[list[str]], places: Sequence[int]) -> list[pa.Array]:
    return [pa.array([row[place] for row in rows], pa.string()) for place in places]


def _number(cell: float) -> str:
    """The shortest text that is this number; whole numbers without a fraction, where a workbook holds them exactly.

    >>> _number(3.0), _number(0.1), _number(math.nan), _number(2.0**53), _number(-0.0)
    ('3', '0.1', '', '9.007199254740992e+15', '0')
    """
    if EXACT <= abs(cell) < math.inf:
        return np.format_float_scientific(cell, trim="-")
    return "" if math.isnan(cell) else repr(cell + 0.0).removesuffix(".0")


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
