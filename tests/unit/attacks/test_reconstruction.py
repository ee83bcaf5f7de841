"""Reconstruction by linear programming and least squares: an optimum, known success rates, honest intervals."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.special import ndtr
from scipy.stats import binom

from dpengine.accounting import epsilon
from dpengine.attacks import Outcome, Watch
from dpengine.attacks.reconstruction import (
    BoundedError,
    GroupCounts,
    Growth,
    Runs,
    against_noise,
    against_people,
    against_questions,
    bill,
    least_squares,
    linear_program,
    noise_for_budget,
    noise_of_size,
    publish,
    reconstruct,
    repeated,
    sampling_error,
    success_bound,
)
from dpengine.errors import InvalidParameterError, StoppedError
from dpengine.mechanisms import LaplaceMechanism
from dpengine.privacy import Guarantee
from tests.running.cases import each

EXACT = BoundedError(most=0)
SMALL = GroupCounts(people=24, questions=96, noise=BoundedError(most=2))


def missed(published, fractions):
    return float(np.abs(published.groups @ fractions - published.answers).sum())


@each("counts", [SMALL, GroupCounts(people=30, questions=20, noise=noise_of_size(9.0))])
def test_the_dual_finds_what_the_plain_program_finds(counts):
    published = publish(counts, seed=4)
    groups, asked = published.groups.astype(float), counts.questions
    plain = linprog(
        np.r_[np.zeros(counts.people), np.ones(asked)],
        A_ub=np.block([[groups, -np.eye(asked)], [-groups, -np.eye(asked)]]),
        b_ub=np.r_[published.answers, -published.answers],
        bounds=[(0, 1)] * counts.people + [(0, None)] * asked,
    )
    ours = linear_program(published)
    assert ours.min() >= 0.0
    assert ours.max() <= 1.0
    assert missed(published, ours) == pytest.approx(plain.fun, rel=1e-7, abs=1e-7)


def test_least_squares_is_the_least_of_all():
    published = publish(SMALL, seed=4)
    theirs = np.linalg.lstsq(published.groups.astype(float), published.answers, rcond=None)[0]
    assert least_squares(published) == pytest.approx(theirs, abs=1e-5)


@each("decoder", ["linear program", "least squares"])
def test_exact_counts_give_everybody_away(decoder):
    found = reconstruct(GroupCounts(noise=EXACT), seed=3, decoder=decoder)
    assert found.fraction == 1.0
    assert found.right.all()


@each("relative,reference,tolerance", [(0.25, 0.93, 0.03), (1.0, 0.68, 0.08), (2.0, 0.595, 0.06)])
def test_the_reference_points(relative, reference, tolerance):
    """128 people, 512 counts with Laplace noise; .94 or .92, .75 or .69, .59 or .60 in other people's few runs."""
    noise = LaplaceMechanism(scale=relative * math.sqrt(128.0), l1_sensitivity=1.0)
    found = repeated(GroupCounts(noise=noise), runs=6, seed=7)
    assert found.average == pytest.approx(reference, abs=tolerance)


def test_a_small_epsilon_leaves_nothing_but_chance():
    """The control: the same attack, seed and people with no protection."""
    guarded = noise_for_budget(Guarantee(epsilon=0.5), questions=512)
    found = repeated(GroupCounts(noise=guarded), runs=12, seed=2)
    assert found.average == pytest.approx(0.5, abs=0.04)
    assert not found.outcome.beats_chance()
    assert found.outcome.keeps_bound()
    planted = repeated(GroupCounts(noise=BoundedError(most=1)), runs=12, seed=2)
    assert planted.average > 0.99
    assert planted.outcome.beats_chance()


def test_the_same_seed_gives_the_same_run_and_another_seed_another():
    first, again, other = (repeated(SMALL, runs=3, seed=seed).fractions for seed in (5, 5, 6))
    assert first.tolist() == again.tolist()
    assert reconstruct(SMALL, seed=5).secret.tolist() != reconstruct(SMALL, seed=6).secret.tolist()
    assert len(other) == 3


def test_what_is_published_agrees_with_the_secret():
    published = publish(SMALL, seed=1)
    exact = np.array([published.secret[group].sum() for group in published.groups])
    assert np.abs(published.answers - exact).max() == 2
    assert published.sizes.tolist() == published.groups.sum(axis=1).tolist()
    same = publish(GroupCounts(people=24, questions=96, noise=EXACT), seed=1)
    assert same.answers.tolist() == exact.tolist()


def test_bounded_errors_spread_as_they_say():
    drawn = BoundedError(most=3).simulate(np.zeros(20_000), np.random.default_rng(1))
    assert set(drawn) == set(range(-3, 4))
    assert drawn.std() == pytest.approx(BoundedError(most=3).standard_deviation, rel=0.02)


@each("count", [6, 9, 30])
def test_the_interval_holds_the_middle_as_often_as_it_says(count):
    """Positions in the sorted runs, for a law without ties."""
    runs = Runs(fractions=np.arange(count) / 100.0, outcome=Outcome(successes=1, trials=count, baseline=0.5))
    low, high = (round(100.0 * end) for end in runs.interval(0.95))
    held = binom.cdf(high, count, 0.5) - binom.cdf(low, count, 0.5)
    assert held >= 0.95
    assert low + high == count - 1
    narrower = binom.cdf(high - 1, count, 0.5) - binom.cdf(low + 1, count, 0.5)
    assert narrower < 0.95


def test_too_few_runs_have_no_interval():
    with pytest.raises(InvalidParameterError, match="runs"):
        repeated(SMALL, runs=5, seed=1).interval(0.95)


def test_the_bill_is_what_the_accountants_say():
    noise = noise_for_budget(Guarantee(epsilon=22.6), questions=512)
    total = bill(noise, questions=512, delta=1e-6)
    assert total.naive == pytest.approx(22.6)
    assert total.advanced == epsilon({noise.event: 512}, delta=1e-6, accountant="advanced")
    assert total.exact == epsilon({noise.event: 512}, delta=1e-6, accountant="exact")
    assert total.exact < total.advanced < total.naive


@each("target", [0.5, 8.0])
def test_gaussian_noise_keeps_the_whole_budget(target):
    noise = noise_for_budget(Guarantee(epsilon=target, delta=1e-6), questions=512, kind="gaussian")
    exact = bill(noise, questions=512, delta=1e-6).exact
    assert 0.85 * target < exact <= target


@each("kind", ["laplace", "gaussian"])
def test_noise_has_the_size_that_was_asked(kind):
    assert noise_of_size(6.0, kind=kind).standard_deviation == pytest.approx(6.0, rel=0.01)


def test_no_attacker_beats_the_bound_and_bounded_errors_have_none():
    assert success_bound(GroupCounts(noise=EXACT)) == 1.0
    guarded = [noise_for_budget(Guarantee(epsilon=total), questions=512) for total in (0.1, 1.0, 20.0, 200.0)]
    bounds = [success_bound(GroupCounts(noise=noise)) for noise in guarded]
    assert bounds == sorted(bounds)
    assert 0.5 < bounds[0] < bounds[1] < 1.0 / (1.0 + math.exp(-1.0))
    assert success_bound(GroupCounts(share=0.9, noise=guarded[0])) == pytest.approx(0.9, abs=1e-8)


def test_one_question_with_the_optimal_test_reaches_the_bound():
    """One discrete Laplace answer, everybody else known: right with probability 1 / (1 + e^-epsilon)."""
    noise = noise_for_budget(Guarantee(epsilon=1.0), questions=1)
    bound = success_bound(GroupCounts(people=2, questions=1, noise=noise))
    assert 1.0 / (1.0 + math.exp(-1.0)) - 1e-12 <= bound <= 0.735


@each("questions,size", [(16, 10.0), (512, 20.0), (512, 60.0)])
def test_the_bound_is_never_below_the_best_attacker_in_every_group(questions, size):
    """Wide noise is nearly continuous: the best attacker is right with probability ndtr(sqrt(questions) / (2 size))."""
    counts = GroupCounts(questions=questions, noise=noise_of_size(size, kind="gaussian"))
    best = ndtr(math.sqrt(questions) / (2.0 * size))
    assert best <= success_bound(counts) <= best + 0.05


def test_the_error_of_the_sample():
    assert sampling_error(people=400, share=0.2) == pytest.approx(8.0)


def test_more_noise_hides_more_and_more_questions_find_more():
    quiet = GroupCounts(people=48, questions=192, noise=noise_of_size(3.0))
    noisy = against_noise(quiet, (0.1, 0.6, 4.0), seed=3)
    assert noisy.averages[0] > 0.97
    assert (np.diff(noisy.averages) < 0).all()
    assert noisy.at == pytest.approx((0.1, 0.6, 4.0), rel=0.2)
    assert (noisy.least <= noisy.averages).all()
    assert (noisy.averages <= noisy.most).all()
    asked = against_questions(quiet, (24, 96, 384), seed=3)
    assert (np.diff(asked.averages) > 0).all()


def test_slower_noise_than_the_root_is_blatantly_non_private():
    """From 32 to 128 people: with n^(1/4) the wrong share shrinks, with n^(1/2) it stays."""
    slow, root = (
        against_people((32, 128), Growth(start=4.0, people=32, power=power), each=8, seed=1) for power in (0.25, 0.5)
    )
    wrong, still_wrong = 1.0 - slow.averages, 1.0 - root.averages
    assert wrong[1] < 0.6 * wrong[0]
    assert still_wrong[1] > 2.0 * wrong[1]
    assert still_wrong[0] == wrong[0]
    assert Growth(start=2.0, people=16, power=0.5).at(64) == 4.0


def test_a_long_attack_tells_how_far_it_is_and_stops_at_once():
    heard: list[float] = []
    counts = GroupCounts(people=128, questions=512, noise=noise_of_size(4.0))
    against_noise(SMALL, (0.2, 0.4), seed=1, watch=Watch(progress=heard.append))
    assert heard == sorted(heard)
    assert heard[-1] == pytest.approx(1.0)
    began = time.monotonic()
    with pytest.raises(StoppedError):
        repeated(counts, runs=10_000, seed=1, watch=Watch(cancelled=lambda: time.monotonic() > began + 0.2))


@each("wrong", [{"people": 1}, {"people": 2000}, {"questions": 0}, {"questions": 5000}, {"share": 0.0}, {"share": 1.0}])
def test_what_cannot_be_attacked_gets_a_sentence(wrong):
    with pytest.raises(InvalidParameterError, match=next(iter(wrong))):
        GroupCounts(**{"noise": EXACT, **wrong})


def test_unknown_attackers_and_noises_are_refused():
    with pytest.raises(InvalidParameterError, match="decoder"):
        reconstruct(SMALL, seed=1, decoder="luck")
    with pytest.raises(InvalidParameterError, match="seed"):
        publish(SMALL, seed=-1)
    with pytest.raises(InvalidParameterError, match="kind"):
        noise_of_size(1.0, kind="uniform")
    with pytest.raises(InvalidParameterError, match="most"):
        BoundedError(most=-1)
    with pytest.raises(InvalidParameterError, match="places"):
        against_questions(SMALL, (), seed=1)
