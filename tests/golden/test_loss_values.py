"""Privacy profiles and Gaussian calibration against mpmath."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpengine.losses import (
    delta_of,
    gaussian_epsilon,
    gaussian_log_delta,
    gaussian_noise_multiplier,
    renyi_divergence,
)
from dpengine.losses.definitions import TwoLaws
from dpengine.privacy import Event, GaussianEvent, LaplaceEvent, RandomizedResponseEvent, TruncatedLaplaceEvent
from tests.golden.rows import number, rows
from tests.running.cases import each


def event(row: dict[str, str]) -> Event:
    noise = number(row, "noise_multiplier")
    return {
        "laplace": LaplaceEvent(noise_multiplier=noise),
        "gaussian": GaussianEvent(noise_multiplier=noise),
        "randomized_response": RandomizedResponseEvent(epsilon=1.0 / noise),
    }[row["mechanism"]]


@each("row", rows("privacy_profile"))
def test_privacy_profile(row: dict[str, str]) -> None:
    """Where the row's number is 0 for a delta below every number of this machine, ours is the least of them."""
    delta = delta_of(event(row), epsilon=number(row, "epsilon"))
    assert delta == pytest.approx(number(row, "delta"), rel=1e-11, abs=math.ulp(0.0))


@each("row", rows("truncated_laplace"))
def test_truncated_laplace_profile(row: dict[str, str]) -> None:
    epsilon, sensitivity = number(row, "epsilon"), number(row, "sensitivity")
    truncated = TruncatedLaplaceEvent(
        noise_multiplier=1.0 / epsilon, truncation=number(row, "truncation") / sensitivity
    )
    assert delta_of(truncated, epsilon=epsilon) == pytest.approx(number(row, "delta_truncated"), rel=1e-13, abs=0.0)


@each("row", rows("gaussian_calibration"))
def test_gaussian_calibration(row: dict[str, str]) -> None:
    epsilon, delta = number(row, "epsilon"), number(row, "delta")
    least = gaussian_noise_multiplier(epsilon=epsilon, delta=delta)
    expected = number(row, "standard_deviation") / number(row, "l2_sensitivity")
    assert least == pytest.approx(expected, rel=1e-12)
    assert gaussian_log_delta(noise_multiplier=least, epsilon=epsilon) <= math.log(delta)


@each("row", rows("gaussian_composition"))
def test_gaussian_epsilon(row: dict[str, str]) -> None:
    noise = number(row, "noise_multiplier") / math.sqrt(number(row, "repetitions"))
    epsilon = gaussian_epsilon(noise_multiplier=noise, delta=number(row, "delta"))
    assert epsilon == pytest.approx(number(row, "epsilon"), rel=1e-12, abs=1e-15)


@each("row", rows("renyi_divergence"))
def test_renyi_divergence(row: dict[str, str]) -> None:
    law = {"laplace": LaplaceEvent, "gaussian": GaussianEvent}[row["mechanism"]]
    noise, expected = number(row, "noise_multiplier"), number(row, "divergence")
    found = renyi_divergence(law(noise_multiplier=noise), order=number(row, "order"))
    assert expected * (1.0 - 1e-15) <= found <= expected * (1.0 + 1e-12)


@each("row", rows("sets_of_outputs"))
def test_single_outputs_and_sets_of_them(row: dict[str, str]) -> None:
    """The least delta by single outputs, and by every set one by one."""
    ones, others = (
        np.array([float(Fraction(chance)) for chance in row[column].split()])
        for column in ("with_person", "without_person")
    )
    laws, epsilon = TwoLaws(with_person=ones, without_person=others), number(row, "epsilon")
    found = laws.delta_of_outputs(epsilon), laws.delta(epsilon)
    assert found == pytest.approx((number(row, "delta_of_outputs"), number(row, "delta_of_sets")), abs=1e-15)
