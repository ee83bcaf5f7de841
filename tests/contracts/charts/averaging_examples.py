"""Charts of asking again and again, as examples for the contract of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from dpengine.charts import Chart, Palette
from dpengine.charts.attacks import averaging_charts
from dpengine.charts.attacks.averaging_charts import AveragingWins, Closing

LAW = 14.1 / np.sqrt(np.arange(1.0, 1001.0))
ERRORS = np.round(np.random.default_rng(3).laplace(scale=10.0, size=1000))


def _answers(center: float) -> Callable[[Palette], Chart]:
    return lambda palette: averaging_charts.answers_given(answers=center + ERRORS[:60], center=center, palette=palette)


def _closing(most: int) -> Callable[[Palette], Chart]:
    averages = (np.cumsum(ERRORS)[:most] / np.arange(1.0, most + 1.0))[None, :] * [[1.0], [-0.5]]
    return lambda palette: averaging_charts.closing_in(Closing(averages=averages, law=LAW[:most]), palette)


def _wins(palette: Palette) -> Chart:
    asked, shares = np.array([1.0, 10.0, 100.0]), np.array([0.52, 0.6, 0.7])
    wins = AveragingWins(
        asked=asked,
        measured=shares,
        lower=shares - 0.03,
        upper=shares + 0.03,
        optimum=shares,
        bound=np.array([0.53, 0.74, 1.0]),
        here=10,
    )
    return averaging_charts.guesses_right(wins, palette)


EXAMPLES: Mapping[str, Callable[[Palette], Chart]] = {
    "answers given": _answers(121.0),
    "answers given, around 0": _answers(0.0),
    "averages close in": _closing(1000),
    "averages close in, few": _closing(2),
    "averages close in, one": _closing(1),
    "guesses right": _wins,
}
