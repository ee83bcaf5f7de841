"""The doors to another table: a built-in one, or a file of one's own, with what its text needs to be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dpengine.data import Preview, preview, read_table, sample_description, sample_names
from dpengine.errors import DPEngineError, IntakeError
from pages.ui import file_in_hand, session
from pages.ui.names import code, unmarked
from pages.ui.schema_form import Declaration

DELIMITERS = {",": "comma  ,", ";": "semicolon  ;", "\t": "tab", "|": "vertical bar  |"}
ENCODINGS = ("utf-8", "windows-1252", "iso-8859-1", "utf-16", "windows-1250", "windows-1251", "shift_jis", "gb18030")
_FORMATS: Mapping[str, str] = {
    ".csv": "csv",
    ".csv.gz": "csv",
    ".txt": "csv",
    ".tsv": "tsv",
    ".tsv.gz": "tsv",
    ".parquet": "parquet",
}
_SHOWN_ROWS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file in hand and how its text is to be read; nothing of it is declared yet."""

    content: bytes = field(repr=False)
    file_id: str
    suggested_name: str
    format: str
    delimiter: str | None
    encoding: str


def places() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Where the current table and the doors go: side by side, or the doors on top while a file waits to be declared."""
    if file_in_hand.waiting() is not None:
        doors = st.container()
        return st.container(), doors
    now, doors = st.columns([8, 5], gap="medium")
    return now, doors


def file_door() -> Upload | None:
    """The uploader; once a file waits, also the choices that its text needs."""
    file_in_hand.uploader()
    file = file_in_hand.waiting()
    return None if file is None else _reading_choices(file)


def _reading_choices(file: UploadedFile) -> Upload:
    kind = _format(file.name)
    left, right = st.columns(2)
    if kind == "csv":
        _start_with("upload_delimiter", ",", file.file_id)
        left.selectbox("Between the cells", DELIMITERS, format_func=DELIMITERS.__getitem__, key="upload_delimiter")
    if kind != "parquet":
        right.selectbox("How letters are written (encoding)", ENCODINGS, key="upload_encoding")
    return Upload(
        content=file.getvalue(),
        file_id=file.file_id,
        suggested_name=_stem(file.name),
        format=kind,
        delimiter=str(session.widget_held("upload_delimiter") or ",") if kind == "csv" else None,
        encoding=str(session.widget_held("upload_encoding") or "utf-8"),
    )


def _start_with(key: str, value: str, file_id: str) -> None:
    """Set a choice once for each file."""
    if session.remembered(f"{key}_file", None) != file_id:
        session.remember(f"{key}_file", file_id)
        session.set_widget(key, value)


def _stem(file_name: str) -> str:
    """The file's name without its ending: what the table is called if nobody says otherwise."""
    return file_name.split(".", maxsplit=1)[0].strip()[:40] or "table"


def _format(file_name: str) -> str:
    for ending, kind in _FORMATS.items():
        if file_name.lower().endswith(ending):
            return kind
    raise IntakeError(f"{file_name[-40:]!r} is of a kind that is not read; bring a .csv, .tsv, .txt, .gz or .parquet.")


def previewed(upload: Upload) -> Preview:
    """The first rows as text, read once for each choice; raises DPEngineError for a file that cannot be read."""
    asked = (upload.file_id, upload.delimiter, upload.encoding)
    kept = session.remembered("upload_preview", None)
    if isinstance(kept, tuple) and kept[0] == asked:
        return kept[1]  # type: ignore[no-any-return]
    with st.spinner("Reading the first rows"):
        read = preview(upload.content, format=upload.format, encoding=upload.encoding, delimiter=upload.delimiter)
    session.remember("upload_preview", (asked, read))
    return read


def first_rows(read: Preview) -> None:
    """A few rows of the person's own file."""
    st.markdown(f"**The first rows** :gray[of {len(read.names)} columns, for your eyes only]")
    st.dataframe(pd.DataFrame(read.rows[:_SHOWN_ROWS], columns=list(read.names)), hide_index=True, height="content")


def take(upload: Upload, declared: Declaration) -> None:
    """Read every row as declared and make it the table; a refusal is a sentence, and nothing typed is lost."""
    try:
        with st.spinner("Reading every row"):
            table = read_table(
                upload.content,
                schema=declared.schema,
                format=upload.format,
                encoding=upload.encoding,
                delimiter=upload.delimiter,
            )
    except DPEngineError as error:
        st.error(unmarked(str(error)))
        return
    session.bring_table(table, declared.neighbors)
    file_in_hand.use(upload.file_id)
    session.set_widget("report_shown", value=True)
    st.rerun()


def practice_tables() -> None:
    """A card for each built-in table: what it holds, where it comes from, and a button."""
    current = session.scenario().table_name if session.is_built_in() else ""
    st.markdown("**Or take a public practice table**")
    for name in sample_names():
        with st.container(gap=None):
            place = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
            place.markdown(f"**{code(name)}**", width="content")
            place.button(
                "In use" if name == current else "Use it",
                key=f"open_{name}",
                disabled=name == current,
                on_click=_open,
                args=(name,),
            )
            st.caption(unmarked(sample_description(name)))


def _open(name: str) -> None:
    file_in_hand.forget()
    session.open_built_in(name)


def forget() -> None:
    """Remove the table and the file that it came from from this server's memory."""
    file_in_hand.forget()
    session.forget_table()
