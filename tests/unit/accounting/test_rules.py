"""What each rule does with own deltas, mixtures, Gaussians and nonsense."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from dpengine.accounting import ACCOUNTANTS, composed_delta, consumption, epsilon, epsilon_curve, textbook_validity
from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.losses import concentrated_epsilon, delta_of, discrete_gaussian_epsilon, gaussian_epsilon
from dpengine.mechanisms import DiscreteLaplaceMechanism
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

TENTH = PureEvent(epsilon=0.1)
LEAKY = ApproximateEvent(epsilon=0.1, delta=1e-8)
GAUSSIAN = GaussianEvent(noise_multiplier=5.0)
STEPPED = DiscreteGaussianEvent(noise_multiplier=5.0, sensitivity=1)
L = math.log(1e6)


@each(
    "event",
    [
        LaplaceEvent(noise_multiplier=2.0),
        DiscreteLaplaceEvent(noise_multiplier=2.0, sensitivity=3),
        RandomizedResponseEvent(epsilon=0.5),
        PureEvent(epsilon=0.5),
        BoundedRangeEvent(epsilon=0.5),
        ApproximateEvent(epsilon=0.5, delta=0.0),
    ],
)
@each("rule", ["basic", "textbook", "advanced_2010", "advanced", "optimal"])
def test_a_pure_event_is_its_epsilon(event: Event, rule: str) -> None:
    pure = epsilon({PureEvent(epsilon=0.5): 30}, delta=1e-6, accountant=rule)
    assert epsilon({event: 30}, delta=1e-6, accountant=rule) == pure


def test_formulas_of_a_mixture() -> None:
    mixed: dict[Event, int] = {TENTH: 100, PureEvent(epsilon=1.0): 2}
    squares, means = 3.0, 10.0 * math.tanh(0.05) + 2.0 * math.tanh(0.5)
    assert epsilon(mixed, delta=0.0, accountant="basic") == pytest.approx(12.0)
    assert epsilon(mixed, delta=1e-6, accountant="textbook") == pytest.approx(math.sqrt(8.0 * L * squares))
    old = math.sqrt(2.0 * L * squares) + 10.0 * math.expm1(0.1) + 2.0 * math.expm1(1.0)
    assert epsilon(mixed, delta=1e-6, accountant="advanced_2010") == pytest.approx(old)
    assert epsilon(mixed, delta=1e-6, accountant="advanced") == pytest.approx(means + math.sqrt(2.0 * L * squares))


def test_the_third_form_wins_for_tiny_shares() -> None:
    runs: dict[Event, int] = {PureEvent(epsilon=1e-5): 10_000}
    third = 0.1 * math.tanh(5e-6) + math.sqrt(2e-6 * math.log(math.e + 1e-3 / 1e-3))
    assert epsilon(runs, delta=1e-3, accountant="advanced") == pytest.approx(third)


def test_own_deltas_fit_exactly_as_they_were_written_down() -> None:
    assert epsilon({LEAKY: 100}, delta=1e-6, accountant="basic") == pytest.approx(10.0)
    assert epsilon({LEAKY: 101}, delta=1e-6, accountant="basic") == math.inf
    three = ApproximateEvent(epsilon=0.1, delta=1e-7)
    assert epsilon({three: 3}, delta=3e-7, accountant="basic") == pytest.approx(0.3)


def test_own_deltas_come_off_first() -> None:
    left = 1e-6 - 40 * 1e-8
    expected = math.sqrt(8.0 * math.log(1.0 / left) * 40) * 0.1
    assert epsilon({LEAKY: 40}, delta=1e-6, accountant="textbook") == pytest.approx(expected)
    slack = -math.expm1(math.log1p(-1e-6) - 4000 * math.log1p(-1e-10))
    many: dict[Event, int] = {ApproximateEvent(epsilon=0.1, delta=1e-10): 4000}
    expected = 400 * math.tanh(0.05) + 0.1 * math.sqrt(2.0 * 4000 * math.log(1.0 / slack))
    assert epsilon(many, delta=1e-6, accountant="advanced") == pytest.approx(expected)


def test_delta_used_up_leaves_adding_up_only() -> None:
    assert epsilon({LEAKY: 100}, delta=1e-6, accountant="textbook") == math.inf
    assert epsilon({LEAKY: 100}, delta=1e-6, accountant="advanced") <= 10.0
    for rule in ("advanced", "optimal", "advanced_2010", "textbook"):
        assert epsilon({LEAKY: 1000}, delta=1e-6, accountant=rule) == math.inf


def test_optimal_at_delta_0_is_adding_up() -> None:
    assert epsilon({TENTH: 50}, delta=0.0, accountant="optimal") == pytest.approx(5.0)


def test_optimal_of_a_million_small_runs_tends_to_a_gaussian() -> None:
    found = epsilon({PureEvent(epsilon=0.001): 10**6}, delta=1e-9, accountant="optimal")
    assert found == pytest.approx(gaussian_epsilon(noise_multiplier=1.0, delta=1e-9), rel=1e-4)


@each(
    ("each", "repetitions", "delta", "truth"),
    [
        (0.5, 1000, 1e-300, 500.0),
        (0.5, 30_000, 1e-290, 6664.858410543754),
        (0.5, 30_000, 1e-300, 6714.9055167705154),
        (0.5, 1_000_000, 1e-300, 140359.66352169077),
        (1.0, 30_000, 1e-290, 19227.273131710452),
        (1.0, 218_500, 1e-300, 116107.86554869555),
        (3.0, 30_000, 1e-290, 88145.675977395799),
        (3.0, 30_000, 1e-300, 88232.839843272833),
        (3.0, 1_000_000, 1e-290, 2760670.6205070037),
        (5.0, 218_500, 1e-290, 1089329.2421638816),
        (5.0, 218_500, 1e-300, 1089478.0622508542),
        (5.0, 1_000_000, 1e-300, 4960919.7707319451),
    ],
)
def test_optimal_at_the_smallest_deltas(each: float, repetitions: int, delta: float, truth: float) -> None:
    """Source of the values: Kairouz, Oh, Viswanath 2015, Theorem 3.3, in mpmath with 60 digits."""
    found = epsilon({PureEvent(epsilon=each): repetitions}, delta=delta, accountant="optimal")
    assert truth * (1.0 - 1e-15) <= found <= truth * (1.0 + 1e-9)


@each("each", [0.5, 1.0, 3.0, 5.0])
@each("delta", [5e-324, 1e-300, 1e-290])
def test_optimal_grows_with_every_run_at_the_smallest_deltas(each: float, delta: float) -> None:
    repetitions = np.unique(np.rint(np.geomspace(1.0, 1e6, 60)))
    curve = epsilon_curve(PureEvent(epsilon=each), repetitions=repetitions, delta=delta, accountant="optimal")
    assert np.all(np.diff(curve) > 0.0)


def test_own_deltas_beyond_all_bounds_leave_nothing() -> None:
    leaky = ApproximateEvent(epsilon=0.0, delta=1e-9)
    for rule in ("basic", "advanced", "optimal"):
        assert epsilon({leaky: 10**12}, delta=1e-6, accountant=rule) == math.inf


@each("event", [PureEvent(epsilon=1e160), ConcentratedEvent(rho=1e300), PureEvent(epsilon=1e150)])
def test_a_rho_beyond_all_bounds_is_infinite_not_less(event: Event) -> None:
    assert epsilon({event: 10**12}, delta=1e-6, accountant="concentrated") == math.inf
    assert epsilon({event: 10**12}, delta=1.0, accountant="concentrated") == 0.0


def test_a_gaussian_cost_beyond_all_bounds_is_infinite_not_less() -> None:
    loud: dict[Event, int] = {GaussianEvent(noise_multiplier=1e-149): 10**12}
    assert epsilon(loud, delta=1e-6, accountant="exact") == math.inf


@each("delta", [0.2, 0.7, 0.99, 1.0 - 1e-9])
def test_optimal_at_large_delta_agrees_with_the_sum_over_all_runs(delta: float) -> None:
    runs, each = 60, 0.3
    lies = np.arange(runs + 1)
    weights = np.array([math.comb(runs, j) for j in lies]) * math.exp(-each) ** lies / (1 + math.exp(-each)) ** runs

    def profile(point: float) -> float:
        return float((weights * -np.expm1(np.minimum(point - (runs - 2 * lies) * each, 0.0))).sum())

    found = epsilon({PureEvent(epsilon=each): runs}, delta=delta, accountant="optimal")
    assert profile(found) <= delta * (1.0 + 1e-9)
    assert found == 0.0 or profile(found * (1.0 - 1e-6)) > delta * (1.0 - 1e-12)


def test_optimal_refuses_unequal_shares_and_says_so() -> None:
    with pytest.raises(UnsupportedEventError, match="equal shares only"):
        epsilon({TENTH: 1, PureEvent(epsilon=0.2): 1}, delta=1e-6, accountant="optimal")
    with pytest.raises(UnsupportedEventError, match="exact rule, which covers mixtures, or advanced"):
        epsilon({TENTH: 1, LEAKY: 1}, delta=1e-6, accountant="optimal")
    with pytest.raises(UnsupportedEventError, match=r"GaussianEvent.*depends on delta: use the exact rule"):
        epsilon({TENTH: 1, GAUSSIAN: 1}, delta=1e-6, accountant="optimal")
    same = {LaplaceEvent(noise_multiplier=2.0): 3, PureEvent(epsilon=0.5): 4}
    assert epsilon(same, delta=1e-6, accountant="optimal") == epsilon(
        {PureEvent(epsilon=0.5): 7}, delta=1e-6, accountant="optimal"
    )


def test_optimal_takes_equal_epsilons_of_unequal_sensitivities_for_equal() -> None:
    noises = [DiscreteLaplaceMechanism.from_epsilon(0.3, l1_sensitivity=size) for size in range(1, 200)]
    events: dict[Event, int] = {noise.event: 1 for noise in noises}
    assert len({event.noise_multiplier for event in events if isinstance(event, DiscreteLaplaceEvent)}) > 1
    same: dict[Event, int] = {PureEvent(epsilon=0.3): 199}
    found, plain = (epsilon(runs, delta=1e-6, accountant="optimal") for runs in (events, same))
    assert plain * (1.0 - 1e-15) <= found <= plain * (1.0 + 1e-14)
    assert textbook_validity(events, delta=1e-6) is textbook_validity(same, delta=1e-6)


def test_gaussian_runs_share_delta() -> None:
    each = gaussian_epsilon(noise_multiplier=5.0, delta=1e-6 / 10)
    assert epsilon({GAUSSIAN: 10}, delta=1e-6, accountant="basic") == pytest.approx(10 * each)
    half = gaussian_epsilon(noise_multiplier=5.0, delta=0.5e-6 / 10)
    expected = math.sqrt(8.0 * math.log(2e6) * 10) * half
    assert epsilon({GAUSSIAN: 10}, delta=1e-6, accountant="textbook") == pytest.approx(expected)


@each(
    ("event", "one"),
    [
        (ConcentratedEvent(rho=0.02), lambda delta: concentrated_epsilon(np.array(0.02), delta)),
        (STEPPED, lambda delta: discrete_gaussian_epsilon(STEPPED, delta)),
    ],
)
def test_noise_whose_epsilon_depends_on_delta_shares_it(event: Event, one: Callable[[float], float]) -> None:
    each = one(1e-6 / 10)
    assert epsilon({event: 10}, delta=1e-6, accountant="basic") == pytest.approx(10 * each)
    bell = gaussian_epsilon(noise_multiplier=5.0, delta=1e-6 / 10)
    both = epsilon({event: 5, GAUSSIAN: 5}, delta=1e-6, accountant="basic")
    assert both == pytest.approx(5 * each + 5 * bell)
    assert 10 * bell < both < 10 * each
    half = one(0.5e-6 / 10)
    expected = math.sqrt(8.0 * math.log(2e6) * 10) * half
    assert epsilon({event: 10}, delta=1e-6, accountant="textbook") == pytest.approx(expected)
    assert epsilon({event: 10}, delta=0.0, accountant="basic") == math.inf


def test_noise_on_a_fine_grid_costs_what_continuous_noise_costs() -> None:
    fine = DiscreteGaussianEvent(noise_multiplier=5.0, sensitivity=10**6)
    for rule in ("basic", "textbook", "advanced_2010", "advanced", "concentrated", "renyi"):
        stepped, smooth = (epsilon({event: 50}, delta=1e-6, accountant=rule) for event in (fine, GAUSSIAN))
        assert stepped == pytest.approx(smooth, rel=1e-6), rule


def test_truncated_noise_is_approximate_with_the_delta_that_never_goes_away() -> None:
    cut = TruncatedLaplaceEvent(noise_multiplier=2.0, truncation=40.0)
    floor = math.expm1(0.5) / (2.0 * math.expm1(20.0))
    same = ApproximateEvent(epsilon=0.5, delta=delta_of(cut, epsilon=0.5))
    assert same.delta == pytest.approx(floor, rel=1e-12)
    for rule in ("basic", "textbook", "advanced_2010", "advanced", "optimal"):
        found, plain = (epsilon({event: 20}, delta=1e-6, accountant=rule) for event in (cut, same))
        assert found == plain
        assert math.isfinite(found)
        assert epsilon({cut: 2000}, delta=1e-6, accountant=rule) == math.inf


@each("rule", ["basic", "textbook", "advanced_2010", "advanced", "concentrated", "renyi", "exact"])
def test_gaussian_runs_need_delta(rule: str) -> None:
    assert epsilon({GAUSSIAN: 1}, delta=0.0, accountant=rule) == math.inf


def test_every_sound_rule_is_above_the_exact_gaussian_value() -> None:
    repetitions = np.array([1, 2, 10, 100, 1000])
    exact = epsilon_curve(GAUSSIAN, repetitions=repetitions, delta=1e-6, accountant="exact")
    for rule in ("basic", "advanced_2010", "advanced", "concentrated"):
        assert np.all(epsilon_curve(GAUSSIAN, repetitions=repetitions, delta=1e-6, accountant=rule) >= exact), rule


def test_mixed_gaussian_runs_are_one() -> None:
    mixed: dict[Event, int] = {GaussianEvent(noise_multiplier=3.0): 1, GaussianEvent(noise_multiplier=4.0): 1}
    expected = gaussian_epsilon(noise_multiplier=12.0 / 5.0, delta=1e-6)
    assert epsilon(mixed, delta=1e-6, accountant="exact") == pytest.approx(expected)


@each("rule", sorted(ACCOUNTANTS))
def test_no_runs_cost_nothing(rule: str) -> None:
    assert epsilon({}, delta=0.0, accountant=rule) == 0.0
    assert epsilon({GAUSSIAN: 0}, delta=0.0, accountant=rule) == 0.0
    assert consumption([], delta=1e-6, accountant=rule).shape == (0,)


@each("rule", sorted(ACCOUNTANTS))
def test_what_is_never_run_is_no_part_of_a_mix(rule: str) -> None:
    never: dict[Event, int] = {PureEvent(epsilon=1.0): 0, LEAKY: 0}
    alone: dict[Event, int] = {TENTH: 3}
    for delta in (0.0, 1e-6):
        assert epsilon(never | alone, delta=delta, accountant=rule) == epsilon(alone, delta=delta, accountant=rule)


def test_consumption_is_the_price_of_each_beginning() -> None:
    plan: list[dict[Event, int]] = [{TENTH: 1}, {TENTH: 2, GAUSSIAN: 1}, {PureEvent(epsilon=1.0): 1}]
    found = consumption(plan, delta=1e-6, accountant="advanced")
    begun: dict[Event, int] = {}
    for j, step in enumerate(plan):
        begun = {event: begun.get(event, 0) + step.get(event, 0) for event in {**begun, **step}}
        assert found[j] == pytest.approx(epsilon(begun, delta=1e-6, accountant="advanced"), rel=1e-12)


def test_consumption_of_equal_steps_is_the_curve() -> None:
    curve = epsilon_curve(TENTH, repetitions=np.arange(1, 1001), delta=1e-6, accountant="optimal")
    assert consumption([{TENTH: 1}] * 1000, delta=1e-6, accountant="optimal").tolist() == curve.tolist()


@each(
    ("rule", "event"),
    [
        ("concentrated", LEAKY),
        ("concentrated", TruncatedLaplaceEvent(noise_multiplier=1.0, truncation=20.0)),
        ("optimal", GAUSSIAN),
        ("optimal", ConcentratedEvent(rho=0.1)),
        ("renyi", LEAKY),
    ],
)
def test_what_a_rule_cannot_handle_is_refused(rule: str, event: Event) -> None:
    with pytest.raises(UnsupportedEventError, match=type(event).__name__):
        epsilon({event: 1}, delta=1e-6, accountant=rule)


@each("bad", [-1e-9, 1.1, math.nan, "0", None])
def test_bad_delta_is_named(bad: float) -> None:
    with pytest.raises(InvalidParameterError, match="delta"):
        epsilon({TENTH: 1}, delta=bad, accountant="basic")


def test_bad_names_counts_and_events_are_named() -> None:
    with pytest.raises(InvalidParameterError, match="accountant"):
        epsilon({TENTH: 1}, delta=0.0, accountant="naive")
    with pytest.raises(InvalidParameterError, match="number of runs"):
        epsilon({TENTH: -1}, delta=0.0, accountant="basic")
    with pytest.raises(InvalidParameterError, match="repetitions"):
        epsilon_curve(TENTH, repetitions=np.array([1.5]), delta=0.0, accountant="basic")
    with pytest.raises(InvalidParameterError, match="events"):
        epsilon({"laplace": 1}, delta=0.0, accountant="basic")  # type: ignore[dict-item]


def test_deltas_add_up_to_one_at_most() -> None:
    found = composed_delta(np.array([1, 300, 10**9]), each=1e-8, slack=1e-6)
    assert found == pytest.approx([1.01e-6, 4e-6, 1.0], rel=1e-12)
    for wrong, name in (({"each": -0.1, "slack": 0.0}, "each"), ({"each": 0.1, "slack": 2.0}, "slack")):
        with pytest.raises(InvalidParameterError) as caught:
            composed_delta(3, **wrong)
        assert caught.value.name == name
    with pytest.raises(InvalidParameterError, match="answers"):
        composed_delta(0, each=0.1, slack=0.0)
