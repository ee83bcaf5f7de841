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
    assert notes.curve_beyond(notes.error_at(2.0)) == pytest.approx(1 - (1 - math.exp(-2) / 10) ** 10)


def test_the_notes_are_those_of_continuous_noise_of_this_scale():
    notes, continuous, t = bounds(), LaplaceMechanism(scale=1.5, l1_sensitivity=1.0), np.array([-1.0, 0.0, 2.0])
    assert notes.continuous == continuous
    assert notes.largest_error_bound == continuous.expected_largest_error_bound(10)
    far = np.maximum(t, 0.0)
    assert notes.curve_beyond(notes.error_at(far)) == pytest.approx(continuous.largest_error_tail(far, 10))
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
    assert notes.released_beyond(notes.error_at(1.5)) == pytest.approx(
        notes.curve_beyond(notes.error_at(1.5)), rel=0.01
    )
    assert notes.curve_beyond(notes.error_at(1.5)) < notes.largest_tail_bound(1.5)


@each("scale", [0.3, 2.0, 10.0])
@each("coordinates", [1, 20, 1000])
def test_at_the_limit_the_bounds_hold_for_what_is_released_and_the_union_bound_is_never_below(scale, coordinates):
    notes, t = bounds(scale=scale, coordinates=coordinates), np.linspace(0.0, 8.0, 33)
    limits = notes.limit(t)
    assert np.all(limits >= notes.error_at(t) * (1 - 1e-12))
    assert np.all(limits < notes.error_at(t) + 0.5)
    assert limits / 0.5 == pytest.approx(np.rint(limits / 0.5))
    for chances in (notes.released_beyond(limits), notes.curve_beyond(limits)):
        assert np.all(chances <= notes.union_bound(limits) * (1 + 1e-9))
        assert np.all(chances <= notes.largest_tail_bound(t) * (1 + 1e-9))


def test_before_the_limit_the_released_noise_may_break_the_bound():
    notes = bounds(scale=2.0, coordinates=20, step=1.0)
    assert notes.error_at(1.0) == pytest.approx(7.99, abs=0.01)
    assert notes.limit(1.0) == 8.0
    assert notes.released_beyond(notes.error_at(1.0)) > notes.largest_tail_bound(1.0) > notes.released_beyond(8.0)


def test_all_errors_added_up_are_so_many_times_that_of_one():
    notes = bounds(scale=3.0, coordinates=10, step=0.5)
    assert notes.total_error == pytest.approx(10 * 1.5)
    assert notes.released_total_error == pytest.approx(10 * notes.released.expected_absolute_error)
    assert notes.released_total_error < notes.total_error
    assert notes.union_bound(np.array([0.0, 60.0])) == pytest.approx([1.0, 10 * math.exp(-40.0)])


def test_other_noise_has_no_such_bounds():
    noise = NoiseError(mechanism=GaussianMechanism(standard_deviation=1.0, l2_sensitivity=1.0))
    with pytest.raises(InvalidParameterError, match=r"^mechanism must be Laplace"):
        textbook_bounds(noise)
    with pytest.raises(InvalidParameterError, match=r"^coordinates must be"):
        bounds(coordinates=0)
