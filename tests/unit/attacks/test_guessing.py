"""The guessing game: wins of the best attacker, its optimum by brute force, and what it believes after each answer."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.special import expit, logit

from dpengine.attacks import (
    Crowd,
    GuessingRules,
    best_attacker_plays,
    crowd_success,
    hits_and_false_alarms,
    least_telling_answer,
    realistic_attacker_plays,
    threshold_rates,
)
from dpengine.beliefs import best_success, true_positive_rate
from dpengine.errors import InvalidParameterError
from dpengine.privacy import Guarantee
from tests.running.cases import each


def rules(epsilon=1.0, delta=0.0, **more):
    guarantee = Guarantee(epsilon=epsilon, delta=delta)
    return GuessingRules(without=26, guarantee=guarantee, noise="gaussian" if delta else "laplace", **more)


LAPLACE, GAUSSIAN, EXACT = rules(), rules(delta=1e-3), GuessingRules(without=26)
ALL = [
    rules(0.1),
    LAPLACE,
    rules(1.0, prior=0.2),
    rules(0.7, step=3),
    rules(0.5, answers=4),
    rules(3.0, answers=2, prior=0.9),
    GAUSSIAN,
    rules(2.0, 1e-6, prior=0.3),
    rules(1.0, 1e-3, answers=3, step=2),
]


def by_hand(setting):
    """The optimum from the noise's own chances, every combination of answers taken one by one."""
    noise = setting.mechanism
    reach = 200 if setting.answers == 1 else 14
    steps = np.arange(-reach, reach + setting.step + 1)
    absent, present = (np.asarray(noise.probability(steps - float(shift))) for shift in (0, setting.step))
    total = 0.0
    for places in product(range(len(steps)), repeat=setting.answers):
        chosen = list(places)
        total += max(
            setting.prior * float(np.prod(present[chosen])), (1 - setting.prior) * float(np.prod(absent[chosen]))
        )
    return total


@each("setting", [rules(1.0), rules(0.8, step=3), rules(2.0, prior=0.1), rules(2.0, answers=2)])
def test_the_optimum_is_that_of_every_combination_of_answers(setting):
    assert setting.optimum == pytest.approx(by_hand(setting), abs=1e-9)


def test_one_laplace_count_reaches_the_bound_and_a_gaussian_one_does_not():
    assert LAPLACE.optimum == pytest.approx(1 / (1 + math.exp(-1.0)), abs=1e-12)
    assert LAPLACE.bound == pytest.approx(LAPLACE.optimum, abs=1e-12)
    assert GAUSSIAN.optimum < GAUSSIAN.bound - 0.01


@each("setting", ALL)
def test_the_laws_of_sums_agree_with_the_profile_of_one_run(setting):
    one = replace(setting, answers=1)
    assert one.laws().best_success(one.prior) == pytest.approx(best_success(one.mechanism.event, prior=one.prior))
    assert setting.laws().with_person.sum() == pytest.approx(1.0)
    alarms, hits = threshold_rates(setting)
    assert setting.prior * hits + (1 - setting.prior) * (1 - alarms) == pytest.approx(setting.optimum, abs=1e-9)


def test_several_answers_add_up_and_so_do_their_epsilons():
    assert rules(0.5, answers=4).promise == Guarantee(epsilon=2.0)
    assert rules(0.5, answers=4).bound == pytest.approx(expit(2.0))
    assert rules(0.5).optimum < rules(0.5, answers=4).optimum < expit(2.0)


def test_beliefs_are_prior_odds_times_what_each_answer_says():
    setting = rules(0.5, answers=3, prior=0.2)
    beliefs = setting.beliefs([40, 26, -3])
    assert logit(beliefs) == pytest.approx([logit(0.2) + weight for weight in (0.0, 0.5, 0.0, -0.5)])
    gaussian = rules(1.0, 1e-3, answers=2)
    weight = (30 - 26.5) / gaussian.mechanism.scale**2
    assert logit(gaussian.beliefs([30, 26])) == pytest.approx([0, weight, weight - 0.5 / gaussian.mechanism.scale**2])


def test_an_exact_count_settles_it_and_a_noisy_one_at_tiny_epsilon_does_not():
    sure = best_attacker_plays(EXACT, rounds=2000, seed=1)
    assert sure.outcome.rate == EXACT.optimum == EXACT.bound == 1.0
    assert sure.outcome.beats_chance()
    assert EXACT.beliefs([27]).tolist() == [0.5, 1.0]
    assert not best_attacker_plays(rules(0.005), rounds=2000, seed=1).outcome.beats_chance(0.999)


@each("setting", ALL)
def test_the_best_attacker_reaches_the_optimum_and_keeps_the_bound(setting):
    outcome = best_attacker_plays(setting, rounds=20_000, seed=3).outcome
    low, high = outcome.interval(0.9999)
    assert low <= setting.optimum <= high
    assert setting.baseline <= setting.optimum <= setting.bound + 1e-12
    assert outcome.keeps_bound(0.999)


def test_a_wrong_optimum_would_be_seen():
    low, high = best_attacker_plays(rules(1.0), rounds=20_000, seed=3).outcome.interval(0.9999)
    assert not low <= rules(0.9).optimum <= high


def test_the_seed_decides():
    one, same, other = (best_attacker_plays(LAPLACE, rounds=500, seed=seed) for seed in (4, 4, 5))
    assert np.array_equal(one.answers, same.answers)
    assert not np.array_equal(one.answers, other.answers)


@each("setting", ALL)
def test_hits_against_false_alarms_are_the_trade_off_of_one_run(setting):
    alarms, hits = hits_and_false_alarms(setting)
    assert (alarms[0], alarms[-1], hits[-1]) == pytest.approx((0.0, 1.0, 1.0))
    assert len(alarms) == len(hits) <= 401
    assert np.all(np.diff(alarms) >= 0)
    if setting.answers == 1:
        found = setting.laws().curve()
        assert found[1] == pytest.approx(true_positive_rate(setting.mechanism.event, false_positive_rate=found[0]))
    worst = true_positive_rate(setting.promise, false_positive_rate=np.minimum(alarms, 1.0))
    assert np.all(hits <= worst + 1e-9)


@each("setting", [LAPLACE, GAUSSIAN, EXACT, rules(1.0, prior=0.2), rules(3.0, prior=0.2, step=4)])
def test_from_the_least_telling_answer_on_it_says_in(setting):
    least = least_telling_answer(setting)
    if math.isinf(least):
        assert setting.optimum == setting.baseline
        assert bool(setting.best_guess([1e6])) == (least < 0)
    else:
        assert setting.best_guess([[least], [least - 1]]).tolist() == [True, False]


def test_the_likelier_side_is_named_whatever_comes_where_the_prior_is_stronger():
    """Down to a prior that is hardly strong enough; with a little less, there is a least answer that tells."""
    assert least_telling_answer(rules(0.1, prior=0.9)) == -math.inf
    assert least_telling_answer(rules(0.1, prior=0.1)) == math.inf
    barely = rules(0.5, prior=0.7)
    assert barely.best_guess([[-1e6], [barely.without]]).tolist() == [True, True]
    assert least_telling_answer(barely) == -math.inf
    not_quite = rules(0.5, prior=0.6)
    assert least_telling_answer(not_quite) == not_quite.without + 1.0


def crowd_by_hand(setting, crowd):
    noise = setting.mechanism
    total, span = 0.0, range(-80, 81 + crowd.people)
    chances = [
        math.comb(crowd.people, k) * crowd.rate**k * (1 - crowd.rate) ** (crowd.people - k)
        for k in range(crowd.people + 1)
    ]
    for answer in span:
        absent, present = (
            sum(c * float(noise.probability(float(answer - k - shift))) for k, c in enumerate(chances))
            for shift in (0, setting.step)
        )
        total += max(setting.prior * present, (1 - setting.prior) * absent)
    return total


@each("setting", [rules(1.0), rules(1.0, 1e-2, prior=0.4), rules(2.0, step=2)])
def test_who_does_not_know_the_crowd_wins_what_the_convolved_law_says(setting):
    crowd = Crowd(people=12, rate=0.3)
    assert crowd_success(setting, crowd) == pytest.approx(crowd_by_hand(setting, crowd), abs=1e-9)


def test_nobody_unknown_is_the_worst_case_and_each_unknown_person_helps():
    known = [crowd_success(LAPLACE, Crowd(people=people, rate=0.1)) for people in (0, 1, 10, 100, 1000)]
    assert known[0] == pytest.approx(LAPLACE.optimum)
    assert known == sorted(known, reverse=True)
    assert crowd_success(LAPLACE, Crowd(people=50, rate=1.0)) == pytest.approx(LAPLACE.optimum)


def test_without_noise_a_crowd_still_hides_somebody():
    alone = crowd_success(EXACT, Crowd(people=1, rate=0.5))
    assert alone == pytest.approx(0.75)


@each("setting", [EXACT, rules(5.0), rules(5.0, 1e-3)])
def test_a_realistic_attacker_reaches_its_own_optimum(setting):
    crowd = Crowd(people=300, rate=0.02)
    outcome = realistic_attacker_plays(setting, crowd, rounds=20_000, seed=2).outcome
    low, high = outcome.interval(0.9999)
    assert low <= crowd_success(setting, crowd) <= high
    assert high < setting.optimum - 0.1


@each(
    "wrong",
    [
        {"without": -1},
        {"without": 1.5},
        {"step": 0},
        {"prior": 0.0},
        {"prior": 1.0},
        {"prior": float("nan")},
        {"answers": 0},
        {"answers": 11},
        {"noise": "uniform"},
        {"noise": "gaussian"},
        {"guarantee": Guarantee(epsilon=1e-4)},
        {"guarantee": 1.0},
    ],
)
def test_rules_that_make_no_sense_get_a_sentence(wrong):
    with pytest.raises(InvalidParameterError, match=" must be "):
        replace(LAPLACE, **wrong)


@each("wrong", [{"people": -1}, {"people": 0.5}, {"rate": 1.1}, {"people": 10**9}])
def test_a_crowd_that_makes_no_sense_gets_a_sentence(wrong):
    with pytest.raises(InvalidParameterError):
        Crowd(**{"people": 5, "rate": 0.5} | wrong)


def test_what_has_no_answer_gets_a_sentence():
    with pytest.raises(InvalidParameterError, match="guarantee"):
        EXACT.laws()
    with pytest.raises(InvalidParameterError, match="answers"):
        crowd_success(rules(answers=2), Crowd(people=1, rate=0.5))
    for rounds in (0, 10**7):
        with pytest.raises(InvalidParameterError, match="rounds"):
            best_attacker_plays(LAPLACE, rounds=rounds, seed=1)
        with pytest.raises(InvalidParameterError, match="rounds"):
            realistic_attacker_plays(LAPLACE, Crowd(people=1, rate=0.5), rounds=rounds, seed=1)
