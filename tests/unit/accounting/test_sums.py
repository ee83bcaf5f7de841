"""Sums of what was written down: never below the decimals, and the least number of this machine that is not."""

import math
from fractions import Fraction

import numpy as np

from dpengine.accounting import epsilon, epsilon_curve
from dpengine.accounting.sums import sum_of_decimals
from dpengine.privacy import LaplaceEvent, PureEvent, exact_decimal
from tests.running.cases import each


@each("amount", [0.1, 0.7, 1e-9, 1 / 3, 0.30000000000000004, 1.98e-13, 5e-324, 1e-300, 1e300, 123456.789])
@each("amount_beside", [0.0, 0.2, 1e-17, 2 / 3])
def test_a_sum_is_the_least_number_that_is_not_below_it(amount: float, amount_beside: float) -> None:
    runs = np.array([[0.0, 1.0, 3.0, 10.0, 1000.0, 1e6], [5.0, 0.0, 1.0, 2.0, 1e9, 3.0]])
    amounts = np.repeat([[amount], [amount_beside]], runs.shape[1], axis=1)
    for (times, beside), found in zip(runs.T, sum_of_decimals(runs, amounts), strict=True):
        wanted = int(times) * exact_decimal(amount) + int(beside) * exact_decimal(amount_beside)
        assert exact_decimal(float(found)) >= wanted
        assert not wanted or exact_decimal(math.nextafter(found, 0.0)) < wanted


def test_what_never_ran_adds_nothing_and_what_has_no_end_adds_everything() -> None:
    runs = np.array([[0.0, 1.0], [3.0, 3.0]])
    amounts = np.array([[math.inf, math.inf], [0.1, 0.1]])
    assert sum_of_decimals(runs, amounts).tolist() == [0.3, math.inf]


def test_adding_up_counts_as_a_person_does() -> None:
    """In floats ten times 0.1 is 0.9999999999999999, three times 0.1 is 0.30000000000000004, and both are wrong."""
    assert epsilon_curve(PureEvent(epsilon=0.1), repetitions=[3, 7, 10], delta=0.0, accountant="basic").tolist() == [
        0.3,
        0.7,
        1.0,
    ]
    thirds = epsilon({LaplaceEvent(noise_multiplier=3.0): 3}, delta=0.0, accountant="basic")
    assert exact_decimal(thirds) >= 3 * exact_decimal(0.3333333333333333)
    assert exact_decimal(thirds) - 1 < Fraction(1, 10**15)
