"""The public facts about a table: its columns, who is protected, and how many people there are if that is public."""

from __future__ import annotations

from dataclasses import dataclass, field

from dpengine.data.declared.columns import CategoryColumn, Column, NumberColumn, TextColumn, require_name
from dpengine.errors import InvalidParameterError, RefusedQueryError, items_of, named, require_fields, require_whole
from dpengine.seen_text import read_alike

MOST_ROWS = 1_000_000
MOST_PEOPLE = 10**12


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyUnit:
    """Who is protected: the person behind a row, or behind all rows that share an identifier.

    With an identifier at most `rows` rows of a person count (a repeatable random choice); rows without an
    identifier do not count. Without one, every row is taken to be a different person. Answers by group count a person
    in at most `groups` groups with at most `rows_per_group` rows in each, where these are given.
    """

    identifier: str | None = None
    rows: int = 1
    groups: int | None = None
    rows_per_group: int | None = None

    def __post_init__(self) -> None:
        _settle_whole(self, "rows", MOST_ROWS)
        for bound in ("groups", "rows_per_group"):
            if getattr(self, bound) is not None:
                _settle_whole(self, bound, MOST_ROWS)
        require_fields(self)
        if self.identifier is None:
            self._require_single_rows()

    def _require_single_rows(self) -> None:
        if self.rows != 1:
            raise InvalidParameterError("rows", self.rows, "1 when no identifier tells whose rows belong together")
        for bound in ("groups", "rows_per_group"):
            if getattr(self, bound) is not None:
                raise InvalidParameterError(bound, getattr(self, bound), "None where every row is another person")


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Everything that may be known about a table without looking at its rows.

    `people` is the public number of people; replacing one person needs it, adding or removing one must not use it.
    """

    name: str
    columns: tuple[Column, ...]
    unit: PrivacyUnit = field(default_factory=PrivacyUnit)
    people: int | None = None

    def __post_init__(self) -> None:
        require_name(self.name)
        object.__setattr__(self, "columns", items_of("columns", self.columns))
        if self.people is not None:
            _settle_whole(self, "people", MOST_PEOPLE)
        require_fields(self)
        names = [column.name for column in self.columns]
        if not names:
            raise InvalidParameterError("columns", names, "at least one column")
        if len({name.casefold() for name in names}) != len(names):
            rule = "a list without repeated names (upper and lower case count as equal)"
            raise InvalidParameterError("columns", names, rule)
        if self.unit.identifier is not None:
            self._require_identifier(self.unit.identifier)

    def require_read_apart(self) -> None:
        """InvalidParameterError where a reader takes two columns, or two values of one, for one another.

        Asked where somebody declares a table, and not of one that was kept: what looks alike is judged anew with time.
        """
        if alike := read_alike([column.name for column in self.columns]):
            rule = "a list without names that read alike (upper and lower case count as equal)"
            raise InvalidParameterError("columns", alike, rule)
        for column in self.columns:
            if isinstance(column, CategoryColumn) and (alike := read_alike(column.categories, capitals_count=True)):
                rule = "a list without values that read alike"
                raise InvalidParameterError(f"categories of {column.name}", alike, rule)

    def _require_identifier(self, name: str) -> None:
        if name not in [column.name for column in self.columns if isinstance(column, TextColumn)]:
            raise InvalidParameterError("identifier", name, "a column declared as text or identifier")

    def column(self, name: str) -> Column:
        """The declared column of this name; raises RefusedQueryError if there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise RefusedQueryError(
            f"There is no column {name!r} in {self.name!r}; it has "
            + ", ".join(repr(c.name) for c in self.columns)
            + "."
        )

    def number(self, name: str) -> NumberColumn:
        """The number column of this name; raises RefusedQueryError if it is of another kind."""
        column = self.column(name)
        if not isinstance(column, NumberColumn):
            raise RefusedQueryError(
                f"{name!r} is not declared as a number with bounds, so nothing limits how much one person can "
                "change its sum."
            )
        return column

    @property
    def queryable(self) -> tuple[Column, ...]:
        """The columns that a condition may name: all but the identifier, which says whose rows belong together."""
        return tuple(column for column in self.columns if column.name != self.unit.identifier)

    @property
    def one_row_each(self) -> bool:
        """Whether every row is a different person."""
        return self.unit.identifier is None


def _settle_whole(value: PrivacyUnit | Schema, field: str, most: int) -> None:
    """Keep a whole number from 1 to `most` as Python's own int, whatever kind of number was given."""
    given = getattr(value, field)
    require_whole(field, given)
    if given > most:
        raise InvalidParameterError(field, given, f"at most {most:,}")
    object.__setattr__(value, field, int(given))
