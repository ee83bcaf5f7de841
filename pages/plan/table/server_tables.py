"""The tables that whoever runs this server has configured: picked by name, never by an address from a browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import streamlit as st

from dpengine.data import ConfiguredTable, Preview, Schema, Table, configured_tables
from dpengine.data.files.file_form import FileForm
from dpengine.data.files.reading import ReadingWatch
from pages import session
from pages.plan.table import brought_file, loading_panel
from pages.widgets import outputs
from pages.widgets.escaping import code, unmarked

ENGINES: Mapping[str, str] = {
    "parquet": "In Parquet files on this server",
    "postgresql": "In PostgreSQL",
    "spark-local": "In Spark on this server",
    "spark": "In Spark",
    "sc": "In Spark",
}
"""Where the rows of a table are, by the scheme of its address, of which nothing else is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerTable:
    """A configured table in hand."""

    table: ConfiguredTable

    @property
    def identity(self) -> str:
        return f"table of the server {self.table.name}"

    @property
    def shown_name(self) -> str:
        return self.table.name

    @property
    def suggested_name(self) -> str:
        return self.table.name[:40].strip()

    @property
    def form(self) -> FileForm:
        return FileForm()

    @property
    def place(self) -> str:
        """Engine and place, as the start of a sentence."""
        return ENGINES[urlsplit(self.table.url).scheme]

    def preview(self) -> Preview:
        return self.table.describe()

    def read(self, schema: Schema, reading: ReadingWatch) -> Table:
        reading.tell(0.0, "Opening the table")
        return self.table.open(schema, reading=reading)

    def taken(self, table: Table) -> None:
        """Counting what happened to its cells reads all of it, so that waits until somebody asks."""
        _pick(None)
        session.remember("table_in_place", (table, self))


def picked() -> ServerTable | None:
    """The table that waits to be declared; raises IntakeError where the configuration has a fault."""
    name = session.remembered("picked_table", None)
    table = configured_tables().get(str(name)) if name else None
    return None if table is None else ServerTable(table=table)


def waits() -> bool:
    """Whether one has been picked and not yet declared."""
    return session.remembered("picked_table", None) is not None


def in_use() -> ServerTable | None:
    """The configured table that the session's table is, if it is one."""
    kept = session.remembered("table_in_place", None)
    return kept[1] if isinstance(kept, tuple) and kept[0] is session.table() else None


def door() -> None:
    """A card for each configured table; nothing where none is configured."""
    with outputs.sentences_for_errors():
        tables = configured_tables()
        if not tables:
            return
        current = in_use()
        st.markdown("**Tables of this server** :gray[they stay where they are]")
        for position, (name, table) in enumerate(tables.items()):
            used = current is not None and current.table.name == name
            with st.container(gap=None):
                place = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
                place.markdown(f"**{code(name)}**", width="content")
                place.button(
                    "In use" if used else "Declare it",
                    key=f"pick_{position}",
                    disabled=used,
                    on_click=_pick,
                    args=(name,),
                )
                st.caption(f"{ServerTable(table=table).place}. {unmarked(table.description)}")


def chosen(one: ServerTable) -> None:
    """What has been picked, and the way back."""
    name, back = st.columns([5, 2], vertical_alignment="center")
    name.markdown(
        f"**{code(one.table.name)}** :gray[{one.place}, nothing is copied. {unmarked(one.table.description)}]"
    )
    back.button("Choose another table", key="pick_none", on_click=_pick, args=(None,))


def declare_again() -> None:
    """The configured table in use waits to be declared once more."""
    current = in_use()
    if current is not None:
        _pick(current.table.name)


def _pick(name: str | None) -> None:
    loading_panel.stop()
    if name is not None:
        brought_file.forget()
    session.remember("picked_table", name)
