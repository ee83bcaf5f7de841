"""How a file is written, as its person declares it; what is left open is found in the content."""

from __future__ import annotations

from dataclasses import dataclass

from dpengine.data.encodings import require_encoding
from dpengine.errors import require_kind, require_one_of

FORMATS = ("csv", "tsv", "parquet", "xlsx")
DELIMITERS = (",", ";", "\t", "|")
DECIMALS = (".", ",")
OWN_DELIMITERS = {"csv": ",", "tsv": "\t"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileForm:
    """Format, encoding, delimiter and decimal mark of text, and the sheet of a workbook; None where not declared."""

    format: str | None = None
    encoding: str = "utf-8"
    delimiter: str | None = None
    decimal: str = "."
    sheet: str | None = None

    def __post_init__(self) -> None:
        if self.format is not None:
            require_one_of("format", self.format, FORMATS)
        require_encoding(self.encoding)
        if self.delimiter is not None:
            require_one_of("delimiter", self.delimiter, DELIMITERS)
        require_one_of("decimal", self.decimal, DECIMALS)
        require_kind("sheet", self.sheet, str | None)
