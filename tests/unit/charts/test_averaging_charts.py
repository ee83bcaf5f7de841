"""The pictures of asking again: what they draw is what they were given, and a refusal is marked where it happens."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from dpengine.charts import LIGHT, Chart
from dpengine.charts.attacks import averaging_charts
from dpengine.charts.attacks.averaging_charts import AveragingWins, Both, Closing
from dpengine.mechanisms import DiscreteLaplaceMechanism
from pages.lesson.pickers import COUNTS

LAW = 14.1 / np.sqrt(np.arange(1.0, 1001.0))


def trace(chart: Chart, name: str) -> tuple[np.ndarray, np.ndarray]:
    found = next(one for one in chart.figure.data if one.name == name)
    return np.asarray(found.x), np.asarray(found.y)


def test_every_answer_is_a_dot_inside_the_picture() -> None:
    answers = np.array([121.0, 64.0, 150.0])
    chart = averaging_charts.answers_given(answers=answers, center=121.0, palette=LIGHT)
    x, y = trace(chart, "one answer")
    assert x.tolist() == [1, 2, 3]
    assert y.tolist() == [121.0, 64.0, 150.0]
    low, high = chart.figure.layout.yaxis.range
    assert low < 64.0
    assert high > 150.0
    assert "from 64 to 150 people, around 121" in chart.alt


def test_every_attackers_average_is_seen_beside_the_two_counts() -> None:
    averages = np.stack([np.linspace(20.0, 0.25, 1000), np.linspace(-9.0, -0.5, 1000)])
    chart = averaging_charts.closing_in(Closing(averages=averages, law=LAW), LIGHT)
    lines = [one for one in chart.figure.data if one.name == "an attacker’s average"]
    for line, whole in zip(lines, averages, strict=True):
        assert np.asarray(line.y) == pytest.approx(whole[np.asarray(line.x) - 1])
    x, usual = trace(chart, averaging_charts.BAND)
    assert (x[0], x[-1]) == (1, 1000)
    assert usual == pytest.approx(-LAW[x - 1])
    assert trace(chart, "with the person")[1].tolist() == [0.0, 0.0]
    assert trace(chart, "without")[1].tolist() == [-1.0, -1.0]
    low, high = chart.figure.layout.yaxis.range
    assert low < -1.0
    assert high > 0.25
    assert chart.alt == "After 1,000 answers 2 attackers’ averages are off by 0.25 to 0.5 people."


def test_the_measured_wins_stand_between_chance_and_the_bound() -> None:
    shares = np.array([0.52, 0.6, 0.7])
    wins = AveragingWins(
        asked=np.array([1.0, 10.0, 100.0]),
        measured=shares,
        lower=shares - 0.02,
        upper=shares + 0.03,
        optimum=shares + 0.01,
        bound=np.array([0.53, 0.74, 1.0]),
        here=10,
    )
    chart = averaging_charts.guesses_right(wins, LIGHT)
    dots = next(one for one in chart.figure.data if one.name == "measured, by averaging")
    assert np.asarray(dots.error_y.array) == pytest.approx([3.0, 3.0, 3.0])
    assert np.asarray(dots.error_y.arrayminus) == pytest.approx([2.0, 2.0, 2.0])
    assert trace(chart, "upper limit for any attacker")[1] == pytest.approx([53.0, 74.0, 100.0])
    assert trace(chart, "best possible attacker")[1] == pytest.approx([53.0, 61.0, 71.0])
    assert chart.alt == "After 10 answers the attacker was right in 60 out of 100 guesses; pure chance is 50."


def test_error_and_bill_stand_over_the_same_questions() -> None:
    asked = np.array([1.0, 10.0, 11.0, 137.0, 1000.0])
    both = Both(asked=asked, law=2.0 / asked, bills={"added up": asked}, here=137, budget=1.0, refused=11)
    chart = averaging_charts.error_and_bill(both, LIGHT)
    for name, values in (
        ("error of the average", 2.0 / asked),
        ("cost, added up", asked),
    ):
        x, y = trace(chart, name)
        assert x.tolist() == asked.tolist()
        assert y == pytest.approx(values)
    assert refusals(chart.figure) == ["refused from 11 on"]
    assert chart.alt == "After 137 questions the average has a standard deviation of 0.0146 people; ε: added up 137."


def refusals(figure: go.Figure) -> list[str]:
    """What is said of refusals, among the names of the lines."""
    return [note.text for note in figure.layout.annotations if "refused" in note.text]


def test_a_refusal_is_drawn_up_to_the_last_question_asked_and_none_beyond() -> None:
    asked = np.array([1.0, 10.0, 100.0])
    for refused, words in ((100, ["refused from 100 on"]), (101, [])):
        both = Both(asked=asked, law=asked, bills={"added up": asked}, here=1, refused=refused)
        figure = averaging_charts.error_and_bill(both, LIGHT).figure
        assert refusals(figure) == words
        assert len(figure.layout.shapes) == 1 + len(words)


def test_the_standard_deviation_holds_at_least_two_in_three_averages() -> None:
    """The sum of k noises has the k-th power of their transform: P(|sum| <= deviation * sqrt(k)), summed."""
    noise = DiscreteLaplaceMechanism.from_epsilon(0.1, l1_sensitivity=1)
    steps = np.minimum(np.arange(2**15), 2**15 - np.arange(2**15))
    transform = np.fft.fft(np.tanh(0.05) * np.exp(-0.1 * steps))
    assert "at least 2 in 3" in averaging_charts.BAND
    for answers in COUNTS:
        chances = np.fft.ifft(transform**answers).real
        within = steps <= noise.standard_deviation * np.sqrt(answers)
        assert float(chances[within].sum()) >= 2.0 / 3.0, answers
