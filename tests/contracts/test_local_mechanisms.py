"""What every mechanism of the local model owes; a new one adds a line to EXAMPLES."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from dpengine.errors import InvalidParameterError
from dpengine.losses import delta_of
from dpengine.mechanisms import (
    LocalLaplace,
    LocalMechanism,
    OptimizedUnaryEncoding,
    RandomizedResponse,
    ShareMechanism,
)
from dpengine.privacy import Event
from tests.golden.rows import number, rows
from tests.running.cases import each

SHARES: list[ShareMechanism] = [
    RandomizedResponse.from_truth_probability(0.75),
    RandomizedResponse.from_truth_probability(0.25),
    RandomizedResponse.from_coin(0.3, categories=4),
    RandomizedResponse.from_epsilon(1.0, categories=5),
    OptimizedUnaryEncoding(epsilon=1.0, categories=2),
    OptimizedUnaryEncoding(epsilon=2.0, categories=4),
]
EXAMPLES: list[LocalMechanism] = [*SHARES, LocalLaplace(epsilon=1.0, lower=0.0, upper=1.0)]
EXTREME: list[ShareMechanism] = [
    *(RandomizedResponse.from_epsilon(x, categories=k) for x in (1e-9, 1000.0, 1e300) for k in (2, 3, 10**7)),
    *(OptimizedUnaryEncoding(epsilon=x, categories=k) for x in (1e-9, 1000.0, 1e300) for k in (2, 1000)),
    RandomizedResponse.from_truth_probability(1e-300),
    RandomizedResponse.from_truth_probability(1.0 - 2.0**-53),
    RandomizedResponse.from_coin(1e-9, categories=3),
]
PEOPLE, RUNS = 200, 4_000


def laws(mechanism: ShareMechanism) -> list[dict[Any, float]]:
    """For each answer the probability of every possible report, written down anew."""
    k = mechanism.categories
    if isinstance(mechanism, RandomizedResponse):
        return [dict(enumerate(mechanism.probabilities(answer).tolist())) for answer in range(k)]
    assert isinstance(mechanism, OptimizedUnaryEncoding)
    one = [[0.5 if i == j else 1.0 / (math.exp(mechanism.epsilon) + 1.0) for j in range(k)] for i in range(k)]
    bits = list(itertools.product((0, 1), repeat=k))
    return [
        {row: math.prod(p if bit else 1.0 - p for p, bit in zip(one[i], row, strict=True)) for row in bits}
        for i in range(k)
    ]


def answers_with(share: float, mechanism: ShareMechanism) -> np.ndarray:
    """So many people with answer 1, the others with the last or the first."""
    having = round(share * PEOPLE)
    other = 0 if mechanism.categories == 2 else mechanism.categories - 1
    return np.array([1] * having + [other] * (PEOPLE - having))


def estimates(mechanism: ShareMechanism, share: float, seed: int) -> np.ndarray:
    """Of the share of answer 1, one a run, over the coins alone; all runs toss them at once."""
    answers = np.tile(answers_with(share, mechanism), RUNS)
    reports = np.split(mechanism.simulate(answers, np.random.default_rng(seed)), RUNS)
    return np.asarray(mechanism.estimate(np.array([mechanism.tally(one)[1] for one in reports])))


@each("mechanism", SHARES)
@each("share", [0.0, 0.3])
def test_estimates_have_no_bias_and_the_stated_variance_and_no_other(mechanism: ShareMechanism, share: float) -> None:
    """Five standard errors; a variance 25 % off (a noise 12 % off) is told apart."""
    found = estimates(mechanism, share, seed=1)
    stated = mechanism.variance(share, PEOPLE)
    assert abs(found.mean() - share) < 5.0 * math.sqrt(stated / RUNS)
    spread = 5.0 * math.sqrt(2.0 / RUNS)
    assert found.var() / stated == pytest.approx(1.0, abs=spread)
    assert found.var() / (1.25 * stated) != pytest.approx(1.0, abs=spread / 1.25)


@each("mechanism", SHARES)
def test_drawing_people_adds_the_variance_of_a_sample(mechanism: ShareMechanism) -> None:
    for share in (0.0, 0.2, 1.0):
        sampling = share * (1.0 - share) / PEOPLE
        both = mechanism.variance_with_sampling(share, PEOPLE)
        assert both == pytest.approx(mechanism.variance(share, PEOPLE) + sampling, rel=1e-12)


@each("mechanism", SHARES)
def test_the_event_is_never_below_the_likelihood_ratios_of_all_reports(mechanism: ShareMechanism) -> None:
    """Exact for yes and no by randomized response, from above elsewhere; half the epsilon would be caught."""
    points = np.linspace(0.0, 2.5, 11)
    claimed = delta_of(mechanism.event, epsilon=points)
    epsilon = abs(mechanism.event.epsilon)  # type: ignore[attr-defined]
    for here, there in itertools.permutations(laws(mechanism), 2):
        true = np.array([sum(max(0.0, here[r] - math.exp(x) * there[r]) for r in here) for x in points])
        assert np.all(true <= claimed + 1e-15)
        worst = max(abs(math.log(here[report] / there[report])) for report in here)
        assert worst == pytest.approx(epsilon, rel=1e-12)
        if isinstance(mechanism, RandomizedResponse) and mechanism.categories == 2:
            assert true == pytest.approx(claimed, rel=1e-12, abs=1e-15)


@each("mechanism", SHARES)
def test_the_losses_are_those_of_all_reports(mechanism: ShareMechanism) -> None:
    here, there = laws(mechanism)[:2]
    found: dict[float, float] = {}
    for report, probability in here.items():
        loss = round(math.log(probability / there[report]), 9)
        found[loss + 0.0] = found.get(loss + 0.0, 0.0) + probability
    stated = {round(loss, 9) + 0.0: probability for loss, probability in mechanism.losses.items()}
    assert found.keys() == stated.keys()
    assert all(found[loss] == pytest.approx(stated[loss], rel=1e-9) for loss in found)


@each("mechanism", SHARES)
def test_intervals_cover_at_least_as_often_as_promised(mechanism: ShareMechanism) -> None:
    """Over every possible number of reports, by the binomial law of a random sample of people."""
    people, share = 60, 0.3
    reported = 0.5 + (share - float(mechanism.estimate(0.5))) * (
        0.1 / (float(mechanism.estimate(0.6)) - float(mechanism.estimate(0.5)))
    )
    weights = [math.comb(people, c) * reported**c * (1.0 - reported) ** (people - c) for c in range(people + 1)]
    for confidence in (0.5, 0.95):
        ends = [mechanism.interval(c, people, confidence) for c in range(people + 1)]
        covered = sum(w for w, (low, high) in zip(weights, ends, strict=True) if low <= share <= high)
        assert confidence <= covered < 1.0 - (1.0 - confidence) / 10.0
        assert all(0.0 <= low <= high <= 1.0 for low, high in ends)


@each("mechanism", SHARES)
@each("standard_error", [0.3, 0.01, 1e-5])
def test_the_people_needed_are_enough_and_one_less_is_not(mechanism: ShareMechanism, standard_error: float) -> None:
    least = mechanism.people_needed(standard_error)
    assert mechanism.variance_with_sampling(0.5, least) <= standard_error**2 * (1.0 + 1e-12)
    if least > 1:
        assert mechanism.variance_with_sampling(0.5, least - 1) > standard_error**2


@each("mechanism", EXAMPLES)
def test_the_same_seed_gives_the_same_reports(mechanism: LocalMechanism) -> None:
    answers = np.array([0, 1, 1, 0, 1])
    one, again, other = (mechanism.simulate(answers, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one.tolist() == again.tolist()
    assert one.tolist() != other.tolist()
    assert isinstance(mechanism.event, Event)


@each("mechanism", EXTREME)
def test_nothing_is_too_extreme_for_a_number(mechanism: ShareMechanism) -> None:
    values = [mechanism.variance(share, people) for share in (0.0, 1.0) for people in (1, 10**12)]
    values += [mechanism.variance_with_sampling(0.5, 1), mechanism.people_needed(1e-3)]
    values += [*mechanism.interval(0, 10, 0.95), *mechanism.interval(10, 10, 0.95), *mechanism.losses.values()]
    assert all(0.0 <= value < math.inf for value in values)
    assert math.isfinite(mechanism.estimate(0.5))
    assert sum(mechanism.losses.values()) == pytest.approx(1.0)


@each(
    "mechanism",
    [
        RandomizedResponse.from_truth_probability(0.5),
        RandomizedResponse.from_epsilon(0.0, categories=3),
        RandomizedResponse.from_coin(0.0),
        OptimizedUnaryEncoding(epsilon=0.0, categories=3),
    ],
)
def test_reports_that_say_nothing_cost_nothing_and_estimate_nothing(mechanism: ShareMechanism) -> None:
    assert delta_of(mechanism.event, epsilon=0.0) == 0.0
    assert mechanism.losses == {0.0: 1.0}
    for refused in (
        lambda: mechanism.estimate(0.5),
        lambda: mechanism.variance(0.5, 10),
        lambda: mechanism.variance_with_sampling(0.5, 10),
        lambda: mechanism.interval(5, 10, 0.9),
        lambda: mechanism.people_needed(0.1),
    ):
        with pytest.raises(InvalidParameterError, match="say nothing"):
            refused()


@each("mechanism", SHARES)
def test_bad_arguments_are_named(mechanism: ShareMechanism) -> None:
    rng = np.random.default_rng(1)
    for name, refused in {
        "reported share": lambda: mechanism.estimate(1.5),
        "share": lambda: mechanism.variance(-0.1, 10),
        "people": lambda: mechanism.variance(0.1, 0),
        "reports": lambda: mechanism.interval(11, 10, 0.9),
        "confidence": lambda: mechanism.interval(1, 10, 1.0),
        "standard_error": lambda: mechanism.people_needed(0.0),
        "answers": lambda: mechanism.simulate([mechanism.categories], rng),
    }.items():
        with pytest.raises(InvalidParameterError, match=name):
            refused()
    wrong: list[Any] = [[0.5], [-1], ["yes"], [None]]
    for bad in wrong:
        with pytest.raises(InvalidParameterError, match="answers"):
            mechanism.simulate(bad, rng)
    with pytest.raises(InvalidParameterError, match="reports"):
        mechanism.tally([])


@each("row", rows("randomized_response"))
def test_golden_epsilon(row: dict[str, str]) -> None:
    mechanism = RandomizedResponse.from_truth_probability(number(row, "truth_probability"))
    assert mechanism.event.epsilon == pytest.approx(number(row, "epsilon"), rel=1e-14)
