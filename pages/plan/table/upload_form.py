"""The doors to another table: a file of one's own, a table of the server, or a built-in one."""

from __future__ import annotations

from hashlib import sha256

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.data import Preview, sample_description, sample_labels, sample_names
from dpengine.queries.sensitivity.sentences import plural
from pages import session
from pages.phrasing import wording
from pages.plan.table import (
    brought_file,
    file_choices,
    file_words,
    loading_panel,
    recognized,
    schema_form,
    server_tables,
)
from pages.plan.table.column_fields import FILLED
from pages.plan.table.schema_form import Declaration
from pages.plan.table.table_source import InHand
from pages.widgets.escaping import code, unmarked

_SHOWN_ROWS = 3
_DOORS_PIXELS = 380


def anything_waits() -> bool:
    """Whether a file or a table of the server waits to be declared."""
    return brought_file.waiting() is not None or server_tables.waits()


def places() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Where the current table and the doors go: side by side, or the doors on top while something is declared.

    The doors are the same element of the page either way: an uploader that moves loses the file on its way to it.
    """
    declaring = anything_waits()
    row = st.container(horizontal=True, gap="medium")
    now, doors = row.container(), row.container(width="stretch" if declaring else _DOORS_PIXELS)
    return st.container() if declaring else now, doors


def doors() -> InHand | None:
    """The uploader, the tables of this server and the practice tables; or what was brought, and how to read it."""
    picked = server_tables.picked()
    if picked is not None:
        server_tables.chosen(picked)
        return picked
    brought_file.uploader(on_change=loading_panel.stop)
    file = brought_file.waiting()
    if file is not None:
        return file_choices.chosen(file)
    server_tables.door()
    practice_tables()
    return None


def first_rows(upload: InHand, read: Preview) -> None:
    """A few rows of the person's own file, once the person asks for them: they are exact."""
    label = f"Show the first rows of {plural(len(read.names), 'column')}, for your eyes only"
    if st.toggle(label, key=f"first_rows_of_{upload.identity}", persist_state="session"):
        rows = pd.DataFrame(read.rows[:_SHOWN_ROWS], columns=list(read.names))
        st.dataframe(rows, hide_index=True, height="content")
    for told in filter(None, (file_words.left_out(read), file_words.filled(read))):
        st.info(told)
    for doubt in file_words.doubts(read):
        st.warning(doubt)


def use_button(upload: InHand, read: Preview) -> None:
    """The form's end: the button that reads every row, or what is still to be declared; progress while it reads."""
    declared = schema_form.declaration(read, suggested_name=upload.suggested_name, owner=upload.identity)
    recognized.compared(read, declared)
    if isinstance(declared, Declaration):
        _show_what_was_checked(upload, read, declared)
    if loading_panel.show():
        return
    if not _is_sure(upload, read) and isinstance(declared, Declaration):
        declared = file_words.UNSURE
    off = isinstance(declared, str)
    pressed = st.button("Use this table", key=_of_this_form(upload), type="primary", disabled=off)
    if isinstance(declared, str):
        st.info(unmarked(declared))
    elif pressed:
        schema = recognized.schema_of(declared)
        session.keep_size(schema, rows=declared.rows, people=declared.people)
        loading_panel.begin(upload, schema, declared.neighbors, declared.labels)


def _of_this_form(upload: InHand) -> str:
    """Another key for each form that was not typed: a press of one that was shown before it counts for nothing."""
    form = repr((upload.identity, upload.form, session.remembered(FILLED, "")))
    return f"use_table_{sha256(form.encode()).hexdigest()[:16]}"


def _is_sure(upload: InHand, read: Preview) -> bool:
    """Where cells may be read in two ways, somebody says which is meant: else one person's row would decide for all."""
    if not read.doubts:
        return True
    sentence = file_words.sure_of(read)
    return st.checkbox(sentence, key=f"read_as_{upload.identity}_{sha256(sentence.encode()).hexdigest()}")


def _show_what_was_checked(upload: InHand, read: Preview, declared: Declaration) -> None:
    """What of the first cells is not as declared, before it is used: a fact about the file, for its curator."""
    found = file_choices.misfits(upload, read, declared.schema.columns)
    if any(one.misfits or one.lacking for one in found):
        st.warning(file_words.not_as_declared(found, read, declared.schema, declared.neighbors))
    elif read.sampled:
        (st.info if found else st.caption)(file_words.as_declared(found, read))


def practice_tables() -> None:
    """A card for each built-in table: what it holds, where it comes from, and a button."""
    current = session.scenario().table_name if session.is_built_in() else ""
    st.markdown("**Or take a public practice table**")
    for name in sample_names():
        with st.container(gap=None):
            place = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
            place.markdown(f"**{wording.called(sample_labels(name), name)}** {code(name)}", width="content")
            place.button(
                "In use" if name == current else "Use it",
                key=f"open_{name}",
                disabled=name == current,
                on_click=_open,
                args=(name,),
            )
            st.caption(unmarked(sample_description(name)))


def _open(name: str) -> None:
    loading_panel.stop()
    brought_file.forget()
    session.open_built_in(name)


def forget() -> None:
    """Remove the table and the file that it came from from this server's memory."""
    brought_file.forget()
    session.forget_table()
