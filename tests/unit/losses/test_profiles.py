"""What one run of each law reveals."""

import math

import numpy as np
import pytest

from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.losses import delta_of, equal_error_rate, false_negative_rate
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


class UnknownEvent(Event):
    """Nobody's law."""


KNOWN: list[Event] = [
    LaplaceEvent(noise_multiplier=0.7),
    GaussianEvent(noise_multiplier=0.7),
    DiscreteLaplaceEvent(noise_multiplier=0.7, sensitivity=1),
    DiscreteLaplaceEvent(noise_multiplier=2.0, sensitivity=6),
    DiscreteGaussianEvent(noise_multiplier=0.7, sensitivity=1),
    DiscreteGaussianEvent(noise_multiplier=2.0, sensitivity=6),
    DiscreteGaussianEvent(noise_multiplier=1.0, sensitivity=2**21),
    RandomizedResponseEvent(epsilon=1.3),
    PureEvent(epsilon=0.0),
    ApproximateEvent(epsilon=1.0, delta=0.1),
    TruncatedLaplaceEvent(noise_multiplier=0.7, truncation=3.0),
    TruncatedLaplaceEvent(noise_multiplier=0.7, truncation=0.7),
    BoundedRangeEvent(epsilon=1.3),
    ConcentratedEvent(rho=0.1),
    ConcentratedEvent(rho=0.3),
]
EXTREME: list[Event] = [
    *(LaplaceEvent(noise_multiplier=noise) for noise in (5e-324, 1e-3, 1e300)),
    *(GaussianEvent(noise_multiplier=noise) for noise in (5e-324, 1e-3, 1e300)),
    *(
        DiscreteGaussianEvent(noise_multiplier=noise, sensitivity=steps)
        for noise in (5e-324, 1e-3, 1.0, 1e300)
        for steps in (1, 2, 10**15)
    ),
    *(DiscreteLaplaceEvent(noise_multiplier=noise, sensitivity=10**15) for noise in (5e-324, 1e-3, 1.0, 1e300)),
    *(
        TruncatedLaplaceEvent(noise_multiplier=noise, truncation=cut)
        for noise in (5e-324, 1.0, 1e300)
        for cut in (5e-324, 0.5, 0.6, 1e308)
    ),
    *(ConcentratedEvent(rho=rho) for rho in (0.0, 5e-324, 1e-300, 1e-9, 99.0, 101.0, 1e300, 1e308)),
    *(BoundedRangeEvent(epsilon=epsilon) for epsilon in (0.0, 1e-9, 1000.0, 1e308)),
    *(ApproximateEvent(epsilon=epsilon, delta=delta) for epsilon in (0.0, 1e-9, 1e308) for delta in (0.0, 1e-300, 1.0)),
]
RATES = np.array([0.0, 1e-300, 1e-9, 0.1, 0.3, 0.5, 0.9, 1.0])


def discrete_laws(scale: float, sensitivity: int) -> tuple[np.ndarray, np.ndarray]:
    reach = int(60 * scale) + 60
    z = np.arange(-reach, reach + 1)
    weight = math.tanh(0.5 / scale)
    return weight * np.exp(-abs(z) / scale), weight * np.exp(-abs(z - sensitivity) / scale)


@each("sensitivity", [1, 2, 3, 7])
@each("noise_multiplier", [0.2, 0.5, 1.0, 3.0])
def test_discrete_laplace_profile_is_the_sum_over_the_grid(noise_multiplier: float, sensitivity: int) -> None:
    here, there = discrete_laws(noise_multiplier * sensitivity, sensitivity)
    epsilon = np.linspace(-6.0, 6.0, 57)
    expected = [np.maximum(here - np.exp(x) * there, 0.0).sum() for x in epsilon]
    event = DiscreteLaplaceEvent(noise_multiplier=noise_multiplier, sensitivity=sensitivity)
    assert delta_of(event, epsilon=epsilon) == pytest.approx(np.array(expected), rel=1e-9, abs=1e-13)


def test_discrete_laplace_keeps_its_digits_just_below_the_end() -> None:
    event = DiscreteLaplaceEvent(noise_multiplier=1.0, sensitivity=2)
    assert delta_of(event, epsilon=1.0 - 2.0**-50) == pytest.approx(2.0**-50 / (1.0 + math.exp(-0.5)), rel=1e-12)


def test_sensitivity_1_discrete_laplace_reveals_what_randomized_response_does() -> None:
    epsilon = np.linspace(0.0, 2.0, 41)
    discrete = delta_of(DiscreteLaplaceEvent(noise_multiplier=1.0, sensitivity=1), epsilon=epsilon)
    assert discrete == pytest.approx(delta_of(RandomizedResponseEvent(epsilon=1.0), epsilon=epsilon), rel=1e-13)


def test_discrete_laplace_on_a_fine_grid_tends_to_laplace() -> None:
    epsilon = np.linspace(0.0, 1.5, 31)
    fine = delta_of(DiscreteLaplaceEvent(noise_multiplier=1.0, sensitivity=10**9), epsilon=epsilon)
    assert fine == pytest.approx(delta_of(LaplaceEvent(noise_multiplier=1.0), epsilon=epsilon), rel=1e-8)


@each("split", [(1, 1), (1, 2), (1, 1, 1), (2, 3), (1, 10), (5, 6)])
@each("scale", [0.5, 2.0, 10.0])
def test_a_shift_over_several_coordinates_reveals_no_more(split: tuple[int, ...], scale: float) -> None:
    q, weights = math.exp(-1.0 / scale), np.ones(1)
    for steps in split:
        inner = [(1.0 - q) / (1.0 + q) * q**j for j in range(1, steps)]
        weights = np.convolve(weights, [1.0 / (1.0 + q), *inner, q**steps / (1.0 + q)])
    total = sum(split)
    losses = (total - 2.0 * np.arange(total + 1)) / scale
    epsilon = np.linspace(0.0, total / scale, 100)
    spread = (weights * -np.expm1(np.minimum(epsilon[:, None] - losses, 0.0))).sum(axis=1)
    single = delta_of(DiscreteLaplaceEvent(noise_multiplier=scale / total, sensitivity=total), epsilon=epsilon)
    assert np.all(spread <= single * (1.0 + 1e-9) + 1e-14)


@each("event", KNOWN)
def test_the_trade_off_curve_is_the_dual_of_the_profile(event: Event) -> None:
    kinks = [1.0 / 0.7, 1.0 / 3.0, 1.0 / 6.0, 0.5, 1.3, 1.0, *(np.arange(1.0, 13.0, 2.0) / 0.98)]
    epsilon = np.concatenate([np.linspace(-12.0, 12.0, 24_001), kinks, np.negative(kinks)])
    lines = 1.0 - delta_of(event, epsilon=epsilon)[:, None] - np.exp(epsilon)[:, None] * RATES
    dual = np.maximum(lines.max(axis=0), 0.0)
    assert false_negative_rate(event, false_positive_rate=RATES) == pytest.approx(dual, abs=2e-7)


@each("event", KNOWN)
def test_equal_error_rate_lies_on_the_curve(event: Event) -> None:
    rate = equal_error_rate(event)
    assert false_negative_rate(event, false_positive_rate=rate) == pytest.approx(rate, rel=1e-12)


def test_laplace_at_1_errs_30_times_in_100() -> None:
    assert equal_error_rate(LaplaceEvent(noise_multiplier=1.0)) == pytest.approx(0.5 * math.exp(-0.5))


@each("event", [*KNOWN, *EXTREME])
def test_nothing_leaves_its_range(event: Event) -> None:
    delta = delta_of(event, epsilon=np.array([-1e300, -1000.0, -1.0, 0.0, 1e-9, 1.0, 1000.0, 1e300]))
    misses = false_negative_rate(event, false_positive_rate=RATES)
    assert np.all((delta >= 0.0) & (delta <= 1.0))
    assert np.all((misses >= 0.0) & (misses <= 1.0 - RATES + 1e-15))
    assert 0.0 <= equal_error_rate(event) <= 0.5


def test_a_number_gives_a_float_and_an_array_an_array() -> None:
    event = LaplaceEvent(noise_multiplier=1.0)
    assert isinstance(delta_of(event, epsilon=1.0), float)
    assert isinstance(false_negative_rate(event, false_positive_rate=0.1), float)
    assert delta_of(event, epsilon=np.zeros((2, 3))).shape == (2, 3)


def test_a_pure_law_is_exactly_0_from_its_epsilon_on() -> None:
    assert delta_of(LaplaceEvent(noise_multiplier=2.0), epsilon=0.5) == 0.0
    assert delta_of(PureEvent(epsilon=3.0), epsilon=3.0) == 0.0


@each("bad", [math.nan, math.inf, "1", None, True])
def test_bad_epsilon_is_named(bad: object) -> None:
    with pytest.raises(InvalidParameterError, match="epsilon"):
        delta_of(LaplaceEvent(noise_multiplier=1.0), epsilon=bad)  # type: ignore[type-var]


@each("bad", [-0.1, 1.1, math.nan])
def test_bad_rate_is_named(bad: float) -> None:
    with pytest.raises(InvalidParameterError, match="false_positive_rate"):
        false_negative_rate(LaplaceEvent(noise_multiplier=1.0), false_positive_rate=bad)


def test_an_unknown_law_is_refused() -> None:
    event = UnknownEvent()
    with pytest.raises(UnsupportedEventError, match="privacy profile"):
        delta_of(event, epsilon=1.0)
    with pytest.raises(UnsupportedEventError, match="trade-off"):
        false_negative_rate(event, false_positive_rate=0.5)
    with pytest.raises(UnsupportedEventError, match="equal error"):
        equal_error_rate(event)
