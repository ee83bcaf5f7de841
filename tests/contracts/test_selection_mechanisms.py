"""What every selection mechanism owes; a new one adds a line to EXAMPLES."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, special

from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import ExponentialMechanism, PermuteAndFlip, ReportNoisyMax, SelectionMechanism
from dpengine.privacy import BoundedRangeEvent, Event, PureEvent
from tests.running.cases import each

LAWS: dict[str, Callable[..., SelectionMechanism]] = {
    "exponential": ExponentialMechanism,
    "permute_and_flip": PermuteAndFlip,
    "laplace": lambda **fields: ReportNoisyMax(**fields, noise="laplace"),
    "exponential noise": lambda **fields: ReportNoisyMax(**fields, noise="exponential"),
}
EXAMPLES = [(name, monotone) for name in LAWS for monotone in (False, True)]
SCORES = [np.array(scores, dtype=float) for scores in ([0], [1, 1], [3, 0], [5, 4, 1, 0], [2, 2, 2, 7, -30])]


def build(name: str, monotone: bool = False, *, epsilon: float = 1.0, score_sensitivity: float = 1.0) -> Any:
    return LAWS[name](epsilon=epsilon, score_sensitivity=score_sensitivity, monotone=monotone)


def softmax_oracle(heights: np.ndarray) -> np.ndarray:
    return np.array([1.0 / math.fsum(np.exp(heights - height)) for height in heights])


def permutation_oracle(heights: np.ndarray) -> np.ndarray:
    """The definition: every order of candidates, every coin."""
    coin, wins = np.exp(heights - heights.max()), np.zeros(heights.size)
    for order in itertools.permutations(range(heights.size)):
        reached = 1.0
        for candidate in order:
            wins[candidate] += reached * coin[candidate]
            reached *= 1.0 - coin[candidate]
    return wins / math.factorial(heights.size)


def race_oracle(
    density: Callable[[float], float], chance_below: Callable[[float], float]
) -> Callable[[np.ndarray], np.ndarray]:
    """The integral of one density times all other distribution functions, cut at every kink."""

    def wins(heights: np.ndarray) -> np.ndarray:
        cuts = sorted({*heights.tolist(), heights.max() - 45.0, heights.max() + 45.0, heights.max() + 4.0})
        return np.array(
            [
                sum(integrate.quad(part(i, heights), *cut)[0] for cut in itertools.pairwise(cuts))
                for i in range(heights.size)
            ]
        )

    def part(i: int, heights: np.ndarray) -> Callable[[float], float]:
        own, others = float(heights[i]), np.delete(heights, i).tolist()
        return lambda x: density(x - own) * math.prod(chance_below(x - other) for other in others)

    return wins


ORACLES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "exponential": softmax_oracle,
    "permute_and_flip": permutation_oracle,
    "laplace": race_oracle(
        lambda x: math.exp(-abs(x)) / 2.0, lambda x: math.exp(x) / 2.0 if x < 0.0 else 1.0 - math.exp(-x) / 2.0
    ),
    "exponential noise": race_oracle(
        lambda x: math.exp(-x) if x >= 0.0 else 0.0, lambda x: -math.expm1(-x) if x >= 0.0 else 0.0
    ),
}


@each("name", LAWS)
@each("scores", SCORES)
@each(("monotone", "epsilon"), [(False, 0.1), (True, 1.0), (False, 6.0)])
def test_probabilities_are_those_of_the_definition(
    name: str, monotone: bool, scores: np.ndarray, epsilon: float
) -> None:
    found = build(name, monotone, epsilon=epsilon, score_sensitivity=2.0).probabilities(scores)
    heights = scores * epsilon / 2.0 / (1.0 if monotone else 2.0)
    assert found == pytest.approx(ORACLES[name](heights), abs=1e-10)
    assert found != pytest.approx(ORACLES[name](heights * 1.1), abs=1e-10) or np.ptp(scores) == 0.0


@each(("name", "monotone"), EXAMPLES)
@each("size", [1, 2, 300, 10_000])
@each("spread", [0.0, 1e-6, 0.3, 20.0, 1e5])
def test_probabilities_sum_to_one_and_keep_the_order(name: str, monotone: bool, size: int, spread: float) -> None:
    scores = np.round(np.random.default_rng(size).exponential(1.0, size), 2) * spread
    found = build(name, monotone).probabilities(scores)
    assert found.shape == (size,)
    assert found.sum() == pytest.approx(1.0, abs=1e-12)
    ordered = found[np.argsort(scores)]
    assert np.all(np.diff(ordered) >= -1e-15)
    assert ordered[0] >= 0.0


def neighbors(monotone: bool, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two score lists at distance 1 in every candidate, often at the very ends of it, in one direction if monotone."""
    size = int(rng.integers(2, 6))
    scores = rng.choice([0.0, 1.0, 5.0]) * rng.normal(size=size)
    moves = rng.choice([0.0, 1.0, 0.5], size=size) if monotone else rng.choice([-1.0, 1.0, 0.3], size=size)
    return scores, scores + moves


def worst_loss(mechanism: SelectionMechanism, monotone: bool, pairs: int = 30) -> float:
    rng, worst = np.random.default_rng(11), 0.0
    for _ in range(pairs):
        here, there = (mechanism.probabilities(scores) for scores in neighbors(monotone, rng))
        seen = (here > 1e-9) & (there > 1e-9)
        worst = max(worst, float(np.abs(np.log(here[seen]) - np.log(there[seen])).max()))
    return worst


@each(("name", "monotone"), EXAMPLES)
@each("epsilon", [0.1, 3.0])
def test_no_neighboring_scores_lose_more_than_epsilon(name: str, monotone: bool, epsilon: float) -> None:
    """And a mechanism with half the noise is caught."""
    assert worst_loss(build(name, monotone, epsilon=epsilon), monotone) <= epsilon * (1.0 + 1e-6)
    assert worst_loss(build(name, monotone, epsilon=2.0 * epsilon), monotone) > epsilon * 1.2


@each("name", LAWS)
def test_scores_that_move_both_ways_break_the_monotone_promise(name: str) -> None:
    assert worst_loss(build(name, True), monotone=False) > 1.2


@each("monotone", [False, True])
def test_only_the_exponential_mechanism_has_bounded_range(monotone: bool) -> None:
    """The range of losses between any two candidates is at most epsilon for it, and more for the others."""
    ranges = dict.fromkeys(LAWS, 0.0)
    for name in LAWS:
        rng, mechanism = np.random.default_rng(12), build(name, monotone)
        for _ in range(60):
            here, there = (mechanism.probabilities(scores) for scores in neighbors(monotone, rng))
            seen = (here > 1e-9) & (there > 1e-9)
            losses = np.log(here[seen]) - np.log(there[seen])
            ranges[name] = max(ranges[name], float(np.ptp(losses)))
    assert ranges.pop("exponential") == pytest.approx(1.0, abs=1e-9)
    assert min(ranges.values()) > 1.02
    assert build("exponential", monotone).event == BoundedRangeEvent(epsilon=1.0)
    assert all(build(name, monotone).event == PureEvent(epsilon=1.0) for name in ranges)


def exact_loss_exceeded(mechanism: SelectionMechanism, scores: np.ndarray, lost: float) -> float:
    return float(mechanism.probabilities(scores)[scores.max() - scores > lost].sum())


@each(("name", "monotone"), EXAMPLES)
@each("candidates", [1, 2, 5, 200])
@each("confidence", [0.01, 0.5, 0.95, 1.0 - 1e-6])
def test_the_utility_bound_is_never_below_the_truth(
    name: str, monotone: bool, candidates: int, confidence: float
) -> None:
    """One best candidate and all others just below the bound is the worst case; half the bound does not hold."""
    mechanism = build(name, monotone, epsilon=0.5, score_sensitivity=2.0)
    bound = mechanism.utility_bound(confidence, candidates)
    assert bound >= 0.0
    rng = np.random.default_rng(3)
    worst = np.r_[0.0, np.full(candidates - 1, -bound * (1.0 + 1e-9) - 1e-9)]
    several = [worst, *(-bound * rng.uniform(0.0, 3.0, candidates) for _ in range(4))]
    for scores in several:
        assert exact_loss_exceeded(mechanism, scores, bound) <= 1.0 - confidence
    if candidates == 200 and confidence >= 0.5:
        assert exact_loss_exceeded(mechanism, worst / 2.0, bound * 0.5) > 1.0 - confidence


@each("name", LAWS)
def test_the_utility_bound_is_halved_in_the_monotone_case(name: str) -> None:
    general, monotone = (build(name, flag).utility_bound(0.95, 10) for flag in (False, True))
    assert general == pytest.approx(2.0 * monotone)


def test_the_usual_bound_does_not_hold_for_laplace_noise_at_high_confidence() -> None:
    """Why noisy max has its own: two candidates, a chance of 1e-9 that the worse one is told."""
    usual = build("exponential").utility_bound(1.0 - 1e-9, 2)
    laplace = build("laplace")
    assert exact_loss_exceeded(laplace, np.array([0.0, -usual * 1.000001]), usual) > 1e-9
    assert laplace.utility_bound(1.0 - 1e-9, 2) > usual


@each("scores", SCORES)
@each("epsilon", [0.1, 1.0, 6.0])
def test_permute_and_flip_is_noisy_max_and_never_worse_than_the_exponential_mechanism(
    scores: np.ndarray, epsilon: float
) -> None:
    flip, race, gumbel = (
        build(name, epsilon=epsilon) for name in ("permute_and_flip", "exponential noise", "exponential")
    )
    assert flip.probabilities(scores) == pytest.approx(race.probabilities(scores), abs=1e-14)
    assert flip.expected_shortfall(scores) <= gumbel.expected_shortfall(scores) + 1e-15
    rng = np.random.default_rng(4)
    for _ in range(50):
        random = rng.normal(scale=rng.exponential(5.0), size=int(rng.integers(2, 30)))
        assert flip.expected_shortfall(random) <= gumbel.expected_shortfall(random) * (1.0 + 1e-12)


@each(("name", "monotone"), EXAMPLES)
def test_the_expected_shortfall_is_the_mean_loss(name: str, monotone: bool) -> None:
    mechanism, scores = build(name, monotone), np.array([4.0, 2.0, 1.0])
    p = mechanism.probabilities(scores)
    assert mechanism.expected_shortfall(scores) == pytest.approx(2.0 * p[1] + 3.0 * p[2])
    assert mechanism.expected_shortfall([7.0, 7.0]) == 0.0


@each(("name", "monotone"), EXAMPLES)
@each("epsilon", [1e-9, 1000.0])
def test_nothing_is_too_extreme_for_a_number(name: str, monotone: bool, epsilon: float) -> None:
    for sensitivity in (1e-9, 1.0, 1e9):
        mechanism = build(name, monotone, epsilon=epsilon, score_sensitivity=sensitivity)
        for scores in ([1e300, 1e300], [8e307, -8e307, 0.0], [1e300, 0.0], [5e-324, 0.0], [0], [-1e300] * 3):
            found = mechanism.probabilities(scores)
            assert found.sum() == pytest.approx(1.0, abs=1e-12)
            assert 0.0 <= mechanism.expected_shortfall(scores) < math.inf
            assert 0 <= mechanism.simulate(scores, np.random.default_rng(1)) < len(scores)
        for candidates in (1, 10**12):
            for confidence in (1e-300, 1.0 - 2.0**-53):
                assert 0.0 <= mechanism.utility_bound(confidence, candidates) < math.inf
        assert isinstance(mechanism.event, Event)


@each(("name", "monotone"), EXAMPLES)
@each("bad", [[], [math.nan], [1.0, math.inf], [-math.inf, 0.0], "12", [[1.0]], 3.0, [1.7e308, -1.7e308]])
def test_bad_scores_are_named(name: str, monotone: bool, bad: Any) -> None:
    mechanism = build(name, monotone)
    for refused in (
        lambda: mechanism.probabilities(bad),
        lambda: mechanism.expected_shortfall(bad),
        lambda: mechanism.simulate(bad, np.random.default_rng(1)),
    ):
        with pytest.raises(InvalidParameterError, match="scores"):
            refused()


@each("name", LAWS)
@each("bad", [0.0, -1.0, math.nan, math.inf, "1", None, True])
def test_bad_fields_are_named(name: str, bad: Any) -> None:
    for field in ("epsilon", "score_sensitivity"):
        with pytest.raises(InvalidParameterError, match=field):
            LAWS[name](**{"epsilon": 1.0, "score_sensitivity": 1.0, field: bad})
    with pytest.raises(InvalidParameterError, match="monotone"):
        LAWS[name](epsilon=1.0, score_sensitivity=1.0, monotone="yes")
    with pytest.raises(InvalidParameterError, match="noise"):
        ReportNoisyMax(epsilon=1.0, score_sensitivity=1.0, noise="uniform")
    with pytest.raises(InvalidParameterError, match="confidence"):
        build(name).utility_bound(1.0, 3)
    with pytest.raises(InvalidParameterError, match="candidates"):
        build(name).utility_bound(0.5, 0)
    with pytest.raises(InvalidParameterError, match="score_sensitivity / epsilon"):
        build(name, epsilon=1e-300, score_sensitivity=1e300)


def test_the_exponential_mechanism_is_a_softmax() -> None:
    scores = np.array([3.0, 1.0, -2.0])
    assert build("exponential").probabilities(scores) == pytest.approx(special.softmax(scores / 2.0), rel=1e-15)
    assert build("exponential", True).probabilities(scores) == pytest.approx(special.softmax(scores), rel=1e-15)
