"""Rényi divergence of one run, against sums over the laws themselves."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.losses import delta_of, renyi_divergence
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

ORDERS = [1.0 + 2.0**-20, 1.25, 2.0, 7.5, 1000.0, 1e6]
EPSILONS = [1e-9, 1e-3, 0.5, 1.0, 20.0, 1000.0]
KNOWN: list[Event] = [
    LaplaceEvent(noise_multiplier=2.0),
    LaplaceEvent(noise_multiplier=5e-324),
    LaplaceEvent(noise_multiplier=1e300),
    DiscreteLaplaceEvent(noise_multiplier=0.5, sensitivity=3),
    DiscreteLaplaceEvent(noise_multiplier=1e300, sensitivity=10**15),
    DiscreteLaplaceEvent(noise_multiplier=5e-324, sensitivity=10**15),
    GaussianEvent(noise_multiplier=4.0),
    GaussianEvent(noise_multiplier=5e-324),
    GaussianEvent(noise_multiplier=1e300),
    DiscreteGaussianEvent(noise_multiplier=4.0, sensitivity=3),
    *(RandomizedResponseEvent(epsilon=x) for x in (0.0, 1e-300, 1.0, 1e308)),
    *(BoundedRangeEvent(epsilon=x) for x in (0.0, 1e-300, 1e-3, 1.0, 1e308)),
    *(ConcentratedEvent(rho=x) for x in (0.0, 0.1, 1e308)),
]


def geometric_moment(loss: mpmath.mpf, sensitivity: int, order: float) -> mpmath.mpf:
    """Sum over the grid of P^order Q^(1 - order), the geometric tails outside the two centers summed by hand."""
    q, excess = mpmath.exp(-loss / sensitivity), mpmath.mpf(order) - 1
    inner = sum(q**z * mpmath.exp(excess * loss * (1 - mpmath.mpf(2 * z) / sensitivity)) for z in range(1, sensitivity))
    outer = mpmath.exp(excess * loss) + q**sensitivity * mpmath.exp(-excess * loss)
    return (outer + (1 - q) * inner) / (1 + q)


@each("order", ORDERS)
@each("epsilon", EPSILONS)
@each("sensitivity", [1, 2, 7])
def test_discrete_laplace_is_the_sum_over_its_grid(sensitivity: int, epsilon: float, order: float) -> None:
    """Relative to epsilon where the divergence itself is tiny; never below."""
    noise = 1.0 / epsilon
    with mpmath.workdps(80):
        exact = mpmath.log(geometric_moment(1 / mpmath.mpf(noise), sensitivity, order)) / (mpmath.mpf(order) - 1)
        found = renyi_divergence(DiscreteLaplaceEvent(noise_multiplier=noise, sensitivity=sensitivity), order=order)
        assert -1e-15 * exact <= found - exact <= 1e-13 * epsilon


@each("order", ORDERS)
@each("epsilon", EPSILONS)
def test_randomized_response_is_the_sum_over_its_two_answers(epsilon: float, order: float) -> None:
    with mpmath.workdps(1000):
        lie = 1 / (1 + mpmath.exp(mpmath.mpf(epsilon)))
        truth, power = 1 - lie, mpmath.mpf(order)
        exact = mpmath.log(truth**power * lie ** (1 - power) + lie**power * truth ** (1 - power)) / (power - 1)
        found = renyi_divergence(RandomizedResponseEvent(epsilon=epsilon), order=order)
        assert -1e-15 * exact <= found - exact <= 1e-13 * epsilon
        assert found == renyi_divergence(PureEvent(epsilon=epsilon), order=order)


@each("order", ORDERS)
@each("epsilon", EPSILONS)
def test_laplace_is_the_integral_over_its_line(epsilon: float, order: float) -> None:
    with mpmath.workdps(80):
        loss, power = 1 / mpmath.mpf(1.0 / epsilon), mpmath.mpf(order)
        above, below = power * mpmath.exp((power - 1) * loss), (power - 1) * mpmath.exp(-power * loss)
        exact = mpmath.log((above + below) / (2 * power - 1)) / (power - 1)
        found = renyi_divergence(LaplaceEvent(noise_multiplier=1.0 / epsilon), order=order)
        assert -1e-15 * exact <= found - exact <= 1e-13 * epsilon


def test_order_1_is_the_mean_loss() -> None:
    for epsilon in (0.01, 1.0, 30.0):
        laplace = LaplaceEvent(noise_multiplier=1.0 / epsilon)
        assert renyi_divergence(laplace, order=1.0) == pytest.approx(epsilon + math.expm1(-epsilon), rel=1e-12)
        pure = PureEvent(epsilon=epsilon)
        assert renyi_divergence(pure, order=1.0) == pytest.approx(epsilon * math.tanh(epsilon / 2.0), rel=1e-12)


@each("epsilon", [1e-3, 0.1, 1.0, 5.0, 50.0])
@each("order", [1.001, 2.0, 8.0, 100.0, 1e4])
def test_bounded_range_is_the_largest_over_all_its_pairs(epsilon: float, order: float) -> None:
    """Pairs of two outputs whose losses are the ends of [t - epsilon, t], t on a fine grid in t and in 1 - t."""
    t = epsilon * np.unique(np.concatenate([grid := np.geomspace(1e-6, 1.0, 40_000), 1.0 - grid[:-1]]))
    t = t[(t > 0.0) & (t < epsilon)]
    excess, scale = order - 1.0, math.log(-math.expm1(-epsilon))
    log_upper, log_lower = np.log(-np.expm1(t - epsilon)) - scale, np.log(np.expm1(t)) - epsilon - scale
    worst = float(np.max(np.logaddexp(log_upper + excess * t, log_lower + excess * (t - epsilon)))) / excess
    found = renyi_divergence(BoundedRangeEvent(epsilon=epsilon), order=order)
    assert worst - 1e-14 / excess <= found
    assert found <= worst * (1.0 + 1e-4) or found == pytest.approx(order * epsilon**2 / 8.0, rel=1e-5)


def test_a_bounded_range_costs_no_more_than_its_rho_and_less_at_large_orders() -> None:
    orders = np.geomspace(1.0, 1e6, 200)
    for epsilon in (1e-9, 0.1, 1.0, 10.0):
        found = renyi_divergence(BoundedRangeEvent(epsilon=epsilon), order=orders)
        assert np.all(found <= np.minimum(orders * epsilon**2 / 8.0, epsilon) * (1.0 + 1e-13))
        assert np.all(found <= renyi_divergence(PureEvent(epsilon=epsilon), order=orders))
    assert renyi_divergence(BoundedRangeEvent(epsilon=1.0), order=8.0) < 0.7


def test_gaussians_are_linear_in_the_order() -> None:
    assert renyi_divergence(GaussianEvent(noise_multiplier=2.0), order=10.0) == pytest.approx(1.25, rel=1e-13)
    discrete = DiscreteGaussianEvent(noise_multiplier=2.0, sensitivity=3)
    assert renyi_divergence(discrete, order=10.0) == pytest.approx(1.25, rel=1e-13)
    assert renyi_divergence(ConcentratedEvent(rho=0.125), order=10.0) == pytest.approx(1.25, rel=1e-13)


@each("sensitivity", [1, 4])
@each("noise", [0.3, 1.0])
def test_a_discrete_gaussian_stays_below_its_bound(noise: float, sensitivity: int) -> None:
    z = np.arange(-200, 201)
    here = np.exp(-0.5 * (z / (noise * sensitivity)) ** 2)
    log_here = np.log(np.maximum(here / here.sum(), 1e-300))
    for order in (1.5, 2.0, 5.0):
        log_terms = order * log_here[sensitivity:] + (1.0 - order) * log_here[:-sensitivity]
        log_terms = log_terms[here[sensitivity:] > 1e-290]
        exact = float(np.logaddexp.reduce(log_terms)) / (order - 1.0)
        bound = renyi_divergence(DiscreteGaussianEvent(noise_multiplier=noise, sensitivity=sensitivity), order=order)
        assert 0.0 < exact <= bound * (1.0 + 1e-12)


@each("event", KNOWN)
def test_it_grows_with_the_order_and_never_breaks(event: Event) -> None:
    orders = np.concatenate([[1.0], 1.0 + np.geomspace(1e-15, 1.0, 40), np.geomspace(2.0, 1e300, 60)])
    found = renyi_divergence(event, order=orders)
    assert not np.any(np.isnan(found))
    assert np.all(found >= 0.0)
    with np.errstate(invalid="ignore"):
        assert np.all((found[1:] >= found[:-1] * (1.0 - 1e-12) - 1e-260) | np.isinf(found[1:]))


@each("noise", [0.1, 1.0, 10.0])
def test_it_bounds_the_profile(noise: float) -> None:
    """Order by order, delta(x) <= e^(excess (divergence - x)) / order (1 - 1/order)^excess."""
    event, x = LaplaceEvent(noise_multiplier=noise), np.linspace(0.0, 1.0 / noise, 30)
    for order in (1.5, 2.0, 10.0, 200.0):
        excess = order - 1.0
        log_bound = excess * (renyi_divergence(event, order=order) - x + math.log1p(-1.0 / order)) - math.log(order)
        assert np.all(delta_of(event, epsilon=x) <= np.exp(np.minimum(log_bound, 0.0)) * (1.0 + 1e-12))


@each("event", [ApproximateEvent(epsilon=1.0, delta=1e-9), TruncatedLaplaceEvent(noise_multiplier=1.0, truncation=9.0)])
def test_what_has_no_divergence_is_refused_by_name(event: Event) -> None:
    with pytest.raises(UnsupportedEventError, match=f"Rényi divergence.*{type(event).__name__}"):
        renyi_divergence(event, order=2.0)


@each("bad", [0.999, math.nan, math.inf, "2", None])
def test_a_bad_order_is_named(bad: float) -> None:
    assert renyi_divergence(PureEvent(epsilon=1.0), order=1.0) > 0.0
    with pytest.raises(InvalidParameterError, match="order"):
        renyi_divergence(PureEvent(epsilon=1.0), order=bad)


def test_the_shape_is_kept() -> None:
    assert isinstance(renyi_divergence(PureEvent(epsilon=1.0), order=2.0), float)
    assert renyi_divergence(PureEvent(epsilon=1.0), order=np.full((2, 3), 2.0)).shape == (2, 3)
