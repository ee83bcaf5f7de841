"""Errors and answers with their units, as people read them: those of a share in percentage points and in per cent.

A share is kept as a part of 1 in plans, links and files; only what is read and typed is 100 times as large.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpengine.charts.numbers import amount, at_most


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """How numbers in a unit are read: so many `times` as large, errors in one unit and answers in another.

    `sign` stands after an answer that is named without its unit; exact answers have so many `digits`.
    """

    errors: str
    answers: str
    times: float = 1.0
    sign: str = ""
    digits: int = 6

    def read(self, kept: float) -> float:
        """The number that a person reads or types for a kept one, exact in 15 digits."""
        return kept if self.times == 1.0 else float(f"{self.times * kept:.15g}")

    def kept(self, read: float) -> float:
        """The number that is kept for one that a person typed, likewise."""
        return read if self.times == 1.0 else float(f"{read / self.times:.15g}")

    def answer(self, kept: float, digits: int = 0) -> str:
        """An answer by itself, without the people or rows that it is about; with its usual digits if none are given."""
        return f"{amount(self.times * kept, digits or self.digits)}{self.sign}"


_POINTS = "percentage points"
_SHARES = {
    f"share of {whom}": Measure(errors=_POINTS, answers=f"% of {whom}", times=100.0, sign=" %", digits=4)
    for whom in ("people", "rows")
}


def measured_in(unit: str) -> Measure:
    """How numbers in this unit are read. A unit that somebody declared is read as it was declared.

    >>> measured_in("share of people").answers, measured_in("share of income").answers
    ('% of people', 'share of income')
    """
    return _SHARES.get(unit) or Measure(errors=unit, answers=unit)


def unit_after(unit: str) -> str:
    """A unit as it follows a number, with its space; a share that somebody declared in brackets.

    >>> unit_after("people"), unit_after("share of income"), unit_after("")
    (' people', ' (share of income)', '')
    """
    return f" ({unit})" if unit.startswith("share of ") else f" {unit}" if unit else ""


def error_in(unit: str, value: float, number: Callable[[float], str] = at_most) -> str:
    """An error with its unit; rounded up unless another way to write the number is given.

    >>> error_in("share of people", 0.04301), error_in("share of rows", 0.01), error_in("people", 30.04)
    ('4.31 percentage points', '1 percentage point', '30.1 people')
    """
    measure = measured_in(unit)
    read = number(measure.times * value)
    one = read == "1" and measure.errors == _POINTS
    return f"{read}{unit_after('percentage point' if one else measure.errors)}"


def answer_in(unit: str, value: float) -> str:
    """An answer with its unit.

    >>> answer_in("share of people", 0.432109), answer_in("people", 1398.0)
    ('43.21 % of people', '1,398 people')
    """
    measure = measured_in(unit)
    return f"{amount(measure.times * value, measure.digits)}{unit_after(measure.answers)}"
