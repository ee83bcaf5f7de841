"""What a person has brought or picked and not yet declared: a file, or a table of the server."""

from __future__ import annotations

from typing import Protocol

from dpengine.data import Preview, Schema, Table
from dpengine.data.files.file_form import FileForm
from dpengine.data.files.reading import ReadingWatch


class InHand(Protocol):
    """It can be looked into and, once declared, be read or opened; both raise DPEngineError."""

    @property
    def identity(self) -> str:
        """Tells it from everything else that this session may take in hand."""

    @property
    def shown_name(self) -> str:
        """What it is called while it is read; somebody else may have chosen it."""

    @property
    def suggested_name(self) -> str:
        """What the table is called if nobody says otherwise."""

    @property
    def form(self) -> FileForm:
        """How a file is written, as far as the person has said; nothing is said of a table."""

    def preview(self) -> Preview:
        """Names, kinds and first rows."""

    def read(self, schema: Schema, reading: ReadingWatch) -> Table:
        """The table."""

    def taken(self, table: Table) -> None:
        """It is the table in use now."""
