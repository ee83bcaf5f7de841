"""Exact choices by opendp."""

import math
from typing import Any

import pytest

from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import (
    DiscreteLaplaceMechanism,
    ExponentialMechanism,
    PermuteAndFlip,
    ReportNoisyMax,
    exact_noise,
)
from tests.running.cases import each

EXACT: list[type[Any]] = [ExponentialMechanism, PermuteAndFlip]


@each("law", EXACT)
@each("monotone", [False, True])
@each("epsilon", [0.1, 0.3, 1.0, 7.0])
@each("score_sensitivity", [1, 3, 1000])
def test_opendp_charges_what_the_event_says(
    law: type[Any], monotone: bool, epsilon: float, score_sensitivity: int
) -> None:
    """Permute-and-flip in epsilon, the exponential mechanism in rho: epsilon^2 / 8, the discount of bounded range."""
    mechanism = law(epsilon=epsilon, score_sensitivity=score_sensitivity, monotone=monotone)
    told = exact_noise.privacy_map(mechanism)
    expected = epsilon if law is PermuteAndFlip else epsilon**2 / 8.0
    assert told == pytest.approx(expected, rel=1e-12)


@each("law", EXACT)
def test_a_clear_winner_wins_and_a_single_candidate_too(law: type[Any]) -> None:
    mechanism = law(epsilon=1.0, score_sensitivity=1)
    assert exact_noise.choose(mechanism, [0, 10**6, -(2**63)]) == 1
    assert exact_noise.choose(mechanism, [7]) == 0
    assert isinstance(exact_noise.choose(mechanism, [1, 2]), int)


@each("law", EXACT)
@each("bad", [[0.5], [], [[1, 2]], 3, "12", None, [2**63], [True]])
def test_anything_but_a_list_of_whole_scores_is_refused(law: type[Any], bad: Any) -> None:
    with pytest.raises(InvalidParameterError, match="scores"):
        exact_noise.choose(law(epsilon=1.0, score_sensitivity=1), bad)


def test_what_has_no_exact_noise_is_refused_by_name() -> None:
    laplace = ReportNoisyMax(epsilon=1.0, score_sensitivity=1)
    with pytest.raises(InvalidParameterError, match="noise"):
        exact_noise.choose(laplace, [1, 2])
    assert exact_noise.choose(ReportNoisyMax(epsilon=1.0, score_sensitivity=1, noise="exponential"), [0, 10**6]) == 1
    additive: Any = DiscreteLaplaceMechanism(scale=1.0, l1_sensitivity=1)
    with pytest.raises(InvalidParameterError, match="mechanism"):
        exact_noise.choose(additive, [1, 2])
    with pytest.raises(InvalidParameterError, match="score_sensitivity"):
        exact_noise.choose(PermuteAndFlip(epsilon=1.0, score_sensitivity=0.7), [1, 2])


@each("law", EXACT)
@each("epsilon", [1e-9, 1000.0])
def test_extreme_epsilons_are_drawn(law: type[Any], epsilon: float) -> None:
    index = exact_noise.choose(law(epsilon=epsilon, score_sensitivity=1), [5, 4, 3])
    assert index == 0 if epsilon > 1.0 else index in (0, 1, 2)
    assert math.isfinite(exact_noise.privacy_map(law(epsilon=epsilon, score_sensitivity=1)))
