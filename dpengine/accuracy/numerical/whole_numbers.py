"""The least whole number that is enough, or at which something falls to a level, searched from a guess outward."""

from __future__ import annotations

import math
from collections.abc import Callable

MOST = 10**12
_MARGIN, _WIDER = 1e-5, 3.0


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


def least_whole_below(measure: Callable[[int], float], level: float, *, near: float) -> int | None:
    """A whole number from 1 on whose measure is at most the level while that of one less is above; None as above.

    The measure is positive and falls about as 1 / number, so that few are asked for even where each takes long.

    >>> least_whole_below(lambda people: 10.0 / people, 0.3, near=1000.0)
    34
    """
    low: tuple[int, float] | None = None
    high: tuple[int, float] | None = None
    number, margin = min(max(math.ceil(near), 1), MOST), _MARGIN
    while True:
        value = measure(number)
        if value <= level:
            high = number, value
        elif number == MOST:
            return None
        else:
            low = number, value
        if high is not None and high[0] - (low[0] if low else 0) <= 1:
            return high[0]
        if low and high:
            number = _between(low, high, level, halve=margin > 1.0)
        else:
            number = min(max(_scaled(number, value / level, margin), 1), MOST)
        margin *= _WIDER


def _scaled(number: int, ratio: float, margin: float) -> int:
    """Where the level lies if the measure is as 1 / number, a little beyond; always another number."""
    if ratio > 1.0:
        return max(math.ceil(number * min(ratio, 1e6) * (1.0 + margin)), number + 1)
    return min(math.floor(number * max(ratio, 1e-6) / (1.0 + margin)), number - 1)


def _between(low: tuple[int, float], high: tuple[int, float], level: float, *, halve: bool) -> int:
    """A number strictly between the two, on the line through both on logarithmic scales, or in their middle."""
    gap = math.log(low[1] / high[1]) if high[1] > 0.0 and math.isfinite(low[1]) else 0.0
    share = math.log(low[1] / level) / gap if gap > 0.0 and not halve else 0.5
    found = math.ceil(low[0] * math.pow(high[0] / low[0], share))
    return min(max(found, low[0] + 1), high[0] - 1)
