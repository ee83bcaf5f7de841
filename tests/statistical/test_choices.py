"""Choices follow their law, and the same test rejects a law that is 10 % off."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpengine.mechanisms import (
    ExponentialMechanism,
    PermuteAndFlip,
    ReportNoisyMax,
    SelectionMechanism,
    exact_noise,
)
from dpengine.privacy import Neighbors
from dpengine.queries import Choice, ModeQuery, QuantileQuery
from tests.examples.ledgers import asking, people
from tests.running.cases import each
from tests.statistical.auditing import many_choices
from tests.statistical.thresholds import SIGNIFICANCE, WRONG_SCALE

SCORES, CHOICES, RELEASED = [0, 0, 0, 0, 0, 2, 4], 12_000, 700
"""Scores of which a law a tenth off shows early: an exact choice by it passes once in a hundred million runs."""


@cache
def exact(mechanism: SelectionMechanism) -> np.ndarray:
    return np.bincount(many_choices(mechanism, np.array(SCORES), CHOICES)[:, 0], minlength=len(SCORES))


def simulated(mechanism: SelectionMechanism) -> np.ndarray:
    rng = np.random.default_rng(20_240_603)
    return np.bincount([mechanism.simulate(SCORES, rng) for _ in range(CHOICES)], minlength=len(SCORES))


def fit(counts: np.ndarray, mechanism: SelectionMechanism) -> float:
    return float(stats.chisquare(counts, CHOICES * mechanism.probabilities(SCORES)).pvalue)


@each(
    ("sampler", "law", "noise", "monotone"),
    [
        *((exact, law, {}, False) for law in (ExponentialMechanism, PermuteAndFlip)),
        (exact, ExponentialMechanism, {}, True),
        (simulated, ExponentialMechanism, {}, True),
        (simulated, PermuteAndFlip, {}, True),
        (simulated, ReportNoisyMax, {"noise": "exponential"}, False),
        (simulated, ReportNoisyMax, {"noise": "laplace"}, True),
    ],
)
def test_choices_follow_their_law_and_no_other(sampler: Any, law: Any, noise: dict[str, str], monotone: bool) -> None:
    epsilon = 0.75 if monotone else 1.5
    mechanism = law(epsilon=epsilon, score_sensitivity=1, monotone=monotone, **noise)
    wrong = law(epsilon=epsilon * WRONG_SCALE, score_sensitivity=1, monotone=monotone, **noise)
    counts = sampler(mechanism)
    assert fit(counts, mechanism) > SIGNIFICANCE
    assert fit(counts, wrong) < SIGNIFICANCE


def test_opendp_draws_the_exponential_mechanism_and_not_permute_and_flip() -> None:
    """opendp has both under similar names: its older Gumbel maximum draws exponential noise."""
    gumbel, exponential = (law(epsilon=1.5, score_sensitivity=1) for law in (ExponentialMechanism, PermuteAndFlip))
    assert fit(exact(gumbel), exponential) < SIGNIFICANCE
    assert fit(exact(exponential), gumbel) < SIGNIFICANCE


@pytest.mark.parametrize("query", [QuantileQuery("age", 0.5, (0, 25, 35, 45, 70)), ModeQuery("ill")], ids=repr)
def test_released_choices_follow_the_law_that_is_charged_and_not_one_of_half_the_sensitivity(query: Any) -> None:
    """Drawn by the very call of a release, on the scores of real rows."""
    table, planned, draws = people(), asking(0.8, query), RELEASED
    (choice,) = planned.parts(table.schema, Neighbors.ADD_REMOVE)
    (mechanism,) = planned.mechanisms(table.schema, Neighbors.ADD_REMOVE)
    assert isinstance(choice, Choice)
    assert isinstance(mechanism, ExponentialMechanism | ReportNoisyMax)
    scores = choice.exact(table.run(choice.aggregate))
    chosen = [exact_noise.answer(mechanism, scores)[0] for _ in range(draws)]
    counts = np.bincount(chosen, minlength=len(choice.values))
    wrong = replace(mechanism, score_sensitivity=mechanism.score_sensitivity / 2)
    right_fit, wrong_fit = (stats.chisquare(counts, draws * law.probabilities(scores)) for law in (mechanism, wrong))
    assert right_fit.pvalue > SIGNIFICANCE > wrong_fit.pvalue
