"""Names beside lines: each stands by its own line and on no other word, on a phone's picture, or above the picture."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import plotly.graph_objects as go
import pytest

from dpengine.charts import LIGHT
from dpengine.charts.drawing.line_names import Canvas, name_lines
from dpengine.charts.drawing.theme import blank, note, upright

RISING = np.linspace(1.0, 10.0, 50)
LINES = {"the highest of the lines": 9.0, "in the middle": 5.0, "low": 1.0}


def picture(lines: dict[str, float], *, kind: str = "linear") -> go.Figure:
    """Level lines, each rising a little."""
    span = [0.0, 1.0] if kind == "log" else [1.0, 10.0]
    figure = blank(LIGHT, x_title="x", y_title="y", x={"range": span, "type": kind}, y={"range": [0.0, 10.0]})
    for name, height in lines.items():
        look = {"color": LIGHT.attacker}
        figure.add_scatter(x=RISING, y=height + 0.02 * RISING, mode="lines", name=name, line=look)
    return figure


@pytest.mark.parametrize("kind", ["linear", "log"])
def test_each_name_stands_beside_its_own_line(kind: str) -> None:
    figure = picture(LINES, kind=kind)
    name_lines(figure, LIGHT)
    assert not figure.layout.showlegend
    found = {one.text.replace("<br>", " "): one for one in figure.layout.annotations}
    assert set(found) == set(LINES)
    for name, height in LINES.items():
        assert abs(10.0 * found[name].y - height) < 2.5, "y is a share of the picture"
        assert found[name].font.color == LIGHT.attacker
        low, high = figure.layout.xaxis.range
        assert low < found[name].x < high
        assert found[name].bgcolor is None, "Nothing has to be covered."


def test_no_name_lies_on_a_word_or_on_another_name() -> None:
    figure = picture({f"line {place}": 5.0 + 0.1 * place for place in range(4)})
    note(figure, "a word that was there", x=5.5, y=6.0, color=LIGHT.text)
    upright(figure, x=3.0, line={"width": 1})
    name_lines(figure, LIGHT)
    boxes = Canvas(figure).boxes
    assert len(boxes) == 5
    for (one, half), (other, size) in combinations(boxes, 2):
        assert not (np.abs(one - other) < half + size - 1e-6).all()


def test_a_name_without_any_room_stands_above_the_picture() -> None:
    figure = picture({"a": 30.0, "b": 5.0})
    name_lines(figure, LIGHT)
    assert figure.layout.showlegend
    assert [trace.name for trace in figure.data if trace.showlegend is not False] == ["a"]


def test_in_a_crowd_a_name_has_a_ground_of_its_own() -> None:
    figure = picture({"all over": 5.0})
    rng = np.random.default_rng(1)
    for _ in range(40):
        figure.add_scatter(x=RISING, y=rng.uniform(0.0, 10.0, RISING.size), mode="lines", showlegend=False)
    name_lines(figure, LIGHT)
    (found,) = figure.layout.annotations
    assert found.bgcolor == LIGHT.background
