"""A delta is never a last digit below the truth, least of all near the largest loss, where two numbers cancel."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
from mpmath import mpf

from dpengine.losses import delta_of
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

LEAKS = 1e-8
NEAR = [0.0, 1e-16, 3e-16, 1e-15, 1e-12, 1e-6, 0.01, 0.5, 0.999]
"""Shares of the largest loss that epsilon is below it."""


def worst(loss: mpf, epsilon: mpf) -> mpf:
    return (mpmath.exp(loss) - mpmath.exp(epsilon)) / (1 + mpmath.exp(loss))


def of_range(loss: mpf, epsilon: mpf) -> mpf:
    return (mpmath.exp(loss / 2) - mpmath.exp(epsilon / 2)) ** 2 / mpmath.expm1(loss)


def of_steps(loss: mpf, epsilon: mpf) -> mpf:
    """Of a sensitivity of 3: P(Z <= m) - e^epsilon P(Z <= m - 3) at the best whole m, term by term."""
    q = mpmath.exp(-loss / 3)

    def below(m: int) -> mpf:
        return q**-m / (1 + q) if m < 0 else 1 - q ** (m + 1) / (1 + q)

    return max(below(m) - mpmath.exp(epsilon) * below(m - 3) for m in range(-1, 5))


LAWS: dict[str, tuple[Callable[[float], Event], Callable[[mpf, mpf], mpf]]] = {
    "pure": (lambda loss: PureEvent(epsilon=loss), worst),
    "randomized response": (lambda loss: RandomizedResponseEvent(epsilon=loss), worst),
    "approximate": (
        lambda loss: ApproximateEvent(epsilon=loss, delta=LEAKS),
        lambda loss, epsilon: mpf(repr(LEAKS)) + (1 - mpf(repr(LEAKS))) * worst(loss, epsilon),
    ),
    "bounded range": (lambda loss: BoundedRangeEvent(epsilon=loss), of_range),
    "laplace": (
        lambda loss: LaplaceEvent(noise_multiplier=1.0 / loss),
        lambda loss, epsilon: 1 - mpmath.exp((epsilon - loss) / 2),
    ),
    "discrete laplace": (lambda loss: DiscreteLaplaceEvent(noise_multiplier=1.0 / loss, sensitivity=3), of_steps),
}


@each("law", LAWS)
def test_a_delta_is_not_a_last_digit_below_the_truth(law: str) -> None:
    """Of the decimals that a person reads; the loss of noise is one over the very number of this machine."""
    made, formula = LAWS[law]
    for loss in np.exp(np.random.default_rng(1).uniform(-20.0, 3.0, 60)).tolist():
        event = made(loss)
        for share in NEAR:
            epsilon = loss * (1.0 - share)
            found = delta_of(event, epsilon=epsilon)
            with mpmath.workdps(60):
                noise = getattr(event, "noise_multiplier", None)
                largest = mpf(repr(loss)) if noise is None else 1 / mpf(noise)
                exact = max(formula(largest, min(mpf(repr(epsilon)), largest)), 0)
                assert found >= exact * (1 - mpf("1e-30")) - mpf("1e-50"), (loss, share)
                assert found <= exact * (1 + mpf("1e-14")) + 1e-15 * loss, (loss, share)


def of_normal(event: GaussianEvent, epsilon: mpf) -> mpf:
    shift = 1 / mpf(event.noise_multiplier)
    far = mpmath.exp(epsilon) * mpmath.ncdf(-shift / 2 - epsilon / shift)
    return mpmath.ncdf(shift / 2 - epsilon / shift) - far


def of_whole_numbers(event: DiscreteGaussianEvent, epsilon: mpf) -> mpf:
    """Term by term, as far as the terms are above 1e-300 of the largest."""
    scale, moved = mpf(event.noise_multiplier) * event.sensitivity, event.sensitivity
    reach = int(38 * scale) + moved + 1
    weight = {z: mpmath.exp(-(mpf(z) ** 2) / (2 * scale**2)) for z in range(-reach, reach + 1)}
    lost = [weight[z] - mpmath.exp(epsilon) * weight.get(z + moved, 0) for z in weight]
    return mpmath.fsum(term for term in lost if term > 0) / mpmath.fsum(weight.values())


def of_cut_noise(event: TruncatedLaplaceEvent, epsilon: mpf) -> mpf:
    loss, cut = 1 / mpf(event.noise_multiplier), mpf(event.truncation) / mpf(event.noise_multiplier)
    x = min(epsilon, loss, 2 * cut - loss)
    twice = 2 * (1 - mpmath.exp((x - loss) / 2)) + mpmath.exp(-cut) * mpmath.expm1(x)
    return twice / (2 * (1 - mpmath.exp(-cut)))


ROUNDED: dict[str, tuple[Callable[[float], Event], Callable[[Any, mpf], mpf], int]] = {
    "gaussian": (lambda noise: GaussianEvent(noise_multiplier=noise), of_normal, 20),
    "discrete gaussian": (
        lambda noise: DiscreteGaussianEvent(noise_multiplier=noise, sensitivity=2),
        of_whole_numbers,
        3,
    ),
    "truncated laplace": (
        lambda noise: TruncatedLaplaceEvent(noise_multiplier=noise, truncation=max(0.6, 300.0 * noise)),
        of_cut_noise,
        20,
    ),
}


@each("law", ROUNDED)
def test_a_delta_far_out_is_not_rounded_below_the_truth(law: str) -> None:
    """A last digit of its logarithm is there many of delta's own."""
    made, formula, tried = ROUNDED[law]
    for noise in np.exp(np.random.default_rng(2).uniform(-2.0, 3.0, tried)).tolist():
        event = made(noise)
        for deviations in (0.1, 0.7, 2.0, 5.5, 11.0, 17.0, 30.0):
            epsilon = (deviations + 0.5 / noise) / noise
            found = delta_of(event, epsilon=epsilon)
            with mpmath.workdps(60):
                exact = formula(event, mpf(repr(epsilon)))
            assert exact <= found <= exact * (1 + mpf("1e-11")), (noise, deviations)


def test_a_delta_below_every_number_of_this_machine_is_the_least_of_them() -> None:
    noisy = (GaussianEvent(noise_multiplier=1.0), DiscreteGaussianEvent(noise_multiplier=1.0, sensitivity=1))
    assert [delta_of(event, epsilon=40.0) for event in noisy] == [math.ulp(0.0)] * 2


def test_below_epsilon_0_a_delta_is_not_rounded_below_the_truth() -> None:
    for epsilon in np.random.default_rng(3).uniform(-3.0, 0.0, 40).tolist():
        found = delta_of(PureEvent(epsilon=0.5), epsilon=epsilon)
        with mpmath.workdps(60):
            size = mpf(repr(-epsilon))
            exact = 1 - mpmath.exp(-size) * (1 - max(worst(mpf("0.5"), size), 0))
        assert exact <= found <= exact * (1 + mpf("1e-14")), epsilon


def test_the_line_of_a_rho_is_not_a_last_digit_below_the_truth() -> None:
    """Through the point of the equal errors, which is sought here by halvings of 60 digits."""
    known, epsilon = ConcentratedEvent(rho=31.114090319537492), 4.15146471454246
    with mpmath.workdps(60):
        rho, low, high = mpf(known.rho), mpf("1e-50"), mpmath.sqrt(mpmath.log(2))
        for _ in range(400):
            middle = (low + high) / 2
            below = mpmath.sqrt(-mpmath.log(-mpmath.expm1(-(middle**2)))) - middle >= mpmath.sqrt(rho)
            low, high = (middle, high) if below else (low, middle)
        u = low / mpmath.sqrt(rho)
        last, at_last = (1 + 2 * u) * rho - mpmath.log1p(1 / u), mpmath.exp(-(u**2) * rho) / (1 + u)
        exact = at_last + (1 - at_last) * worst(last, mpf(repr(epsilon)))
        assert exact <= delta_of(known, epsilon=epsilon) <= exact * (1 + mpf("1e-14"))
