"""Text in a declared encoding as UTF-8: only well-known encodings, and no byte is ever guessed or dropped."""

from __future__ import annotations

import codecs

from dpengine.data.files.limits import DECODED_BYTES, require_at_most
from dpengine.errors import IntakeError, InvalidParameterError

ENCODINGS = (
    "utf-8",
    "windows-1252",
    "iso-8859-1",
    "iso-8859-15",
    "utf-16",
    "ascii",
    "windows-1250",
    "windows-1251",
    "iso-8859-2",
    "mac-roman",
    "shift_jis",
    "gb18030",
    "big5",
    "euc-kr",
)
_KNOWN = {codecs.lookup(name).name for name in (*ENCODINGS, "utf-8-sig")}
TELLING = ("utf-8", "utf-16")
"""Bytes that are one of these are nothing else."""
_WITHIN_UTF_8 = ("utf-8", "utf-8-sig", "ascii")
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CHUNK = 2**22


def as_utf8(content: bytes, encoding: str, *, whole: bool = True) -> bytes | bytearray:
    """The text without its byte order mark; raises IntakeError with the line that cannot be read and what to try.

    Text that is not `whole` may end inside a letter. Works in chunks: with one letter beyond the basic plane, a
    text takes four times its size in Python.
    """
    known = require_encoding(encoding)
    decoder, kept = codecs.getincrementaldecoder(known)(), bytearray()
    for begin in range(0, len(content), _CHUNK):
        chunk = content[begin : begin + _CHUNK]
        waiting = len(decoder.getstate()[0])
        try:
            text = decoder.decode(chunk, final=whole and begin + _CHUNK >= len(content))
        except UnicodeError as error:
            place = begin - waiting + (error.start if isinstance(error, UnicodeDecodeError) else 0)
        else:
            if known not in _WITHIN_UTF_8:
                kept += (text.removeprefix("\ufeff") if begin == 0 else text).encode()
                require_at_most("The decoded file", len(kept), DECODED_BYTES, "bytes")
            continue
        line = content.count(_newline(content, known), 0, place) + 1
        raise IntakeError(f"Line {line:,} cannot be read as {encoding}. Try the encoding {_another(content, known)}.")
    return content.removeprefix(codecs.BOM_UTF8) if known in _WITHIN_UTF_8 else kept


def require_encoding(encoding: str) -> str:
    """The codec's own name; raises InvalidParameterError for names outside the list."""
    try:
        name = codecs.lookup(encoding).name
    except (LookupError, TypeError, ValueError):
        name = ""
    if name not in _KNOWN:
        raise InvalidParameterError("encoding", encoding, f"one of {', '.join(ENCODINGS)}")
    return name


def _newline(content: bytes, known: str) -> bytes:
    if known != "utf-16":
        return b"\n"
    return b"\0\n" if content.startswith(codecs.BOM_UTF16_BE) else b"\n\0"


def _another(content: bytes, tried: str) -> str:
    """An encoding worth trying after one has failed."""
    if content.startswith(_UTF_16_MARKS) and tried != "utf-16":
        return "utf-16"
    return "windows-1252" if tried in _WITHIN_UTF_8 else "utf-8"
