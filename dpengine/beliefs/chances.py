"""How far one person's data may move the chance of any consequence: a rejected loan, a headline, a guess."""

from __future__ import annotations

import math

import numpy as np

from dpengine.losses import false_negative_rate
from dpengine.losses.arrays import Numbers, like, numbers
from dpengine.privacy import Event, Guarantee, require_guarantee

_LARGEST_EXPONENT = 700.0


def chance_bounds(chance: Numbers, *, guarantee: Guarantee) -> tuple[Numbers, Numbers]:
    """Least and largest chance of a consequence with a person's data that has this chance without (or the reverse).

    [max(0, e^-epsilon (q - delta), 1 - delta - e^epsilon (1 - q)), 1 - the same of 1 - q]: for every set of answers,
    and met by some mechanism. Source: Wasserman and Zhou 2010, Theorem 2.4.
    """
    require_guarantee("guarantee", guarantee)
    chances, kept = numbers("chance", chance, 0.0, 1.0), math.exp(-guarantee.epsilon)
    growth, decay = math.expm1(min(guarantee.epsilon, _LARGEST_EXPONENT)), -math.expm1(-guarantee.epsilon)
    falling = chances - guarantee.delta - growth * (1.0 - chances)
    lower = np.maximum(np.maximum(falling, kept * (chances - guarantee.delta)), 0.0)
    raised, rising = np.minimum(chances + guarantee.delta, 1.0), chances + guarantee.delta + growth * chances
    return like(chance, lower), like(chance, np.minimum(np.minimum(rising, decay + kept * raised), 1.0))


def chance_bounds_of(event: Event, *, chance: Numbers) -> tuple[Numbers, Numbers]:
    """The same for one run of a named mechanism, to 16 digits after the point; never wider than its guarantee's.

    Raises UnsupportedEventError. Source: Dong, Roth, Su 2022, section 2.1.
    """
    chances = numbers("chance", chance, 0.0, 1.0)
    lower = false_negative_rate(event, false_positive_rate=1.0 - chances)
    return like(chance, lower), like(chance, 1.0 - false_negative_rate(event, false_positive_rate=chances))
