"""The two worlds of the lesson on truncation: a count of forty with you, thirty-nine without you."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from dpengine.charts import Chart, Palette
from dpengine.charts.privacy import cut_charts
from dpengine.charts.privacy.cut_charts import OneWorld, Spike
from dpengine.formatting import amount, tiny_from_log
from dpengine.losses.arrays import Array

CASES = 40
LOG_OF_ONE_IN_TEN_THOUSAND = math.log(1e-4)
CUTS = (1, 2, 3, 4, 5, 6, 8, 10, 12)
ANSWERS = np.linspace(CASES - 14.5, CASES + 13.5, 401)
Stretch = tuple[float, float]


def small(log_delta: float, bound: Callable[[float, int], str] = amount) -> str:
    """A delta from its logarithm, to the nearest or as a bound: as a plain number while it is one that people read."""
    plain = log_delta > LOG_OF_ONE_IN_TEN_THOUSAND
    return bound(math.exp(log_delta), 3) if plain else tiny_from_log(log_delta, bound=bound)


def answers_of(log_delta: float) -> str:
    """So many of all answers, to the nearest."""
    if log_delta > LOG_OF_ONE_IN_TEN_THOUSAND:
        return f"{amount(100.0 * math.exp(log_delta))}% of answers"
    return f"{small(log_delta)} of answers"


def given_away(cut: float) -> tuple[Stretch, Stretch]:
    """Where the answer can fall with you alone, and without you alone."""
    return (CASES - 1 + cut, CASES + cut), (CASES - 1 - cut, CASES - cut)


def with_and_without(
    density: Callable[[Array], Array],
    only: tuple[Stretch, Stretch],
    *,
    palette: Palette,
    spikes: tuple[Sequence[Spike], Sequence[Spike]] = ((), ()),
) -> Chart:
    """Both worlds under the same noise, one person apart."""
    return cut_charts.two_laws(
        answers=ANSWERS,
        with_person=OneWorld(density=density(ANSWERS - CASES), spikes=spikes[0], only_here=only[0]),
        without_person=OneWorld(density=density(ANSWERS - (CASES - 1)), spikes=spikes[1], only_here=only[1]),
        unit="people",
        palette=palette,
    )
