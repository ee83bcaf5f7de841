"""Numerical composition: never below the truth, and close to it."""

import math
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as peer
from scipy.stats import binom

from dpengine.accounting import consumption, epsilon, epsilon_curve
from dpengine.losses import delta_of, loss_distribution
from dpengine.privacy import (
    ApproximateEvent,
    BoundedRangeEvent,
    ConcentratedEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
    TruncatedLaplaceEvent,
)
from tests.running.cases import each

MIXES: list[dict[Event, int]] = [
    {LaplaceEvent(noise_multiplier=2.0): 10, GaussianEvent(noise_multiplier=3.0): 5},
    {LaplaceEvent(noise_multiplier=7.0): 40, RandomizedResponseEvent(epsilon=0.3): 15},
    {LaplaceEvent(noise_multiplier=0.2): 3, LaplaceEvent(noise_multiplier=50.0): 200},
    {DiscreteLaplaceEvent(noise_multiplier=4.0, sensitivity=3): 12, GaussianEvent(noise_multiplier=20.0): 100},
    {DiscreteGaussianEvent(noise_multiplier=2.0, sensitivity=1): 4, LaplaceEvent(noise_multiplier=2.0): 4},
]


def theirs(event: Event, *, pessimistic: bool, interval: float) -> peer.PrivacyLossDistribution:
    """The same law in dp-accounting, on its own grid."""
    grid = {"value_discretization_interval": interval, "pessimistic_estimate": pessimistic}
    match event:
        case LaplaceEvent():
            return peer.from_laplace_mechanism(event.noise_multiplier, **grid)
        case GaussianEvent():
            return peer.from_gaussian_mechanism(event.noise_multiplier, **grid)
        case RandomizedResponseEvent():
            return peer.from_randomized_response(2.0 / (1.0 + math.exp(event.epsilon)), 2, **grid)
        case DiscreteLaplaceEvent():
            parameter = 1.0 / event.noise_multiplier / event.sensitivity
            return peer.from_discrete_laplace_mechanism(parameter, sensitivity=event.sensitivity, **grid)
        case DiscreteGaussianEvent():
            scale = event.noise_multiplier * event.sensitivity
            return peer.from_discrete_gaussian_mechanism(scale, sensitivity=event.sensitivity, **grid)
    raise LookupError(event)


def composed(mix: dict[Event, int], *, pessimistic: bool) -> peer.PrivacyLossDistribution:
    laws = [theirs(event, pessimistic=pessimistic, interval=2e-4).self_compose(runs) for event, runs in mix.items()]
    return reduce(peer.PrivacyLossDistribution.compose, laws)


@each("mix", MIXES)
def test_a_mix_lies_between_their_bounds(mix: dict[Event, int]) -> None:
    """Never below their optimistic value, and hardly above their pessimistic one, whose grid is finer."""
    lower, upper = (composed(mix, pessimistic=pessimistic) for pessimistic in (False, True))
    for delta in (1e-8, 1e-5, 0.01):
        ours = epsilon(mix, delta=delta, accountant="exact")
        assert ours >= lower.get_epsilon_for_delta(delta) * (1.0 - 1e-7), delta
        assert ours <= upper.get_epsilon_for_delta(delta) * (1.0 + 1e-4), delta


@each("each", [1e-9, 1e-3, 0.1, 1.0, 30.0, 1000.0])
@each("delta", [1e-300, 1e-12, 1e-6, 0.2])
@each("runs", [1, 7, 500])
def test_randomized_response_meets_the_optimal_rule(each: float, delta: float, runs: int) -> None:
    found = epsilon({RandomizedResponseEvent(epsilon=each): runs}, delta=delta, accountant="exact")
    optimal = epsilon({PureEvent(epsilon=each): runs}, delta=delta, accountant="optimal")
    assert found == pytest.approx(optimal, rel=1e-6)
    assert found >= optimal * (1.0 - 1e-12) - 1e-12, "the optimal rule is raised by what its sums may have rounded"


def test_two_kinds_of_coins_against_the_sum_over_all_outcomes() -> None:
    """Binomial sums, exact to 12 digits: a mix that no closed form covers."""
    first, second, runs, delta = 0.4, 0.11, 25, 1e-7
    found = epsilon({PureEvent(epsilon=first): runs, PureEvent(epsilon=second): runs}, delta=delta, accountant="exact")
    lies = np.arange(runs + 1)
    chances = [binom.pmf(lies, runs, 1.0 / (1.0 + math.exp(each))) for each in (first, second)]
    losses = np.add.outer(first * (runs - 2 * lies), second * (runs - 2 * lies))
    weights = np.multiply.outer(*chances)

    def profile(x: float) -> float:
        return float(np.sum(weights * np.maximum(-np.expm1(x - losses), 0.0)))

    assert profile(found) <= delta
    assert profile(found * (1.0 - 1e-4)) > delta


@each("delta", [1e-300, 1e-20, 1e-6, 0.3])
@each("noise", [0.3, 2.0, 40.0])
def test_gaussian_runs_on_the_grid_agree_with_their_closed_form(delta: float, noise: float) -> None:
    """A coin that hardly says anything sends them through the grid."""
    gaussian, coin = GaussianEvent(noise_multiplier=noise), PureEvent(epsilon=1e-9)
    closed = epsilon({gaussian: 9}, delta=delta, accountant="exact")
    gridded = epsilon({gaussian: 9, coin: 1}, delta=delta, accountant="exact")
    assert closed * (1.0 - 1e-12) <= gridded <= (closed + 1e-9) * (1.0 + 1e-4) + 1e-6


@each(
    "event",
    [
        LaplaceEvent(noise_multiplier=0.7),
        DiscreteLaplaceEvent(noise_multiplier=0.7, sensitivity=4),
        BoundedRangeEvent(epsilon=2.0),
        TruncatedLaplaceEvent(noise_multiplier=0.7, truncation=30.0),
        DiscreteGaussianEvent(noise_multiplier=1.5, sensitivity=2),
    ],
)
@each("delta", [1e-9, 1e-3, 0.1])
def test_one_run_is_the_root_of_its_profile(event: Event, delta: float) -> None:
    found = epsilon({event: 1}, delta=delta, accountant="exact")
    assert delta_of(event, epsilon=found) <= delta
    assert delta_of(event, epsilon=found * (1.0 - 1e-9)) > delta


def test_counting_noise_costs_what_randomized_response_costs() -> None:
    """A sensitivity-1 discrete Laplace answer is never as cheap as a continuous one."""
    counting = epsilon({DiscreteLaplaceEvent(noise_multiplier=1.0, sensitivity=1): 100}, delta=1e-6, accountant="exact")
    continuous = epsilon({LaplaceEvent(noise_multiplier=1.0): 100}, delta=1e-6, accountant="exact")
    assert counting == pytest.approx(83.5307, abs=1e-4)
    assert continuous == pytest.approx(71.5468, rel=1e-4)


def test_finer_grids_of_answers_come_close_to_continuous_noise_from_above() -> None:
    costs = [
        epsilon({DiscreteLaplaceEvent(noise_multiplier=2.0, sensitivity=steps): 60}, delta=1e-6, accountant="exact")
        for steps in (1, 3, 10, 1000, 10**6)
    ]
    continuous = epsilon({LaplaceEvent(noise_multiplier=2.0): 60}, delta=1e-6, accountant="exact")
    assert all(later < earlier * (1.0 + 1e-5) for earlier, later in pairwise(costs))
    assert continuous * (1.0 - 1e-4) <= costs[-1] <= continuous * (1.0 + 1e-4)


def test_own_deltas_come_off_first() -> None:
    event = ApproximateEvent(epsilon=0.1, delta=1e-8)
    assert epsilon({event: 1000}, delta=1e-6, accountant="exact") == math.inf
    found = epsilon({event: 50}, delta=1e-6, accountant="exact")
    assert found == pytest.approx(epsilon({event: 50}, delta=1e-6, accountant="optimal"), rel=1e-9)


def test_a_bounded_range_costs_no_more_than_its_rho_even_beside_others() -> None:
    exponential, laplace = BoundedRangeEvent(epsilon=1.0), LaplaceEvent(noise_multiplier=10.0)
    alone = epsilon({exponential: 200}, delta=1e-6, accountant="exact")
    assert alone <= epsilon({exponential: 200}, delta=1e-6, accountant="concentrated")
    mixed = epsilon({exponential: 200, laplace: 1}, delta=1e-6, accountant="exact")
    by_rho = epsilon({ConcentratedEvent(rho=25.0): 1, laplace: 1}, delta=1e-6, accountant="exact")
    assert alone < mixed <= by_rho * (1.0 + 1e-9)


def test_a_curve_and_a_plan_are_the_same_numbers() -> None:
    event = LaplaceEvent(noise_multiplier=5.0)
    curve = epsilon_curve(event, repetitions=np.arange(1, 31), delta=1e-6, accountant="exact")
    assert consumption([{event: 1}] * 30, delta=1e-6, accountant="exact") == pytest.approx(curve, rel=1e-13)
    assert np.all(np.diff(curve) > 0.0)


BESIDE_A_SILENT_ONE: list[Event] = [
    LaplaceEvent(noise_multiplier=1.0),
    GaussianEvent(noise_multiplier=1.0),
    DiscreteGaussianEvent(noise_multiplier=1.0, sensitivity=1),
    ConcentratedEvent(rho=0.3),
]
SILENT: list[Event] = [
    PureEvent(epsilon=0.0),
    RandomizedResponseEvent(epsilon=0.0),
    BoundedRangeEvent(epsilon=0.0),
    ApproximateEvent(epsilon=0.0, delta=0.0),
]


@each("event", BESIDE_A_SILENT_ONE)
@each("silent", SILENT)
def test_what_says_nothing_costs_nothing(event: Event, silent: Event) -> None:
    alone = epsilon({event: 3}, delta=1e-6, accountant="exact")
    assert epsilon({event: 3, silent: 1000}, delta=1e-6, accountant="exact") == pytest.approx(alone, rel=1e-9)


@each("event", BESIDE_A_SILENT_ONE)
def test_a_mere_delta_costs_that_delta(event: Event) -> None:
    exposed = ApproximateEvent(epsilon=0.0, delta=1e-7)
    found = epsilon({event: 3, exposed: 5}, delta=1e-6, accountant="exact")
    assert found == pytest.approx(epsilon({event: 3}, delta=5e-7, accountant="exact"), rel=1e-5)


def test_a_huge_loss_is_not_forgotten_beside_a_small_one() -> None:
    mix: dict[Event, int] = {GaussianEvent(noise_multiplier=1e-160): 1, LaplaceEvent(noise_multiplier=1.0): 1}
    assert epsilon(mix, delta=1e-6, accountant="exact") == math.inf


NARROW: list[tuple[dict[Event, int], float]] = [
    ({DiscreteGaussianEvent(noise_multiplier=0.14, sensitivity=1): 3}, 4.1e-15),
    (
        {
            DiscreteGaussianEvent(noise_multiplier=0.167, sensitivity=1): 8,
            DiscreteLaplaceEvent(noise_multiplier=0.31, sensitivity=2): 1,
        },
        4.1e-13,
    ),
    (
        {
            DiscreteLaplaceEvent(noise_multiplier=2.169838, sensitivity=2): 5,
            DiscreteGaussianEvent(noise_multiplier=2.229343, sensitivity=1): 3,
        },
        9.7e-13,
    ),
    (
        {
            ApproximateEvent(epsilon=0.84949, delta=0.0012512): 1,
            DiscreteLaplaceEvent(noise_multiplier=1990.8, sensitivity=2): 1,
        },
        0.0018891,
    ),
    ({RandomizedResponseEvent(epsilon=3.1): 12, PureEvent(epsilon=0.7): 9}, 0.9),
]


@each(("mix", "delta"), NARROW)
def test_coarse_noise_against_the_sum_over_all_outcomes(mix: dict[Event, int], delta: float) -> None:
    """Few large losses, far apart: the answer lies at one of them, not on a smooth tail."""
    losses, chances, kept = np.zeros(1), np.ones(1), 1.0
    for event, runs in mix.items():
        law = loss_distribution(event)
        likely = law.probabilities > 1e-40
        for _ in range(runs):
            kept *= 1.0 - law.infinite
            losses = np.add.outer(losses, law.losses[likely]).ravel()
            chances = np.multiply.outer(chances, law.probabilities[likely]).ravel()
            losses, place = np.unique(np.round(losses, 9), return_inverse=True)
            chances = np.bincount(place, chances).astype(np.float64)

    def profile(x: float) -> float:
        return 1.0 - kept + float(np.sum(chances * np.maximum(-np.expm1(x - losses), 0.0)))

    found = epsilon(mix, delta=delta, accountant="exact")
    assert profile(found * (1.0 + 1e-8)) <= delta
    assert profile(found * (1.0 - 1e-4) - 1e-7) > delta


def test_never_above_the_optimal_rule_where_shares_are_equal() -> None:
    for event in (
        ApproximateEvent(epsilon=0.1, delta=1e-8),
        PureEvent(epsilon=0.1),
        LaplaceEvent(noise_multiplier=10.0),
    ):
        for runs in (1, 20, 100):
            found = epsilon({event: runs}, delta=1e-6, accountant="exact")
            assert found <= epsilon({event: runs}, delta=1e-6, accountant="optimal")
