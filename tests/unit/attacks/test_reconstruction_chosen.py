"""The attacker who chooses the groups: right where counts are exact, within what is proved, stopped by enough noise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.linalg import hadamard

from dpengine.attacks.reconstruction import (
    Growth,
    LargestError,
    StoppedAttack,
    against_people,
    share_guessed_wrong,
    wrong_at_most,
)
from dpengine.attacks.reconstruction.chosen import MOST_CHOSEN, counted, put_together
from dpengine.errors import InvalidParameterError
from tests.running.cases import each


def off_by_half(errors):
    """How many people could be guessed wrong, were their bits the worst ones for these errors."""
    return int((np.abs(put_together(errors)) >= 0.5).sum())


def flat(people, variables):
    """Errors of 1 and -1 whose transform is as large for each of 2^variables people, and 0 for the others."""
    bits = np.arange(people)[:, None] >> np.arange(variables) & 1
    return 1.0 - 2.0 * ((bits[:, ::2] * bits[:, 1::2]).sum(axis=1) % 2)


@each("people", [2, 16, 256])
def test_the_groups_are_those_of_the_matrix_and_exact_counts_give_everybody_away(people):
    secrets = (np.random.default_rng(people).random((3, people)) < 0.5).astype(np.float64)
    groups = hadamard(people) > 0
    assert np.array_equal(counted(secrets), secrets @ groups.T)
    assert groups[0].all()
    assert np.array_equal(put_together(counted(secrets)), secrets)
    assert share_guessed_wrong(people=people, most=0, seed=1) == 0.0
    assert wrong_at_most(people=people, most=0) == 0


@given(errors=arrays.arrays(np.float64, 64, elements=st.sampled_from([-1.0, -0.5, 0.0, 1.0])))
@settings(max_examples=60, deadline=None)
def test_no_errors_get_more_people_wrong_than_proved(errors):
    assert off_by_half(errors) <= wrong_at_most(people=64, most=1) == 17


@each("people,variables,most", [(32, 4, 1), (128, 6, 2)])
def test_the_worst_errors_come_within_one_person_of_what_is_proved(people, variables, most):
    worst = most * flat(people, variables)
    assert off_by_half(worst) == wrong_at_most(people=people, most=most) - 1
    assert off_by_half(worst) > wrong_at_most(people=people, most=most - 1), "The control: errors beyond E."
    assert off_by_half(0.99 * worst) <= 1, "The first person alone, who is in every group."


def test_a_limit_beyond_everybody_says_everybody():
    assert wrong_at_most(people=64, most=2) == 64
    assert wrong_at_most(people=65, most=2) == 65
    assert wrong_at_most(people=MOST_CHOSEN, most=2) == 65


def test_an_error_that_stays_hides_hardly_anybody_and_one_that_keeps_pace_a_share():
    stays, slow, pace = (
        [share_guessed_wrong(people=people, most=rule.at(people), seed=3) for people in (16, 256, 4096)]
        for rule in (LargestError(growth=Growth(start=2.0, people=16, power=power)) for power in (0.0, 0.25, 0.5))
    )
    assert stays[0] == slow[0] == pace[0] > 0.2
    assert stays[2] < 0.001
    assert slow[0] > 3.0 * slow[1] > 9.0 * slow[2]
    assert pace[1:] == pytest.approx([0.2, 0.2], abs=0.02)
    assert (
        stays[2] == share_guessed_wrong(people=4096, most=2, seed=3) != share_guessed_wrong(people=16, most=2, seed=3)
    )


def test_the_linear_program_with_as_many_random_counts_as_people_fares_alike():
    rules = [LargestError(growth=Growth(start=2.0, people=16, power=power)) for power in (0.0, 0.5)]
    stays, pace = (1.0 - against_people((16, 144), rule, each=1, seed=1).averages for rule in rules)
    assert stays[0] == pace[0]
    assert stays[1] < 0.6 * stays[0]
    assert pace[1] > 2.0 * stays[1]


def test_the_largest_error_is_the_whole_number_nearest_to_its_growth():
    rule = LargestError(growth=Growth(start=2.0, people=16, power=0.25))
    assert [rule.at(people) for people in (16, 64, 196, 256, 2**20)] == [2, 3, 4, 4, 32]
    assert rule.noise(people=256, questions=256).standard_deviation == pytest.approx((4 * 5 / 3) ** 0.5)


@each("wrong,counted", [(0.1, 1), (0.25, 1), (0.4, 4)])
def test_measured_noise_is_the_noise_that_is_said(wrong, counted):
    stopped = StoppedAttack(wrong=wrong, each=counted)
    measured = stopped.measured_noise(people=4096, seed=2)
    assert measured == pytest.approx(float(stopped.noise(4096)), rel=0.05)


def test_noise_and_the_error_of_a_sample_grow_alike():
    noise = StoppedAttack().noise(np.array([100.0, 10_000.0, 1_000_000.0]))
    assert (noise[1:] / noise[:-1]).tolist() == pytest.approx([10.0, 10.0])
    assert StoppedAttack(each=4).noise(100.0) == pytest.approx(2.0 * noise[0])


@each("wrong", [1, 12, 2 * MOST_CHOSEN])
def test_only_powers_of_two_up_to_a_million_are_drawn(wrong):
    with pytest.raises(InvalidParameterError, match="people"):
        share_guessed_wrong(people=wrong, most=1, seed=1)
    with pytest.raises(InvalidParameterError, match="people"):
        StoppedAttack().measured_noise(people=wrong, seed=1)


def test_what_cannot_be_gets_a_sentence():
    for name, refused in {
        "wrong": lambda: StoppedAttack(wrong=0.5),
        "each": lambda: StoppedAttack(each=0),
        "most": lambda: wrong_at_most(people=8, most=-1),
        "seed": lambda: share_guessed_wrong(people=8, most=1, seed=-1),
    }.items():
        with pytest.raises(InvalidParameterError, match=name):
            refused()
