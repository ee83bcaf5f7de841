"""How far a sheet of an Excel workbook reaches, seen in its text: a parser lays out every cell up to the farthest."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from dpengine.data.files.excel_package import pieces_of
from dpengine.data.files.limits import COLUMNS, ROWS, require_at_most

_RELATIONS = "xl/_rels/workbook.xml.rels"
_IDENTITY = "}id"
_OVERLAP = 2048
"""Longer than a cell's beginning, which a piece may end within."""
_FAR = re.compile(rb"""r\s*=\s*["'](?:[A-Za-z]{3}|[H-Zh-z][A-Za-z]|[Gg][S-Zs-z]|[A-Za-z]*[0-9]{7})""")
"""Beyond the column GR, or a row of seven digits; without flags, for every cell is looked at."""
_PLACE = rb"""\s[^<>]{0,200}?\br\s*=\s*["']"""
_CELL = re.compile(
    rb"<(?:\w{1,20}:)?c" + _PLACE + rb"""([A-Z]{1,20})(\d{1,20})[^<>]{0,200}>\s*<(?:\w{1,20}:)?(?:v|f|is)\b""",
    re.IGNORECASE,
)
_FORMULA = rb"(?:<(?:\w{1,20}:)?f\b[^<>]*/>|<(?:\w{1,20}:)?f\b[^<>]*>[^<]*</(?:\w{1,20}:)?f>)"
_NO_VALUE = rb"(?:<(?:\w{1,20}:)?v\s*/>|<(?:\w{1,20}:)?v>\s*</(?:\w{1,20}:)?v>)?"
_UNCOMPUTED = re.compile(
    rb"""<(?:\w{1,20}:)?c\b(?![^<>]*\bt\s*=\s*["']str["'])[^<>]*>\s*""" + _FORMULA + rb"\s*" + _NO_VALUE + rb"\s*</"
    rb"(?:\w{1,20}:)?c>"
)
"""A formula whose value is an empty text has t="str"."""
_ROW = re.compile(rb"<(?:\w{1,20}:)?row" + _PLACE + rb"(\d{1,20})", re.IGNORECASE)


def require_extent(content: bytes, sheet: str) -> None:
    """Refuse a sheet whose cells reach over more columns or rows than are read, before anything is laid out.

    Nearly every sheet has no far cell and is looked through once; cells without content count for nothing.
    """
    part = _part(content, sheet)
    if part is None or not any(_FAR.search(piece) for piece in _overlapping(content, part)):
        return
    columns: set[bytes] = set()
    last = 0
    for piece in _overlapping(content, part):
        cells = _CELL.findall(piece)
        columns.update(letters.upper() for letters, _ in cells)
        last = max(last, *(int(row) for _, row in cells), *map(int, _ROW.findall(piece)), 0)
    places = [_index(letters) for letters in columns]
    if places:
        require_at_most("The sheet", max(places) - min(places) + 1, COLUMNS, "columns")
    require_at_most("The sheet", last, ROWS, "rows")


def uncomputed_formulas(content: bytes, sheet: str) -> int:
    """How many formulas of a sheet were stored without their value, which no reader can know: it is in no cell."""
    part = _part(content, sheet)
    count, before = 0, 0
    for piece in _overlapping(content, part) if part is not None else ():
        count += sum(1 for found in _UNCOMPUTED.finditer(piece) if found.end() > before)
        before = min(len(piece), _OVERLAP)
    return count


def _part(content: bytes, sheet: str) -> zipfile.ZipInfo | None:
    """The part that holds a sheet; None where the lists of the workbook do not tell."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            listed = _elements(content, package.getinfo("xl/workbook.xml"), "sheet")
            related = _elements(content, package.getinfo(_RELATIONS), "Relationship")
            named = next(one for one in listed if one.get("name") == sheet)
            identity = next(value for key, value in named.items() if key.endswith(_IDENTITY))
            target = next(one.get("Target", "") for one in related if one.get("Id") == identity).lstrip("/")
            return package.getinfo(target if target.startswith("xl/") else f"xl/{target}")
    except (KeyError, StopIteration, ET.ParseError, ValueError):
        return None


def _elements(content: bytes, part: zipfile.ZipInfo, name: str) -> list[ET.Element]:
    """The elements of this name, in any namespace."""
    text = b"".join(pieces_of(content, part))
    tree = ET.fromstring(text)  # noqa: S314 - in the process with limits, and expat bounds what entities grow to
    return [one for one in tree.iter() if one.tag.rpartition("}")[2] == name]


def _overlapping(content: bytes, part: zipfile.ZipInfo) -> Iterator[bytes]:
    """Pieces of a part that each begin with the end of the one before."""
    end = b""
    for piece in pieces_of(content, part):
        yield end + piece
        end = piece[-_OVERLAP:]


def _index(letters: bytes) -> int:
    """The number of a column, from 1.

    >>> _index(b"A"), _index(b"GR"), _index(b"XFD")
    (1, 200, 16384)
    """
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number
