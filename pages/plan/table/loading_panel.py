"""What a person sees while a file is read: how far it is, and a Cancel button; afterwards the table, or the reason."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dpengine.data import Labels, Schema, Table
from dpengine.data.files.reading import ReadingWatch
from dpengine.errors import DPEngineError
from dpengine.privacy import Neighbors
from pages import session
from pages.access import roles
from pages.plan.table.table_source import InHand
from pages.plan.work import Places, Work
from pages.widgets.escaping import code, unmarked

PATIENCE = 0.8
"""Seconds within which a file is read without any progress shown."""
EVERY = 0.4
PLACES = Places(3, waiting="Waiting for other files to be read")
STILL_THERE = "The table in use is still the one before, and nothing that you typed is lost."


def begin(what: InHand, schema: Schema, neighbors: Neighbors, labels: Labels) -> None:
    """Start to read; a file that is read at once is the table when this returns to the page."""
    stop()
    loading = reading(partial(what.read, schema))
    session.remember("loading", loading)
    session.remember("loading_what", (what, neighbors, labels))
    with st.spinner("Reading every row"):
        loading.done(PATIENCE)
    st.rerun()


def reading(read: Callable[[ReadingWatch], Table]) -> Work[Table]:
    """A file that is begun to be read.

    The reader's own limits end the thread, and a thread at its end holds nothing: a session that goes away while it
    reads leaves neither rows nor a thread behind.
    """
    return Work(
        lambda work: read(ReadingWatch(progress=work.tell, cancelled=work.has_to_end)), PLACES, free=Table.close
    )


def take_finished() -> None:
    """Make the table that is there by now the table in use; a refusal is kept as a sentence for the page."""
    loading, kept = current(), session.remembered("loading_what", None)
    if loading is None or not loading.done() or not isinstance(kept, tuple):
        return
    what, neighbors, labels = kept
    _forget()
    try:
        table = loading.result()
    except DPEngineError as error:
        session.remember("loading_said", f"{error} {STILL_THERE}")
        return
    session.bring_table(table, neighbors, what.form, labels)
    what.taken(table)
    st.rerun()


def current() -> Work[Table] | None:
    """The file that is being read."""
    loading = session.remembered("loading", None)
    return loading if isinstance(loading, Work) else None


def stop() -> None:
    """Stop reading, if anything is read, and forget what was said about the last file."""
    loading = current()
    _forget()
    if loading is not None:
        loading.stop()


def _forget() -> None:
    for key in ("loading", "loading_what", "loading_said", "loading_stopped"):
        session.remember(key, None)


def show() -> bool:
    """Draw the progress while a file is read, or what came of it; says whether one is being read."""
    said = session.remembered("loading_said", None)
    if said:
        st.error(unmarked(str(said)))
    stopped = session.remembered("loading_stopped", None)
    if stopped:
        st.info(str(stopped))
    if current() is None:
        return False
    roles.curators_part(_progress, every=EVERY)()
    return True


def _progress() -> None:
    loading = current()
    if loading is None or loading.done():
        st.rerun()
        return
    with st.container(border=True, key="card_loading"):
        st.markdown(f"**Reading {code(_name())}** :gray[the table in use stays until it is there]")
        bar, button = st.columns([6, 1], vertical_alignment="center")
        bar.progress(loading.share, text=f"{loading.stage}, {loading.share:.0%}")
        button.button("Cancel", key="cancel_loading", on_click=_cancel)


def _name() -> str:
    kept = session.remembered("loading_what", None)
    return str(kept[0].shown_name) if isinstance(kept, tuple) else "the file"


def _cancel() -> None:
    stop()
    session.remember("loading_stopped", f"Reading was stopped. {STILL_THERE}")
