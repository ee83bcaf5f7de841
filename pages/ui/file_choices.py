"""How the file in hand is to be read: delimiter, decimal mark, encoding, or the sheet of a workbook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dpengine.data import Preview, Schema, Table, preview, read_table
from dpengine.data.notation import PLAIN
from dpengine.data.reading import Reading
from dpengine.errors import DPEngineError, IntakeError
from pages.ui import file_in_hand, session
from pages.ui.in_hand import InHand
from pages.ui.names import code

DELIMITERS = {",": "comma  ,", ";": "semicolon  ;", "\t": "tab", "|": "vertical bar  |"}
DECIMALS = {".": "point  3.5", ",": "comma  3,5"}
THOUSANDS = {
    "": "nothing  1000",
    ",": "comma  1,000",
    ".": "point  1.000",
    " ": "space  1 000",
    "'": "apostrophe  1'000",
}
DATES = {
    "iso": "2024-12-31 only",
    "day first": "day first  31.12.2024",
    "month first": "month first  12/31/2024",
    "year first": "year first  2024/12/31",
}
ENCODINGS: Mapping[str, str] = {
    "utf-8": "UTF-8, usual today",
    "windows-1252": "Windows, Western Europe",
    "iso-8859-1": "Latin-1 (ISO 8859-1)",
    "iso-8859-15": "Latin-9 (ISO 8859-15)",
    "utf-16": "UTF-16, Excel's “Unicode text”",
    "ascii": "ASCII",
    "windows-1250": "Windows, Central Europe",
    "windows-1251": "Windows, Cyrillic",
    "iso-8859-2": "Latin-2 (ISO 8859-2)",
    "mac-roman": "Old Macintosh",
    "shift_jis": "Japanese (Shift JIS)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese (Big5)",
    "euc-kr": "Korean (EUC-KR)",
}
_FORMATS: Mapping[str, str] = {
    "csv": "csv",
    "txt": "csv",
    "tsv": "tsv",
    "tab": "tsv",
    "parquet": "parquet",
    "pq": "parquet",
    "xlsx": "xlsx",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file in hand and how it is to be read; nothing of it is declared yet."""

    content: bytes = field(repr=False)
    identity: str
    shown_name: str
    form: Mapping[str, str | None]

    @property
    def suggested_name(self) -> str:
        """The file's name without its ending: what the table is called if nobody says otherwise."""
        return self.shown_name.split(".", maxsplit=1)[0].strip()[:40] or "table"

    def preview(self) -> Preview:
        """Its first rows; raises DPEngineError for a file that cannot be read."""
        return preview(self.content, **self.form)  # type: ignore[arg-type]

    def read(self, schema: Schema, reading: Reading) -> Table:
        """All of it; raises DPEngineError likewise."""
        return read_table(self.content, schema=schema, reading=reading, **self.form)  # type: ignore[arg-type]

    def taken(self, table: Table) -> None:
        """What happened to its cells waits until the curator asks."""
        file_in_hand.use(self.identity)
        session.set_widget("report_shown", value=False)


def chosen(file: UploadedFile) -> Upload:
    """Draw the choices that a file of this kind needs, and take the file with them."""
    kind = _format(file.name)
    form: dict[str, str | None] = {"format": kind}
    session.widget_starts_over("upload_delimiter", ",", owner=file.file_id)
    if kind in ("csv", "tsv"):
        between, letters, decimal, thousands, dates = st.columns(5)
        with between:
            form["delimiter"] = _one_of("Delimiter", DELIMITERS, "upload_delimiter") if kind == "csv" else "\t"
        with letters:
            form["encoding"] = _one_of("How letters are written (encoding)", ENCODINGS, "upload_encoding")
        _start_as_proposed(file.file_id, form)
        with decimal:
            form["decimal"] = _one_of("Decimal mark", DECIMALS, "upload_decimal")
        with thousands:
            form["thousands"] = _one_of("Between thousands", _between(str(form["decimal"])), "upload_thousands")
        with dates:
            form["dates"] = _one_of("Dates", DATES, "upload_dates")
    else:
        if kind == "xlsx":
            form["sheet"] = _sheet(file.file_id)
        _start_as_proposed(file.file_id, form)
        form["dates"] = _one_of("Dates", DATES, "upload_dates")
    return Upload(content=file.getvalue(), identity=file.file_id, shown_name=file.name, form=form)


def _start_as_proposed(file_id: str, form: Mapping[str, str | None]) -> None:
    """How numbers and days are written starts as the first rows suggest, anew for each way to cut them into cells."""
    cut = _cut(file_id, form)
    kept = session.remembered("upload_proposal", None)
    known = kept[1].notation if isinstance(kept, tuple) and kept[0] == cut else None
    start = known or PLAIN
    for key, value in (("decimal", start.decimal), ("thousands", start.thousands), ("dates", start.dates)):
        session.widget_starts_over(f"upload_{key}", value, owner=(cut, known))


def _cut(file_id: str, form: Mapping[str, str | None]) -> tuple[str | None, ...]:
    return (file_id, form.get("delimiter"), form.get("encoding"), form.get("sheet"))


def _between(decimal: str) -> Mapping[str, str]:
    """What may stand between thousands beside this decimal mark."""
    shown = {mark: words for mark, words in THOUSANDS.items() if mark != decimal}
    session.widget_stays_within("upload_thousands", list(shown))
    return shown


def _one_of(label: str, options: Mapping[str, str], key: str) -> str:
    return str(st.selectbox(label, list(options), format_func=options.__getitem__, key=key, persist_state="session"))


def _format(file_name: str) -> str:
    parts = file_name.lower().removesuffix(".gz").rsplit(".", maxsplit=1)
    kind = _FORMATS.get(parts[-1]) if len(parts) > 1 else "csv" if file_name.lower().endswith(".gz") else None
    if kind is None:
        raise IntakeError(
            f"{file_name[-40:]!r} is of a kind that is not read; bring a .csv, .tsv, .txt, .gz, .parquet or .xlsx."
        )
    return kind


def _sheet(file_id: str) -> str | None:
    """The sheet to be read: from a list once it is known, typed where no sheet of the workbook could be read so far."""
    known = _known_sheets(file_id)
    held = session.widget_held("upload_sheet")
    start = held if held in known else known[0] if known else None
    session.widget_starts_over("upload_sheet", start, owner=(file_id, known))
    if known:
        if len(known) == 1:
            return None
        return str(st.selectbox("Sheet of the workbook", known, key="upload_sheet", persist_state="session"))
    if session.remembered("upload_failed", None) != file_id:
        return None
    typed = st.text_input(
        "Sheet of the workbook",
        key="upload_sheet",
        placeholder="the name of another sheet",
        persist_state="session",
    )
    return str(typed or "").strip() or None


def _known_sheets(file_id: str) -> tuple[str, ...]:
    kept = session.remembered("upload_sheets", None)
    return kept[1] if isinstance(kept, tuple) and kept[0] == file_id else ()


def previewed(upload: InHand) -> Preview:
    """The first rows as text, read once for each choice; raises DPEngineError for a file that cannot be read."""
    asked = (upload.identity, tuple(upload.form.items()))
    kept = session.remembered("upload_preview", None)
    if isinstance(kept, tuple) and kept[0] == asked:
        return kept[1]  # type: ignore[no-any-return]
    read = _looked_into(upload)
    session.remember("upload_preview", (asked, read))
    cut = _cut(upload.identity, upload.form)
    known = session.remembered("upload_proposal", None)
    if not (isinstance(known, tuple) and known[0] == cut):
        session.remember("upload_proposal", (cut, read.proposal))
        if read.proposal.notation != PLAIN:
            st.rerun()
    if read.sheets and not _known_sheets(upload.identity):
        session.remember("upload_sheets", (upload.identity, read.sheets))
        if len(read.sheets) > 1:
            st.rerun()
    return read


def _looked_into(upload: InHand) -> Preview:
    try:
        with st.spinner("Reading the first rows"):
            read = upload.preview()
    except DPEngineError:
        if "sheet" in upload.form and session.remembered("upload_failed", None) != upload.identity:
            session.remember("upload_failed", upload.identity)
            st.rerun()
        raise
    session.remember("upload_failed", None)
    return read


def doubts(read: Preview) -> list[str]:
    """What of the first rows may be read in two ways, as sentences; at most two."""
    return [
        f"{code(cell)} may be read in two ways: look at how numbers and dates are written, above."
        for cell in read.proposal.doubts
    ]
