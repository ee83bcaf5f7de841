"""Pictures of crowds and of attacks under epsilon: the numbers that were put in, and the attacker's color where due."""

from __future__ import annotations

import pytest

from dpengine.charts import LIGHT
from dpengine.charts.attacks import crowd_charts, group_charts, protected_charts
from tests.contracts.charts.crowd_examples import CELLS, GROUPS, TELLING, wins


def test_only_one_person_left_has_the_color_of_the_attacker():
    chart = crowd_charts.filters(labels=["all", "zip", "sex"], left=[900, 20, 1], palette=LIGHT)
    (bars,) = chart.figure.data
    assert list(bars.x) == [900, 20, 1]
    assert [color == LIGHT.attacker for color in bars.marker.color] == [False, False, True]
    assert chart.alt == "People left after each filter. all: 900; zip: 20; sex: 1."


def test_shares_are_of_people_and_everybody_is_in_some_bar():
    chart = crowd_charts.crowd_sizes({0: 10, 1: 30, 4: 8, 5: 2, 99: 30, 100: 20}, LIGHT, axis="size")
    (bars,) = chart.figure.data
    assert dict(zip(bars.x, bars.y, strict=True)) == pytest.approx(
        {"none": 10, "1": 30, "2–4": 8, "5–9": 2, "10–99": 30, "100+": 20}
    )
    assert "none" not in crowd_charts.crowd_sizes({1: 3}, LIGHT, axis="size").figure.data[0].x


def test_both_lines_climb_with_the_columns():
    few, alone = crowd_charts.uniqueness(TELLING, LIGHT).figure.data
    assert list(alone.y) == pytest.approx([0.0, 71.5])
    assert list(few.y) == pytest.approx([10.0, 100.0])


def test_the_measured_point_has_its_interval_and_stands_between_chance_and_bound():
    chart = protected_charts.wins(wins(1.0), LIGHT)
    point = chart.figure.data[-1]
    assert (list(point.x), list(point.y)) == ([1.0], [62.0])
    assert point.error_y.array[0] == pytest.approx(4.0)
    assert point.error_y.arrayminus[0] == pytest.approx(4.0)
    assert chart.alt == (
        "At ε = 1 the attacker was right in 62 out of 100 guesses; any attacker can be right in at most "
        "73.2 out of 100 (50 is pure chance)."
    )
    assert chart.figure.layout.shapes[0].y0 == 50.0


def test_the_two_cells_of_the_doubt_are_marked():
    exact, published = protected_charts.noisy_cells(CELLS, LIGHT).figure.data
    assert (list(exact.x), list(published.x)) == ([12, 40], [9.0, 41.0])
    assert list(published.marker.color) == [LIGHT.attacker] * 2


def test_only_a_group_with_one_secret_has_the_full_color_of_the_attacker():
    chart = group_charts.groups(GROUPS, LIGHT)
    looks = [(trace.x[0], trace.marker.color, trace.marker.opacity) for trace in chart.figure.data]
    strong, faint, plain = (4, LIGHT.attacker, 1.0), (2, LIGHT.attacker, 0.5), LIGHT.answers
    assert looks == [strong, faint, faint, (2, plain, 1.0), (1, plain, 1.0), (1, plain, 1.0)]
    assert chart.alt == "3 groups; 4 people are in a group in which everybody has the same value."
    assert sum(chart.numbers["people"]) == 12


def test_everybody_is_in_a_group_of_so_many_values_or_left_out():
    chart = group_charts.by_values({1: 4, 2: 8, 3: 5, 7: 60, 9: 20}, left_out=3, palette=LIGHT)
    (bars,) = chart.figure.data
    assert dict(zip(bars.x, bars.y, strict=True)) == {"1": 4, "2": 8, "3": 5, "4": 0, "5+": 80, "dropped": 3}
