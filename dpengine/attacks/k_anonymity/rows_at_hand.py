"""Rows that are public or invented, kept in memory for an attack's pictures: the crowds an engine would count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpengine.attacks.k_anonymity.recoding import Recoding, Texts, coarsened
from dpengine.data import Crowds
from dpengine.errors import InvalidParameterError

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsAtHand:
    """Text cells by column, and whose rows they are; without an identifier every row is another person."""

    frame: pd.DataFrame = field(repr=False)
    identifier: str | None = None
    _known: dict[Recoding, Integers] = field(default_factory=dict, repr=False, compare=False)

    def crowds(self, columns: Sequence[Recoding], *, sensitive: str | None = None) -> Crowds:
        """How many combinations of the coarser columns have how many people; see `Table.crowds`."""
        keys = self.places(columns)
        people = _different(keys, self._persons())
        values = np.zeros_like(people) if sensitive is None else _different(keys, self.codes(sensitive))
        found = Counter(zip(people.tolist(), values.tolist(), strict=True))
        return Crowds(combinations=dict(found))

    def places(self, columns: Sequence[Recoding]) -> Integers:
        """The number of the combination that each row has, from 0, every number taken; shape (rows,)."""
        if not columns:
            raise InvalidParameterError("columns", columns, "at least one by which people could be told apart")
        keys = np.zeros(len(self.frame), dtype=np.int64)
        for one in columns:
            place = self._coded(one)
            keys = _numbered(keys * (int(place.max(initial=0)) + 1) + place)
        return keys

    def _coded(self, one: Recoding) -> Integers:
        """A column's coarser cells as numbers; remembered, because a search asks for the same ones again and again."""
        if one not in self._known:
            self._known[one] = _numbered(coarsened(one, self.cells(one.column)))
        return self._known[one]

    def cells(self, column: str) -> Texts:
        """The cells of a column as text; raises InvalidParameterError where there is none of that name."""
        if column not in self.frame:
            raise InvalidParameterError("column", column, "a column of the table")
        return self.frame[column].fillna("").to_numpy(dtype=str)

    def codes(self, column: str) -> Integers:
        """The cells of a column as numbers from 0, in the order of their texts."""
        return _numbered(self.cells(column))

    def _persons(self) -> Integers:
        return np.arange(len(self.frame)) if self.identifier is None else self.codes(self.identifier)


def values_in(rows: RowsAtHand, places: Integers, column: str) -> list[Mapping[str, int]]:
    """For each combination how often each value of a column occurs in it."""
    found: list[Counter[str]] = [Counter() for _ in range(int(places.max(initial=-1)) + 1)]
    for place, cell in zip(places.tolist(), rows.cells(column).tolist(), strict=True):
        found[place][cell] += 1
    return list(found)


def _numbered(cells: Texts | Integers) -> Integers:
    return np.asarray(np.unique(cells, return_inverse=True)[1], dtype=np.int64)


def _different(keys: Integers, codes: Integers) -> Integers:
    """How many different codes each combination has; shape (combinations,)."""
    width = int(codes.max(initial=0)) + 1
    pairs = np.unique(keys * width + codes) // width
    return np.asarray(np.bincount(pairs, minlength=int(keys.max(initial=-1)) + 1), dtype=np.int64)
