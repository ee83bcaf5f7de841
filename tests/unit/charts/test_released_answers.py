"""What the pictures of released answers and of choices say, beside what they show."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.charts import LIGHT
from dpengine.charts.accuracy import answer_charts, selection_charts
from dpengine.charts.budget import budget_charts
from dpengine.charts.budget.budget_charts import BurnLine
from dpengine.charts.drawing.labels import on_axis
from tests.contracts.charts.released_examples import cells, named
from tests.running.cases import each


def test_cells_say_their_reach_only_where_they_share_one() -> None:
    assert "all of them are within 7 people." in cells([10.0, 5.0])(LIGHT).alt
    assert "all exact numbers lie in the intervals." in cells([10.0, 9.0])(LIGHT).alt


def test_long_names_stand_beside_lying_bars_and_none_is_cut() -> None:
    values, parties = (
        np.array([9.0, 5.0, -2.0]),
        ("strong republican, north", "independent republican", "weak democrat"),
    )
    drawn = {
        names: answer_charts.cells(
            labels=names,
            values=values,
            ends=(values - 1.0, values + 2.0),
            confidence=0.95,
            unit="people",
            palette=LIGHT,
        ).figure
        for names in (parties, ("a", "b", "c"))
    }
    lying, upright = drawn[parties], drawn["a", "b", "c"]
    assert (lying.data[0].orientation, upright.data[0].orientation) == ("h", "v")
    assert list(lying.data[0].x) == list(upright.data[0].y) == list(values)
    assert list(lying.data[0].error_x.arrayminus) == list(upright.data[0].error_y.arrayminus) == [1.0] * 3
    assert lying.layout.xaxis.title.text == upright.layout.yaxis.title.text == "people"
    assert lying.layout.margin.l >= 6.5 * max(map(len, parties))


def test_a_bar_that_fills_the_picture_holds_its_own_number() -> None:
    chances = np.array([0.99999, 0.00001])
    (bars,) = selection_charts.named(names=("a", "b"), chances=chances, best="a", palette=LIGHT).figure.data
    assert list(zip(bars.text, bars.textposition, strict=True)) == [
        ("more than 99.99%", "inside"),
        ("less than 0.01%", "outside"),
    ]


@each(("factor", "labels"), [(1.0, 1), (0.5, 2)])
def test_lines_that_end_together_have_their_names_side_by_side(factor: float, labels: int) -> None:
    rising = np.linspace(0.2, 2.4, 12)
    lines = [
        BurnLine(label="advanced", spent=factor * rising, color=LIGHT.advanced),
        BurnLine(label="naive", spent=rising, color=LIGHT.spent),
    ]
    figure = budget_charts.burn(questions=np.arange(1, 13), lines=lines, budget=1.7, palette=LIGHT).figure
    names = [note.text for note in figure.layout.annotations if "naive" in note.text or "advanced" in note.text]
    assert len(names) == labels
    assert all(any(word in text for text in names) for word in ("naive", "advanced"))


def test_the_middle_of_what_may_be_chosen_holds_the_share_it_says() -> None:
    values, chances = np.arange(5.0), np.array([0.02, 0.2, 0.56, 0.2, 0.02])
    assert selection_charts.central(values, chances, 0.95) == (1.0, 3.0)
    assert selection_charts.central(values, chances, 0.5) == (2.0, 2.0)
    assert selection_charts.central(values, chances, 0.99) == (0.0, 4.0)


def test_candidates_left_out_of_the_picture_are_counted_together() -> None:
    chart = named([f"value {number}" for number in range(40)])(LIGHT)
    (bars,) = chart.figure.data
    assert bars.y[-1] == "the other 33"
    assert sum(bars.x) == pytest.approx(100.0)


def test_labels_on_an_axis_stay_different_and_never_come_alive() -> None:
    long = ["a very long name of a value, the first", "a very long name of a value, the second"]
    shown = on_axis([*long, "<a href='http://a.example'>x</a>", "plain"])
    assert len(set(shown)) == 4
    assert all("<" not in label for label in shown)
    assert shown[-1] == "plain"


def test_bars_cover_every_candidate_that_is_likely() -> None:
    view = selection_charts.ChanceView(
        values=np.array([0.0, 1e-3, 50.0, 100.0]),
        chances=np.array([0.25, 0.25, 0.25, 0.25]),
        best=50.0,
        unit="years",
        confidence=0.9,
    )
    heights = selection_charts.spread(view, LIGHT).numbers["% of answers"]
    assert float(np.sum(np.asarray(heights, dtype=float))) == pytest.approx(100.0)
