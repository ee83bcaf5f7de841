"""How far one person's data may move the chance of any consequence: a rejected loan, a headline, a guess."""

from __future__ import annotations

import numpy as np

from dpengine.losses import false_negative_rate
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.privacy import Event, Guarantee


def chance_bounds(chance: Numbers, *, guarantee: Guarantee) -> tuple[Numbers, Numbers]:
    """Least and largest chance of a consequence with a person's data that has this chance without (or the reverse).

    [max(0, e^-epsilon (q - delta), 1 - delta - e^epsilon (1 - q)), 1 - the same of 1 - q]: for every set of answers,
    and met by some mechanism. Source: Wasserman and Zhou 2010, Theorem 2.4.
    """
    chances = numbers("chance", chance, 0.0, 1.0)
    with np.errstate(divide="ignore"):
        log_chance, log_rest = np.log(chances), np.log1p(-chances)
    lower = _least(chances, log_rest, guarantee)
    raised = np.exp(np.minimum(log_chance + guarantee.epsilon, 1.0)) + guarantee.delta
    flat = 1.0 - np.exp(-guarantee.epsilon) * np.maximum(1.0 - guarantee.delta - chances, 0.0)
    return like(chance, lower), like(chance, np.minimum(np.minimum(raised, flat), 1.0))


def chance_bounds_of(event: Event, *, chance: Numbers) -> tuple[Numbers, Numbers]:
    """The same for one run of a named mechanism, to 16 digits after the point; never wider than its guarantee's.

    Raises UnsupportedEventError. Source: Dong, Roth, Su 2022, section 2.1.
    """
    chances = numbers("chance", chance, 0.0, 1.0)
    lower = false_negative_rate(event, false_positive_rate=1.0 - chances)
    return like(chance, lower), like(chance, 1.0 - false_negative_rate(event, false_positive_rate=chances))


def _least(chances: Array, log_rest: Array, guarantee: Guarantee) -> Array:
    flat = np.exp(-guarantee.epsilon) * (chances - guarantee.delta)
    steep = 1.0 - guarantee.delta - np.exp(np.minimum(log_rest + guarantee.epsilon, 1.0))
    return np.asarray(np.maximum(0.0, np.maximum(flat, steep)))
