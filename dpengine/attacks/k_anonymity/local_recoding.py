"""k-anonymity cell by cell: rows in groups of at least k, each cell coarsened only where its own group differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

import numpy as np
import pandas as pd

from dpengine.attacks.k_anonymity.rows_at_hand import RowsAtHand
from dpengine.data import AsItIs
from dpengine.errors import InvalidParameterError, require_whole

REMOVED = "*"
MOST_ROWS = 8
"""There are 4,140 ways to group eight rows, and each is tried."""
FOUR_ROWS = pd.DataFrame(
    [
        ("Harry", "Stone", "34", "Afr-Am"),
        ("John", "Reyser", "36", "Cauc"),
        ("Beatrice", "Stone", "47", "Afr-Am"),
        ("John", "Ramos", "22", "Hisp"),
    ],
    columns=["first", "last", "age", "race"],
)
"""The table by which it is usually explained. Source: Meyerson and Williams 2004, section 1."""

Coarsen = Callable[[Sequence[str]], str]
Groups = tuple[tuple[int, ...], ...]


def removed(cells: Sequence[str]) -> str:
    """Nothing of the cells is left (suppression)."""
    return REMOVED


def beginning(cells: Sequence[str]) -> str:
    """The letters with which all cells begin, then a star.

    >>> beginning(["Reyser", "Ramos"]), beginning(["Harry", "Beatrice"])
    ('R*', '*')
    """
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*cells, strict=False))
    return "".join(letters[0] for letters in alike) + REMOVED


def tens(cells: Sequence[str]) -> str:
    """The narrowest range between whole tens that holds all cells, both ends included.

    >>> tens(["34", "47"]), tens(["22", "36"])
    ('30–50', '20–40')
    """
    numbers = [int(cell) for cell in cells]
    return f"{min(numbers) // 10 * 10}–{-(-max(numbers) // 10) * 10}"


COARSER: Mapping[str, Coarsen] = {"first": beginning, "last": beginning, "age": tens, "race": removed}
STARS: Mapping[str, Coarsen] = dict.fromkeys(COARSER, removed)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocallyRecoded:
    """The published rows, in the order of the original ones, and how many cells differ from these.

    `ways` is how many groupings were compared; none of them changes fewer cells.
    """

    published: pd.DataFrame = field(repr=False)
    changed: int
    ways: int

    @property
    def smallest(self) -> int:
        """The fewest rows that look alike, counted in the published rows themselves."""
        columns = [AsItIs(column=str(name)) for name in self.published]
        return min(RowsAtHand(frame=self.published).crowds(columns).sizes)

    def fitting(self, person: Sequence[str]) -> list[int]:
        """The rows that may be those of a person of whom an attacker knows all cells."""
        rows = self.published.itertuples(index=False)
        return [i for i, row in enumerate(rows) if all(map(_fits, row, person))]


def locally_recoded(rows: pd.DataFrame, *, people: int, coarsen: Mapping[str, Coarsen]) -> LocallyRecoded:
    """The grouping that changes fewest cells such that each row looks like at least `people` - 1 others.

    Each column of `rows` (text) is coarsened by its entry in `coarsen` where a group differs. To find the fewest is
    NP-hard in general (Meyerson and Williams 2004), so every grouping is tried, of at most MOST_ROWS rows.
    """
    require_whole("people", people)
    if not people <= len(rows) <= MOST_ROWS:
        raise InvalidParameterError("rows", len(rows), f"from {people} to {MOST_ROWS}")
    if list(coarsen) != list(rows):
        raise InvalidParameterError("coarsen", tuple(coarsen), f"one entry for each of {', '.join(map(str, rows))}")
    columns = [(rows[name].tolist(), how) for name, how in coarsen.items()]
    every = [
        np.array([_recoded(cells, groups, how) for cells, how in columns]).T
        for groups in _groupings(tuple(range(len(rows))), people)
    ]
    changed = [int(np.sum(one != rows.to_numpy())) for one in every]
    best = int(np.argmin(changed))
    published = pd.DataFrame(every[best], columns=rows.columns)
    return LocallyRecoded(published=published, changed=changed[best], ways=len(every))


def _groupings(rows: tuple[int, ...], least: int) -> Iterator[Groups]:
    """Every way to part rows into groups of at least so many."""
    if not rows:
        yield ()
        return
    first, others = rows[0], rows[1:]
    for chosen in range(2 ** len(others)):
        group = (first, *(row for place, row in enumerate(others) if chosen >> place & 1))
        rest = tuple(row for row in others if row not in group)
        if len(group) >= least:
            yield from ((group, *more) for more in _groupings(rest, least))


def _recoded(cells: Sequence[str], groups: Groups, coarsen: Coarsen) -> list[str]:
    """One column, coarsened in each group whose cells differ."""
    published = list(cells)
    for group in groups:
        shared = [cells[row] for row in group]
        for row in group:
            published[row] = shared[0] if len(set(shared)) == 1 else coarsen(shared)
    return published


def _fits(cell: str, known: str) -> bool:
    """Whether a published cell may have been this one."""
    if cell.endswith(REMOVED):
        return known.startswith(cell[: -len(REMOVED)])
    low, dash, high = cell.partition("–")
    return int(low) <= int(known) <= int(high) if dash else cell == known
