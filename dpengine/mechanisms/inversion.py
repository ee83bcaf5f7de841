"""The last digits of an inverse question: what is asked for holds for the number that comes back, not only nearly."""

from __future__ import annotations

import math
from collections.abc import Callable


def lowered_until(value: float, holds: Callable[[float], bool]) -> float:
    """The value, lowered by as few last digits as make the condition hold."""
    while not holds(value):
        value = math.nextafter(value, 0.0)
    return value


def raised_until(value: float, holds: Callable[[float], bool]) -> float:
    """The value, raised by as few last digits as make the condition hold; a power of two more at each step."""
    step = math.ulp(value)
    while not holds(value):
        value, step = value + step, 2.0 * step
    return value


def edge(low: float, high: float, holds: Callable[[float], bool]) -> tuple[float, float]:
    """Two neighboring numbers of this machine: the last for which the condition holds, the first for which it does not.

    It holds at low, not at high, and once lost stays lost.
    """
    while low < (middle := low + (high - low) / 2.0) < high:
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high
