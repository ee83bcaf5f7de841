"""Every chart in large: all that is written is read from ten meters, and nothing else has changed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from dpengine.charts import Chart, for_projector
from tests.contracts.charts.test_charts import EXAMPLES, drawn

LEAST_LETTERS = 0.022 * 1080
"""Pixels on a projector of 1080: what is read from ten meters."""


def letters(chart: Chart) -> Iterator[float]:
    """The sizes of all that is written in a picture."""
    layout = chart.figure.layout
    yield from (layout.font.size, layout.legend.font.size or layout.font.size)
    for axis in (layout.xaxis, layout.yaxis):
        yield from (axis.tickfont.size, axis.title.font.size)
    yield from (note.font.size for note in layout.annotations)


def strokes(chart: Chart) -> Iterator[float]:
    """How wide lines are, and how large marks."""
    shapes, traces = (
        [one.to_plotly_json() for one in part] for part in (chart.figure.layout.shapes, chart.figure.data)
    )
    marks = [trace.get("marker", {}) for trace in traces]
    yield from (one.get("line", {}).get("width", 0.0) for one in (*shapes, *traces, *marks))
    for mark in marks:
        yield from np.ravel(mark.get("size", 0.0)).tolist()


def test_a_chart_in_large_is_read_from_ten_meters() -> None:
    for name in EXAMPLES:
        small = drawn(name)
        large = for_projector(small)
        assert min(letters(large)) >= LEAST_LETTERS > min(letters(small)), name
        assert list(strokes(large)) == pytest.approx([2.0 * one for one in strokes(small)]), name
        assert (large.alt, large.numbers) == (small.alt, small.numbers), name
        assert [trace.name for trace in large.figure.data] == [trace.name for trace in small.figure.data], name
