"""The least whole number that is enough, searched from a good guess outward."""

from __future__ import annotations

import math
from collections.abc import Callable

MOST = 10**12


def least_whole(enough: Callable[[int], bool], *, near: float, pace: float = 1.01) -> int | None:
    """A whole number from 1 on that is enough while one less is not; None where a million million is not.

    It is the least one where more is never worse. A guess that is right up to the factor `pace` needs few questions.

    >>> least_whole(lambda people: people**2 >= 1000, near=30.0), least_whole(lambda people: False, near=7.0)
    (32, None)
    """
    high = min(max(math.ceil(near), 1), MOST)
    low = high
    while low > 0 and enough(low):
        high, low, pace = low, math.floor(low / pace) if low > 1 else 0, pace**2
    if low == high:
        while not enough(high):
            if high == MOST:
                return None
            low, high, pace = high, min(math.ceil(high * pace), MOST), pace**2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
