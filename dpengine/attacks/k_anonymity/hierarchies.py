"""How a column may be told less and less exactly, one level after the other, up to not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

from dpengine.attacks.k_anonymity.recoding import Recoding
from dpengine.data import (
    AsItIs,
    Bands,
    BooleanColumn,
    CategoryColumn,
    Column,
    DateColumn,
    Dropped,
    NumberColumn,
    Period,
    Prefix,
    Schema,
    TextColumn,
)
from dpengine.errors import InvalidParameterError, RefusedQueryError

WIDTHS = (5, 10, 20)
LEAST_BANDS, MOST_BANDS = 2, 200
LEAST_LETTERS = 3
"""Categories of one length, from so many letters on, are cut letter by letter, as zip codes are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchy:
    """The levels of a column: 0 is the value itself, the last one nothing of it; each is coarser than the one before.

    Coarser means that whoever looks alike at a level looks alike at all higher ones, which the search relies on.
    """

    column: str
    levels: tuple[Recoding, ...]

    def __post_init__(self) -> None:
        if not self.levels or any(level.column != self.column for level in self.levels):
            raise InvalidParameterError("levels", self.levels, f"at least one, each of {self.column}")

    @property
    def height(self) -> int:
        """The number of the last level."""
        return len(self.levels) - 1


def hierarchies(schema: Schema, names: Sequence[str]) -> tuple[Hierarchy, ...]:
    """The usual levels of each named column, from its declaration alone; raises RefusedQueryError for text."""
    return tuple(Hierarchy(column=name, levels=_levels(schema.column(name))) for name in names)


@singledispatch
def _levels(column: Column) -> tuple[Recoding, ...]:
    raise TypeError(column)


@_levels.register
def _(column: TextColumn) -> tuple[Recoding, ...]:
    raise RefusedQueryError(
        f"{column.name!r} is declared as text, of which no list of values is public; declare it as a category."
    )


@_levels.register
def _(column: NumberColumn) -> tuple[Recoding, ...]:
    """Bands of 5, 10 and 20 units, of which each holds whole ones of those before; scaled to the bounds by tens."""
    across, times = column.upper - column.lower, 1.0
    while across / (WIDTHS[0] * times) > MOST_BANDS:
        times *= 10.0
    while across / (WIDTHS[0] * times) < LEAST_BANDS:
        times /= 10.0
    bands = [Bands(column=column.name, width=width * times) for width in WIDTHS]
    return AsItIs(column=column.name), *bands, Dropped(column=column.name)


@_levels.register
def _(column: DateColumn) -> tuple[Recoding, ...]:
    periods = [Period(column=column.name, period=period) for period in ("month", "year", "decade")]
    return AsItIs(column=column.name), *periods, Dropped(column=column.name)


@_levels.register
def _(column: CategoryColumn) -> tuple[Recoding, ...]:
    """Codes of one length with digits in them lose digits from the end; other categories are told or not."""
    lengths = {len(category) for category in column.categories}
    code = len(lengths) == 1 and min(lengths) >= LEAST_LETTERS and all(c.isdigit() for c in column.categories)
    cut = [Prefix(column=column.name, letters=n) for n in range(max(lengths) - 1, 0, -1)] if code else []
    return AsItIs(column=column.name), *cut, Dropped(column=column.name)


@_levels.register
def _(column: BooleanColumn) -> tuple[Recoding, ...]:
    return AsItIs(column=column.name), Dropped(column=column.name)
