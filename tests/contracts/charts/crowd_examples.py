"""Charts of crowds and of attacks under epsilon, as examples for the contract of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from dpengine.charts import Chart, Palette
from dpengine.charts.attacks import crowd_charts, group_charts, protected_charts
from dpengine.charts.attacks.crowd_charts import Telling
from dpengine.charts.attacks.group_charts import PublishedGroup
from dpengine.charts.attacks.protected_charts import NoisyCells, WinRates

TELLING = Telling(columns=["zip", "<a href='x'>y</a>"], alone=[0.0, 0.715], in_few=[0.1, 1.0], few=5)
CELLS = NoisyCells(
    labels=["flu", "none"], exact=[12, 40], published=[9.0, 41.0], candidates=(0, 1), unit="women of 40 to 59"
)
GROUPS = [
    PublishedGroup(label="130** · 30–39", values={"cancer": 4}),
    PublishedGroup(label="<a href='x'>y</a>", values={"<a href='x'>z</a>": 2, "flu": 2}),
    PublishedGroup(label="148**", values={"cancer": 1, "heart disease": 1, "flu": 2}),
]


def wins(here: float) -> WinRates:
    epsilons = np.geomspace(0.01, 30.0, 80)
    return WinRates(
        epsilons=epsilons,
        bound=1 / (1 + np.exp(-epsilons)),
        best=1 / (1 + np.exp(-epsilons / 2)),
        here=here,
        rate=0.62,
        interval=(0.58, 0.66),
        chance=0.5,
    )


EXAMPLES: Mapping[str, Callable[[Palette], Chart]] = {
    "filters": lambda palette: crowd_charts.filters(
        labels=["everybody", "<a href='x'>y</a>", "male"], left=[21_403, 17, 1], palette=palette
    ),
    "crowd sizes": lambda palette: crowd_charts.crowd_sizes({1: 30, 3: 9, 700: 700}, palette, axis="who look alike"),
    "crowds of records": lambda palette: crowd_charts.crowd_sizes(
        {0: 5, 1: 30, 7: 9}, palette, axis="voters who fit", whose="records"
    ),
    "uniqueness": lambda palette: crowd_charts.uniqueness(TELLING, palette),
    "bought": lambda palette: crowd_charts.bought(
        labels=["exact", "year"], shares=[0.67, 0.0035], chosen=1, title="records, %", palette=palette
    ),
    "groups": lambda palette: group_charts.groups(GROUPS, palette),
    "by values": lambda palette: group_charts.by_values({1: 4, 2: 8, 3: 5, 7: 80}, left_out=3, palette=palette),
    "wins": lambda palette: protected_charts.wins(wins(1.0), palette),
    "wins at the end": lambda palette: protected_charts.wins(wins(30.0), palette),
    "noisy cells": lambda palette: protected_charts.noisy_cells(CELLS, palette),
}
