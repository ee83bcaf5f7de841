"""Sums of amounts as the decimals that were written down: ten times 0.1 is 1, and no sum is below the truth."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np

from dpengine.losses.arrays import Array

_EXACT_DIGITS, _EXACT_PLACES = 15, 22
"""A decimal of so many digits comes back from a number of this machine; so large is its last exact power of ten."""


def sum_of_decimals(counts: Array, amounts: Array) -> Array:
    """Per column the sum of counts times amounts, one row per kind: its decimal never below it, nor a digit above.

    A kind that was never run adds nothing, whatever it would cost.
    """
    endless = np.any((counts > 0.0) & np.isinf(amounts), axis=0)
    ran = np.where(endless, 0.0, np.maximum(counts, 0.0))
    values, place = np.unique(np.where(ran > 0.0, amounts, 0.0), return_inverse=True)
    written = [Decimal(repr(value)) for value in values.tolist()]
    places = max(0, *(-int(one.as_tuple().exponent) for one in written))
    units = [int(one.scaleb(places)) for one in written]
    if places <= _EXACT_PLACES and max(units) * int(np.max(np.sum(ran, axis=0))) < 10**_EXACT_DIGITS:
        found = np.sum(ran * np.array(units, dtype=np.float64)[place.reshape(ran.shape)], axis=0) / 10.0**places
    else:
        columns = zip(ran.T, place.reshape(ran.shape).T, strict=True)
        totals = [sum(int(runs) * units[at] for runs, at in zip(*column, strict=True)) for column in columns]
        found = np.array([_up(Decimal(f"{total}E-{places}")) for total in totals])
    return np.where(endless, np.inf, found)


def _up(exact: Decimal) -> float:
    """The least number of this machine whose decimal is at or above it."""
    near = float(exact)
    return near if Decimal(repr(near)) >= exact else math.nextafter(near, math.inf)
