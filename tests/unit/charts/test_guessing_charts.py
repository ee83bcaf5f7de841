"""The guessing game's pictures say what the engine says, and a written bound is never below the truth."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.charts import LIGHT
from dpengine.charts.attacks import success_charts
from dpengine.charts.attacks.guessing_charts import Track, counted, score_track
from dpengine.charts.attacks.success_charts import Measured, SuccessView
from tests.contracts.charts.guessing_examples import EXAMPLES, GAUSSIAN, RULES
from tests.running.cases import each


def notes(chart):
    return [note.text for note in chart.figure.layout.annotations]


def test_every_dot_is_so_many_people():
    for without, people in ((120, 1), (1_234_567, 5145)):
        chart = counted(without=without, person="Ana", unit="patients", palette=LIGHT)
        others, person = chart.figure.data
        assert (len(others.x) - 1) * people < without <= len(others.x) * people
        assert len(person.x) == 1
        assert f"{without:,} patients" in chart.alt


def test_a_person_with_several_rows_moves_the_count_by_all_of_them():
    chart = counted(without=40, person="Ana", unit="visits", palette=LIGHT, step=3)
    assert "40 visits are counted without Ana, 43 with Ana" in chart.alt
    assert chart.numbers["visits"] == [40, 43]


def test_the_score_is_the_share_won_so_far_and_its_bound_is_rounded_up():
    track = Track(
        players=(("you", (True, False, True)), ("the best possible attacker", (True, True, True))),
        chance=0.5,
        bound=0.73105,
    )
    chart = score_track(track, LIGHT)
    assert chart.numbers["you"] == pytest.approx([1, 1 / 2, 2 / 3])
    assert chart.figure.data[0].y == pytest.approx([100, 50, 200 / 3])
    assert notes(chart)[:2] == ["at most 73.2", "pure chance: 50"]
    assert "you won 2; the best possible attacker won 3" in chart.alt


def test_a_long_score_is_thinned_but_ends_where_it_ends():
    trace = EXAMPLES["score, many rounds"](LIGHT).figure.data[0]
    assert (trace.x[0], trace.x[-1]) == (1, 3000)
    assert trace.y[-1] == pytest.approx(100 * np.mean([number % 3 > 0 for number in range(3000)]))


@each("name,rules", [("hits", RULES), ("hits, Gaussian", GAUSSIAN)])
def test_the_dot_lies_on_the_curve_and_the_curve_below_what_is_allowed(name, rules):
    curve, worst, dot = EXAMPLES[name](LIGHT).figure.data[1:]
    assert np.interp(dot.x[0], curve.x, curve.y) == pytest.approx(dot.y[0], abs=0.01)
    assert np.all(curve.y <= np.interp(curve.x, worst.x, worst.y) + 0.01)


def test_the_measured_success_stands_with_its_interval():
    """Which is not the same above and below: 3 of 4 won, covered by 19.4 to 99.4 of 100."""
    found = Measured(rate=0.75, lower=0.194, upper=0.994, words="won 3 of 4")
    view = SuccessView(epsilons=np.array([0.1, 1.0]), epsilon=0.5, measured=found, lines=(), chance=0.5)
    measured = success_charts.success(view, LIGHT).figure.data[-1]
    assert measured.y[0] + measured.error_y.array[0] == pytest.approx(99.4)
    assert measured.y[0] - measured.error_y.arrayminus[0] == pytest.approx(19.4)
