"""A table of real rows that answers aggregates with exact integers, and nothing else."""

from __future__ import annotations

import hashlib
import hmac
import secrets

import numpy as np
from numpy.typing import NDArray

from dpengine.data.aggregates import Aggregate
from dpengine.data.cells import Cells
from dpengine.data.duckdb_engine import DuckDBEngine
from dpengine.data.expressions import coordinates, totals
from dpengine.data.intake_report import IntakeReport
from dpengine.data.loading import load_cells
from dpengine.data.references import require_aggregate
from dpengine.data.schema import Schema
from dpengine.errors import EngineError

_INT64 = np.iinfo(np.int64)


class Table:
    """Rows in an engine of their own; two tables share nothing, and no method shows a row.

    A fresh secret salt decides which rows of a person count where the schema bounds them; tests may give their own.
    """

    __slots__ = ("_built_in", "_content", "_engine", "_report", "_schema")

    def __init__(self, cells: Cells, *, schema: Schema, built_in: bool = False, salt: str | None = None) -> None:
        self._schema, self._built_in, self._engine = schema, built_in, DuckDBEngine()
        try:
            loaded = load_cells(cells, schema=schema, engine=self._engine, salt=salt or secrets.token_hex(16))
        except BaseException:
            self._engine.close()
            raise
        self._content, self._report = loaded.content, loaded.report

    @property
    def schema(self) -> Schema:
        """The public facts under which the rows were read."""
        return self._schema

    @property
    def built_in(self) -> bool:
        """Whether this is a practice table, whose rows are public."""
        return self._built_in

    @property
    def intake_report(self) -> IntakeReport:
        """Exact counts of missing and unfitting cells; for the curator's eyes only."""
        return self._report

    def run(self, aggregate: Aggregate) -> NDArray[np.int64]:
        """The exact integers, shape (d,); raises RefusedQueryError without touching a row, EngineError after it."""
        require_aggregate(aggregate, self._schema)
        answer = np.zeros(coordinates(aggregate), dtype=np.int64)
        for row in self._engine.integers(totals(aggregate, self._schema)):
            if not _INT64.min <= row["total"] <= _INT64.max:
                raise EngineError
            answer[row["cell"]] = row["total"]
        return answer

    def fingerprint(self, secret: bytes) -> str:
        """HMAC-SHA256 of the file's content under a secret that stays on the server.

        The same for any order of rows and columns and for any declared schema, so that a table finds its account again.
        """
        return hmac.new(secret, self._content, hashlib.sha256).hexdigest()

    def close(self) -> None:
        """Free the rows; the table answers nothing afterwards."""
        self._engine.close()

    def __repr__(self) -> str:
        return f"Table({self._schema.name!r}, {len(self._schema.columns)} columns)"
