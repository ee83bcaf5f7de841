"""Coarser cells of rows that are public or invented: the same combinations as an engine of rows would make."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch

import numpy as np
from numpy.typing import NDArray

from dpengine.data import AsItIs, Bands, Coarsening, Dropped, Period, Prefix
from dpengine.errors import InvalidParameterError

Texts = NDArray[np.str_]
MISSING, ANY = "", "any"
_LETTERS = {"month": 7, "year": 4, "decade": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cuts:
    """Numbers between increasing cuts: below the first, from each to below the next, from the last on."""

    column: str
    cuts: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.cuts or list(self.cuts) != sorted(set(self.cuts)):
            raise InvalidParameterError("cuts", self.cuts, "increasing whole numbers, at least one")


Recoding = Coarsening | Cuts


@singledispatch
def coarsened(how: Recoding, cells: Texts) -> Texts:
    """The coarser cells as people read them, shape (n,); an empty cell is missing and stays a value of its own.

    >>> coarsened(Period(column="born", period="decade"), np.array(["1951-10-05", ""])).tolist()
    ['1950s', '']
    """
    raise TypeError(how)


@coarsened.register
def _(how: AsItIs, cells: Texts) -> Texts:
    return cells


@coarsened.register
def _(how: Dropped, cells: Texts) -> Texts:
    return np.full(len(cells), ANY)


@coarsened.register
def _(how: Period, cells: Texts) -> Texts:
    ending = "0s" if how.period == "decade" else ""
    return _of_present(cells, np.char.add(cells.astype(f"<U{_LETTERS[how.period]}"), ending))


@coarsened.register
def _(how: Prefix, cells: Texts) -> Texts:
    """What is cut off is told by stars, so that two lengths stay apart no more than an engine keeps them apart."""
    longest = max((len(cell) for cell in cells.tolist()), default=0)
    return _of_present(cells, np.char.add(cells.astype(f"<U{how.letters}"), "*" * max(longest - how.letters, 0)))


@coarsened.register
def _(how: Bands, cells: Texts) -> Texts:
    """Whole numbers in whole bands read 30–39, others 30 to 40."""
    values, present = _numbers(cells)
    least = np.floor(values / how.width) * how.width
    whole = bool(np.all(values == np.floor(values))) and how.width == int(how.width)
    if whole and how.width == 1:
        return cells
    ends = [(_written(low), _written(low + how.width - 1 if whole else low + how.width)) for low in least]
    names = [(f"{low}–{high}" if whole else f"{low} to {high}") for low, high in ends]
    return np.where(present, np.array(names, dtype=str), MISSING)


@coarsened.register
def _(how: Cuts, cells: Texts) -> Texts:
    values, present = _numbers(cells)
    between = [f"{low}–{high - 1}" for low, high in zip(how.cuts, how.cuts[1:], strict=False)]
    names = np.array([f"below {how.cuts[0]}", *between, f"{how.cuts[-1]} or more"])
    return np.where(present, names[np.searchsorted(how.cuts, values, side="right")], MISSING)


def _written(number: float) -> str:
    """A number with all its digits: two bands under one name would pass for one crowd."""
    return f"{number:.15g}"


def _numbers(cells: Texts) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    present = cells != MISSING
    return np.where(present, cells, "0").astype(np.float64), present


def _of_present(cells: Texts, told: Texts) -> Texts:
    return np.where(cells == MISSING, MISSING, told)
