"""The axes of the trade-off: errors on a logarithmic scale, beliefs from the prior on, and their ticks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpengine.formatting import amount, tiny
from pages.question.dial.axes import SMALLEST_PLAIN, Tick

MOST_POWERS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeOffSpan:
    """The range that trade-offs are drawn in: errors on a logarithmic scale, beliefs from the prior on to 100."""

    least_error: float
    largest_error: float
    prior: float

    def error(self, half_width: float) -> float:
        """Where an error lies on its axis, 0 to 1."""
        if half_width <= self.least_error or self.largest_error <= self.least_error:
            return 0.0
        return min(math.log(half_width / self.least_error) / math.log(self.largest_error / self.least_error), 1.0)

    def risk(self, belief: float) -> float:
        """Where a belief lies on its axis, 0 to 1."""
        return min(max((belief - self.prior) / (1.0 - self.prior), 0.0), 1.0) if self.prior < 1.0 else 0.0


def error_ticks(span: TradeOffSpan, times: float = 1.0) -> list[Tick]:
    """Powers of ten inside the range of errors, at most four of them, so that their labels stand apart.

    They are written so many times as large as they are kept: 1 or another power of ten.
    """
    if span.largest_error <= span.least_error:
        return [{"at": 0.0, "text": amount(times * span.least_error)}]
    first, last = math.ceil(math.log10(span.least_error) - 1e-9), math.floor(math.log10(span.largest_error) + 1e-9)
    powers = np.arange(first, last + 1, max(math.ceil((last - first + 1) / MOST_POWERS), 1))
    return [{"at": span.error(10.0**power), "text": _short(times * 10.0 ** float(power))} for power in powers]


def _short(value: float) -> str:
    for size, letter in ((1e9, " bn"), (1e6, " m")):
        if value >= size:
            return f"{amount(value / size)}{letter}"
    return tiny(value) if value < SMALLEST_PLAIN else amount(value)


def risk_ticks(span: TradeOffSpan) -> list[Tick]:
    """The prior, 100, and what lies between them."""
    beliefs = np.linspace(span.prior, 1.0, 3)
    return [{"at": span.risk(float(belief)), "text": amount(100.0 * float(belief))} for belief in beliefs]
