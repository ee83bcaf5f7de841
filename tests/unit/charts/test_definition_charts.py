"""Two worlds side by side: where high bars are cut off, every bar says its number, and small ones are seen."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.charts import LIGHT
from dpengine.charts.privacy import definition_charts, delta_charts
from dpengine.charts.privacy.delta_charts import LogRatios, OneByOne
from dpengine.mechanisms.listed import random_row


def test_high_bars_are_cut_off_and_every_bar_says_its_number() -> None:
    listed = random_row(people=100)
    chart = definition_charts.two_worlds(
        outputs=listed.outputs, laws=listed.laws, axis="what is printed", palette=LIGHT, up_to=3.0
    )
    layout = chart.figure.layout
    assert layout.yaxis.range == (0.0, 3.0)
    notes = sorted(layout.annotations, key=lambda one: one.x)
    assert [one.text for one in notes] == ["99%<br>(cut off)", "1%", "0%", "0%", "1%"]
    assert [one.y for one in notes[1:]] == pytest.approx([1.0, 0.0, 0.0, 1.0]), "Each number stands on its bar."


def test_single_answers_stand_under_the_line_and_the_set_above_it() -> None:
    """Its bar stands apart from the last one, inside the picture."""
    view = OneByOne(names=["1", "2", "3"], singles=np.full(3, 0.8), together=2.4, limits={"δ = 1%": 1.0}, unit="%")
    figure = delta_charts.one_by_one(view, axis="page", quantity="chance, %", palette=LIGHT).figure
    singles, together = figure.data
    (line,) = figure.layout.shapes
    assert max(singles.y) < line.y0 == 1.0 < together.y[0] == 2.4 < figure.layout.yaxis.range[1]
    left, right = (together.x[0] + side * together.width[0] / 2 for side in (-1, 1))
    assert max(singles.x) + 0.5 < left < right < figure.layout.xaxis.range[1]


def test_a_lower_end_without_limit_leaves_the_picture() -> None:
    chances = np.array([1e-10, 1e-6, 1e-3])
    view = LogRatios(
        chances=chances,
        lower=np.array([-np.inf, -np.inf, -1.0]),
        upper=np.array([9.2, 1.3, 1.0]),
        added=(np.full(3, -1.0), np.full(3, 1.0)),
        marked=(1e-6, 1.3),
        delta=1e-6,
    )
    figure = delta_charts.log_ratios(view, LIGHT).figure
    lower, upper = figure.data[:2]
    assert lower.y[0] == lower.y[1] < figure.layout.yaxis.range[0] < lower.y[2] == -1.0
    assert upper.fill == "tonexty"
    assert max(upper.y) < figure.layout.yaxis.range[1]
