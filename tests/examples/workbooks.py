"""Excel workbooks written part by part, so that a test can also write them wrong."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_FORMATS = (0, 14, 22, 21, 164)
DAY, MOMENT, CLOCK, HOURS = 1, 2, 3, 4
"""The styles in which a number is a day, a moment, a time of the day, or a number of hours."""


@dataclass(frozen=True)
class Stored:
    """A cell as it stands in the file: its attributes, and the XML inside it."""

    attributes: str = ""
    inside: str = ""


def workbook(*rows: Sequence[object], **options: object) -> bytes:
    """A workbook of one sheet."""
    return zipped(parts({"Sheet1": rows}, **options))  # type: ignore[arg-type]


def parts(
    sheets: Mapping[str, Sequence[Sequence[object]]], *, hidden: Sequence[str] = (), shared: bool = False
) -> dict[str, str]:
    """The parts of a workbook by name; with `shared`, text stands in the table of shared strings."""
    strings: dict[str, int] = {}
    listed, related, kinds = [], [], []
    written = {}
    for i, (name, rows) in enumerate(sheets.items(), start=1):
        state = ' state="hidden"' if name in hidden else ""
        listed.append(f'<sheet name={quoteattr(name)} sheetId="{i}"{state} r:id="rId{i}"/>')
        related.append(_related(i, "worksheet", f"worksheets/sheet{i}.xml"))
        kinds.append((f"/xl/worksheets/sheet{i}.xml", "worksheet"))
        written[f"xl/worksheets/sheet{i}.xml"] = sheet(rows, strings if shared else None)
    related += [_related(98, "styles", "styles.xml"), _related(99, "sharedStrings", "sharedStrings.xml")]
    kinds += [
        ("/xl/workbook.xml", "sheet.main"),
        ("/xl/styles.xml", "styles"),
        ("/xl/sharedStrings.xml", "sharedStrings"),
    ]
    relations = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    kinds_xml = "".join(f'<Override PartName="{part}" ContentType="{_KIND}.{kind}+xml"/>' for part, kind in kinds)
    formats = "".join(f'<xf numFmtId="{number}"/>' for number in _FORMATS)
    texts = "".join(f"<si>{_text(text)}</si>" for text in strings)
    return {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">{relations}{kinds_xml}</Types>',
        "_rels/.rels": _relations([_related(1, "officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
        f"<sheets>{''.join(listed)}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relations(related),
        "xl/styles.xml": f'{_HEAD}<styleSheet xmlns="{_MAIN}"><numFmts count="1"><numFmt numFmtId="164" '
        f'formatCode="[h]:mm:ss"/></numFmts><cellXfs>{formats}</cellXfs></styleSheet>',
        "xl/sharedStrings.xml": f'{_HEAD}<sst xmlns="{_MAIN}">{texts}</sst>',
        **written,
    }


def merged(book: bytes, *ranges: str) -> bytes:
    """The workbook with these cells of its first sheet merged."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        contents: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    cells = "".join(f'<mergeCell ref="{one}"/>' for one in ranges)
    name = "xl/worksheets/sheet1.xml"
    end = f'</sheetData><mergeCells count="{len(ranges)}">{cells}</mergeCells>'
    return zipped(contents | {name: bytes(contents[name]).decode().replace("</sheetData>", end)})  # type: ignore[arg-type]


def zipped(contents: Mapping[str, str | bytes]) -> bytes:
    """The parts in a zip archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content, compresslevel=1 if len(content) > 10**6 else None)
    return file.getvalue()


def sheet(rows: Sequence[Sequence[object]], strings: dict[str, int] | None = None) -> str:
    """The XML of a sheet."""
    lines = (
        f'<row r="{i}">{"".join(_cell(cell, f"{column(j)}{i}", strings) for j, cell in enumerate(row))}</row>'
        for i, row in enumerate(rows, start=1)
    )
    return f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def column(index: int) -> str:
    """The letters of a column, from 0.

    >>> column(0), column(25), column(26), column(16383)
    ('A', 'Z', 'AA', 'XFD')
    """
    letters = ""
    while index >= 0:
        index, letter = index // 26 - 1, index % 26
        letters = chr(ord("A") + letter) + letters
    return letters


def serial(moment: dt.datetime) -> float:
    """Days since Excel's zero."""
    return (moment - dt.datetime(1899, 12, 30)) / dt.timedelta(days=1)  # noqa: DTZ001 - Excel knows no zones


def _cell(cell: object, place: str, strings: dict[str, int] | None) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str) and strings is not None:
        return f'<c r="{place}" t="s"><v>{strings.setdefault(cell, len(strings))}</v></c>'
    stored = cell if isinstance(cell, Stored) else _stored(cell)
    return f'<c r="{place}" {stored.attributes}>{stored.inside}</c>'


def _stored(cell: object) -> Stored:
    if isinstance(cell, str):
        return Stored('t="inlineStr"', f"<is>{_text(cell)}</is>")
    if isinstance(cell, bool):
        return Stored('t="b"', f"<v>{int(cell)}</v>")
    if isinstance(cell, dt.datetime):
        return Stored(f's="{MOMENT}"', f"<v>{serial(cell)!r}</v>")
    if isinstance(cell, dt.date):
        return Stored(f's="{DAY}"', f"<v>{serial(dt.datetime.combine(cell, dt.time())):.0f}</v>")
    return Stored("", f"<v>{cell!r}</v>")


def _text(text: str) -> str:
    return f'<t xml:space="preserve">{escape(text)}</t>'


def _related(number: int, kind: str, target: str) -> str:
    return f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'


def _relations(related: Sequence[str]) -> str:
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{"".join(related)}</Relationships>'
