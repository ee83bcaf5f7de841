"""The pictures of a choice: what lies in the middle, and what is left out at either end."""

from __future__ import annotations

import numpy as np

from dpengine.charts.accuracy.selection_charts import central
from tests.running.cases import each


@each(("confidence", "ends"), [(0.75, (2.0, 13.0)), (0.5, (4.0, 11.0)), (0.99, (0.0, 15.0))])
def test_as_many_answers_are_left_out_at_either_end(confidence: float, ends: tuple[float, float]) -> None:
    values, chances = np.arange(16.0), np.full(16, 1 / 16)
    assert central(values, chances, confidence) == ends
    assert chances[(values >= ends[0]) & (values <= ends[1])].sum() >= confidence
