"""Ratios around 1, beliefs around those before, losses around 0: numbers seen from where nothing is learned."""

from __future__ import annotations

import math

from dpengine.formatting.numbers import amount, at_most

_MOST_PLACES = 12


def times(ratio: float) -> str:
    """How many times as likely at most, never below it; below 2, three digits of what lies above 1; thousands in full.

    >>> times(1.00010000500), times(1.01005), times(2.71828), times(1.0), times(22026.4658), times(1.1)
    ('1.000101', '1.0101', '2.72', '1', '22,027', '1.1')
    """
    if 1e3 <= ratio < 1e6:
        return f"{math.ceil(ratio):,}"
    if not 1.0 < ratio < 2.0:
        return at_most(ratio)
    places = min(_digits_after_point(ratio - 1.0), _MOST_PLACES)
    above = math.ceil((ratio - 1.0) * 10.0**places - 1e-9) / 10.0**places
    return _plain(f"{1.0 + above:.{places}f}")


def signed(loss: float) -> str:
    """A number that may be below 0, with a true minus sign.

    >>> signed(-0.5), signed(0.0), signed(1.9375)
    ('−0.5', '0', '1.94')
    """
    return amount(loss).replace("-", "−")


def _digits_after_point(value: float) -> int:
    return 2 - math.floor(math.log10(value))


def _plain(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text
