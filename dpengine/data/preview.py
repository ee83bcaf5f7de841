"""A first look at a file, to fill in the schema form: names, a few rows, and guesses of the kinds; never bounds."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from dpengine.data.cells import Cells
from dpengine.data.columns import BooleanColumn
from dpengine.data.file_form import FileForm
from dpengine.data.intake import cells_of
from dpengine.data.notation import PLAIN, Notation, written_day
from dpengine.data.proposing import NOTHING_TO_PROPOSE, Proposal, proposed
from dpengine.data.reading import UNWATCHED, Reading
from dpengine.errors import named

SAMPLE_ROWS = 1000
CATEGORIES = 20
_WORDS = BooleanColumn(name="any")
_OF_PEOPLE = {
    *("id", "ids", "pid", "uid", "nr", "no", "number", "nummer", "person", "patient", "client", "customer", "member"),
    *("user", "subject", "respondent", "participant", "employee", "student", "household"),
}
"""Words in the names of columns whose numbers may be people's."""


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnGuess:
    """What a column may be: number, boolean, date, category (with the values seen) or text. A person confirms it.

    `rows_each`: in how many rows of the sample a value stands on average, where the column may name people; else 0.
    """

    name: str
    kind: str
    categories: tuple[str, ...] = ()
    rows_each: float = 0.0


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The first rows as text and a guess for each column, from a sample of `sampled` rows.

    `sheets` are those of a workbook, of which the first is read if none is chosen; `proposal` is how numbers and days
    seem to be written.
    """

    columns: tuple[ColumnGuess, ...]
    rows: tuple[tuple[str, ...], ...]
    sampled: int
    sheets: tuple[str, ...] = ()
    proposal: Proposal = NOTHING_TO_PROPOSE
    sample: Cells | None = field(default=None, repr=False, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def warning(self) -> str:
        """The sentence that stands beside the guesses."""
        return (
            f"These kinds and categories are guesses from the first {self.sampled:,} rows. What you declare is public: "
            "confirm only what may be known without looking at the data."
        )

    def __repr__(self) -> str:
        return f"Preview({len(self.columns)} columns)"


def preview(  # noqa: PLR0913 - a file and how it is written, in full
    source: str | Path | bytes,
    *,
    format: str | None = None,  # noqa: A002 - the same word as read_table's
    encoding: str = "utf-8",
    delimiter: str | None = None,
    decimal: str = ".",
    thousands: str = "",
    dates: str = "iso",
    sheet: str | None = None,
    reading: Reading = UNWATCHED,
    upload_megabytes: int | None = None,
    rows: int = 20,
) -> Preview:
    """Names, the first rows and guesses, from at most 1,000 rows; raises IntakeError as read_table does.

    Of a large text only the beginning is read, so that what is wrong further on is not seen here.
    """
    form = FileForm(
        format=format,
        encoding=encoding,
        delimiter=delimiter,
        decimal=decimal,
        thousands=thousands,
        dates=dates,
        sheet=sheet,
    )
    cells = cells_of(source, form, reading=reading, upload_megabytes=upload_megabytes, sample=SAMPLE_ROWS)
    reading.tell(1.0, "Ready")
    return _seen(cells, rows)


def _seen(cells: Cells, rows: int) -> Preview:
    """What the first rows of these cells show, of which so many are shown themselves."""
    sample = [column.slice(0, SAMPLE_ROWS).to_pylist() for column in cells.columns]
    return Preview(
        columns=tuple(guess(name, column, cells.notation) for name, column in zip(cells.names, sample, strict=True)),
        rows=tuple(zip(*(column[:rows] for column in sample), strict=True)),
        sampled=len(sample[0]),
        sheets=cells.sheets,
        proposal=proposed(sample),
        sample=cells.first(SAMPLE_ROWS),
    )


def guess(name: str, cells: list[str], notation: Notation = PLAIN) -> ColumnGuess:
    """The first kind that every cell fits which is not empty.

    >>> guess("zip", ["02138", "02139", "02138"])
    ColumnGuess(name='zip', kind='category', categories=('02138', '02139'), rows_each=0.0)
    """
    written = [cell for cell in cells if cell]
    kind = next((kind for kind, fits in _KINDS if written and fits(written, notation)), "text")
    return ColumnGuess(
        name=name,
        kind=kind,
        categories=_categories(written) if kind == "category" else (),
        rows_each=len(written) / len(set(written)) if _may_name_people(name, kind, written) else 0.0,
    )


def _may_name_people(name: str, kind: str, written: list[str]) -> bool:
    """Text, or many whole numbers under a name such as patient_id or Kundennr."""
    if kind == "number":
        whole = len(set(written)) > CATEGORIES and all(re.fullmatch("[0-9]+", cell) for cell in written)
        words = re.findall("[A-Z]?[a-z]+|[A-Z]+", name)
        return whole and any(word.lower() in _OF_PEOPLE or word.lower().endswith(("nr", "nummer")) for word in words)
    return kind == "text" and bool(written)


def _is_boolean(cells: list[str], notation: Notation) -> bool:
    words = {cell.lower() for cell in cells}
    return len(words) == 2 and bool(words & set(_WORDS.true_words)) and bool(words & set(_WORDS.false_words))


def _is_date(cells: list[str], notation: Notation) -> bool:
    return all(written_day(cell, notation) is not None for cell in cells)


def _is_identifier(cells: list[str], notation: Notation) -> bool:
    """Whole numbers without repetition, as row and person numbers are."""
    return len(cells) > CATEGORIES and len(set(cells)) == len(cells) and all(re.fullmatch("[0-9]+", c) for c in cells)


def _is_number(cells: list[str], notation: Notation) -> bool:
    """Leading zeros mean a code, such as a zip, and not a number."""
    return all(re.search(notation.number, cell) and not re.match("0[0-9]", cell) for cell in cells)


def _is_category(cells: list[str], notation: Notation) -> bool:
    distinct = len(set(cells))
    return distinct <= CATEGORIES and distinct < len(cells)


def _categories(cells: list[str]) -> tuple[str, ...]:
    return tuple(sorted(set(cells)))


_KINDS: tuple[tuple[str, Callable[[list[str], Notation], bool]], ...] = (
    ("boolean", _is_boolean),
    ("date", _is_date),
    ("text", _is_identifier),
    ("number", _is_number),
    ("category", _is_category),
)
