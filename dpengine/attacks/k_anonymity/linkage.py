"""Linkage: rows without names, joined with a list of names by what both have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpengine.attacks.k_anonymity.recoding import coarsened
from dpengine.attacks.outcome import Outcome
from dpengine.data import Coarsening
from dpengine.errors import InvalidParameterError

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """What a join tells of each published record.

    `fitting` is how many people of the list fit it, `named` which one the attacker names, `right` whether that is the
    person; shapes (records,). A name is given (else -1) where one person alone fits, and no other record looks like
    this one; the record is won where it is the right name.
    """

    outcome: Outcome
    fitting: Integers = field(repr=False)
    named: Integers = field(repr=False)
    right: NDArray[np.bool_] = field(repr=False)

    @property
    def wrong(self) -> int:
        """How many records got somebody else's name."""
        return int(np.sum((self.named >= 0) & ~self.right))


def linked(records: pd.DataFrame, names: pd.DataFrame, columns: Sequence[Coarsening]) -> Linked:
    """Join records with a list of names by their coarsened columns; `names["patient"]` is the truth that judges it.

    The baseline is one blind guess among the names for each record, never right where its owner is not listed. Raises
    InvalidParameterError without a column, or without rows.
    Source: Sweeney 2002, section 1, on zip, birth date and sex.
    """
    _require(records, names, columns)
    keys, listed = _together(records, names, columns)
    fitting = np.bincount(listed, minlength=int(keys.max()) + 1)[keys]
    owner = np.zeros(max(int(keys.max()), int(listed.max())) + 1, dtype=np.int64)
    owner[listed] = np.arange(len(names))
    alone = (fitting == 1) & (np.bincount(keys)[keys] == 1)
    named = np.where(alone, owner[keys], -1)
    right = (named >= 0) & (names["patient"].to_numpy()[named] == np.arange(len(records)))
    owners = int(np.sum(np.isin(np.arange(len(records)), names["patient"].to_numpy())))
    blind = owners / len(records) / len(names)
    outcome = Outcome(successes=int(np.sum(right)), trials=len(records), baseline=blind)
    return Linked(outcome=outcome, fitting=fitting, named=named, right=right)


def narrowed(names: pd.DataFrame, person: int, columns: Sequence[Coarsening]) -> tuple[int, ...]:
    """How many people of a list are left after each filter with one person's own values; first of all, everybody.

    `person` is the row in the list. Raises InvalidParameterError for a row or a column that is not there.
    """
    if not 0 <= person < len(names):
        raise InvalidParameterError("person", person, f"a row of the list, 0 to {len(names) - 1}")
    left, counts = np.ones(len(names), dtype=bool), [len(names)]
    for one in columns:
        if one.column not in names:
            raise InvalidParameterError("column", one.column, "a column of the list")
        cells = coarsened(one, names[one.column].to_numpy(dtype=str))
        left &= cells == cells[person]
        counts.append(int(np.sum(left)))
    return tuple(counts)


def _require(records: pd.DataFrame, names: pd.DataFrame, columns: Sequence[Coarsening]) -> None:
    if not columns:
        raise InvalidParameterError("columns", columns, "at least one that both tables have")
    if not len(records) or not len(names):
        raise InvalidParameterError("rows", min(len(records), len(names)), "at least one in each table")
    for one in columns:
        if one.column not in records or one.column not in names:
            raise InvalidParameterError("column", one.column, "a column of both tables")


def _together(records: pd.DataFrame, names: pd.DataFrame, columns: Sequence[Coarsening]) -> tuple[Integers, Integers]:
    """One number for each combination of values, the same in both tables."""
    keys = np.zeros(len(records) + len(names), dtype=np.int64)
    for one in columns:
        cells = np.concatenate([table[one.column].to_numpy(dtype=str) for table in (records, names)])
        place = np.unique(coarsened(one, cells), return_inverse=True)[1]
        keys = np.unique(keys * (int(place.max()) + 1) + place, return_inverse=True)[1]
    return keys[: len(records)], keys[len(records) :]
