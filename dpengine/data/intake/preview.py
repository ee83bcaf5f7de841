"""A first look at a file, to fill in the schema form: names, a few rows, and guesses of the kinds; never bounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Unpack

from dpengine.data.declared.columns import BooleanColumn
from dpengine.data.files.cells import Cells
from dpengine.data.files.encodings import TELLING
from dpengine.data.files.file_form import UNSAID, FileForm, Written
from dpengine.data.files.layout import NOTHING_LEFT_OUT, LeftOut
from dpengine.data.files.notation import PLAIN, Notation, written_day
from dpengine.data.files.reading import UNWATCHED, ReadingWatch
from dpengine.data.intake.likely_identifiers import CATEGORIES, may_name_people, names_a_measure
from dpengine.data.intake.proposing import settled_notation
from dpengine.data.intake.table_intake import cells_of
from dpengine.errors import named

SAMPLE_ROWS = 1000
_RARELY = 0.1
_NOTHING = {
    "n/a",
    "na",
    "#n/a",
    "nan",
    "null",
    "none",
    "nil",
    "-",
    "--",
    "–",
    "—",
    "?",
    ".",
    "unknown",
    "missing",
    "k.a.",
}
_WORDS = BooleanColumn(name="any")


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

    `form` is how the file was read, with what was left open as its content suggests: give it to read_table, or correct
    it. `doubts` are cells that may be read in two ways, `letters` is a text that tells whether the proposed encoding is
    the right one where the bytes do not; `left_out` is what is not read as the table, `sheets` are those of a workbook,
    and `groups` the columns of each of the tables that stand side by side on one.
    """

    columns: tuple[ColumnGuess, ...]
    rows: tuple[tuple[str, ...], ...]
    sampled: int
    form: FileForm = UNSAID
    doubts: tuple[str, ...] = field(default=(), repr=False)
    letters: str = field(default="", repr=False)
    left_out: LeftOut = NOTHING_LEFT_OUT
    sheets: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    sample: Cells | None = field(default=None, repr=False, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def seen(self) -> str:
        """The rows of the sample, in words; a file of as many rows as are looked at may go on, as far as is known.

        How many rows the whole table has is not said: that is an exact value, which nobody asked for.
        """
        if self.left_out.cut or self.sampled >= SAMPLE_ROWS:
            return f"the first {self.sampled:,} rows"
        return "all rows"

    @property
    def warning(self) -> str:
        """The sentence that stands beside the guesses."""
        return (
            f"These kinds and categories are guesses from {self.seen}. What you declare is public: "
            "confirm only what may be known without looking at the data."
        )

    def __repr__(self) -> str:
        return f"Preview({len(self.columns)} columns)"


@named
def preview(
    source: str | Path | bytes,
    *,
    reading: ReadingWatch = UNWATCHED,
    upload_megabytes: int | None = None,
    rows: int = 20,
    **written: Unpack[Written],
) -> Preview:
    """Names, the first rows and guesses, from at most 1,000 rows; raises IntakeError as read_table does.

    `written` is what read_table takes. What is not said of the file is proposed from its content, and said in the
    preview's `form`. Of a large text only the beginning is read: what is wrong further on is not seen here.
    """
    form = FileForm(**written)
    cells = cells_of(source, form, reading=reading, upload_megabytes=upload_megabytes, sample=SAMPLE_ROWS)
    reading.tell(1.0, "Ready")
    return _seen(cells, rows, guessed=form.encoding is None and cells.form.encoding not in (None, *TELLING))


def _seen(cells: Cells, rows: int, *, guessed: bool) -> Preview:
    """What the first rows of these cells show, of which so many are shown themselves."""
    sample = [column.slice(0, SAMPLE_ROWS).to_pylist() for column in cells.columns]
    form, doubts = settled_notation(cells.form, sample)
    stored = cells.stored or ("",) * len(cells.names)
    return Preview(
        columns=tuple(guess(*one, notation=form.notation) for one in zip(cells.names, sample, stored, strict=True)),
        rows=tuple(zip(*(column[:rows] for column in sample), strict=True)),
        sampled=len(sample[0]),
        form=form,
        doubts=doubts,
        letters=_beyond_ascii(cells.names, sample) if guessed else "",
        left_out=cells.left_out,
        sheets=cells.sheets,
        groups=cells.groups,
        sample=replace(cells.first(SAMPLE_ROWS), form=form),
    )


def _beyond_ascii(names: Sequence[str], sample: Sequence[Sequence[str]]) -> str:
    """The first name or cell with a letter that encodings write differently."""
    return next((text for texts in (names, *sample) for text in texts if not text.isascii()), "")


def guess(name: str, cells: list[str], stored: str = "", notation: Notation = PLAIN) -> ColumnGuess:
    """The kind that it is stored as, else the first that nearly every cell fits which is not empty.

    Whole numbers may be anything, so where there are any, their values are looked at all the same.

    >>> guess("zip", ["02138", "02139", "02138"])
    ColumnGuess(name='zip', kind='category', categories=('02138', '02139'), rows_each=0.0)
    """
    written = [cell for cell in cells if cell]
    if stored == "whole number":
        stored = "" if written else "number"
    kinds = [kind for kind in _KINDS if kind != _IDENTIFIER or not names_a_measure(name)]
    kind = stored or next((kind for kind, fits in kinds if written and fits(written, notation)), "text")
    return ColumnGuess(
        name=name,
        kind=kind,
        categories=_categories(written) if kind == "category" else (),
        rows_each=len(written) / len(set(written)) if _may_name_people(name, kind, written) else 0.0,
    )


def _may_name_people(name: str, kind: str, written: list[str]) -> bool:
    """Text, or numbers that look as if they were given to people."""
    return bool(written) and (kind == "text" or (kind == "number" and may_name_people(name, written)))


def _is_boolean(cells: list[str], notation: Notation) -> bool:
    words = {cell.lower() for cell in cells}
    return len(words) == 2 and bool(words & set(_WORDS.true_words)) and bool(words & set(_WORDS.false_words))


def _is_date(cells: list[str], notation: Notation) -> bool:
    return _nearly_all(cells, lambda cell: written_day(cell, notation) is not None)


def _is_identifier(cells: list[str], notation: Notation) -> bool:
    """Whole numbers without repetition, as row and person numbers are."""
    return len(cells) > CATEGORIES and len(set(cells)) == len(cells) and all(re.fullmatch("[0-9]+", c) for c in cells)


def _is_number(cells: list[str], notation: Notation) -> bool:
    """Leading zeros mean a code, such as a zip, and not a number."""
    coded = any(re.match("0[0-9]", cell) for cell in cells)
    return not coded and _nearly_all(cells, lambda cell: re.search(notation.number, cell) is not None)


def _nearly_all(cells: list[str], fits: Callable[[str], bool]) -> bool:
    """Whether what does not fit is one cell in ten at the most; only words for nothing where there are few values."""
    others = [cell for cell in cells if not fits(cell)]
    few = len(set(cells)) <= CATEGORIES
    return len(others) <= _RARELY * len(cells) and not (few and {cell.lower() for cell in others} - _NOTHING)


def _is_category(cells: list[str], notation: Notation) -> bool:
    distinct = len(set(cells))
    return distinct <= CATEGORIES and distinct < len(cells)


def _categories(cells: list[str]) -> tuple[str, ...]:
    return tuple(sorted(set(cells)))


_IDENTIFIER = ("text", _is_identifier)
_KINDS: tuple[tuple[str, Callable[[list[str], Notation], bool]], ...] = (
    ("boolean", _is_boolean),
    ("date", _is_date),
    _IDENTIFIER,
    ("number", _is_number),
    ("category", _is_category),
)
