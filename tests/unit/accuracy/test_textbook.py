"""The notes' bounds beside exact values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpengine.accuracy import NoiseError, textbook_bounds
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteLaplaceMechanism, GaussianMechanism, LaplaceMechanism
from tests.running.cases import each


def bounds(scale=3.0, coordinates=10, step=0.5):
    mechanism = DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1)
    return textbook_bounds(NoiseError(mechanism=mechanism, step=step), coordinates=coordinates)


def test_the_notes_in_the_unit_of_the_answer():
    notes = bounds()
    assert notes.tail_bound(2.0) == pytest.approx(math.exp(-2))
    assert notes.largest_tail_bound(2.0) == pytest.approx(math.exp(-2))
    assert notes.largest_error_bound == pytest.approx(1.5 * (math.log(10) + 1))
    assert notes.largest_error == pytest.approx(1.5 * 2.9289682539682538)
    assert notes.largest_tail(2.0) == pytest.approx(1 - (1 - math.exp(-2) / 10) ** 10)


def test_the_notes_are_those_of_continuous_noise_of_this_scale():
    notes, continuous, t = bounds(), LaplaceMechanism(scale=1.5, l1_sensitivity=1.0), np.array([-1.0, 0.0, 2.0])
    assert notes.continuous == continuous
    assert notes.largest_error_bound == continuous.expected_largest_error_bound(10)
    assert np.array_equal(notes.largest_tail(t), continuous.largest_error_tail(np.maximum(t, 0.0), 10))
    assert notes.tail_bound(t) == pytest.approx(notes.largest_tail_bound(t))


@each("scale", [0.1, 0.5, 1.0, 3.0, 40.0, 5000.0])
@each("coordinates", [1, 2, 10, 1000])
def test_the_bound_on_the_largest_error_holds_for_the_noise_that_is_released(scale, coordinates):
    notes = bounds(scale=scale, coordinates=coordinates)
    assert notes.released_largest_error <= notes.largest_error * (1 + 1e-9)
    assert notes.largest_error <= notes.largest_error_bound * (1 + 1e-9)


def test_the_tail_bound_holds_on_the_grid_and_fails_just_before_it():
    notes, steps = bounds(scale=1.0, step=1.0), np.arange(0.0, 8.0)
    assert np.all(notes.released_tail(steps) <= notes.tail_bound(steps))
    just_before = notes.released_tail(0.999)
    assert just_before > notes.tail_bound(0.999)
    assert just_before <= notes.tail_bound(0.999) * 2 / (1 + math.exp(-1.0))


def test_all_coordinates_at_once():
    notes = bounds(scale=200.0, coordinates=7)
    assert notes.released_beyond(notes.error_at(1.5)) == pytest.approx(notes.largest_tail(1.5), rel=0.01)
    assert notes.largest_tail(1.5) < notes.largest_tail_bound(1.5)


def test_other_noise_has_no_such_bounds():
    noise = NoiseError(mechanism=GaussianMechanism(standard_deviation=1.0, l2_sensitivity=1.0))
    with pytest.raises(InvalidParameterError, match=r"^mechanism must be Laplace"):
        textbook_bounds(noise)
    with pytest.raises(InvalidParameterError, match=r"^coordinates must be"):
        bounds(coordinates=0)
