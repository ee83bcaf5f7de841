"""How a file is written, as its person declares it; what is left open is found in the content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypedDict

from dpengine.data.files.encodings import require_encoding
from dpengine.data.files.notation import PLAIN, Notation
from dpengine.errors import InvalidParameterError, named, require_kind, require_one_of, require_whole

FORMATS = ("csv", "tsv", "parquet", "xlsx")
DELIMITERS = (",", ";", "\t", "|")
OWN_DELIMITERS = {"csv": ",", "tsv": "\t"}
UTF_8 = "utf-8"


class Written(TypedDict, total=False):
    """What may be said of how a file is written, as keywords: the fields of a FileForm."""

    format: str | None
    encoding: str | None
    delimiter: str | None
    decimal: str | None
    thousands: str | None
    dates: str | None
    sheet: str | None
    header: int | None
    skip_last: int | None
    columns: str | None


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class FileForm:
    """Format, encoding and delimiter of text, how its numbers and days are written; the sheet of a workbook; the table.

    `header` is the number of the header's line or row, from 1; `skip_last` so many at the end that hold anything are no
    rows of the table; `columns` are a sheet's first and last, as "B:F". None where not declared: a first look
    proposes what fits, and a table is read as UTF-8, by its format's own delimiter, plain numbers, ISO dates, the first
    sheet, from the first row that holds anything to the last.
    """

    format: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    dates: str | None = None
    sheet: str | None = None
    header: int | None = None
    skip_last: int | None = None
    columns: str | None = None

    def __post_init__(self) -> None:
        if self.format is not None:
            require_one_of("format", self.format, FORMATS)
        if self.encoding is not None:
            require_encoding(self.encoding)
        if self.delimiter is not None:
            require_one_of("delimiter", self.delimiter, DELIMITERS)
        require_kind("sheet", self.sheet, str | None)
        _ = self.notation
        for name, value, least in (("header", self.header, 1), ("skip_last", self.skip_last, 0)):
            if value is not None:
                require_whole(name, value, least=least)
        if self.columns is not None and not re.fullmatch("[A-Z]{1,3}:[A-Z]{1,3}", self.columns):
            raise InvalidParameterError("columns", self.columns, "a sheet's first and last column, such as B:F")

    @property
    def notation(self) -> Notation:
        """How numbers and days are written; raises InvalidParameterError for marks that contradict each other."""
        return Notation(
            decimal=self.decimal or PLAIN.decimal, thousands=self.thousands or "", dates=self.dates or PLAIN.dates
        )


UNSAID = FileForm()
"""Nothing is said about a file."""
