"""Where the table stands in an office's file: below titles, above totals, beside other tables. A person confirms it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dpengine.data.files.file_form import FileForm

_HEAD, _TAIL = 200, 50
"""Of so many rows at the beginning and at the end, and of those after a blank one, the text is looked at."""
_HEADER_WITHIN = 50
_SAID = 60
_NUMERIC = re.compile(r"[-+(]?[$€£]?\s?\d[\d.,:/ '%)-]*")
_TOTALS = re.compile(
    r"(grand |sub)?(totals?|sum|mean|average|summe|gesamt\w*|insgesamt|zwischensumme|mittelwert|durchschnitt|totale|"
    r"totaal|somme|moyenne|suma|promedio|media|итого|всего|合计|合計)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The header's row, from 1 as the file's own rows count; how many at the end are none of the table's; its columns.

    `columns` are the first and the last one, as "B:F"; None for all that have a name.
    """

    header: int = 1
    skip_last: int = 0
    columns: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """What of a file is not read as it stands: rows above the header and at the end, each with what the first says.

    `above_ends` is what the last of several rows above the header says, which may be a second row of names.
    `filled` says of how many cells of a column the value is that of a cell above, with which they are merged;
    `nameless` are the columns without a name in the header; `uncomputed` formulas were stored without their value;
    `cut` says that only the first part of a large text was looked at.
    """

    above: int = 0
    above_says: str = field(default="", repr=False)
    above_ends: str = field(default="", repr=False)
    below: int = 0
    below_says: str = field(default="", repr=False)
    filled: Mapping[str, int] = field(default_factory=dict, repr=False)
    nameless: tuple[str, ...] = ()
    uncomputed: int = 0
    cut: bool = False


NOTHING_LEFT_OUT = LeftOut()


@dataclass(slots=True)
class CellGrid:
    """Which cells of a file's rows hold anything: a bit for each, the first column's lowest; and the text of some rows.

    `offset` columns stand before the first that is looked at.
    """

    numbers: list[int] = field(default_factory=list)
    filled: list[int] = field(default_factory=list)
    texts: dict[int, Sequence[str]] = field(default_factory=dict)
    offset: int = 0

    def add(self, number: int, texts: Sequence[str]) -> None:
        """The next row, with the number that the file gives it; rows that hold nothing belong to it."""
        place = len(self.numbers)
        self.numbers.append(number)
        self.filled.append(sum(1 << i for i, text in enumerate(texts) if text))
        self.texts[place] = texts
        old = place - _TAIL
        if old >= _HEAD and all(self.filled[max(old - 2, 0) : old]):
            del self.texts[old]

    def within(self, mask: int) -> CellGrid:
        """These columns of it."""
        return replace(self, filled=[filled & mask for filled in self.filled])

    def below(self, header: int) -> CellGrid:
        """Its rows from the one with this number on."""
        begin = next((i for i, number in enumerate(self.numbers) if number >= header), len(self.numbers))
        return replace(
            self,
            numbers=self.numbers[begin:],
            filled=self.filled[begin:],
            texts={place - begin: texts for place, texts in self.texts.items() if place >= begin},
        )

    def mask(self, columns: str | None) -> int:
        """The bits of these columns, of all where there are none."""
        if columns is None:
            return -1
        first, last = (max(place - self.offset, -1) for place in span(columns))
        return (1 << last + 1) - (1 << max(first, 0))

    def cells(self, row: int) -> list[str]:
        """What the row at this place holds, where its text is known."""
        return [text for i, text in enumerate(self.texts.get(row, ())) if self.filled[row] >> i & 1]


def column_groups(grid: CellGrid) -> tuple[str, ...]:
    """The runs of columns that hold anything, as "A:C", where empty columns stand between several."""
    groups = [f"{letters(grid.offset + first)}:{letters(grid.offset + last)}" for first, last in _runs(grid)]
    return tuple(groups) if len(groups) > 1 else ()


def left_out_of(grid: CellGrid, form: FileForm) -> LeftOut:
    """What of a sheet is not read, under this form."""
    seen = grid.within(grid.mask(form.columns))
    rows = [row for row, filled in enumerate(seen.filled) if filled]
    above = [row for row, filled in enumerate(grid.filled) if filled and grid.numbers[row] < (form.header or 1)]
    below = rows[len(rows) - (form.skip_last or 0) :]
    return LeftOut(
        above=len(above),
        above_says=says(grid.cells(above[0]) if above else ()),
        above_ends=says(grid.cells(above[-1]) if above[1:] else ()),
        below=len(below),
        below_says=says(seen.cells(below[0]) if below else ()),
    )


def proposed_layout(grid: CellGrid, *, header: int | None = None, columns: str | None = None) -> Layout:
    """Where the largest table of a file seems to stand; what a person has said stays.

    >>> grid = CellGrid()
    >>> rows = [["Report", ""], ["", ""], ["name", "age"], ["Ann", "31"], ["Bob", "40"], ["Total", "71"]]
    >>> for number, row in enumerate(rows, start=1):
    ...     grid.add(number, row)
    >>> proposed_layout(grid)
    Layout(header=3, skip_last=1, columns=None)
    """
    columns = columns or _largest_group(grid)
    seen = grid.within(grid.mask(columns))
    seen = seen if header is None else seen.below(header)
    tables = list(_tables(seen))
    if not tables:
        return Layout(header=header or 1, columns=columns)
    table = tables[0] if header is not None else max(tables, key=lambda rows: len(rows) * _used(seen, rows).bit_count())
    top = table[0] if header is not None else _header(seen, table)
    last = _last(seen, [row for row in table if row >= top])
    return Layout(
        header=seen.numbers[top] if header is None else header,
        skip_last=sum(map(bool, seen.filled[last + 1 :])),
        columns=columns,
    )


def span(columns: str) -> tuple[int, int]:
    """The places of the first and the last column, from 0.

    >>> span("B:AA")
    (1, 26)
    """
    first, last = (_place(letters) for letters in columns.split(":"))
    return first, last


def letters(place: int) -> str:
    """What a spreadsheet calls the column at this place, from 0.

    >>> letters(0), letters(26)
    ('A', 'AA')
    """
    found = ""
    while place >= 0:
        place, last = place // 26 - 1, place % 26
        found = chr(ord("A") + last) + found
    return found


def says(cells: Sequence[str]) -> str:
    """What a row that is left out holds, as somebody would recognize it."""
    return " · ".join(cell for cell in cells if cell)[:_SAID]


def _place(name: str) -> int:
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _runs(grid: CellGrid) -> Iterator[tuple[int, int]]:
    """First and last column of each run of columns that hold anything."""
    anything, place = 0, 0
    for filled in grid.filled:
        anything |= filled
    while anything >> place:
        place += ((anything >> place) & -(anything >> place)).bit_length() - 1
        width = ((~(anything >> place)) & -(~(anything >> place))).bit_length() - 1
        yield place, place + width - 1
        place += width


def _largest_group(grid: CellGrid) -> str | None:
    """The columns of the largest of several tables side by side; None where the columns seem to be of one table."""
    groups = column_groups(grid)
    heights = {group: sum(1 for filled in grid.filled if filled & grid.mask(group)) for group in groups}
    if not groups or min(heights.values()) >= 0.8 * max(heights.values()):
        return None
    return max(groups, key=lambda group: heights[group] * grid.mask(group).bit_count())


def _tables(grid: CellGrid) -> Iterator[list[int]]:
    """The rows of each table: those without a blank row between, and those after one that go on as those before."""
    table: list[int] = []
    used = 0
    for run in _without_blanks(grid):
        if len(table) < 2 or not _goes_on(grid, used, run):
            if table:
                yield table
            table = []
        known = len(table) >= _HEAD
        table += run
        used = used if known else _used(grid, table)
    if table:
        yield table


def _without_blanks(grid: CellGrid) -> Iterator[list[int]]:
    run: list[int] = []
    for row, filled in enumerate(grid.filled):
        if filled:
            run.append(row)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _used(grid: CellGrid, rows: Sequence[int]) -> int:
    """The columns that hold something in at least half of the rows below the first, of which enough are looked at."""
    below = [grid.filled[row] for row in rows[1:_HEAD]] or [grid.filled[rows[0]]]
    width = max(filled.bit_length() for filled in below)
    return sum(1 << i for i in range(width) if 2 * sum(filled >> i & 1 for filled in below) >= len(below))


def _goes_on(grid: CellGrid, used: int, run: Sequence[int]) -> bool:
    """Whether the rows after a blank one are more of the table that uses these columns."""
    more = _used(grid, run)
    same = not more & ~used and 2 * more.bit_count() >= used.bit_count()
    return same and not _begins_with_a_header(grid, run)


def _begins_with_a_header(grid: CellGrid, run: Sequence[int]) -> bool:
    """Whether words stand above numbers."""
    first, second = (grid.texts.get(row, ()) for row in (run[0], run[min(1, len(run) - 1)]))
    words = [i for i in range(len(first)) if grid.filled[run[0]] >> i & 1]
    return not any(_NUMERIC.fullmatch(first[i]) for i in words) and any(
        _NUMERIC.fullmatch(second[i]) for i in words if i < len(second)
    )


def _header(grid: CellGrid, table: Sequence[int]) -> int:
    """The first row with different names above every column that the rows below it use."""
    candidates = [
        row
        for i, row in enumerate(table[:_HEADER_WITHIN])
        if i + 1 < len(table) and _names(grid, row, table[i : i + _HEAD])
    ]
    words = [row for row in candidates if not any(map(_NUMERIC.fullmatch, grid.cells(row)))]
    return next(iter(words or candidates), table[0])


def _names(grid: CellGrid, row: int, rows: Sequence[int]) -> bool:
    """Whether each used column but the first, which may hold the numbers of rows, has a name of its own."""
    unnamed = _used(grid, rows) & ~grid.filled[row]
    cells = [cell.casefold() for cell in grid.cells(row)]
    return not unnamed & (unnamed - 1) and unnamed in (0, _lowest(_used(grid, rows))) and len(set(cells)) == len(cells)


def _lowest(mask: int) -> int:
    return mask & -mask


def _last(grid: CellGrid, rows: Sequence[int]) -> int:
    """The last row that is neither a total nor a note below the table."""
    used = _used(grid, rows)
    for i in range(len(rows) - 1, 1, -1):
        cells = grid.cells(rows[i])
        note = used.bit_count() > 2 and len(cells) == 1 and grid.filled[rows[i]] == _lowest(used)
        if not note and not (cells and _TOTALS.match(cells[0])):
            return rows[i]
    return rows[min(1, len(rows) - 1)]
