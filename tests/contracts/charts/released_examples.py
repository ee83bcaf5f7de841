"""Pictures of released answers and of choices among candidates, for the contract of all charts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dpengine.accuracy import SelectionError
from dpengine.charts import Chart, Palette
from dpengine.charts.accuracy import answer_charts, selection_charts
from dpengine.charts.accuracy.selection_charts import ChanceView
from dpengine.mechanisms import ExponentialMechanism


def answers(palette: Palette) -> Chart:
    rows = (
        answer_charts.Answered(label="answer 1 of 2", value=31.0, lower=1.0, upper=61.0),
        answer_charts.Answered(label="together", value=28.0, lower=8.0, upper=48.0),
    )
    return answer_charts.numbers(rows, confidence=0.95, unit="people", palette=palette)


def cells(upper: Sequence[float]) -> Callable[[Palette], Chart]:
    values = np.array([3.0, -2.0])
    return lambda palette: answer_charts.cells(
        labels=("poor", "<a href='x'>y</a>"),
        values=values,
        ends=(values - 7.0, np.array(upper)),
        confidence=0.95,
        unit="people",
        palette=palette,
    )


MEDIAN = SelectionError(mechanism=ExponentialMechanism(epsilon=0.5, score_sensitivity=1.0), candidates=1000, step=0.5)


def _shortfall(palette: Palette) -> Chart:
    return selection_charts.shortfall(MEDIAN, confidence=0.95, axis="rank off by", unit="people", palette=palette)


def named(names: Sequence[str]) -> Callable[[Palette], Chart]:
    chances = np.linspace(1.0, 2.0, len(names))
    return lambda palette: selection_charts.named(
        names=names, chances=chances / chances.sum(), best=names[-1], palette=palette
    )


def _spread(values: Sequence[float]) -> Callable[[Palette], Chart]:
    known = np.array(values)
    chances = np.exp(-np.abs(known - known[len(known) // 2]))
    view = ChanceView(
        values=known,
        chances=chances / chances.sum(),
        best=float(known[len(known) // 2]),
        unit="years",
        confidence=0.95,
    )
    return lambda palette: selection_charts.spread(view, palette)


EXAMPLES: dict[str, Callable[[Palette], Chart]] = {
    "answers": answers,
    "cells": cells([10.0, 5.0]),
    "cells, each with its interval": cells([10.0, 9.0]),
    "shortfall of a choice": _shortfall,
    "named candidates": named(("flu", "<a href='x'>y</a>")),
    "named candidates, many": named([f"value {number} of many with a long name" for number in range(40)]),
    "candidates as numbers": _spread([0.0, 18.0, 40.0, 65.0]),
    "candidates as numbers, many": _spread(np.linspace(0.0, 120.0, 20_000).tolist()),
    "one candidate": _spread([3.0]),
}
