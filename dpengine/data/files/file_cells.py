"""From the bytes of any file to batches of cells: what a file is shows in its content."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from dpengine.data.files import gzip_file
from dpengine.data.files.cells import CellBatches
from dpengine.data.files.csv_text import SAMPLE_BYTES, csv_batches
from dpengine.data.files.excel_package import require_modern
from dpengine.data.files.file_form import FileForm
from dpengine.errors import IntakeError

ENDINGS = {
    ".csv": "csv",
    ".txt": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".xlsx": "xlsx",
}
_MAGIC = ((b"PAR1", "parquet"), (b"PK\x03\x04", "xlsx"))
_FOREIGN = tuple(
    (re.compile(opening, re.IGNORECASE), title)
    for opening, title in (
        (rb"%PDF", "a PDF"),
        (rb"\x89PNG|GIF8[79]a|\xff\xd8\xff", "a picture"),
        (rb"SQLite format 3\0", "an SQLite database"),
        (rb"\x7fELF", "a program"),
        (rb"(\xef\xbb\xbf)?\s*<(!doctype\s+html|html|head|body)\b", "a web page"),
        (rb"(\xef\xbb\xbf)?\s*<\?xml\b", "an XML document"),
        (rb"(\xef\xbb\xbf)?\s*((\[\s*)*\{\s*\"|\[\s*\")", "JSON"),
        (rb"\xff\xfe\0\0|\0\0\xfe\xff", "text in UTF-32, which is not read"),
    )
)
_TITLES = {"parquet": "a Parquet file", "xlsx": "an Excel workbook"}


def batches_of(content: bytes, *, form: FileForm, ending: str, sample: bool = False) -> CellBatches:
    """The cells of a file, or with `sample` at least its first rows; raises IntakeError with what is wrong."""
    if content.startswith(gzip_file.MAGIC):
        content = gzip_file.unpacked(content, most=SAMPLE_BYTES if sample else None)
    kind = kind_of(content, form.format, ending)
    return _READERS[kind](content, replace(form, format=kind), sample=sample)


def kind_of(content: bytes, declared: str | None, ending: str = "") -> str:
    """The declared format, else that of the content, else that of the ending; raises IntakeError at a contradiction."""
    foreign = next((title for opening, title in _FOREIGN if opening.match(content)), None)
    if foreign is not None:
        raise IntakeError(f"The file is {foreign}. Save the table as CSV and bring that.")
    require_modern(content)
    seen = next((kind for magic, kind in _MAGIC if content.startswith(magic)), None)
    declared = declared or seen or ENDINGS.get(ending, "csv")
    for kind, title in _TITLES.items():
        if (declared == kind) != (seen == kind):
            raise IntakeError(f"The file is {'' if seen == kind else 'not '}{title}, but is to be read as {declared}.")
    return declared


def _text(content: bytes, form: FileForm, *, sample: bool) -> CellBatches:
    _require_only(form, "Text has no sheets", "sheet", "columns")
    return csv_batches(content, form, sample=sample)


def _parquet(content: bytes, form: FileForm, *, sample: bool) -> CellBatches:
    from dpengine.data.files.parquet_file import parquet_batches  # noqa: PLC0415 - text is read sooner without

    _require_only(form, "A Parquet file is a table and nothing else", "sheet", "columns", "header", "skip_last")
    _require_point(form)
    return replace(parquet_batches(content), form=form)


def _excel(content: bytes, form: FileForm, *, sample: bool) -> CellBatches:
    from dpengine.data.files.excel_file import excel_batches  # noqa: PLC0415 - text is read sooner without

    _require_point(form)
    return excel_batches(content, form, sample=sample)


_READERS: Mapping[str, Callable[..., CellBatches]] = {
    "csv": _text,
    "tsv": _text,
    "parquet": _parquet,
    "xlsx": _excel,
}


def _require_only(form: FileForm, why: str, *foreign: str) -> None:
    """Refuse what cannot be said of a file of this kind."""
    said = [name for name in foreign if getattr(form, name) is not None]
    if said:
        raise IntakeError(f"{why}: leave out {' and '.join(said)}.")


def _require_point(form: FileForm) -> None:
    title = _TITLES[str(form.format)]
    if form.decimal not in (None, "."):
        raise IntakeError(f"A decimal comma can be declared only for text; the file is {title}.")
    if form.thousands:
        raise IntakeError(f"Marks between thousands can be declared only for text; the file is {title}.")
