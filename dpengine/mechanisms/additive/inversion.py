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


def last_before_edge(guess: float, holds: Callable[[float], bool]) -> float:
    """The largest number of this machine for which the condition holds, looked for around a guess.

    It holds for all numbers up to there and for none beyond.
    """
    low = guess
    while not holds(low):
        low /= 2.0
    high = 2.0 * low
    while holds(high):
        low, high = high, 2.0 * high
    return edge(low, high, holds)[0]
