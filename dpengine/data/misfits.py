"""Cells of a sample that are not as declared: a fact for whoever brought the file, before it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import ibis
import pyarrow.compute as pc

from dpengine.data.beyond_bounds import lies_beyond
from dpengine.data.casts import cast
from dpengine.data.cells import Cells, place
from dpengine.data.columns import Column, NumberColumn, TextColumn
from dpengine.data.duckdb_engine import DuckDBEngine
from dpengine.errors import named

_EXAMPLES = 3
_ARRIVING, _MISFITS = "arriving_cells", "misfits"


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Misfits:
    """How many of a column's cells that hold anything do not fit and would be missing, and a few `examples` of them.

    `lacking`: how many values are missing, blank cells included, although the column is declared to be complete.
    `beyond`: how many fit and lie beyond a declared bound; each counts as that bound.
    """

    name: str
    cells: int
    misfits: int
    examples: tuple[str, ...] = field(repr=False)
    lacking: int = 0
    beyond: int = 0

    @property
    def empty(self) -> bool:
        """Whether no cell holds anything."""
        return self.cells == 0


def misfits_of(sample: Cells, columns: Sequence[Column]) -> tuple[Misfits, ...]:
    """Those of the declared columns that are not as declared, by how the engine would read their cells."""
    asked = [column for column in columns if column.name in sample.names and not isinstance(column, TextColumn)]
    if not asked:
        return ()
    arriving = ibis.table({place(i): "string" for i in range(len(sample.names))}, name=_ARRIVING)
    texts = [arriving[place(sample.names.index(column.name))].nullif("") for column in asked]
    values = [cast(column, text, sample.notation) for column, text in zip(asked, texts, strict=True)]
    unread = [ibis.ifelse(value.isnull(), text, None) for value, text in zip(values, texts, strict=True)]
    beyond = [lies_beyond(value, column) for column, value in zip(asked, values, strict=True)]
    expression = arriving.select(**{f"checked_{i}": one for i, one in enumerate((*unread, *beyond))})
    engine = DuckDBEngine()
    try:
        engine.keep(_MISFITS, expression, arriving_cells=sample.arrow())
        answer = engine.arrow(ibis.table(expression.schema(), name=_MISFITS))
    finally:
        engine.close()
    found = [pc.drop_null(column).to_pylist() for column in answer.columns]
    checked = zip(asked, found[: len(asked)], found[len(asked) :], strict=True)
    told = (_told(column, sample, cells, sum(cut)) for column, cells, cut in checked)
    return tuple(one for one in told if one.misfits or one.lacking or one.beyond or one.empty)


def _told(column: Column, sample: Cells, unread: Sequence[str], beyond: int) -> Misfits:
    blanks, complete = sample.blanks(column.name), isinstance(column, NumberColumn) and column.complete
    return Misfits(
        name=column.name,
        cells=sample.rows - blanks,
        misfits=len(unread),
        examples=tuple(dict.fromkeys(unread))[:_EXAMPLES],
        lacking=blanks + len(unread) if complete else 0,
        beyond=beyond,
    )
