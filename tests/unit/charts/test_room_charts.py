"""The room's pictures: steps as they were charged, a cross for what was refused, a dot for each person."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpengine.charts import LIGHT, Chart, for_projector
from dpengine.charts.rooms import room_charts
from dpengine.charts.rooms.room_charts import Bar
from tests.contracts.charts.room_examples import burn


def trace(chart: Chart, name: str) -> tuple[list[float], list[float]]:
    found = next(one for one in chart.figure.data if one.name == name)
    return list(found.x), list(found.y)


def test_every_step_is_drawn_and_only_the_refused_ones_are_crossed() -> None:
    chart = room_charts.together(burn(14), LIGHT)
    x, y = trace(chart, "naive")
    assert x[1:15] == list(range(1, 15))
    assert y[1:15] == pytest.approx(np.minimum(0.1 * np.arange(1, 15), 1.0))
    assert trace(chart, "refused")[0] == [11, 12, 13, 14]
    assert min(trace(chart, "refused")[1]) > 1.0
    assert "14 questions asked, 4 of them refused" in chart.alt
    assert [one.name for one in room_charts.together(burn(9), LIGHT).figure.data] == ["advanced", "naive"]
    alike = replace(burn(9), advanced=burn(9).naive)
    assert "advanced" not in {line.name for line in room_charts.together(alike, LIGHT).figure.data}


def test_the_rule_that_decides_is_drawn_where_it_is_another_one() -> None:
    assert trace(room_charts.together(burn(5, counted=True), LIGHT), "concentrated, the account's rule")[1][5] == 0.25


def test_as_many_dots_as_people_gave_an_answer_and_the_right_one_in_its_color() -> None:
    chart = room_charts.choices(names=("a", "b"), given=(2, 40), right=1, palette=LIGHT)
    dots = {one.name: one for one in chart.figure.data}
    assert [len(dots[name].x) for name in ("a", "b")] == [2, 40]
    assert dots["b"].marker.color == LIGHT.left
    assert dots["a"].marker.color != LIGHT.left
    assert list(chart.figure.layout.yaxis.categoryarray) == ["a", "<b>✓ b</b>"]
    assert chart.alt == "Answers of 42 people. a: 2; b (right): 40."


def test_a_bar_says_what_the_sentence_says() -> None:
    rows = [
        Bar(name=name, length=length, words=f"±{length:g}", color=LIGHT.text)
        for name, length in (("x", 3.0), ("y", 1.5))
    ]
    chart = room_charts.bars(rows, axis="people off", palette=LIGHT)
    assert list(chart.figure.data[0].x) == [3.0, 1.5]
    assert [note.text for note in chart.figure.layout.annotations] == ["<b>±3</b>", "<b>±1.5</b>"]
    large = for_projector(chart)
    assert large.figure.layout.annotations[0].font.size >= 24
