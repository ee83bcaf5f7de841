"""Whom the noise hurts: the smallest on top, cut where the noise is larger than the answer, all in the numbers."""

from __future__ import annotations

import pytest

from dpengine.charts import LIGHT, Chart
from dpengine.charts.accuracy.by_group_charts import MOST_DRAWN, by_group
from tests.contracts.charts.by_group_examples import AXIS, FEW, MANY


def test_every_group_is_among_the_numbers_and_the_first_are_drawn() -> None:
    chart = by_group(MANY, axis=AXIS, palette=LIGHT)
    assert len(chart.numbers["group"]) == 1000
    assert chart.numbers[f"{AXIS}, %"][0] == 300.0
    assert len(placed(chart, "circle")) == MOST_DRAWN
    assert "1000 groups, the smallest first. From g1, 1 rows: 300%, to g1000, 1,000 rows: 0.3%; 29 above" in chart.alt


def test_what_is_larger_than_the_answer_lies_in_the_strip_and_nothing_else_does() -> None:
    places = list(placed(by_group(MANY, axis=AXIS, palette=LIGHT), "circle").values())
    assert [place > 100.0 for place in places] == [row.relative > 1.0 for row in MANY[:MOST_DRAWN]]
    assert places[2] == 100.0, "Noise exactly as large as the answer is not larger."
    assert places[3] == pytest.approx(75.0)


def test_a_coarser_share_is_drawn_where_it_differs() -> None:
    chart = by_group(FEW, axis=AXIS, palette=LIGHT)
    assert list(placed(chart, "diamond")) == [3]
    assert list(placed(chart, "circle")) == [0, 1, 2, 3]
    written = [note.text for note in chart.figure.layout.annotations]
    assert "all of it" in written
    assert "97%" in written
    assert "33%" in written
    assert any("coarser" in words for words in written)
    plain = by_group(MANY, axis=AXIS, palette=LIGHT)
    assert not any("coarser" in note.text for note in plain.figure.layout.annotations)


def placed(chart: Chart, symbol: str) -> dict[int, float]:
    """Where the marks of one kind stand, by row."""
    (trace,) = (trace for trace in chart.figure.data if trace.name == symbol)
    return dict(zip(trace.y, trace.x, strict=True))
