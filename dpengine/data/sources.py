"""Where a file comes from and what it is: a path or bytes, within the upload limit, perhaps packed with gzip."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

from dpengine.data.limits import DECODED_BYTES, UPLOAD_BYTES, require_at_most
from dpengine.errors import IntakeError, InvalidParameterError, require_one_of

FORMATS = ("csv", "tsv", "parquet")
_GZIP = b"\x1f\x8b"
_MAGIC = ((b"PAR1", "parquet"), (b"PK\x03\x04", "zip"), (b"\xd0\xcf\x11\xe0", "excel"), (b"%PDF", "pdf"))
_ENDINGS = {".csv": "csv", ".txt": "csv", ".tsv": "tsv", ".tab": "tsv", ".parquet": "parquet", ".pq": "parquet"}
_INSTEAD = {
    "zip": "The file is a zip archive or an Excel workbook. Save the table as CSV and bring that.",
    "excel": "The file is an old Excel workbook. Save the table as CSV and bring that.",
    "pdf": "The file is a PDF. Save the table as CSV and bring that.",
}


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a file and the format in which they will be read."""

    content: bytes
    format: str


def open_source(source: str | Path | bytes, file_format: str | None) -> Source:
    """Read the bytes; the format is the declared one, else that of the file's ending, else CSV."""
    if file_format is not None:
        require_one_of("format", file_format, FORMATS)
    if not isinstance(source, str | Path | bytes):
        raise InvalidParameterError("source", type(source).__name__, "a path or the bytes of a file")
    content, ending = (source, "") if isinstance(source, bytes) else _read(source)
    require_at_most("The file", len(content), UPLOAD_BYTES, "bytes")
    if content.startswith(_GZIP):
        content = _unpacked(content)
    seen = next((kind for magic, kind in _MAGIC if content.startswith(magic)), None)
    if seen in _INSTEAD:
        raise IntakeError(_INSTEAD[seen])
    chosen = file_format or _ENDINGS.get(ending) or seen or "csv"
    if (chosen == "parquet") != (seen == "parquet"):
        raise IntakeError(f"The file is {'' if seen else 'not '}a Parquet file, but is to be read as {chosen}.")
    return Source(content, chosen)


def _read(source: str | Path) -> tuple[bytes, str]:
    """The bytes of a file, never through a reader that expands names, and the ending of its name."""
    if "://" in str(source):
        raise IntakeError("Tables are read from files for now; connections to PostgreSQL and Spark come later.")
    path = Path(source)
    try:
        if not path.is_file():
            raise IntakeError(f"There is no file {path.name!r}.")
        require_at_most("The file", path.stat().st_size, UPLOAD_BYTES, "bytes")
        return path.read_bytes(), _ending(path)
    except (OSError, ValueError):
        pass
    raise IntakeError("The file cannot be opened.")


def _ending(path: Path) -> str:
    return (path.with_suffix("") if path.suffix.lower() == ".gz" else path).suffix.lower()


def _unpacked(content: bytes) -> bytes:
    """The content of a gzip file, refused as soon as it passes the limit."""
    parts: list[bytes] = []
    size = 0
    try:
        while content:
            unpacker = zlib.decompressobj(wbits=31)
            parts.append(unpacker.decompress(content, DECODED_BYTES + 1 - size))
            size += len(parts[-1])
            require_at_most("The unpacked file", size, DECODED_BYTES, "bytes")
            if not unpacker.eof:
                raise IntakeError("The gzip file ends too early.")
            content = unpacker.unused_data.lstrip(b"\0")
    except zlib.error:
        raise IntakeError("The gzip file is damaged.") from None
    return b"".join(parts)
