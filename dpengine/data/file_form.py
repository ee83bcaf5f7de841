"""How a file is written, as its person declares it; what is left open is found in the content."""

from __future__ import annotations

from dataclasses import dataclass

from dpengine.data.encodings import require_encoding
from dpengine.data.notation import Notation
from dpengine.errors import require_kind, require_one_of

FORMATS = ("csv", "tsv", "parquet", "xlsx")
DELIMITERS = (",", ";", "\t", "|")
OWN_DELIMITERS = {"csv": ",", "tsv": "\t"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileForm:
    """Format, encoding and delimiter of text, how its numbers and days are written, and the sheet of a workbook.

    None where not declared.
    """

    format: str | None = None
    encoding: str = "utf-8"
    delimiter: str | None = None
    decimal: str = "."
    thousands: str = ""
    dates: str = "iso"
    sheet: str | None = None

    def __post_init__(self) -> None:
        if self.format is not None:
            require_one_of("format", self.format, FORMATS)
        require_encoding(self.encoding)
        if self.delimiter is not None:
            require_one_of("delimiter", self.delimiter, DELIMITERS)
        require_kind("sheet", self.sheet, str | None)
        _ = self.notation

    @property
    def notation(self) -> Notation:
        """How numbers and days are written; raises InvalidParameterError for marks that contradict each other."""
        return Notation(decimal=self.decimal, thousands=self.thousands, dates=self.dates)
