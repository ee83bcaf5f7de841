"""Many answers for one promise: growth, and where the two noises cross."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.accuracy.lessons.many_answers import (
    answers_where_gaussian_wins,
    gaussian_error_of_many,
    laplace_error_of_many,
)
from dpengine.errors import InvalidParameterError
from dpengine.losses import delta_of
from dpengine.mechanisms import GaussianMechanism, LaplaceMechanism
from dpengine.privacy import Guarantee
from tests.running.cases import each

PROMISE = Guarantee(epsilon=1.0, delta=1e-6)


def test_errors_are_those_of_mechanisms_of_the_whole_vector():
    laplace = LaplaceMechanism.from_epsilon(1.0, l1_sensitivity=9.0)
    gaussian = GaussianMechanism.from_guarantee(PROMISE, l2_sensitivity=3.0)
    assert laplace_error_of_many(9, guarantee=PROMISE, confidence=0.95) == pytest.approx(laplace.error_quantile(0.95))
    assert gaussian_error_of_many(9, guarantee=PROMISE, confidence=0.95) == pytest.approx(gaussian.error_quantile(0.95))
    assert delta_of(gaussian.event, epsilon=1.0) <= 1e-6


@each("epsilon", [0.1, 1.0, 10.0])
@each("delta", [1e-12, 1e-6, 1e-2])
def test_the_crossing_is_the_first_number_that_errs_less(epsilon, delta):
    promise = Guarantee(epsilon=epsilon, delta=delta)
    first = answers_where_gaussian_wins(guarantee=promise, confidence=0.95)
    both = np.array([max(first - 1, 1), first])
    laplace = laplace_error_of_many(both, guarantee=promise, confidence=0.95)
    gaussian = gaussian_error_of_many(both, guarantee=promise, confidence=0.95)
    assert gaussian[1] < laplace[1]
    assert first == 1 or gaussian[0] >= laplace[0]


def test_without_delta_no_gaussian_is_built():
    with pytest.raises(InvalidParameterError):
        answers_where_gaussian_wins(guarantee=Guarantee(epsilon=1.0), confidence=0.95)
