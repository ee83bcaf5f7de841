"""A delta is never a last digit below the truth, least of all near the largest loss, where two numbers cancel."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from dpengine.losses import delta_of
from dpengine.privacy import (
    ApproximateEvent,
    BoundedRangeEvent,
    DiscreteLaplaceEvent,
    Event,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
)

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


@pytest.mark.parametrize("law", LAWS)
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
