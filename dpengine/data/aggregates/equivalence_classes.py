"""How many people share a combination of values: exact counts of crowds, for the curator's eyes only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce, singledispatch

import ibis

from dpengine.data.aggregates.predicates import literal
from dpengine.data.aggregates.stored_rows import StoredRows
from dpengine.data.declared.generalization import MONTHS_OF, AsItIs, Bands, Coarsening, Dropped, Period, Prefix
from dpengine.errors import named, require_whole

Sizes = Mapping[int, int]
_NOTHING = 0
"""The key of everybody where every column is dropped."""


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Crowds:
    """How many combinations of values have how many people, and how many different sensitive values.

    The keys are (people, values), values 0 where no sensitive column was asked about. Missing cells are one value of
    their own. Somebody with several rows counts once in each combination. Never for an analyst's browser, so it stays
    out of the repr.
    """

    combinations: Mapping[tuple[int, int], int] = field(repr=False)

    @property
    def people(self) -> int:
        """People, each counted once in every combination that they have."""
        return sum(people * many for (people, _), many in self.combinations.items())

    @property
    def sizes(self) -> dict[int, int]:
        """How many combinations have how many people, smallest crowds first."""
        found: dict[int, int] = {}
        for (people, _), many in sorted(self.combinations.items()):
            found[people] = found.get(people, 0) + many
        return found

    def below(self, least: int) -> int:
        """How many people are in a crowd of fewer than `least`; of fewer than 2: those who are unique."""
        require_whole("least", least)
        return sum(people * many for people, many in self.sizes.items() if people < least)

    def share_below(self, least: int) -> float:
        """The same as a share of all; 0 where there is nobody."""
        return self.below(least) / self.people if self.people else 0.0

    def failing(self, *, people: int, values: int = 0) -> int:
        """How many people are in a crowd of fewer people, or with fewer different sensitive values, than asked."""
        return sum(n * many for (n, v), many in self.combinations.items() if n < people or v < values)

    def passing(self, *, people: int, values: int = 0) -> Crowds:
        """Those crowds that have at least so many people and so many different sensitive values."""
        kept = {(n, v): many for (n, v), many in self.combinations.items() if n >= people and v >= values}
        return Crowds(combinations=kept)


def crowd_sizes(portions: Sequence[StoredRows], columns: Sequence[Coarsening], sensitive: str | None) -> ibis.Table:
    """Columns `people`, `values` and `total`: nothing but whole numbers leaves the engine.

    A combination may have people in several portions, so that these are put together first.
    """
    rows = reduce(ibis.union, [_keyed(one, columns, sensitive) for one in portions])
    keys = [name for name in rows.columns if name.startswith("key_")]
    people = rows.person.nunique() if "person" in rows.columns else rows.count()
    values = {} if sensitive is None else {"values": _different(rows.sensitive)}
    each = rows.group_by(keys).aggregate(people=people, **values)
    told = each if values else each.mutate(values=ibis.literal(0, type="int64"))
    return told.group_by(["people", "values"]).aggregate(total=lambda t: t.count())


def _keyed(rows: StoredRows, columns: Sequence[Coarsening], sensitive: str | None) -> ibis.Table:
    keys = [coarse(one, rows) for one in columns if not isinstance(one, Dropped)]
    named = {f"key_{i}": key for i, key in enumerate(keys or [ibis.literal(_NOTHING)])}
    whose = {} if rows.schema.one_row_each else {"person": rows.table.person}
    asked = {} if sensitive is None else {"sensitive": rows[sensitive]}
    return rows.table.select(**named, **whose, **asked)


def _different(cells: ibis.Value) -> ibis.Value:
    """How many different values there are, missing being one."""
    return cells.nunique() + ibis.ifelse(cells.isnull(), 1, 0).max()


@singledispatch
def coarse(one: Coarsening, rows: StoredRows) -> ibis.Value:
    """A column's coarser value; NULL where it is missing."""
    raise TypeError(one)


@coarse.register
def _(one: AsItIs, rows: StoredRows) -> ibis.Value:
    value = rows[one.column]
    return ibis.ifelse(value == literal(0), literal(0), value) if value.type().is_float64() else value


@coarse.register
def _(one: Bands, rows: StoredRows) -> ibis.Value:
    value, column = rows[one.column], rows.schema.number(one.column)
    lower, upper = literal(column.lower), literal(column.upper)
    within = ibis.cases((value < lower, lower), (value > upper, upper), (value.notnull(), value))
    return (within / literal(one.width)).floor().cast("int64")


@coarse.register
def _(one: Period, rows: StoredRows) -> ibis.Value:
    day = rows[one.column]
    months = day.year().cast("int64") * MONTHS_OF["year"] + day.month().cast("int64") - 1
    return months - months % MONTHS_OF[one.period]


@coarse.register
def _(one: Prefix, rows: StoredRows) -> ibis.Value:
    return rows[one.column].substr(0, one.letters)
