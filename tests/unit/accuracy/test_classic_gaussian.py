"""The Gaussian formula of course notes: it wastes noise where it is proved, and fails from one epsilon on."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpengine.accuracy.lessons.classic_gaussian import PROVED_UP_TO, classic_fails_from, classic_log_delta
from dpengine.errors import InvalidParameterError
from dpengine.formatting import at_least, at_most
from dpengine.losses import delta_of, gaussian_noise_multiplier
from dpengine.mechanisms import GaussianMechanism
from dpengine.mechanisms.additive.gaussian import classic_noise_multiplier
from dpengine.privacy import Guarantee
from tests.running.cases import each

DELTAS = (0.5, 1e-2, 1e-3, 1e-5, 1e-6, 1e-9, 1e-12, 1e-100)
EPSILONS = np.geomspace(1e-3, 100.0, 60)


def test_the_formula_is_that_of_the_classic_calibration() -> None:
    noise = GaussianMechanism.from_guarantee(Guarantee(epsilon=0.5, delta=1e-5), calibration="classic")
    assert classic_noise_multiplier(epsilon=0.5, delta=1e-5) == pytest.approx(noise.standard_deviation, rel=1e-15)
    assert math.exp(classic_log_delta(0.5, delta=1e-5)) == pytest.approx(delta_of(noise.event, epsilon=0.5), rel=1e-9)


@each("delta", DELTAS)
def test_the_true_delta_grows_with_epsilon_and_passes_the_promised_one_once(delta: float) -> None:
    true = classic_log_delta(EPSILONS, delta=delta)
    beyond = classic_fails_from(delta) < EPSILONS
    assert np.all(np.diff(true) > 0.0) or true[-1] > -1e-9, "Where delta is 1 it grows no further."
    assert np.array_equal(true > math.log(delta), beyond)
    assert 0 < beyond.sum() < EPSILONS.size


@each("delta", DELTAS)
def test_what_is_said_of_its_end_holds_on_either_side(delta: float) -> None:
    end = classic_fails_from(delta)
    holds, fails = (classic_log_delta(float(said(end)), delta=delta) for said in (at_least, at_most))
    assert holds <= math.log(delta) <= fails
    assert end > PROVED_UP_TO


@each("delta", DELTAS)
def test_it_adds_too_much_noise_exactly_where_it_holds(delta: float) -> None:
    stated = classic_noise_multiplier(epsilon=EPSILONS, delta=delta)
    least = gaussian_noise_multiplier(epsilon=EPSILONS, delta=np.full(EPSILONS.size, delta))
    assert np.array_equal(stated < least, classic_fails_from(delta) < EPSILONS)


@each("delta", [0.0, 1.0, -1e-6, 1e-301])
def test_a_delta_that_promises_nothing_is_refused(delta: float) -> None:
    with pytest.raises(InvalidParameterError, match="delta"):
        classic_fails_from(delta)


def test_an_epsilon_without_any_noise_to_be_asked_for_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="epsilon"):
        classic_log_delta([1.0, 0.0], delta=1e-6)
