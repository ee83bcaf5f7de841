"""What a person declares about a column, without looking at the rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date

from dpengine.errors import InvalidParameterError, items_of, named, plain, require_fields, require_finite
from dpengine.seen_text import look

NAME_LIMIT = 120
GRID_BITS = 20
LARGEST_BOUND, SMALLEST_RANGE = 1e100, 1e-100
"""The square of a sum over all rows that there may be, and of its noise, is still a number of this machine."""


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class NumberColumn:
    """A number with public bounds, in a stated unit; `complete` says publicly that nobody's value is missing.

    Sums are taken on a grid of 2**-fraction_bits units: about a million steps between the bounds, chosen from the
    bounds alone. Values beyond a bound count as that bound in sums.
    """

    name: str
    lower: float
    upper: float
    unit: str = ""
    complete: bool = False

    def __post_init__(self) -> None:
        require_name(self.name)
        require_finite(f"lower bound of {self.name}", self.lower)
        require_finite(f"upper bound of {self.name}", self.upper)
        for field in ("lower", "upper"):
            object.__setattr__(self, field, float(getattr(self, field)))
        object.__setattr__(self, "complete", plain(self.complete))
        require_fields(self)
        if not self.lower < self.upper:
            raise InvalidParameterError(
                f"lower bound of {self.name}", self.lower, f"below the upper bound {self.upper:g}"
            )
        if max(abs(self.lower), abs(self.upper)) > LARGEST_BOUND or self.upper - self.lower < SMALLEST_RANGE:
            farther = max(self.lower, self.upper, key=abs)
            rule = f"within ±{LARGEST_BOUND:g} and {SMALLEST_RANGE:g} apart or more, or no sum can be computed"
            raise InvalidParameterError(f"bounds of {self.name}", farther, rule)
        if max(abs(self.lower), abs(self.upper)) > (self.upper - self.lower) * 2**30:
            raise InvalidParameterError(
                f"range of {self.name}", self.upper - self.lower, "at least a billionth of the bounds themselves"
            )

    @property
    def fraction_bits(self) -> int:
        """Binary digits after the point that a sum keeps; negative for very wide ranges."""
        return GRID_BITS - math.floor(math.log2(self.upper - self.lower))

    @property
    def step(self) -> float:
        """One grid step, in the column's unit: a power of two."""
        return math.ldexp(1.0, -self.fraction_bits)

    def on_grid(self, value: float) -> int:
        """The grid point nearest to a value (halves go up), in steps: floor(value * 2**fraction_bits + 1/2)."""
        return math.floor(math.ldexp(value, self.fraction_bits) + 0.5)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryColumn:
    """One of a public list of values, compared without the spaces around them; any other value counts as missing."""

    name: str
    categories: tuple[str, ...]

    def __post_init__(self) -> None:
        require_name(self.name)
        listed = items_of(f"categories of {self.name}", self.categories)
        object.__setattr__(self, "categories", tuple(str(category).strip() for category in listed))
        if not all(self.categories) or not self.categories:
            raise InvalidParameterError(f"categories of {self.name}", self.categories, "at least one value, none empty")
        if len(set(self.categories)) != len(self.categories):
            raise InvalidParameterError(f"categories of {self.name}", self.categories, "a list without repetitions")


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class BooleanColumn:
    """Yes or no; `true_words` and `false_words` are the spellings that count, without regard to case."""

    name: str
    true_words: tuple[str, ...] = ("true", "yes", "1", "t", "y")
    false_words: tuple[str, ...] = ("false", "no", "0", "f", "n")

    def __post_init__(self) -> None:
        require_name(self.name)
        for field in ("true_words", "false_words"):
            listed = items_of(f"{field} of {self.name}", getattr(self, field))
            object.__setattr__(self, field, tuple(str(word).strip().lower() for word in listed))
        shared = set(self.true_words) & set(self.false_words)
        if shared:
            raise InvalidParameterError(f"true_words of {self.name}", sorted(shared), "distinct from the false words")


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class DateColumn:
    """A calendar date (YYYY-MM-DD) with a public range."""

    name: str
    earliest: date
    latest: date

    def __post_init__(self) -> None:
        require_name(self.name)
        require_fields(self)
        if self.earliest > self.latest:
            raise InvalidParameterError(f"earliest date of {self.name}", self.earliest, f"at most {self.latest}")


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class TextColumn:
    """Free text, compared with constants letter by letter without the spaces around it; or whose row it is."""

    name: str

    def __post_init__(self) -> None:
        require_name(self.name)


Column = NumberColumn | CategoryColumn | BooleanColumn | DateColumn | TextColumn


def require_name(name: str) -> None:
    """Refuse column and table names that are empty, too long, carry control characters, or begin or end with spaces.

    Nor may they show nothing.
    """
    if not isinstance(name, str) or not name.strip() or len(name) > NAME_LIMIT or not name.isprintable():
        raise InvalidParameterError("name", name, f"printable text of 1 to {NAME_LIMIT} characters")
    if not look(name):
        raise InvalidParameterError("name", name, "one that shows something")
    if name != name.strip():
        raise InvalidParameterError("name", name, "without spaces around it, as the names of a file's columns are read")
