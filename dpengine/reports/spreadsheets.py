"""Comma-separated tables whose text no spreadsheet takes for a formula, and whose numbers stay numbers."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from numbers import Integral, Real

import numpy as np

_UNSEEN = (
    r"[\s\"'`“”‘’＂＇\u00ad\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\x00-\x1f]*"
)
_SIGNS = "=+\\-@＝＋－＠﹢﹣﹦﹫−"
_TO_GUARD = re.compile(rf"(?:^|(?<=[;\t\r\n]))(?={_UNSEEN}[{_SIGNS}]|\"*[\t\r])")
"""Where a cell begins, here or where a semicolon or a tab divides cells, and a sign of a formula comes first, or
a tab, also behind quotes that such a program takes for those of a cell."""


def spreadsheet_safe(value: object) -> object:
    """A cell that no spreadsheet takes for a formula: text gets an apostrophe before the sign, numbers stay.

    What a spreadsheet may skip before it looks for the sign (spaces, quotes, signs without a shape) is skipped too.
    A program that divides cells at semicolons begins a new one after each.

    >>> spreadsheet_safe("=1+1"), spreadsheet_safe("x;=1+1"), spreadsheet_safe("a - b"), spreadsheet_safe(-1)
    ("'=1+1", "x;'=1+1", 'a - b', -1)
    """
    return _TO_GUARD.sub("'", value) if isinstance(value, str) else value


def comma_separated(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The table as text, after RFC 4180: all text in quotes, numbers bare, None and numbers without a value empty."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow([spreadsheet_safe(name) for name in columns])
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def spreadsheet_file(text: str) -> bytes:
    """The text as a file: UTF-8 behind a byte order mark, without which Excel reads ε and é as something else."""
    return text.encode("utf-8-sig")


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, Real | Decimal):
        return _number(value)
    return spreadsheet_safe(str(value))


def _number(value: Real | Decimal) -> object:
    """Python's own number, whole ones whole; NumPy's would be written with the name of their kind."""
    if isinstance(value, Decimal | Integral):
        return int(value) if isinstance(value, Integral) else value
    return float(value) if math.isfinite(value) else ""
