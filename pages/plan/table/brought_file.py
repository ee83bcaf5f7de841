"""The file that was brought: waiting to be declared, in use as the table, or forgotten, its bytes with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages import session
from pages.widgets.escaping import code

KEY = "upload_file"
KEPT = (
    "Your table stays in this server's memory until you close or reload this tab, or press Forget; for a workshop, "
    "until its room is closed. The plan stays in the address; released answers stay in the ledger."
)
ENDINGS = ("csv", "tsv", "txt", "tab", "gz", "xlsx", "parquet", "pq")


def uploader(*, on_change: Callable[[], None]) -> None:
    """The browser's way to hand over a file, and how long anything is kept."""
    st.file_uploader(
        "Bring a table of your own: CSV, TSV, Excel or Parquet, with a header",
        type=_endings(),
        key=KEY,
        on_change=_take,
        args=(on_change,),
        help="The file goes to this server and to nobody else.",
    )
    st.caption(KEPT)
    file = waiting()
    if file is not None and session.widget_held(KEY) is None:
        name, away = st.columns([5, 2], vertical_alignment="center")
        name.markdown(f"**{code(file.name)}** :gray[is still here, and so is what you typed]")
        away.button("Put this file away", key="put_file_away", on_click=_put_away, args=(on_change,))


def _take(also: Callable[[], None]) -> None:
    """Hold what the uploader holds; Streamlit empties an uploader whenever its page is left."""
    session.remember("held_file", session.widget_held(KEY))
    also()


def _put_away(also: Callable[[], None]) -> None:
    """Free the file's bytes and the rows that were looked at, and keep what was typed."""
    _free(held())
    _forget_its_rows()
    session.remember("held_file", None)
    also()


def _endings() -> list[str]:
    """The endings that are read; another order makes the browser draw an empty uploader after a file was forgotten."""
    turned = _forgotten_files() % len(ENDINGS)
    return [*ENDINGS[turned:], *ENDINGS[:turned]]


def held() -> UploadedFile | None:
    """The file that was brought, whether it is the table by now or not."""
    file = session.remembered("held_file", None)
    return file if isinstance(file, UploadedFile) else None


def waiting() -> UploadedFile | None:
    """The file that was brought and is not yet the table."""
    file = held()
    return None if file is None or file.file_id == session.remembered("upload_done", None) else file


def use(file_id: str) -> None:
    """This file is the table now."""
    session.remember("upload_done", file_id)
    _forget_its_rows()


def declare_again() -> None:
    """The file that is the table now waits to be declared once more."""
    session.remember("upload_done", None)


def forget() -> None:
    """Free the file's bytes on this server, empty the uploader, and drop what was kept about the file."""
    file = held()
    session.remember("form_names", None)
    session.remember("form_typed", None)
    session.remember("contributions", None)
    session.remember("lost_at_intake", None)
    _forget_its_rows()
    if file is None:
        return
    use(file.file_id)
    session.remember("held_file", None)
    session.remember("forgotten_files", _forgotten_files() + 1)
    _free(file)


def _forget_its_rows() -> None:
    for seen in ("upload_preview", "upload_misfits"):
        session.remember(seen, None)


def _free(file: UploadedFile | None) -> None:
    context = get_script_run_ctx()
    if file and context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(session_id=context.session_id, file_id=file.file_id)


def _forgotten_files() -> int:
    return cast("int", session.remembered("forgotten_files", 0))
