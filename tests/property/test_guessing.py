"""Laws of the guessing game: no attacker beats its bound, more epsilon and more answers never hurt it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from dpengine.attacks import Crowd, GuessingRules, best_attacker_plays, crowd_success
from dpengine.privacy import Guarantee

PRIORS = st.floats(0.001, 0.999)
RULES = st.builds(
    GuessingRules,
    without=st.integers(0, 10_000),
    step=st.integers(1, 5),
    guarantee=st.builds(Guarantee, epsilon=st.floats(0.01, 8.0), delta=st.floats(1e-9, 0.1)),
    noise=st.sampled_from(["laplace", "gaussian"]),
    prior=PRIORS,
    answers=st.integers(1, 4),
)


FAINT = GuessingRules(
    without=0, step=4, guarantee=Guarantee(epsilon=0.01, delta=1e-9), noise="laplace", prior=0.7213253232948856
)
"""What an answer adds is lost in the last digit."""


@given(RULES)
@example(FAINT)
def test_chance_then_optimum_then_bound(rules):
    assert rules.baseline <= rules.optimum <= rules.bound


@given(RULES, st.integers(0, 10**6))
def test_no_measured_success_contradicts_its_bound(rules, seed):
    assert best_attacker_plays(rules, rounds=300, seed=seed).outcome.keeps_bound(1 - 1e-9)


@given(RULES.filter(lambda rules: rules.noise == "laplace"), st.floats(1.0, 3.0))
def test_more_epsilon_never_hurts_the_attacker(rules, factor):
    more = replace(rules, guarantee=Guarantee(epsilon=factor * rules.guarantee.epsilon))
    assert more.optimum >= rules.optimum - 1e-9


@given(RULES)
def test_another_answer_never_hurts_the_attacker(rules):
    assert replace(rules, answers=rules.answers + 1).optimum >= rules.optimum - 1e-9


@given(RULES, st.integers(0, 10**6))
def test_pure_answers_never_move_beliefs_beyond_the_promise(rules, seed):
    pure = replace(rules, noise="laplace", guarantee=Guarantee(epsilon=rules.guarantee.epsilon))
    answers = pure.draw([True], np.random.default_rng(seed))[0]
    weight = float(np.sum(pure.log_likelihood_ratios(answers)))
    assert abs(weight) <= pure.promise.epsilon * (1 + 1e-9)


@given(RULES, st.integers(0, 400), st.floats(0.0, 1.0))
@example(FAINT, 0, 0.0)
def test_who_knows_less_wins_no_more_often(rules, people, rate):
    one = replace(rules, answers=1)
    assert one.baseline <= crowd_success(one, Crowd(people=people, rate=rate)) <= one.optimum
