"""The pictures of a room say what the engine says: bounds rounded up, every choice a dot."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.charts import LIGHT
from dpengine.charts.rooms.workshop_charts import choices, room_track
from tests.contracts.charts.workshop_examples import FIRST, SECOND, chosen, track


def notes(chart):
    return [note.text for note in chart.figure.layout.annotations]


def test_the_bound_is_written_rounded_up_and_called_one_of_the_long_run():
    chart = room_track(track(30), LIGHT)
    assert notes(chart)[-2:] == ["in the long run at most 73.2", "tossing a coin: 50"]
    assert "After 30 guesses 66.7% were right" in chart.alt
    assert list(chart.figure.data[2].y) == pytest.approx(100.0 * track(30).shares)
    assert [shape.y0 for shape in chart.figure.layout.shapes] == pytest.approx([73.10586, 50.0])


def test_the_band_lies_around_the_line():
    above, below, line = room_track(track(500), LIGHT).figure.data
    assert np.all((below.y <= line.y) & (line.y <= above.y))


def dots(chart, name):
    trace = next(trace for trace in chart.figure.data if trace.name == name)
    return list(zip(trace.x, trace.y, strict=True)), trace.marker.size


def test_every_choice_is_a_dot_with_a_place_of_its_own():
    for count in (1, 7, 200):
        chart = choices([chosen("first round", *[0.5] * count, 3.0)], LIGHT)
        found, size = dots(chart, "first round")
        _, top = chart.figure.layout.yaxis.range
        assert len(found) == len(set(found)) == count + 1
        assert max(y for _, y in found) < 0.78 * top
        assert 5.0 <= size <= 11.0


def test_the_second_round_stands_above_the_first():
    chart = choices([FIRST, SECOND], LIGHT)
    (first, _), (second, _) = (dots(chart, one.name) for one in (FIRST, SECOND))
    assert sorted(x for x, _ in first) == list(FIRST.epsilons)
    assert max(y for _, y in first) < min(y for _, y in second)
    assert notes(chart) == ["first round, middle choice <b>ε 0.5</b>", "second round, middle choice <b>ε 0.5</b>"]
    assert chart.alt.startswith("first round: 4 chose, median ε 0.5, from 0.01 to 10; second round: 5 chose")


def test_rows_are_equally_high_and_a_crowd_in_one_does_not_shrink_the_dots_of_the_other():
    crowd = chosen("second round", *[0.5] * 40)
    alone, size = dots(choices([FIRST], LIGHT), FIRST.name)
    chart = choices([FIRST, crowd], LIGHT)
    found, beside = dots(chart, FIRST.name)
    assert found == alone
    assert beside > dots(chart, crowd.name)[1]
    assert size >= beside > size / 2.5
