"""What holds for a group, never below the truth."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpengine.errors import InvalidParameterError
from dpengine.privacy import Guarantee


def test_a_group_is_never_promised_more_than_holds() -> None:
    rng = np.random.default_rng(8)
    for _ in range(300):
        epsilon, delta = float(np.exp(rng.uniform(-20.0, 1.0))), float(np.exp(rng.uniform(-690.0, -30.0)))
        size = int(rng.integers(2, 12))
        group = Guarantee(epsilon=epsilon, delta=delta).for_group(size)
        with mpmath.workdps(80):
            truth = mpmath.mpf(delta) * mpmath.expm1(size * mpmath.mpf(epsilon)) / mpmath.expm1(mpmath.mpf(epsilon))
            assert truth <= group.delta <= truth * (1.0 + 1e-12)
        assert size * Fraction(epsilon) <= Fraction(group.epsilon)
        assert group.epsilon == pytest.approx(size * epsilon, rel=1e-15)


def test_without_epsilon_deltas_add_up() -> None:
    group = Guarantee(epsilon=0.0, delta=1e-9).for_group(7)
    assert group.epsilon == 0.0
    assert Fraction(group.delta) >= 7 * Fraction(1e-9)


def test_a_group_of_one_is_the_promise_itself() -> None:
    one = Guarantee(epsilon=0.3, delta=1e-6)
    assert one.for_group(1) == one


def test_a_group_too_large_for_any_epsilon_is_blamed_itself() -> None:
    with pytest.raises(InvalidParameterError, match=r"^size must be small enough for a finite epsilon"):
        Guarantee(epsilon=1e300).for_group(10**10)
