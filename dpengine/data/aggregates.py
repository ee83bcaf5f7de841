"""The narrow waist: what a table may be asked, each a value that any engine turns into exact integers.

Queries know aggregates, not engines; engines know aggregates, not privacy. A table applies its schema's contribution
bound (at most so many rows a person) before every aggregate but PeopleCount, which needs none.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpengine.data.conditions import Condition
from dpengine.errors import InvalidParameterError, require_whole


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCount:
    """Number of rows that satisfy the condition. One integer."""

    where: Condition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleCount:
    """Number of different people with at least one row that satisfies the condition. One integer."""

    where: Condition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedPointSum:
    """Sum of floor(value * 2**fraction_bits + 1/2) - center, each clamped to [lower, upper] first, in grid steps.

    `lower`, `upper` and `center` are whole grid steps; rows whose value is missing do not count. One integer.
    """

    column: str
    fraction_bits: int
    lower: int
    upper: int
    center: int = 0
    where: Condition | None = None

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:
            raise InvalidParameterError("lower", self.lower, f"at most upper, {self.upper}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedCount:
    """Rows that satisfy `condition` count +1, the others -1, among the rows that satisfy `where`. One integer."""

    condition: Condition
    where: Condition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryCounts:
    """Rows for each listed value of a category or boolean column, in the order of the list; other rows do not count."""

    column: str
    values: tuple[str | bool, ...]
    where: Condition | None = None

    def __post_init__(self) -> None:
        require_whole("number of values", len(self.values))


@dataclass(frozen=True, slots=True, kw_only=True)
class BinCounts:
    """Rows for each bin [edge i, edge i+1) of a number column, the last bin closed; edges in grid steps, increasing.

    Values are put on the grid and clamped to the first and last edge only where `clamp` says so; otherwise values
    outside the edges do not count.
    """

    column: str
    fraction_bits: int
    edges: tuple[int, ...]
    clamp: bool = False
    where: Condition | None = None

    def __post_init__(self) -> None:
        require_whole("number of edges", len(self.edges), least=2)
        if any(left >= right for left, right in zip(self.edges, self.edges[1:], strict=False)):
            raise InvalidParameterError("edges", self.edges, "strictly increasing")


Aggregate = RowCount | PeopleCount | FixedPointSum | SignedCount | CategoryCounts | BinCounts
