"""Whether bytes are an Excel workbook that may be unpacked: its parts, their true sizes, and no password."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator

from dpengine.data.files.gzip_file import unpacked_pieces
from dpengine.data.files.limits import DECODED_BYTES
from dpengine.errors import IntakeError

_PARTS = 10_000
_OLD = b"\xd0\xcf\x11\xe0"
_PROTECTED = "EncryptedPackage".encode("utf-16-le")
_LOCAL_HEADER = 30
_PIECE = 2**20
_OTHERS = (
    ("xl/workbook.bin", "The file is a binary Excel workbook (.xlsb). Save it as .xlsx or CSV and bring that."),
    ("content.xml", "The file is an OpenDocument file. Save the table as .xlsx or CSV and bring that."),
)


def require_modern(content: bytes) -> None:
    """Refuse workbooks of Excel's old format, which is also the wrapping of those with a password."""
    if content.startswith(_OLD):
        if _PROTECTED in content:
            raise IntakeError("The workbook is protected with a password. Save it without one and bring that.")
        raise IntakeError("The file is an old Excel workbook (.xls). Save it as .xlsx or CSV and bring that.")


def require_workbook(content: bytes) -> None:
    """Refuse what is no .xlsx, and workbooks that unpack to more than is read, whatever their directory says."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            parts = package.infolist()
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError):
        raise IntakeError("The Excel workbook is damaged: the list of its parts cannot be read.") from None
    names = {part.filename for part in parts}
    if "xl/workbook.xml" not in names:
        told = next((sentence for name, sentence in _OTHERS if name in names), None)
        raise IntakeError(told or "The file is a zip archive and no Excel workbook. Unpack it and bring the table.")
    if len(parts) > _PARTS:
        raise IntakeError(f"The Excel workbook has {len(parts):,} parts; at most {_PARTS:,} are read.")
    _require_unpacked(sum(part.file_size for part in parts))
    size = 0
    for part in parts:
        size += _true_size(content, part, DECODED_BYTES - size)
        _require_unpacked(size)


def _require_unpacked(size: int) -> None:
    if size > DECODED_BYTES:
        raise IntakeError(
            f"The Excel workbook unpacks to at least {size:,} bytes; at most {DECODED_BYTES:,} are read. "
            "CSV holds the same table in fewer."
        )


def _true_size(content: bytes, part: zipfile.ZipInfo, room: int) -> int:
    """How many bytes a part unpacks to, counted until they pass the room that is left."""
    size = 0
    for piece in pieces_of(content, part):
        size += len(piece)
        if size > room:
            break
    return size


def pieces_of(content: bytes, part: zipfile.ZipInfo) -> Iterator[bytes]:
    """What a part unpacks to, in pieces of at most a mebibyte; raises IntakeError where it cannot be unpacked."""
    start = part.header_offset + _LOCAL_HEADER
    start += sum(int.from_bytes(content[start - 4 + i : start - 2 + i], "little") for i in (0, 2))
    packed = content[start : start + part.compress_size]
    if part.flag_bits & 1 or part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise IntakeError("The Excel workbook has parts that are encrypted or packed in an unusual way.")
    if part.compress_type == zipfile.ZIP_STORED:
        yield from (packed[i : i + _PIECE] for i in range(0, len(packed), _PIECE))
        return
    try:
        yield from unpacked_pieces(packed, wbits=-15)
    except zlib.error:
        raise IntakeError("The Excel workbook is damaged: one of its parts cannot be unpacked.") from None
