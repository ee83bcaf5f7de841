"""What the first cells of a file suggest about how its numbers and days are written; a person confirms it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpengine.data.files.file_form import FileForm
from dpengine.data.files.notation import DATES, PLAIN, Notation, written_day

_CELLS = 200
"""As many different cells of a column as are looked at."""
_NEARLY_ALL = 0.9
"""A column of numbers or days may hold a few words, such as n/a."""
_MARKS = (("", "."), (",", "."), ("", ","), (".", ","), (" ", "."), (" ", ","), ("'", "."), ("'", ","))
"""Between thousands and before a fraction, the likelier first: 1,234 alone is more often a thousand than a fraction."""


def settled_notation(form: FileForm, columns: Sequence[Sequence[str]]) -> tuple[FileForm, tuple[str, ...]]:
    """The form with the notation that fits the most cells, where it is left open, of columns that it nearly fits.

    Behind it cells that another notation, which fits as many, reads otherwise. In doubt it is the plainest.

    >>> settled_notation(FileForm(format="csv"), [["1.212,72", "88,10"], ["31.12.2024", "01.02.2025"]])[0].notation
    Notation(decimal=',', thousands='.', dates='day first')
    """
    cells = [list(dict.fromkeys(filter(None, column)))[:_CELLS] for column in columns]
    doubts = []
    if form.format in ("csv", "tsv"):
        known = {"thousands": form.thousands, "decimal": form.decimal}
        by_marks = [replace(PLAIN, thousands=between, decimal=mark) for between, mark in _MARKS]
        best, doubt = _best([one for one in by_marks if _agrees(one, known)], cells, _number)
        form, doubts = replace(form, thousands=best.thousands, decimal=best.decimal), [doubt]
    if form.dates is None:
        best, doubt = _best([replace(PLAIN, dates=order) for order in DATES], cells, written_day)
        form, doubts = replace(form, dates=best.dates), [*doubts, doubt]
    return form, tuple(doubt for doubt in doubts if doubt is not None)


def _agrees(notation: Notation, known: Mapping[str, str | None]) -> bool:
    return all(value in (None, getattr(notation, name)) for name, value in known.items())


def _best(
    candidates: Sequence[Notation], columns: Sequence[Sequence[str]], read: Callable[[str, Notation], object]
) -> tuple[Notation, str | None]:
    """The first of those that fit the most cells, and a cell that another of them reads otherwise."""
    scores = [sum(_fitting(column, one, read) for column in columns) for one in candidates]
    best, *others = [one for one, score in zip(candidates, scores, strict=True) if score == max(scores)]
    if not max(scores):
        return best, None
    doubtful = (
        cell
        for column in columns
        if _fitting(column, best, read)
        for cell in column
        if any(read(cell, one) not in (read(cell, best), None) for one in others if _fitting(column, one, read))
    )
    return best, next(doubtful, None)


def _fitting(column: Sequence[str], notation: Notation, read: Callable[[str, Notation], object]) -> int:
    fits = sum(read(cell, notation) is not None for cell in column)
    return fits if fits >= _NEARLY_ALL * len(column) else 0


def _number(cell: str, notation: Notation) -> float | None:
    if not re.search(notation.number, cell):
        return None
    plain = re.sub(notation.between_thousands, "", cell) if notation.thousands else cell
    return float(plain.replace(notation.decimal, "."))
