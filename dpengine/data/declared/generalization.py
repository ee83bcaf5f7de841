"""A column told less exactly: as it is, in bands, by its month, by its first letters, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

from dpengine.data.declared.columns import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, TextColumn
from dpengine.data.declared.schema import Schema
from dpengine.errors import RefusedQueryError, named, require_fields, require_one_of, require_positive, require_whole

MOST_COLUMNS = 8
MONTHS_OF = {"month": 1, "year": 12, "decade": 120}
_MOST_BANDS = 2**52


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class AsItIs:
    """The value itself."""

    column: str


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Bands:
    """Which band [i width, (i + 1) width) holds a number; beyond a declared bound it counts as that bound."""

    column: str
    width: float

    def __post_init__(self) -> None:
        require_positive("width", self.width)
        object.__setattr__(self, "width", float(self.width))


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """The month, year or decade of a date; decades begin with the years that end in 0."""

    column: str
    period: str

    def __post_init__(self) -> None:
        require_one_of("period", self.period, MONTHS_OF)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """The first letters or digits of a category."""

    column: str
    letters: int

    def __post_init__(self) -> None:
        require_whole("letters", self.letters)
        object.__setattr__(self, "letters", int(self.letters))


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Nothing of the column."""

    column: str


Coarsening = AsItIs | Bands | Period | Prefix | Dropped
_TAKES = {Bands: NumberColumn, Period: DateColumn, Prefix: CategoryColumn}
_KINDS = {Bands: "a number with bounds", Period: "a date", Prefix: "a category"}


def require_coarsenings(columns: Sequence[Coarsening], schema: Schema, *, sensitive: str | None = None) -> None:
    """Refuse what cannot be grouped by, with the reason; no row is read."""
    names = [one.column for one in columns]
    if not names:
        raise RefusedQueryError("No column is chosen; choose at least one by which people could be told apart.")
    if len(names) > MOST_COLUMNS:
        raise RefusedQueryError(f"{len(names)} columns at once are too many; at most {MOST_COLUMNS} are combined.")
    if len(set(names)) != len(names):
        raise RefusedQueryError("A column is named twice; name different ones.")
    if sensitive in names:
        raise RefusedQueryError(
            f"{sensitive!r} is the detail to find out; it cannot also be a column by which people are known."
        )
    for one in columns:
        _require(one, _kept(schema, one.column))
    if sensitive is not None:
        _kept(schema, sensitive)


def _kept(schema: Schema, name: str) -> Column:
    column = schema.column(name)
    if isinstance(column, TextColumn):
        raise RefusedQueryError(
            f"{name!r} is declared as text, of which no list of values is public; declare it as a category."
        )
    return column


@singledispatch
def _require(one: Coarsening, column: Column) -> None:
    """Refuse a coarsening of a column that is of another kind."""
    raise RefusedQueryError(f"{one!r} is no way to make a column coarser.")


@_require.register(AsItIs)
@_require.register(Dropped)
def _(one: AsItIs | Dropped, column: Column) -> None:
    require_fields(one)


@_require.register(Period)
@_require.register(Prefix)
def _(one: Period | Prefix, column: DateColumn | CategoryColumn | BooleanColumn) -> None:
    _require_kind(one, column)


@_require.register
def _(one: Bands, column: NumberColumn) -> None:
    _require_kind(one, column)
    if max(abs(column.lower), abs(column.upper)) / one.width > _MOST_BANDS:
        raise RefusedQueryError(f"Bands of {one.width:g} are too narrow for the bounds of {column.name!r}.")


def _require_kind(one: Bands | Period | Prefix, column: Column) -> None:
    if not isinstance(column, _TAKES[type(one)]):
        raise RefusedQueryError(f"{column.name!r} is not declared as {_KINDS[type(one)]}.")
