"""Two worlds side by side: where high bars are cut off, every bar says its number, and small ones are seen."""

from __future__ import annotations

import pytest

from dpengine.charts import LIGHT
from dpengine.charts.privacy import definition_charts
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
