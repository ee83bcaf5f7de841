"""Axes of the pictures of lessons: named after what is drawn, and readable at every size of noise."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.charts import LIGHT
from dpengine.charts.accuracy import mechanism_charts
from dpengine.charts.accuracy.mechanism_charts import NamedMechanism
from dpengine.charts.privacy import cut_charts, ratio_charts, share_charts
from dpengine.charts.privacy.cut_charts import OneWorld
from dpengine.charts.privacy.ratio_charts import TwoDensities
from dpengine.charts.privacy.share_charts import CountLoss
from dpengine.charts.tables import line_charts
from dpengine.charts.tables.line_charts import Line, LineView
from dpengine.formatting import nearest_of_100
from dpengine.mechanisms import LaplaceMechanism
from tests.running.cases import each

AT = np.geomspace(1.0, 1000.0, 50)


def lines(heights, crossing=None):
    drawn = [Line(label="error", values=heights, here=float(heights[0]), color=LIGHT.text)]
    view = LineView(at=AT, x_title="answers", y_title="people", here=1.0, crossing=crossing, crossing_words="here")
    return line_charts.lines(view, drawn, LIGHT).figure


def test_a_spike_is_named_on_the_axis_only_where_there_is_one():
    answers = np.linspace(0.0, 4.0, 81)
    for spikes, title in (((), "density"), ([(0.0, 0.5)], "density, or chance at a spike")):
        world = OneWorld(density=np.exp(-answers), spikes=spikes)
        drawn = cut_charts.two_laws(
            answers=answers, with_person=world, without_person=world, unit="people", palette=LIGHT
        )
        assert drawn.figure.layout.yaxis.title.text == title


@each("scale", [1e-3, 1.0, 1e4])
def test_no_axis_counts_in_thousands_or_millionths(scale):
    noise = LaplaceMechanism(scale=scale, l1_sensitivity=1.0)
    answers = np.linspace(-5.0, 5.0, 11) * scale
    view = TwoDensities(
        answers=answers,
        with_person=noise.density(answers),
        without_person=noise.density(answers),
        losses=answers / scale,
        epsilon=1.0,
        unit="people",
    )
    entry = NamedMechanism(label="Laplace", mechanism=noise, color=LIGHT.text)
    figures = (
        ratio_charts.densities_and_losses(view, LIGHT).figure,
        mechanism_charts.noises([entry], unit="people", palette=LIGHT).figure,
    )
    for axis in [axis for figure in figures for axis in (figure.layout.xaxis, figure.layout.yaxis)]:
        assert axis.exponentformat == "power"
        assert axis.minexponent >= 6


@each("scale,tick", [(1e-9, "10⁻⁹"), (1.0, "100"), (1e6, "10⁷")])
def test_ticks_far_from_1_are_powers_of_ten(scale, tick):
    axis = lines(scale * AT).layout.yaxis
    assert tick in axis.ticktext
    assert max(len(text) for text in axis.ticktext) <= len("1,000,000")
    assert axis.automargin


def test_ticks_stand_close_where_the_lines_hardly_rise():
    assert lines(np.linspace(0.0067, 0.0135, 50)).layout.yaxis.ticktext == ("0.007", "0.01")


def test_the_words_on_a_crossing_stand_below_all_lines():
    free, strip = (lines(AT, crossing).layout.yaxis.range[0] for crossing in (None, 7.0))
    assert strip < free - 0.5
    assert lines(AT, 2000.0).layout.yaxis.range[0] == free


def test_a_shaded_part_begins_where_it_is_said_to_and_has_its_words():
    view = LineView(at=AT, x_title="ε", y_title="δ", here=10.0, shaded_from=20.0, shaded_words="not proved")
    drawn = [Line(label="δ", values=1e-6 * AT, here=1e-5, color=LIGHT.text)]
    chart = line_charts.lines(view, drawn, LIGHT)
    (area,) = [shape for shape in chart.figure.layout.shapes if shape.type == "rect"]
    assert (area.x0, area.x1 >= AT[-1]) == (20.0, True)
    (words,) = [one for one in chart.figure.layout.annotations if one.text == "not proved"]
    assert words.x == pytest.approx(np.log10(20.0)), "Words on a logarithmic axis stand at the logarithm."
    assert chart.alt == "At 10 (ε), δ: δ 10⁻⁵."
    assert not [shape for shape in lines(AT).layout.shapes if shape.type == "rect"]


def test_the_frames_of_all_counts_lie_side_by_side_in_the_last_row():
    counts = [CountLoss(name=name, loss=-most, most=most) for name, most in (("a", 0.3), ("b", 0.15), ("c", 0.05))]
    chart = share_charts.shares(counts, epsilon=0.5, palette=LIGHT)
    frames = [shape for shape in chart.figure.layout.shapes if shape.type == "rect" and shape.y1 > len(counts)]
    ends = sorted(abs(end) for shape in frames for end in (shape.x0, shape.x1))
    assert ends == pytest.approx(sorted([0.0, 0.3, 0.3, 0.45, 0.45, 0.5] * 2))
    assert list(chart.figure.data[0].x) == pytest.approx([-0.3, -0.15, -0.05, -0.5])
    assert chart.figure.data[0].y[-1] == "All together<br>−0.5 of ±0.5"


@each("share,before,shown", [(0.0, 0.5, "0"), (1.0, 0.5, "100"), (0.5, 0.5, "50"), (0.9963, 0.99, "99.63")])
def test_the_nearest_share_at_the_ends(share, before, shown):
    assert nearest_of_100(share, before) == shown
