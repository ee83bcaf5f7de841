"""Pictures of many answers together: how high they reach, what is marked, and what is counted."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.charts import LIGHT
from dpengine.charts.budget import composition_charts, walk_charts
from dpengine.charts.budget.budget_charts import BurnLine
from dpengine.charts.budget.composition_charts import Totals, Turn
from tests.contracts.charts import walk_examples


def _totals(ends: dict[str, float], turns: tuple[Turn, ...] = ()) -> Totals:
    lines = [
        BurnLine(label=label, spent=np.linspace(0.1, end, 1000, dtype=np.float64), color="#000000")
        for label, end in ends.items()
    ]
    return Totals(lines=lines, chosen=300, turns=turns)


def test_of_several_lines_the_highest_leaves_the_picture_and_so_does_a_turn_above_it() -> None:
    turns = tuple(
        Turn(answers=answers, epsilon=height, words=f"at {height:g}", color="#000000")
        for answers, height in ((500, 50.0), (990, 138.0))
    )
    chart = composition_charts.totals(_totals({"naive": 140.0, "textbook": 100.0, "exact": 80.0}, turns), LIGHT)
    assert chart.figure.layout.yaxis.range[1] == pytest.approx(1.12 * 100.0)
    assert [text.text for text in chart.figure.layout.annotations] == ["at 50", "naive", "textbook", "exact"]
    two = composition_charts.totals(_totals({"naive": 140.0, "textbook": 100.0}), LIGHT)
    assert two.figure.layout.yaxis.range[1] == pytest.approx(1.12 * 140.0)


def test_words_that_a_line_would_cross_are_left_to_the_page() -> None:
    turns = (Turn(answers=500, epsilon=50.0, words="at 50", color="#000000"),)
    for low, words in ((80.0, ["at 50"]), (10.0, [])):
        chart = composition_charts.totals(_totals({"naive": 140.0, "textbook": 100.0, "exact": low}, turns), LIGHT)
        assert [text.text for text in chart.figure.layout.annotations if text.text.startswith("at")] == words
        assert any(tuple(trace.x) == (500,) for trace in chart.figure.data), "The ring stays."


def test_the_room_of_the_lines_does_not_depend_on_their_number() -> None:
    """The legend is the page's: inside a picture as narrow as a phone it would leave 75 of 330 pixels."""
    view = _totals({"naive": 140.0, "textbook": 100.0, "exact": 80.0})
    layout = composition_charts.totals(view, LIGHT).figure.layout
    assert not layout.showlegend
    assert layout.height - layout.margin.t - layout.margin.b >= 260
    assert [line.label for line in view.named] == ["naive: 42", "textbook: 30", "exact: 24.1"]


def test_every_walk_is_counted_inside_or_outside_its_band() -> None:
    view = walk_examples.view(0.1, 300)
    chart = walk_charts.walks(view, LIGHT)
    dots = {trace.name: len(trace.x) for trace in chart.figure.data if trace.mode == "markers"}
    ends = view.walks[:, -1]
    held = int(np.sum((ends > view.lower[-1] - 1e-6) & (ends < view.upper[-1] + 1e-6)))
    assert dots == {"walks in the band": held, "walks outside": 100 - held}
    assert 0 < held < 100
    assert f"{held} of them end" in chart.alt
    assert sum(len(trace.x) for trace in chart.figure.data if trace.opacity) == 100 * (41 + 1)
