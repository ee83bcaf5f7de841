"""The narrow waist: what a table may be asked, each a value that any engine turns into exact integers.

Queries know aggregates, not engines; engines know aggregates, not privacy. A table applies its schema's contribution
bound (at most so many rows a person) before every aggregate but PeopleCount, which needs none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from dpengine.data.declared.conditions import Condition
from dpengine.errors import InvalidParameterError, named, require_one_of, require_whole

Key = str | bool
PERIODS = {"month": 12, "year": 1}
"""How many of each make a year."""


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class RowCount:
    """Number of rows that satisfy the condition. One integer."""

    where: Condition | None = None


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleCount:
    """Number of different people with at least one row that satisfies the condition. One integer."""

    where: Condition | None = None


@named
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


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class SignedCount:
    """Rows that satisfy `condition` count +1, the others -1, among the rows that satisfy `where`. One integer."""

    condition: Condition
    where: Condition | None = None


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryCounts:
    """Rows for each listed value of a category or boolean column, in the order of the list; other rows do not count."""

    column: str
    values: tuple[str | bool, ...]
    where: Condition | None = None

    def __post_init__(self) -> None:
        require_whole("number of values", len(self.values))


@named
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


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class StepCounts:
    """Rows for each whole grid step from lower to upper, values clamped to them; upper - lower + 1 integers."""

    column: str
    fraction_bits: int
    lower: int
    upper: int
    where: Condition | None = None

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:
            raise InvalidParameterError("lower", self.lower, f"at most upper, {self.upper}")


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodCounts:
    """Rows for each calendar month or year of a date column, from that of `earliest` to that of `latest`."""

    column: str
    period: str
    earliest: date
    latest: date
    where: Condition | None = None

    def __post_init__(self) -> None:
        require_one_of("period", self.period, PERIODS)
        if self.earliest > self.latest:
            raise InvalidParameterError("earliest", self.earliest, f"at most {self.latest}")

    @property
    def first(self) -> int:
        """The first period: how many whole ones lie before it, counted from the year 0."""
        return periods_before(self.earliest, self.period)

    @property
    def periods(self) -> int:
        """How many there are."""
        return periods_before(self.latest, self.period) - self.first + 1

    @property
    def labels(self) -> tuple[str, ...]:
        """What each is called: 2024, or 2024-01."""
        each = PERIODS[self.period]
        numbered = (divmod(number, each) for number in range(self.first, self.first + self.periods))
        return tuple(f"{year:04d}" if each == 1 else f"{year:04d}-{place + 1:02d}" for year, place in numbered)


def periods_before(day: date, period: str) -> int:
    """Whole periods from the year 0 to the one that holds a day."""
    each = PERIODS[period]
    return day.year * each + (day.month - 1) * each // 12


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class FixedPointMoments:
    """Sum of d and sum of d * d, where d is a row's distance from `center` as in FixedPointSum. Two integers."""

    column: str
    fraction_bits: int
    lower: int
    upper: int
    center: int = 0
    where: Condition | None = None

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:
            raise InvalidParameterError("lower", self.lower, f"at most upper, {self.upper}")


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionCounts:
    """Rows that satisfy each condition, among those that satisfy `where`: one integer a condition; they may overlap.

    `signed` counts a row that does not satisfy it -1, as SignedCount does, instead of not at all.
    """

    conditions: tuple[Condition, ...]
    where: Condition | None = None
    signed: bool = False

    def __post_init__(self) -> None:
        require_whole("number of conditions", len(self.conditions))


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """Groups by one or two columns, each with its public list of values; the first column varies slowest.

    One person counts in at most `groups` groups with at most `rows_per_group` rows in each, by a repeatable random
    choice; None stands for no limit beyond the rows that a person may have.
    """

    by: tuple[str, ...]
    values: tuple[tuple[Key, ...], ...]
    groups: int | None = None
    rows_per_group: int | None = None

    def __post_init__(self) -> None:
        require_one_of("number of columns to group by", len(self.by), (1, 2))
        if len(self.values) != len(self.by) or not all(self.values):
            raise InvalidParameterError("values", self.values, "a list with at least one value for each column")
        for field in ("groups", "rows_per_group"):
            if getattr(self, field) is not None:
                require_whole(field, getattr(self, field))


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class GroupedCounts:
    """Rows in each group; rows whose keys are not listed do not count. One integer a group."""

    grouping: Grouping
    where: Condition | None = None


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class GroupedSums:
    """A sum in each group, of values or of signs; rows whose value is missing do not count. One integer a group."""

    grouping: Grouping
    sum: FixedPointSum | SignedCount


Aggregate = (
    RowCount
    | PeopleCount
    | FixedPointSum
    | SignedCount
    | CategoryCounts
    | BinCounts
    | StepCounts
    | PeriodCounts
    | FixedPointMoments
    | ConditionCounts
    | GroupedCounts
    | GroupedSums
)


def without_bounds(aggregate: Aggregate) -> Aggregate:
    """The same totals with every row in every group."""
    if isinstance(aggregate, GroupedCounts | GroupedSums):
        return replace(aggregate, grouping=replace(aggregate.grouping, groups=None, rows_per_group=None))
    return aggregate
