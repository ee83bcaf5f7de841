"""How many rows people really have: exact counts, for the eyes of the person who chooses the bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import ibis

from dpengine.data.aggregates.stored_rows import StoredRows
from dpengine.data.files.cells import Cells
from dpengine.errors import named, require_whole


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Contributions:
    """People by their number of rows; never for an analyst's browser, so it stays out of the repr."""

    people_with: Mapping[int, int] = field(repr=False)

    @property
    def people(self) -> int:
        """How many people have any row."""
        return sum(self.people_with.values())

    @property
    def rows(self) -> int:
        """How many rows belong to somebody."""
        return sum(rows * people for rows, people in self.people_with.items())

    @property
    def most(self) -> int:
        """The rows of the person who has most."""
        return max(self.people_with, default=0)

    def dropped(self, bound: int) -> int:
        """How many rows a bound of so many rows per person leaves out; 0 from the largest number on."""
        require_whole("bound", bound)
        return sum(max(rows - bound, 0) * people for rows, people in self.people_with.items())

    def dropped_share(self, bound: int) -> float:
        """The same as a share of all rows; 0 where there are none."""
        return self.dropped(bound) / self.rows if self.rows else 0.0

    def people_cut(self, bound: int) -> int:
        """How many people lose at least one row."""
        require_whole("bound", bound)
        return sum(people for rows, people in self.people_with.items() if rows > bound)


def contributions_of(sample: Cells, identifier: str) -> Contributions:
    """The same of a file's first rows, before it is used; rows without an identifier are nobody's."""
    people = Counter(filter(None, sample.columns[sample.names.index(identifier)].to_pylist()))
    return Contributions(people_with=dict(Counter(people.values())))


def people_by_rows(rows: StoredRows) -> ibis.Table:
    """Columns `cell`, a number of rows, and `total`, how many people have so many."""
    if rows.schema.one_row_each:
        return rows.table.aggregate(total=rows.table.count()).select(cell=ibis.literal(1), total=ibis._.total)
    each = rows.table.group_by("person").aggregate(cell=lambda t: t.count())
    return each.group_by("cell").aggregate(total=lambda t: t.count())
