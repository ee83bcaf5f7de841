"""Charts of the attacks by subtraction and by asking again, as examples for the contract of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from dpengine.charts import Chart, Palette
from dpengine.charts.attacks import averaging_charts, differencing_charts
from dpengine.charts.attacks.averaging_charts import Both


def _subtraction(everybody: int, others: int, *, subtracted: bool) -> Callable[[Palette], Chart]:
    return lambda palette: differencing_charts.subtraction(
        everybody=everybody, others=others, person="Ana", subtracted=subtracted, palette=palette
    )


def _both(most: int, *, refused: int | None) -> Callable[[Palette], Chart]:
    asked = np.unique(np.geomspace(1, most, 150).round())
    both = Both(
        asked=asked,
        law=14.1 / np.sqrt(asked),
        bills={"added up": 0.1 * asked, "advanced": 0.09 * asked, "exact": 0.08 * asked},
        here=1,
        budget=None if refused is None else 1.0,
        refused=refused,
    )
    return lambda palette: averaging_charts.error_and_bill(both, palette)


EXAMPLES: Mapping[str, Callable[[Palette], Chart]] = {
    "two counts": _subtraction(127, 126, subtracted=False),
    "two counts subtracted": _subtraction(127, 126, subtracted=True),
    "two counts of nobody": _subtraction(0, 0, subtracted=True),
    "error and bill": _both(1000, refused=None),
    "error and bill, refused": _both(1000, refused=11),
    "error and bill, one answer": _both(1, refused=2),
}
