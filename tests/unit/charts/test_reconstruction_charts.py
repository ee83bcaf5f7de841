"""Pictures of the reconstruction: each square, bar, line and mark is what the engine found."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.charts import LIGHT
from dpengine.charts.attacks import reconstruction_charts
from dpengine.charts.attacks.reconstruction_charts import ShareLine, ShareView
from tests.contracts.charts.reconstruction_examples import (
    FOUND,
    PUBLISHED,
    TRIED,
    groups,
    recovered,
    shares,
    tables_left,
)


def squares(chart):
    (heatmap,) = [trace for trace in chart.figure.data if trace.type == "heatmap"]
    return heatmap


def test_every_square_is_dark_for_yes_light_for_no_and_marked_if_wrong():
    drawn = squares(recovered(LIGHT))
    kinds, marks = (np.asarray(values).ravel()[:40] for values in (drawn.z, drawn.text))
    wanted = np.where(FOUND.right, np.where(FOUND.secret, 2.0, 1.0), 0.0)
    assert kinds.tolist() == wanted.tolist()
    assert marks.tolist() == ["" if right else "×" for right in FOUND.right]
    assert 0 < (marks == "×").sum() < 40
    assert recovered(LIGHT).alt.startswith(f"Of 40 yes/no secrets, {FOUND.right.sum()} are recovered")


def test_all_people_find_a_square_in_a_field_wider_than_high():
    for people in [2, 4, 9, 12, 16, 20, 32, 64, 128, 256, 512]:
        bits = np.arange(people) % 2 == 0
        drawn = squares(reconstruction_charts.recovered(secret=bits, guessed=bits, palette=LIGHT))
        rows, columns = np.asarray(drawn.z).shape
        assert np.isfinite(np.asarray(drawn.z)).sum() == people, people
        assert rows <= columns <= 32, people
        assert (rows - 1) * columns < people, people


def test_members_are_dark_and_the_published_count_stands_at_the_end():
    chart = groups(LIGHT)
    drawn, told = squares(chart), chart.figure.data[-1]
    assert np.array_equal(np.asarray(drawn.z), PUBLISHED.groups[:9, :32])
    assert list(told.text) == [f"<b>{answer:g}</b>" for answer in PUBLISHED.answers[:9]]
    assert list(told.y) == list(drawn.y) == list(range(1, 10))
    assert list(chart.numbers["people"]) == PUBLISHED.sizes.tolist()


def test_bars_count_the_tables_and_the_line_stands_behind_the_last_allowed():
    chart = tables_left(LIGHT)
    assert list(chart.figure.data[0].y) == np.bincount(TRIED.wrong, minlength=11).tolist()
    assert chart.figure.layout.shapes[0].x0 == 4.5
    assert "proved: at most 4E = 4" in [note.text for note in chart.figure.layout.annotations]
    unproved = reconstruction_charts.tables_left(wrong=TRIED.wrong, people=10, guarantee=None, palette=LIGHT)
    assert len(unproved.figure.layout.shapes) == 0


def test_whiskers_reach_from_the_least_to_the_most():
    program, bound, chance = shares(LIGHT).figure.data
    assert program.y.tolist() == pytest.approx([99.0, 70.0, 52.0])
    assert (program.y + program.error_y.array).tolist() == pytest.approx([100.0, 71.0, 53.0])
    assert (program.y - program.error_y.arrayminus).tolist() == pytest.approx([94.0, 65.0, 47.0])
    assert bound.error_y.array is None
    assert chance.name == "pure chance: 50"
    assert list(chance.y) == [50.0, 50.0]


@pytest.mark.parametrize(("lowest", "floor"), [(0.4, 34.0), (0.12, 6.0), (0.1, 0.0)])
def test_shares_begin_at_0_or_well_above(lowest, floor):
    """An axis that begins a little above 0 would look as if it began there."""
    view = ShareView(at=np.array([1.0, 2.0]), x_title="n", y_title="wrong, %", chance=0.5)
    line = ShareLine(label="wrong", shares=np.array([0.45, lowest]), color=LIGHT.attacker)
    assert reconstruction_charts.shares(view, [line], LIGHT).figure.layout.yaxis.range[0] == pytest.approx(floor)


def test_a_mark_beyond_the_picture_is_an_arrow_without_a_line():
    layout = shares(LIGHT).figure.layout
    assert [note.text for note in layout.annotations][:2] == ["sampling error", "your dial: 64 →"]
    assert [shape.x0 for shape in layout.shapes] == [0.5]
