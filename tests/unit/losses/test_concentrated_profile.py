"""What may be revealed by anything of which only rho is known."""

import math

import mpmath
import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from dpengine.losses import concentrated_epsilon, delta_of, equal_error_rate, false_negative_rate
from dpengine.privacy import ApproximateEvent, ConcentratedEvent, Event, GaussianEvent, LaplaceEvent, PureEvent
from tests.running.cases import each

RHOS = [1e-9, 1e-4, 0.01, 0.5, 3.0, 50.0]


def least_bound(rho: float, epsilon: float) -> float:
    """The formula itself, minimized over ln(order - 1) by another routine."""

    def log_bound(log_excess: float) -> float:
        order = 1.0 + math.exp(log_excess)
        powers = order * -math.log1p(1.0 / math.exp(log_excess)) - log_excess
        return (order - 1.0) * (order * rho - epsilon) + powers

    grid = np.linspace(-60.0, 30.0, 2001)
    best = grid[np.argmin([log_bound(point) for point in grid])]
    found = minimize_scalar(log_bound, bounds=(best - 0.1, best + 0.1), method="bounded", options={"xatol": 1e-10})
    return math.exp(min(found.fun, 0.0))


@each("rho", RHOS)
def test_it_is_the_least_bound_over_orders_and_below_it_where_a_line_is(rho: float) -> None:
    points = (math.sqrt(rho) * np.linspace(0.0, 6.0, 13) + rho).tolist()
    found = delta_of(ConcentratedEvent(rho=rho), epsilon=np.array([0.0, *points]))
    formula = np.array([least_bound(rho, x) for x in (0.0, *points)])
    assert np.all(found <= formula * (1.0 + 1e-9))
    assert found[3:] == pytest.approx(formula[3:], rel=1e-7)
    assert found[0] < formula[0] or rho > 10.0


@each("rho", RHOS)
def test_it_is_the_inverse_of_the_conversion_to_epsilon(rho: float) -> None:
    points = np.array([2.0, 3.0, 5.0]) * math.sqrt(rho) + rho
    deltas = delta_of(ConcentratedEvent(rho=rho), epsilon=points)
    assert concentrated_epsilon(np.array(rho), deltas) == pytest.approx(points, rel=1e-6)


@each("rho", RHOS)
def test_no_mechanism_with_this_rho_reveals_more(rho: float) -> None:
    slow, points = ConcentratedEvent(rho=rho), np.linspace(0.0, rho + 6.0 * math.sqrt(rho), 50)
    rates = np.array([1e-9, 0.01, 0.1, 0.3, 0.6, 0.9])
    within: list[Event] = [
        GaussianEvent(noise_multiplier=1.0 / math.sqrt(2.0 * rho)),
        PureEvent(epsilon=math.sqrt(2.0 * rho)),
        LaplaceEvent(noise_multiplier=1.0 / math.sqrt(2.0 * rho)),
    ]
    for event in within:
        assert np.all(delta_of(event, epsilon=points) <= delta_of(slow, epsilon=points) + 1e-15)
        hidden = false_negative_rate(event, false_positive_rate=rates)
        assert np.all(hidden >= false_negative_rate(slow, false_positive_rate=rates) - 1e-15)
        assert equal_error_rate(event) >= equal_error_rate(slow)


def test_below_the_equal_errors_it_is_what_that_one_point_allows() -> None:
    event = ConcentratedEvent(rho=0.5)
    at_0, rate = delta_of(event, epsilon=0.0), equal_error_rate(event)
    assert at_0 == pytest.approx(1.0 - 2.0 * rate, rel=1e-14)
    point = ApproximateEvent(epsilon=0.2, delta=delta_of(event, epsilon=0.2))
    assert delta_of(point, epsilon=0.0) == pytest.approx(at_0, rel=1e-13)


def test_nothing_is_revealed_at_rho_0_and_small_rho_reveals_its_root() -> None:
    assert delta_of(ConcentratedEvent(rho=0.0), epsilon=0.0) == 0.0
    assert equal_error_rate(ConcentratedEvent(rho=0.0)) == 0.5
    assert false_negative_rate(ConcentratedEvent(rho=0.0), false_positive_rate=0.3) == pytest.approx(0.7)
    for rho in (1e-12, 1e-300):
        advantage = delta_of(ConcentratedEvent(rho=rho), epsilon=0.0)
        assert advantage == pytest.approx(math.sqrt(rho * math.log(2.0)), rel=1e-5)


def test_the_least_bound_is_never_below_the_truth_and_hardly_above() -> None:
    """Against the bound at its best order with 60 digits, for rho up to 1e20, where two large numbers nearly cancel."""
    rng = np.random.default_rng(3)
    with mpmath.workdps(60):
        for _ in range(200):
            rho = float(10.0 ** rng.uniform(-9.0, 20.0))
            epsilon = rho + float(rng.uniform(2.0, 30.0)) * math.sqrt(rho)
            found = delta_of(ConcentratedEvent(rho=rho), epsilon=epsilon)
            if found < 1e-290:
                continue
            gap = mpmath.mpf(epsilon) - mpmath.mpf(rho)
            u = (gap + mpmath.sqrt(gap**2 + 8 * mpmath.mpf(rho))) / (4 * mpmath.mpf(rho))
            for _ in range(9):
                slope = 2 * rho * u + 1 / (1 + u)
                u *= mpmath.exp(-(2 * rho * u - mpmath.log1p(1 / u) - gap) / slope)
            least = u * (u * rho - gap) - u * mpmath.log1p(1 / u) - mpmath.log1p(u)
            assert least <= mpmath.log(found) <= least + 1e-11
