"""A table of real rows that answers aggregates with exact integers, and nothing else."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Iterable, Sequence

import ibis
import numpy as np
from numpy.typing import NDArray

from dpengine.data.aggregates.aggregate_expressions import coordinates, remembered_totals
from dpengine.data.aggregates.aggregate_kinds import Aggregate, without_bounds
from dpengine.data.aggregates.aggregate_references import require_aggregate
from dpengine.data.aggregates.contributions import Contributions, people_by_rows
from dpengine.data.aggregates.equivalence_classes import Crowds, crowd_sizes
from dpengine.data.aggregates.exact_cache import ExactCache
from dpengine.data.aggregates.predicates import satisfies
from dpengine.data.aggregates.stored_rows import StoredRows
from dpengine.data.declared.conditions import Condition
from dpengine.data.declared.generalization import Coarsening, require_coarsenings
from dpengine.data.declared.references import require_conditions
from dpengine.data.declared.schema import Schema
from dpengine.data.engines.engine import Opened
from dpengine.data.engines.intake_report import IntakeReport
from dpengine.data.engines.one_failure import OneFailure
from dpengine.data.files.cells import Cells
from dpengine.data.files.reading import UNWATCHED, ReadingWatch
from dpengine.data.typed.loading import opened_cells
from dpengine.errors import EngineError, InvalidParameterError, RefusedQueryError, named

_LEAST, _MOST = -(2**63), 2**63 - 1


@named
class Table:
    """Rows in an engine of their own; two tables share nothing, and no method shows a row that is not public.

    A fresh secret salt decides which rows of a person count where the schema bounds them; tests may give their own.
    """

    __slots__ = ("__weakref__", "_answers", "_built_in", "_closed", "_failure", "_opened", "_schema", "_stops")

    def __init__(self, opened: Opened, *, schema: Schema, built_in: bool = False) -> None:
        self._opened, self._schema, self._built_in = opened, schema, built_in
        self._answers, self._stops, self._closed = ExactCache(), 0, False
        self._failure = OneFailure(opened.engine, opened.identity)

    @classmethod
    def of_cells(
        cls,
        cells: Cells,
        *,
        schema: Schema,
        built_in: bool = False,
        salt: str | None = None,
        reading: ReadingWatch = UNWATCHED,
    ) -> Table:
        """Rows in the embedded engine, cast by the schema.

        Raises IntakeError where a declared column is missing, or because the person stopped it.
        """
        opened = opened_cells(cells, schema=schema, salt=salt or secrets.token_hex(16), reading=reading)
        return cls(opened, schema=schema, built_in=built_in)

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
        return self._opened.report()

    def run(self, aggregate: Aggregate) -> NDArray[np.int64]:
        """The exact integers, shape (d,); raises RefusedQueryError without touching a row, EngineError after it.

        A total beyond 64 bits ends there: cut off, it moves no further than it would, and an error would betray it.
        """
        require_aggregate(aggregate, self._schema)
        if self._built_in:
            return self._totals(aggregate, self._opened.rows)
        stops = self._stops
        return self._failure.watching(
            lambda: self._totals(aggregate, self._opened.rows), lambda: self._closed or self._stops != stops
        )

    @property
    def failed(self) -> bool:
        """Whether a question failed on its rows: it reads none any more, so that failing tells of them only once."""
        return self._failure.happened

    def require_engine(self) -> None:
        """Raise EngineError where no row could be read now, whatever is in the table, as where a server is down."""
        self._failure.require_engine()

    def recall(self, aggregate: Aggregate) -> NDArray[np.int64]:
        """What `run` answered when this was first asked here: for exploring, which asks the same again and again.

        A release runs instead: a table that stays where it is may have changed.
        """
        require_aggregate(aggregate, self._schema)
        return self._answers.recall(aggregate, lambda: self.run(aggregate))

    def run_unbounded(self, aggregate: Aggregate) -> NDArray[np.int64]:
        """What `run` would answer if nobody's rows or groups were bounded: for the curator's eyes only."""
        require_aggregate(aggregate, self._schema)
        return self._totals(without_bounds(aggregate), tuple(rows.unbounded for rows in self._opened.rows))

    def contributions(self) -> Contributions:
        """How many people have how many rows: exact, for the curator's eyes only."""
        people: Counter[int] = Counter()
        for rows in self._opened.rows:
            people.update(dict(_cells(self._opened.engine.integers(people_by_rows(rows)))))
        return Contributions(people_with=dict(+people))

    def crowds(self, columns: Sequence[Coarsening], *, sensitive: str | None = None) -> Crowds:
        """How many combinations of the coarser columns have how many people: exact, for the curator's eyes only.

        All rows count, whatever the bounds. With a sensitive column also how many different values of it each has.
        Raises RefusedQueryError without touching a row, EngineError after it.
        """
        require_coarsenings(columns, self._schema, sensitive=sensitive)
        found = self._opened.engine.integers(crowd_sizes(self._opened.rows, columns, sensitive))
        return Crowds(combinations={(row["people"], row["values"]): row["total"] for row in found})

    def memberships(self, conditions: Sequence[Condition]) -> NDArray[np.bool_]:
        """Which rows satisfy which conditions, shape (rows, conditions): of a built-in table, whose rows are public.

        Raises RefusedQueryError for any other table and for conditions that do not fit it, InvalidParameterError for no
        condition at all, EngineError after that.
        """
        if not self._built_in:
            raise RefusedQueryError("Only the rows of a built-in table are public; of this one none is shown.")
        if not conditions:
            raise InvalidParameterError("conditions", conditions, "at least one condition")
        require_conditions(conditions, self._schema)
        found = [
            list(row.values())
            for rows in self._opened.rows
            for row in self._opened.engine.integers(memberships(rows, conditions))
        ]
        return np.array(found, dtype=np.bool_).reshape(-1, len(conditions))

    def _totals(self, aggregate: Aggregate, portions: Iterable[StoredRows]) -> NDArray[np.int64]:
        sums, stops = [0] * coordinates(aggregate), self._stops
        for rows in portions:
            if self._stops != stops:
                raise EngineError
            for cell, total in _cells(self._opened.engine.integers(remembered_totals(aggregate, rows))):
                if 0 <= cell < len(sums):
                    sums[cell] += total
        return np.array([min(max(total, _LEAST), _MOST) for total in sums], dtype=np.int64)

    def interrupt(self) -> None:
        """Stop what another thread computes: its question raises EngineError, later ones are answered."""
        self._stops += 1
        self._opened.engine.interrupt()

    def fingerprint(self, secret: bytes) -> str:
        """HMAC-SHA256 of the file's content under a secret that stays on the server.

        The same for any order of rows and columns and for any declared schema, so that a table finds its account again.
        """
        return hmac.new(secret, self._opened.identity, hashlib.sha256).hexdigest()

    def close(self) -> None:
        """Free the rows; the table answers nothing afterwards."""
        self._closed = True
        self._answers.forget()
        self._opened.engine.close()

    @property
    def closed(self) -> bool:
        """Whether its rows were freed."""
        return self._closed

    def __repr__(self) -> str:
        return f"Table({self._schema.name!r}, {len(self._schema.columns)} columns)"


def _cells(found: list[dict[str, int]]) -> Iterable[tuple[int, int]]:
    """Cell and total, whether each cell is a row of its own or a column."""
    for row in found:
        yield from [(row["cell"], row["total"])] if "cell" in row else enumerate(row.values())


def memberships(rows: StoredRows, conditions: Sequence[Condition]) -> ibis.Table:
    """One row for each row that counts, one 0 or 1 for each condition, in their order."""
    counted = rows.counted
    columns = {f"holds_{place}": satisfies(one, counted).cast("int64") for place, one in enumerate(conditions)}
    return counted.table.select(**columns)
