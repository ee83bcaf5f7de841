"""How numbers and days are written in a file: the marks in a number, and the order of day, month and year."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from dpengine.errors import InvalidParameterError, named, require_one_of

DECIMALS = (".", ",")
THOUSANDS = ("", ".", ",", " ", "'")
"""What may stand between thousands; a space stands for those that do not break a line, ' for the curved one too."""
DATES = ("iso", "year first", "day first", "month first")
"""ISO is YYYY-MM-DD and nothing else; the others take points, slashes, hyphens, spaces, and a time of day behind."""
_MARKS: Mapping[str, str] = {".": r"\.", ",": ",", " ": "[ \u00a0\u2009\u202f]", "'": "['\u2019]"}
_BETWEEN = "[./ -]"
_HOURS = "[0-2]?[0-9][:.][0-5][0-9](?:[:.][0-5][0-9](?:[.,][0-9]+)?)?"
_TIME = rf"(?:(?:[T ]+|, *){_HOURS}(?: ?[AaPp]\.?[Mm]\.?)?(?: ?(?:Z|UTC|GMT|[+-][0-9]{{2}}:?(?:[0-9]{{2}})?))?)?"
_YEAR, _TWO = "([0-9]{4})", "([0-9]{1,2})"
_YEAR_FIRST = f"^{_YEAR}{_BETWEEN}{_TWO}{_BETWEEN}{_TWO}{_TIME}$"
_YEAR_LAST = f"^{_TWO}{_BETWEEN}{_TWO}{_BETWEEN}([0-9]{{4}}|[0-9]{{2}}){_TIME}$"


@dataclass(frozen=True, slots=True, kw_only=True)
class DayPattern:
    """A regular expression of days, and which of its groups is the year, the month and the day, from 1."""

    pattern: str
    year: int
    month: int
    day: int


_FOUR_DIGITS_FIRST = DayPattern(pattern=_YEAR_FIRST, year=1, month=2, day=3)
ISO_DATE = "^([0-9]{4})-([0-9]{2})-([0-9]{2})$"
_PATTERNS: Mapping[str, tuple[DayPattern, ...]] = {
    "iso": (DayPattern(pattern=ISO_DATE, year=1, month=2, day=3),),
    "year first": (_FOUR_DIGITS_FIRST,),
    "day first": (_FOUR_DIGITS_FIRST, DayPattern(pattern=_YEAR_LAST, year=3, month=2, day=1)),
    "month first": (_FOUR_DIGITS_FIRST, DayPattern(pattern=_YEAR_LAST, year=3, month=1, day=2)),
}
TWO_DIGITS_FROM = 70
"""A year of two digits from here on is one of 1970 to 1999, one below it of 2000 to 2069."""


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """The mark before a number's fraction, what may stand between its thousands, and how days are written.

    A day with a time behind it is that day as it stands there: neither the time nor its zone moves it.
    """

    decimal: str = "."
    thousands: str = ""
    dates: str = "iso"

    def __post_init__(self) -> None:
        require_one_of("decimal", self.decimal, DECIMALS)
        require_one_of("thousands", self.thousands, THOUSANDS)
        require_one_of("dates", self.dates, DATES)
        if self.thousands == self.decimal:
            raise InvalidParameterError("thousands", self.thousands, "another mark than the one before a fraction")

    @property
    def number(self) -> str:
        """A regular expression of what is written like a number; each sign fits one place, since Java tries all."""
        mark, whole = _MARKS[self.decimal], "[0-9]+"
        if self.thousands:
            whole = f"([0-9]{{1,3}}({self.between_thousands}[0-9]{{3}})+|[0-9]+)"
        return f"^[+-]?({whole}({mark}[0-9]*)?|{mark}[0-9]+)([eE][+-]?[0-9]+)?$"

    @property
    def between_thousands(self) -> str:
        """A regular expression of what is left out of a number; empty where nothing is."""
        return _MARKS[self.thousands] if self.thousands else ""

    @property
    def days(self) -> tuple[DayPattern, ...]:
        """What is written like a day, each pattern for cells that none before it fits."""
        return _PATTERNS[self.dates]


def written_day(cell: str, notation: Notation) -> date | None:
    """The day that a cell tells, None where it is no day that a calendar has or is written otherwise.

    >>> written_day("31.12.24 23:50", Notation(dates="day first"))
    datetime.date(2024, 12, 31)
    """
    for written in notation.days:
        found = re.search(written.pattern, cell)
        if found is not None:
            year, month, day = (int(found[part]) for part in (written.year, written.month, written.day))
            if len(found[written.year]) == len("24"):
                year += 1900 if year >= TWO_DIGITS_FROM else 2000
            with contextlib.suppress(ValueError):
                return date(year, month, day)
    return None


PLAIN = Notation()
"""A decimal point, nothing between thousands, and ISO dates: what a database's own text is read by."""
