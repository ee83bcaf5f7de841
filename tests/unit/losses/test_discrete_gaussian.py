"""What discrete Gaussian noise reveals, against sums with fifty digits and against dp-accounting."""

import math
from collections.abc import Callable
from functools import cache

import mpmath
import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution

from dpengine.errors import InvalidParameterError
from dpengine.losses import (
    delta_of,
    discrete_gaussian_epsilon,
    discrete_gaussian_log_delta,
    discrete_gaussian_scale,
    equal_error_rate,
    false_negative_rate,
    gaussian_noise_multiplier,
)
from dpengine.losses.discrete_gaussian_tails import log_tail
from dpengine.privacy import DiscreteGaussianEvent, GaussianEvent
from dpengine.privacy.rounding import noise_multiplier_of
from tests.running.cases import each

ABOVE, ABOVE_ON_FINE_GRIDS = 3e-11, 1e-8


def edge_of(noise_multiplier: float, sensitivity: int, epsilon: float) -> mpmath.mpf:
    scale = mpmath.mpf(noise_multiplier) * sensitivity
    return mpmath.mpf(epsilon) * scale**2 / sensitivity - mpmath.mpf(sensitivity) / 2


def summed(noise_multiplier: float, sensitivity: int, epsilon: float) -> mpmath.mpf:
    """ln delta as the sum of positive terms over the grid; call it inside mpmath.workdps(50)."""
    scale, edge = mpmath.mpf(noise_multiplier) * sensitivity, edge_of(noise_multiplier, sensitivity, epsilon)
    first = max(int(mpmath.floor(edge)) + 1, -reach_of(scale))
    terms = [
        mpmath.exp(-((z / scale) ** 2) / 2) * -mpmath.expm1((edge - z) * sensitivity / scale**2)
        for z in range(first, max(first, 0) + reach_of(scale))
    ]
    return mpmath.log(sum(terms) / normalizer(scale))


def reach_of(scale: mpmath.mpf) -> int:
    """Beyond it lies less than e^-72 of what lies before."""
    return int(12 * scale) + 12


@cache
def normalizer(scale: mpmath.mpf) -> mpmath.mpf:
    return 1 + 2 * sum(mpmath.exp(-((z / scale) ** 2) / 2) for z in range(1, reach_of(scale)))


def lowered(noise_multiplier: float, epsilon: float) -> mpmath.mpf:
    """Epsilon less 8 last digits of itself and of half the squared shift; call it inside mpmath.workdps(50)."""
    digits = mpmath.mpf(epsilon) + mpmath.mpf(noise_multiplier) ** -2 / 2
    return max(mpmath.mpf(epsilon) - 8 * mpmath.mpf(2) ** -52 * digits, mpmath.mpf(0))


def expanded(noise_multiplier: float, sensitivity: int, epsilon: float) -> mpmath.mpf:
    """The same from two tails by Euler and Maclaurin's formula with 15 terms, for wide noise."""
    scale = mpmath.mpf(noise_multiplier) * sensitivity
    least = mpmath.floor(edge_of(noise_multiplier, sensitivity, epsilon)) + 1

    def tail(start: mpmath.mpf) -> mpmath.mpf:
        y = start / scale
        hermite = [mpmath.mpf(1), y]
        for n in range(1, 31):
            hermite.append(y * hermite[n] - n * hermite[n - 1])
        total = scale * mpmath.sqrt(mpmath.pi / 2) * mpmath.erfc(y / mpmath.sqrt(2))
        bends = [
            mpmath.bernoulli(2 * p) / mpmath.factorial(2 * p) * hermite[2 * p - 1] / scale ** (2 * p - 1)
            for p in range(1, 16)
        ]
        return total + mpmath.exp(-(y**2) / 2) * (mpmath.mpf(1) / 2 + sum(bends))

    delta = tail(least) - mpmath.exp(mpmath.mpf(epsilon)) * tail(least + sensitivity)
    return mpmath.log(delta / scale / mpmath.sqrt(2 * mpmath.pi))


def points(rng: np.random.Generator, scales: tuple[float, float], count: int) -> list[tuple[float, int, float]]:
    """Noise multiplier, sensitivity and epsilon from the whole range where delta is between 1e-290 and 1."""
    found: list[tuple[float, int, float]] = []
    while len(found) < count:
        scale, shift = np.exp(rng.uniform(*np.log(scales))), np.exp(rng.uniform(math.log(1e-4), math.log(50.0)))
        sensitivity = max(1, round(shift * scale))
        shift = sensitivity / scale
        near = rng.uniform(-shift / 2, 35.0) if rng.random() < 0.6 else rng.uniform(-shift / 2, 4.0)
        epsilon = shift * (near + shift / 2)
        noise_multiplier = scale / sensitivity
        log_delta = discrete_gaussian_log_delta(noise_multiplier, sensitivity, max(epsilon, 0.0))
        if epsilon >= 0.0 and log_delta > -660.0:
            found.append((float(noise_multiplier), sensitivity, float(epsilon)))
    return found


@pytest.mark.parametrize(
    ("reference", "scales", "count", "above"),
    [
        (summed, (0.1, 2.0), 40, ABOVE),
        (summed, (2.0, 60.0), 10, ABOVE),
        (expanded, (150.0, 1e6), 50, ABOVE),
        (expanded, (1.1e6, 1e15), 30, ABOVE_ON_FINE_GRIDS),
        pytest.param(summed, (0.1, 60.0), 100, ABOVE, marks=pytest.mark.slow),
        pytest.param(expanded, (150.0, 1e15), 2000, ABOVE_ON_FINE_GRIDS, marks=pytest.mark.slow),
    ],
)
def test_the_profile_is_never_below_the_truth_and_hardly_above(
    reference: Callable[[float, int, float], mpmath.mpf], scales: tuple[float, float], count: int, above: float
) -> None:
    with mpmath.workdps(80):
        for noise_multiplier, sensitivity, epsilon in points(np.random.default_rng(count), scales, count):
            found = mpmath.mpf(float(discrete_gaussian_log_delta(noise_multiplier, sensitivity, epsilon)))
            assert found >= reference(noise_multiplier, sensitivity, epsilon), (noise_multiplier, sensitivity, epsilon)
            less = lowered(noise_multiplier, epsilon)
            assert found <= reference(noise_multiplier, sensitivity, less) + above, (noise_multiplier, sensitivity)


def beside_edges(rng: np.random.Generator, count: int) -> list[tuple[float, int, float]]:
    """Epsilons that an output gives away, rounded to this machine and up to three last digits beside."""
    found: list[tuple[float, int, float]] = []
    while len(found) < count:
        scale, sensitivity = float(np.exp(rng.uniform(math.log(0.1), math.log(30.0)))), int(rng.integers(1, 5))
        noise_multiplier, output = scale / sensitivity, int(rng.integers(-(sensitivity // 2), int(8.0 * scale) + 3))
        exact = (output + mpmath.mpf(sensitivity) / 2) * sensitivity / (mpmath.mpf(noise_multiplier) * sensitivity) ** 2
        epsilon = float(exact) * (1.0 + int(rng.integers(-3, 4)) * 2.0**-52)
        if epsilon >= 0.0 and discrete_gaussian_log_delta(noise_multiplier, sensitivity, epsilon) > -660.0:
            found.append((noise_multiplier, sensitivity, epsilon))
    return found


def test_beside_the_loss_of_an_output_it_is_the_truth_of_at_most_8_last_digits_less() -> None:
    """An epsilon one last digit too high forgets an output, which may be nearly all of a tiny delta."""
    known = [
        (0.12189778598752259, 1, 33.64948091002427),
        (0.16036780372385823, 1, 58.32528855917218),
        (0.12019784142934563, 1, 242.25609221015023),
    ]
    with mpmath.workdps(80):
        for noise_multiplier, sensitivity, epsilon in known + beside_edges(np.random.default_rng(5), 30):
            found = mpmath.mpf(float(discrete_gaussian_log_delta(noise_multiplier, sensitivity, epsilon)))
            assert found >= summed(noise_multiplier, sensitivity, epsilon), (noise_multiplier, sensitivity, epsilon)
            assert found <= summed(noise_multiplier, sensitivity, lowered(noise_multiplier, epsilon)) + ABOVE


@each(("noise_multiplier", "delta"), [(0.3446605, 9.67e-16), (0.0197, 7.5e-17), (0.12, 1e-15)])
def test_epsilon_at_an_output_s_loss_keeps_the_true_delta(noise_multiplier: float, delta: float) -> None:
    event = DiscreteGaussianEvent(noise_multiplier=noise_multiplier, sensitivity=1)
    with mpmath.workdps(80):
        edge = float(mpmath.mpf(noise_multiplier) ** -2 / 2)
        at_edge = float(mpmath.exp(summed(noise_multiplier, 1, edge)))
        for wanted in (delta, *(at_edge * (1.0 + k * 1e-15) for k in range(-3, 4) if at_edge > 0.0)):
            found = float(discrete_gaussian_epsilon(event, np.array(wanted)))
            assert mpmath.exp(summed(noise_multiplier, 1, found)) <= mpmath.mpf(wanted)
            assert mpmath.exp(summed(noise_multiplier, 1, found * (1.0 - 1e-14))) > wanted * (1.0 - ABOVE)


@each(("scale", "sensitivity"), [(0.5, 1), (1.0, 1), (2.0, 3), (10.0, 4), (100.0, 7)])
def test_dp_accounting_agrees(scale: float, sensitivity: int) -> None:
    """Its list of losses is rounded up to multiples of 1e-4, and cut at a mass of 1e-50."""
    peer = privacy_loss_distribution.from_discrete_gaussian_mechanism(
        scale, sensitivity=sensitivity, value_discretization_interval=1e-4, truncation_bound=math.ceil(16 * scale) + 9
    )
    event = DiscreteGaussianEvent(noise_multiplier=scale / sensitivity, sensitivity=sensitivity)
    for epsilon in (0.1, 0.5, 1.0, 3.0):
        found, theirs = delta_of(event, epsilon=epsilon), peer.get_delta_for_epsilon(epsilon)
        assert found <= theirs * (1.0 + 1e-9) + 1e-15
        assert found >= delta_of(event, epsilon=epsilon + 1e-4) * (1.0 - 1e-9)
        assert delta_of(event, epsilon=max(epsilon - 1e-4, 0.0)) >= theirs * (1.0 - 1e-9) - 1e-15


@each("scale", [0.1, 0.5, 1.0, 3.0, 15.9, 16.1, 40.0])
def test_tails_are_sums(scale: float) -> None:
    least = np.arange(-math.ceil(20 * scale), math.ceil(20 * scale) + 1.0)
    found = log_tail(scale, least)
    with mpmath.workdps(50):
        weights = {z: mpmath.exp(-((mpmath.mpf(z) / scale) ** 2) / 2) for z in range(-1200, 1201)}
        total, beyond = sum(weights.values()), mpmath.mpf(0)
        for z in range(1200, -1201, -1):
            beyond += weights[z]
            place = np.flatnonzero(least == z)
            if place.size:
                expected = float(mpmath.log(beyond / total))
                assert found[place[0]] == pytest.approx(expected, rel=2e-13, abs=1e-16), z


@each(
    ("noise_multiplier", "sensitivity"),
    [(0.3, 1), (0.5, 1), (1.0, 2), (2.0, 3), (5.0, 1), (0.7, 40), (30.0, 1), (3.0, 2**40), (0.05, 7)],
)
def test_epsilon_is_the_smallest_that_keeps_delta(noise_multiplier: float, sensitivity: int) -> None:
    event = DiscreteGaussianEvent(noise_multiplier=noise_multiplier, sensitivity=sensitivity)
    delta = np.exp(np.linspace(-680.0, -1e-3, 3000))
    epsilon = discrete_gaussian_epsilon(event, delta)
    assert np.all(np.diff(epsilon) <= 1e-12 * epsilon[1:])
    assert np.all(delta_of(event, epsilon=epsilon) <= delta)
    above = epsilon > 1e-6
    less = delta_of(event, epsilon=epsilon[above] * (1.0 - 1e-7) - 1e-9)
    assert np.all(less > delta[above])


def test_epsilon_at_the_ends() -> None:
    event = DiscreteGaussianEvent(noise_multiplier=2.0, sensitivity=3)
    found = discrete_gaussian_epsilon(event, np.array([0.0, delta_of(event, epsilon=0.0), 1.0]))
    assert found.tolist() == [math.inf, 0.0, 0.0]


@each(("epsilon", "delta", "factor"), [(1.0, 1e-6, 1.020), (3.0, 1e-6, 1.38), (5.0, 1e-9, 1.97), (8.0, 1e-6, 3.0)])
def test_the_scale_of_continuous_noise_breaks_its_promise_on_counts(
    epsilon: float, delta: float, factor: float
) -> None:
    analytic = gaussian_noise_multiplier(epsilon=epsilon, delta=delta)
    broken = delta_of(DiscreteGaussianEvent(noise_multiplier=analytic, sensitivity=1), epsilon=epsilon)
    assert broken / delta == pytest.approx(factor, rel=5e-3)
    kept = noise_multiplier_of(discrete_gaussian_scale(epsilon=epsilon, delta=delta, sensitivity=1), 1)
    assert delta_of(DiscreteGaussianEvent(noise_multiplier=kept, sensitivity=1), epsilon=epsilon) <= delta
    assert delta_of(GaussianEvent(noise_multiplier=analytic), epsilon=epsilon) == pytest.approx(delta, rel=1e-9)


@each("epsilon", [1e-9, 0.1, 1.0, 20.0, 1000.0])
@each("delta", [1e-300, 1e-6, 0.1])
@each("sensitivity", [1, 3, 2**40])
def test_the_least_scale_keeps_the_promise_and_a_smaller_one_breaks_it(
    epsilon: float, delta: float, sensitivity: int
) -> None:
    scale = discrete_gaussian_scale(epsilon=epsilon, delta=delta, sensitivity=sensitivity)

    def delta_at(factor: float) -> float:
        noise_multiplier = noise_multiplier_of(scale * factor, sensitivity)
        return delta_of(
            DiscreteGaussianEvent(noise_multiplier=noise_multiplier, sensitivity=sensitivity), epsilon=epsilon
        )

    assert delta_at(1.0) <= delta < delta_at(1.0 - 1e-9)
    assert all(delta_at(factor) <= delta for factor in (1.001, 1.02, 1.05, 1.1, 1.3, 2.0, 10.0))


def test_more_epsilon_or_more_delta_never_need_more_noise() -> None:
    by_epsilon = [discrete_gaussian_scale(epsilon=x, delta=1e-6, sensitivity=1) for x in np.geomspace(0.1, 60.0, 25)]
    assert np.all(np.diff(by_epsilon) <= 0.0)
    by_delta = [discrete_gaussian_scale(epsilon=4.0, delta=x, sensitivity=1) for x in np.geomspace(1e-30, 0.3, 25)]
    assert np.all(np.diff(by_delta) <= 0.0)


def test_a_smaller_shift_reveals_no_more() -> None:
    epsilon = np.linspace(0.0, 40.0, 801)
    for scale in (0.3, 0.7, 2.0, 9.0):
        rows = [
            delta_of(DiscreteGaussianEvent(noise_multiplier=scale / shift, sensitivity=shift), epsilon=epsilon)
            for shift in range(1, 7)
        ]
        assert np.all(np.diff(rows, axis=0) >= -1e-10 * np.array(rows[1:]))


@each(("scale", "sensitivity"), [(0.5, 1), (0.8, 2), (3.0, 1), (3.0, 4), (20.0, 7)])
def test_the_trade_off_curve_joins_its_tests(scale: float, sensitivity: int) -> None:
    event = DiscreteGaussianEvent(noise_multiplier=scale / sensitivity, sensitivity=sensitivity)
    z = np.arange(-60.0 * max(scale, 1.0), 60.0 * max(scale, 1.0) + 1.0)
    weights = np.exp(-((z / scale) ** 2) / 2)
    weights /= weights.sum()
    for test in range(-int(3 * scale) - 1, int(3 * scale) + sensitivity + 2):
        false_positive, miss = weights[z >= test].sum(), weights[z < test - sensitivity].sum()
        assert false_negative_rate(event, false_positive_rate=min(float(false_positive), 1.0)) == pytest.approx(
            miss, rel=1e-9, abs=1e-13
        )


def test_the_equal_error_rate_on_a_fine_grid_is_that_of_continuous_noise_from_below() -> None:
    fine = equal_error_rate(DiscreteGaussianEvent(noise_multiplier=2.0, sensitivity=2**40))
    continuous = equal_error_rate(GaussianEvent(noise_multiplier=2.0))
    assert continuous * (1.0 - 1e-9) <= fine < continuous


@each("bad", [0.0, 1.0, -0.1, 1e-301, math.nan, "1e-6"])
def test_bad_delta_is_named(bad: float) -> None:
    with pytest.raises(InvalidParameterError, match="delta"):
        discrete_gaussian_scale(epsilon=1.0, delta=bad, sensitivity=1)


@each("bad", [-1.0, math.nan, math.inf, "1"])
def test_bad_epsilon_is_named(bad: float) -> None:
    with pytest.raises(InvalidParameterError, match="epsilon"):
        discrete_gaussian_scale(epsilon=bad, delta=1e-6, sensitivity=1)


def test_noise_without_end_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="finite scale"):
        discrete_gaussian_scale(epsilon=0.0, delta=1e-300, sensitivity=2**40)
