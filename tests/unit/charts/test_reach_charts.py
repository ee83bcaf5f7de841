"""The pictures of how far Laplace noise reaches: what is shaded is what lies beyond, and both laws say their share."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.accuracy import NoiseError, textbook_bounds
from dpengine.charts import LIGHT
from dpengine.charts.accuracy import reach_charts
from dpengine.charts.accuracy.reach_charts import BeyondView, ChanceLine
from dpengine.mechanisms import DiscreteLaplaceMechanism


def bounds(scale):
    return textbook_bounds(NoiseError(mechanism=DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1)))


def test_the_shaded_tails_are_those_beyond():
    chart = reach_charts.tails(bounds(10.0), t=1.0, unit="people", palette=LIGHT)
    curve, left, right, bars = chart.figure.data
    assert (max(left.x), min(right.x)) == (-10.0, 10.0)
    assert (left.fill, right.fill, curve.fill) == ("tozeroy", "tozeroy", None)
    shaded = np.asarray(bars.marker.color) == LIGHT.advanced
    assert min(np.abs(bars.x[shaded])) == 11
    near, far = (bounds(10.0).released_tail(t) for t in (1.0, 6.3))
    assert bars.y[shaded].sum() == pytest.approx(100 * (near - far))
    assert chart.alt == "Beyond ±10 people lie 36.8% of the Laplace curve and 35% of the whole numbers released."
    assert {"36.8%<br>beyond ±10", "35%<br>beyond ±10"} < {one.text for one in chart.figure.layout.annotations}


def test_wide_noise_is_drawn_by_few_bars_and_narrow_noise_by_some():
    wide, narrow = (reach_charts.tails(bounds(scale), t=1.0, unit="people", palette=LIGHT) for scale in (1e6, 0.1))
    assert 100 < len(wide.figure.data[-1].x) <= 131
    assert list(narrow.figure.data[-1].x) == [-2, -1, 0, 1, 2]


def test_chances_are_drawn_in_steps_where_the_noise_is():
    errors = np.arange(4.0)
    exact = ChanceLine(label="exact", chances=0.5**errors, here=0.25, color="#123456", steps=True)
    view = BeyondView(errors=errors, here=2.0, x_title="error, people", y_title="chance, %", average=1.5)
    chart = reach_charts.chances_beyond(view, [exact], LIGHT)
    line, dot = chart.figure.data
    assert line.line.shape == "hv"
    assert (list(dot.x), list(dot.y)) == ([2.0], [25.0])
    assert chart.alt == "chance, %, beyond 2 (error, people): exact 25%."
    assert "the curve's average 1.5" in {one.text for one in chart.figure.layout.annotations}
