"""Cells of a sample that are not as declared: a fact for whoever brought the file, before it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import ibis
import pyarrow.compute as pc

from dpengine.data.declared.columns import Column, NumberColumn, TextColumn
from dpengine.data.engines.duckdb_engine import DuckDBEngine
from dpengine.data.files.cells import Cells, place
from dpengine.data.typed.beyond_bounds import lies_beyond
from dpengine.data.typed.casts import cast
from dpengine.errors import named

_EXAMPLES = 3
_ARRIVING, _MISFITS, _EXAMPLE = "arriving_cells", "misfits", "example_misfits"


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
    arriving, texts, values = _read(sample, asked)
    beyond = [lies_beyond(value, column) for column, value in zip(asked, values, strict=True)]
    expressions = (*map(_unread, texts, values), *beyond)
    expression = arriving.select(**{f"checked_{i}": one for i, one in enumerate(expressions)})
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


def example_misfits(cells: Cells, columns: Sequence[Column], engine: DuckDBEngine) -> dict[str, str]:
    """Of each of these columns, which have some, one cell that does not fit; reads these columns once more."""
    if not columns:
        return {}
    arriving, texts, values = _read(cells, columns)
    found = {f"example_{i}": one.min() for i, one in enumerate(map(_unread, texts, values))}
    expression = arriving.aggregate(**found)
    engine.keep(_EXAMPLE, expression, arriving_cells=cells.arrow())
    (row,) = engine.arrow(ibis.table(expression.schema(), name=_EXAMPLE)).to_pylist()
    engine.drop(_EXAMPLE)
    return {column.name: cell for column, cell in zip(columns, row.values(), strict=True)}


def _read(cells: Cells, columns: Sequence[Column]) -> tuple[ibis.Table, list[ibis.Value], list[ibis.Value]]:
    """The cells as they arrive in an engine; of these columns the texts, NULL where blank, and the values."""
    arriving = ibis.table({place(i): "string" for i in range(len(cells.names))}, name=_ARRIVING)
    texts = [arriving[place(cells.names.index(column.name))].nullif("") for column in columns]
    return arriving, texts, [cast(column, text, cells.notation) for column, text in zip(columns, texts, strict=True)]


def _unread(text: ibis.Value, value: ibis.Value) -> ibis.Value:
    return ibis.ifelse(value.isnull(), text, None)


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
