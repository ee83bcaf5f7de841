"""Errors and answers with their units, as people read them: those of a share in percentage points and in per cent.

A share is kept as a part of 1 in plans, links and files; only what is read and typed is 100 times as large.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dpengine.accuracy import error_unit
from dpengine.data import Schema
from dpengine.formatting.numbers import amount, at_most
from dpengine.queries import AnyPart, Query
from dpengine.queries.forms import people_or_rows
from dpengine.queries.proportion import Proportions


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """How the numbers of a question are read: so many `times` as large, errors in one unit and answers in another.

    `sign` stands after an answer that is named without its unit; exact answers have so many `digits`.
    """

    errors: str
    answers: str
    times: float = 1.0
    sign: str = ""
    digits: int = 6

    def written(self, write: Callable[[str], str], otherwise: str = "") -> Measure:
        """The same with the names of its units as a page writes them, and another for a unit without one."""
        return replace(self, errors=write(self.errors) or otherwise, answers=write(self.answers) or otherwise)

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
_ONE = {"people": "person", "rows": "row", _POINTS: "percentage point"}


def measure_of(query: Query, schema: Schema) -> Measure:
    """How a question's numbers are read: its kind says what is a share, never a unit that somebody declared."""
    if isinstance(query, Proportions):
        return Measure(errors=_POINTS, answers=f"% of {people_or_rows(schema)}", times=100.0, sign="%", digits=4)
    return Measure(errors=error_unit(query, schema), answers=query.unit(schema))


def measure_of_parts(parts: Sequence[AnyPart], query: Query, schema: Schema) -> Measure:
    """How the noise of parts is read: that of a share with one part like the share itself, others without a unit."""
    return (
        measure_of(query, schema)
        if len(parts) == 1 and isinstance(query, Proportions)
        else Measure(errors="", answers="")
    )


def unit_after(unit: str, number: str = "") -> str:
    """A unit as it follows a number, with its space, one person after "1"; a share that somebody declared in brackets.

    >>> unit_after("people"), unit_after("people", "1"), unit_after("share of income"), unit_after("% of people")
    (' people', ' person', ' (share of income)', '% of people')
    """
    if unit.startswith("% "):
        return unit
    unit = _ONE.get(unit, unit) if number == "1" else unit
    return f" ({unit})" if unit.startswith("share of ") else f" {unit}" if unit else ""


def error_in(measure: Measure, value: float, number: Callable[[float], str] = at_most) -> str:
    """An error with its unit; rounded up unless another way to write the number is given.

    >>> error_in(Measure(errors="people", answers="people"), 30.04)
    '30.1 people'
    >>> error_in(Measure(errors="percentage points", answers="% of people", times=100.0), 0.01)
    '1 percentage point'
    """
    read = number(measure.times * value)
    return f"{read}{unit_after(measure.errors, read)}"


def answer_in(measure: Measure, value: float) -> str:
    """An answer with its unit.

    >>> answer_in(Measure(errors="people", answers="people"), 1398.0)
    '1,398 people'
    """
    read = amount(measure.times * value, measure.digits)
    return f"{read}{unit_after(measure.answers, read)}"
