"""Bytes as text: only declared, well-known encodings, and no byte is ever guessed or dropped."""

from __future__ import annotations

import codecs

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
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode(content: bytes, encoding: str) -> str:
    """The text without its byte order mark; raises IntakeError with the line that cannot be read and what to try."""
    known = _known(encoding)
    try:
        return content.decode(known).removeprefix("\ufeff")
    except UnicodeError as error:
        place = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = content.count(b"\n", 0, place) + 1
    raise IntakeError(f"Line {line:,} cannot be read as {encoding}. Try the encoding {_another(content, known)}.")


def _known(encoding: str) -> str:
    """The codec's own name; raises InvalidParameterError for names outside the list."""
    try:
        name = codecs.lookup(encoding).name
    except (LookupError, TypeError, ValueError):
        name = ""
    if name not in _KNOWN:
        raise InvalidParameterError("encoding", encoding, f"one of {', '.join(ENCODINGS)}")
    return name


def _another(content: bytes, tried: str) -> str:
    """An encoding worth trying after one has failed."""
    if content.startswith(_UTF_16_MARKS) and tried != "utf-16":
        return "utf-16"
    return "windows-1252" if tried in ("utf-8", "utf-8-sig", "ascii") else "utf-8"
