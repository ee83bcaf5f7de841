"""Pictures of how much noise hides: every mark and line is where its number is."""

from __future__ import annotations

import pytest

from dpengine.charts import LIGHT
from tests.contracts.charts.reconstruction_examples import noise_and_sample, worst_tables


def test_each_mark_is_the_worst_found_and_the_line_is_four_times_the_error():
    chart = worst_tables(LIGHT)
    proved, misled, random = chart.figure.data
    assert [list(trace.y) for trace in (proved, misled, random)] == [[0, 4, 8], [0, 4, 8], [0, 0, 1]]
    assert list(misled.x) == [0, 1, 2]
    assert [shape.y0 for shape in chart.figure.layout.shapes] == [10]
    assert "errors to mislead: 0, 4, 8; errors at random: 0, 0, 1; proved at most 4E." in chart.alt


def test_each_kind_of_error_is_named_beside_a_mark_of_its_own():
    layout = worst_tables(LIGHT).figure.layout
    named = {note.text: (note.x, note.y) for note in layout.annotations}
    assert named["errors to mislead"] == (1, 4)
    assert named["errors at random"] == (1, 0)


def test_both_errors_stand_on_one_logarithmic_axis():
    chart = noise_and_sample(LIGHT)
    sampling, noise, measured = chart.figure.data
    assert (list(sampling.y), list(noise.y), list(measured.y)) == ([5, 50], [4, 40], [12.5])
    layout = chart.figure.layout
    assert layout.xaxis.type == layout.yaxis.type == "log"
    assert 10.0 ** layout.yaxis.range[0] == pytest.approx(4.0 / 10.0**0.2)
    assert list(layout.xaxis.ticktext) == ["100", "10,000"]
    assert chart.alt.endswith("the sample's own error from 5 to 50; noise that stops the attack from 4 to 40.")
