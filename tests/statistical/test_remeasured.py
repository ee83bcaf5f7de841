"""Combined answers cover as often as they say; intervals from the variance, or from too little noise, do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from dpengine.data import CategoryColumn, Comparison, NumberColumn, Schema
from dpengine.ledger import combined
from dpengine.ledger.answers.combining import Combined
from dpengine.privacy import Neighbors
from dpengine.queries import (
    CountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    HistogramQuery,
    MeanQuery,
    ProportionQuery,
    Query,
    SumQuery,
)
from tests.examples.drawn import planned_as, released, simulated
from tests.examples.ledgers import SCHEMA
from tests.running.cases import each
from tests.statistical.thresholds import SIGNIFICANCE

RUNS, SOME_RUNS = 40_000, 40
GROUPED = Schema(
    name="t", columns=(NumberColumn(name="x", lower=0, upper=10), CategoryColumn(name="g", categories=("a", "b")))
)
NUMBERS: dict[str, tuple[Query, int, tuple[float, ...], float]] = {
    "count": (CountQuery(), 1, (0.5, 0.5), 0.0),
    "count, unlike": (CountQuery(), 1, (0.5, 1.1, 0.8), 0.0),
    "sum": (SumQuery("age"), 1, (0.5, 0.25), 0.0),
    "cells": (HistogramQuery("ill"), 2, (0.4, 0.8), 0.0),
    "gaussian sum": (SumQuery("age"), 1, (0.5, 0.25), 1e-6),
    "gaussian count": (CountQuery(), 1, (0.5, 2.0), 1e-6),
}


def known_as(query: Query, cells: int, epsilons: tuple[float, ...], delta: float = 0.0) -> Combined:
    """Answers that happened to have no noise: their laws are what matters."""
    return combined([released(planned_as(query, epsilon, delta), [[0] * cells]) for epsilon in epsilons])


def largest_errors(known: Combined, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """The largest error of a combined answer with one part, in each of many runs, drawn from the definition."""
    cells, step = len(known.labels), known.releases[0].parts[0].step
    total = np.zeros((RUNS, cells))
    for release, weight in zip(known.releases, known.weights[0], strict=True):
        mechanism: Any = release.mechanisms[0]
        total += weight * mechanism.simulate(np.zeros((RUNS, cells)), rng)
    return np.asarray(np.abs(total).max(axis=1) * step)


@each("name", NUMBERS)
@each("confidence", [0.8, 0.95])
def test_combined_intervals_cover_at_least_what_they_say(name: str, confidence: float) -> None:
    known = known_as(*NUMBERS[name])
    half = known.half_width(confidence, simultaneous=True) * (1 + 1e-9)
    hits = int(np.sum(largest_errors(known, np.random.default_rng(31)) <= half))
    assert binomtest(hits, RUNS, confidence, alternative="less").pvalue > SIGNIFICANCE
    if "sum" in name:
        assert binomtest(hits, RUNS, confidence, alternative="greater").pvalue > SIGNIFICANCE


def test_an_interval_from_the_variance_or_from_one_answer_at_the_sum_is_found_out() -> None:
    """Positive controls: 1.96 standard deviations, and the noise of one answer at epsilon 1 for two at a half."""
    known = known_as(SumQuery("age"), 1, (0.5, 0.5))
    noise: Any = known.releases[0].mechanisms[0]
    errors = largest_errors(known, np.random.default_rng(33))
    step = known.releases[0].parts[0].step
    normal = 1.959964 * noise.standard_deviation / np.sqrt(2.0) * step
    at_the_sum = known_as(SumQuery("age"), 1, (1.0,)).half_width(0.95)
    for wrong in (normal, at_the_sum):
        assert binomtest(int(np.sum(errors <= wrong)), RUNS, 0.95, alternative="less").pvalue < SIGNIFICANCE
    assert binomtest(int(np.sum(errors <= known.half_width(0.95))), RUNS, 0.95).pvalue > SIGNIFICANCE


def test_asking_again_because_of_the_first_answer_covers_less_often() -> None:
    """Why the page says so: whoever asks again only where the first answer came out far off is covered less often."""
    known = known_as(SumQuery("age"), 1, (0.5, 0.5))
    noise: Any = known.releases[0].mechanisms[0]
    drawn = noise.simulate(np.zeros((2, RUNS)), np.random.default_rng(34)) * known.releases[0].parts[0].step
    errors, again = np.abs(drawn.mean(axis=0)), np.abs(drawn[0]) > 2.0 * np.mean(np.abs(drawn[0]))
    half = known.half_width(0.95)
    assert binomtest(int(np.sum(errors <= half)), RUNS, 0.95).pvalue > SIGNIFICANCE
    hits = int(np.sum(errors[again] <= half))
    assert binomtest(hits, int(again.sum()), 0.95, alternative="less").pvalue < SIGNIFICANCE


RATIOS: dict[str, tuple[Query, Schema, list[list[float]], object]] = {
    "mean": (MeanQuery("age"), SCHEMA, [[-5_000.0], [500.0]], 40.0),
    "share": (ProportionQuery(Comparison("ill", "=", True)), SCHEMA, [[-100.0], [500.0]], 0.3),
    "means": (GroupedMeanQuery("x", "g"), GROUPED, [[-150.0, 0.0], [100.0, 50.0]], np.array([3.5, 5.0])),
    "shares": (
        GroupedProportionQuery(Comparison("x", ">", 5), "g"),
        GROUPED,
        [[-20.0, 0.0], [100.0, 50.0]],
        np.array([0.3, 0.5]),
    ),
}


@pytest.mark.parametrize("name", RATIOS)
def test_combined_ratios_cover_at_least_what_they_say(name: str) -> None:
    query, schema, exact, truth = RATIOS[name]
    plans = [planned_as(query, epsilon) for epsilon in (0.8, 0.5)]
    parts = plans[0].parts(schema, Neighbors.ADD_REMOVE)
    steps = [[round(value / part.step) for value in values] for part, values in zip(parts, exact, strict=True)]
    rng, hits = np.random.default_rng(35), 0
    for _ in range(SOME_RUNS):
        known = combined([simulated(plan, steps, rng, schema=schema) for plan in plans])
        lower, upper = known.interval(0.7, simultaneous=True)
        hits += bool(np.all(np.asarray(lower) <= np.asarray(truth)) and np.all(np.asarray(truth) <= np.asarray(upper)))
    assert binomtest(hits, SOME_RUNS, 0.7, alternative="less").pvalue > SIGNIFICANCE
    assert hits < SOME_RUNS
