"""Laws of reconstruction: what every error, every table and every seed obeys."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dpengine.attacks.reconstruction import BoundedError, GroupCounts, linear_program, publish, reconstruct
from dpengine.attacks.reconstruction.exhaustive import tables_left

PEOPLE = 7
EVERY = np.arange(2**PEOPLE)


@given(
    secret=st.integers(0, 2**PEOPLE - 1),
    errors=arrays.arrays(np.int64, EVERY.size, elements=st.integers(-2, 2)),
    most=st.integers(0, 2),
)
@settings(max_examples=60, deadline=None)
def test_no_table_that_agrees_is_wrong_about_more_than_four_times_the_error(secret, errors, most):
    answers = np.bitwise_count(EVERY & secret) + np.clip(errors, -most, most).astype(np.float64)
    left = tables_left(EVERY, answers, people=PEOPLE, most=most)
    assert secret in left
    assert np.bitwise_count(left ^ secret).max() <= 4 * most


@given(people=st.integers(2, 20), each=st.integers(1, 5), most=st.integers(0, 4), seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_the_linear_program_fits_at_least_as_well_as_the_truth(people, each, most, seed):
    published = publish(GroupCounts(people=people, questions=each * people, noise=BoundedError(most=most)), seed=seed)
    found = linear_program(published)

    def missed(bits):
        return np.abs(published.groups @ bits - published.answers).sum()

    assert missed(found) <= missed(published.secret.astype(np.float64)) + 1e-6


@given(people=st.integers(4, 24), share=st.floats(0.05, 0.95), seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_exact_counts_are_always_put_together_again(people, share, seed):
    counts = GroupCounts(people=people, questions=8 * people, share=share, noise=BoundedError(most=0))
    assert reconstruct(counts, seed=seed).fraction == 1.0
