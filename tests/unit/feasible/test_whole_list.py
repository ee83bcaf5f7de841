"""The least budget for a list: no error above its target, no charge forgotten, nothing cheaper; a budget's errors."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq, minimize, minimize_scalar
from scipy.special import log_ndtr, ndtri
from scipy.stats import binom

from dpengine import calibration
from dpengine.accuracy import Guess
from dpengine.errors import InvalidParameterError
from dpengine.feasible import Targets, Wish, best_shares, cheapest_plan, feasible_epsilons
from dpengine.plan.amounts import Amounts, cost_of, granted_by
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountQuery,
    GroupedMeanQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    ProportionQuery,
    QuantileQuery,
    SumQuery,
)
from tests.examples.wishes import SCHEMA, chance_of_more, flag, flags, kept, misses, wish
from tests.running.cases import each

DRAWS, REJECTED = 10_000, 1e-6
COUNT = wish(CountQuery(flag(0)), 30.0)
KINDS = (
    COUNT,
    wish(SumQuery("age"), 700.0),
    wish(MeanQuery("age"), 0.4),
    wish(ProportionQuery(flag(1)), 0.01, answer=0.3),
    wish(HistogramQuery("ward"), 20.0, together=True, answer=(600.0,) * 8),
    wish(GroupedMeanQuery("age", "ward"), 3.0, answer=(40.0,) * 8),
    wish(flags(32), 300.0, confidence=0.99, together=True, answer=(9.0,) * 32),
    wish(flags(24), 90.0, confidence=0.999, answer=(9.0,) * 24),
    wish(ModeQuery("ward"), 40.0, answer=0.0),
    wish(QuantileQuery("age"), 120.0),
    kept(CountQuery(flag(2)), epsilon=0.05),
)
RULES = (("basic", 0.0), ("basic", 1e-5), ("concentrated", 0.0), ("concentrated", 1e-6))


@each(("rule", "delta"), RULES)
def test_no_error_is_above_its_target_and_no_smaller_share_of_four_digits_keeps_it(rule, delta):
    plan = cheapest_plan(KINDS, rule=rule, delta=delta)
    for one, planned in zip(KINDS, plan.queries, strict=True):
        if one.is_kept:
            assert planned is one.asked.planned
            continue
        assert planned.query is one.asked.planned.query
        less = planned.at(digit_less(planned.guarantee.epsilon))
        assert chance_of_more(one, planned) <= one.targets.level(one.asked.coordinates) < chance_of_more(one, less)


@each(("rule", "delta"), RULES)
def test_drawn_answers_keep_their_targets_as_often_as_promised(rule, delta):
    """10,000 draws each; where 5% may miss, from about 6.1% on it is seen."""
    rng = np.random.default_rng(12)
    for one, planned in zip(KINDS, cheapest_plan(KINDS, rule=rule, delta=delta).queries, strict=True):
        if not one.is_kept:
            missed = misses(one, planned, draws=DRAWS, rng=rng)
            assert binom.sf(missed - 1, DRAWS, 1.0 - one.targets.confidence) > REJECTED


def test_too_little_noise_control_a_share_a_fifth_too_small_is_seen_in_as_many_draws():
    planned = cheapest_plan([COUNT]).queries[0]
    missed = misses(COUNT, planned.at(0.8 * planned.guarantee.epsilon), draws=DRAWS, rng=np.random.default_rng(12))
    assert binom.sf(missed - 1, DRAWS, 0.05) < REJECTED


@each(("rule", "delta"), RULES)
def test_the_charge_is_what_the_account_takes_for_each_question_equal_ones_each_time(rule, delta):
    wishes = (*KINDS, COUNT, COUNT)
    plan = cheapest_plan(wishes, rule=rule, delta=delta)
    charged = sum((cost_of(one, SCHEMA, Neighbors.ADD_REMOVE) for one in plan.queries), Amounts())
    assert plan.amounts == charged
    if rule == "basic":
        assert plan.amounts.delta <= granted_by(Guarantee(epsilon=1.0, delta=delta)).delta


@each("one", [one for one in KINDS if not one.is_kept])
def test_a_list_of_one_costs_what_the_question_solves_for_by_itself(one):
    (planned,) = cheapest_plan([one]).queries
    split = replace(one.asked, planned=replace(one.asked.planned, percent_for_sum=planned.percent_for_sum))
    assert planned.guarantee.epsilon == feasible_epsilons(split, one.targets).least


@each(("error", "confidence"), [(30, 0.95), (5, 0.95), (100, 0.999), (1, 0.5), (0.5, 0.95)])
def test_counts_by_hand(error, confidence):
    """P(|noise| > t) is about e^(-epsilon t); on whole numbers 2 a^(t + 1) / (1 + a) with a = e^-epsilon."""

    def tail(epsilon):
        return 2.0 * math.exp(-epsilon * (math.floor(error) + 1)) / (1.0 + math.exp(-epsilon))

    epsilon = cheapest_plan([wish(CountQuery(), float(error), confidence=confidence)]).queries[0].guarantee.epsilon
    assert tail(epsilon) <= 1.0 - confidence < tail(digit_less(epsilon))


def test_two_counts_by_hand():
    """ln 20 / 30 = 0.0999 for a half-width of 30 with continuous noise; twice as much of the budget for half of it."""
    plan = cheapest_plan([COUNT, wish(CountQuery(), 15.0), kept(CountQuery(), epsilon=0.25)])
    assert [one.guarantee.epsilon for one in plan.queries] == [0.09819, 0.193, 0.25]
    assert plan.amounts.in_words("basic") == "epsilon 0.54119"
    assert plan.queries[0].guarantee.epsilon == pytest.approx(math.log(20) / 30.5, rel=1e-3)


def test_equal_questions_share_a_delta_equally_and_one_alone_has_all_of_it():
    many = wish(flags(32), 300.0, confidence=0.99)
    alone, both = cheapest_plan([many], delta=1.23456e-6), cheapest_plan([many, many], delta=1e-6)
    assert [one.guarantee.delta for one in alone.queries] == [1.23456e-6]
    assert [one.guarantee.delta for one in both.queries] == [5e-7, 5e-7]
    assert cheapest_plan([many, COUNT], delta=1e-6).queries[1].mechanism == "laplace"


def textbook_laplace(l1, error, level):
    """Epsilon of continuous Laplace noise with P(|noise| > error) = level. Source: Dwork and Roth 2014, Theorem 3.8."""
    return l1 * math.log(1.0 / level) / error


def textbook_gaussian(l2, error, level, delta):
    """Epsilon of continuous Gaussian noise by its exact profile. Source: Balle and Wang 2018, Theorem 8."""
    shift = l2 * -ndtri(level / 2.0) / error

    def excess(epsilon):
        first = log_ndtr(shift / 2.0 - epsilon / shift)
        second = epsilon + log_ndtr(-shift / 2.0 - epsilon / shift)
        return first + math.log(-math.expm1(min(second - first, -1e-300))) - math.log(delta)

    return brentq(excess, 1e-9, 2000.0) if excess(1e-9) > 0.0 else 0.0


def textbook_concentrated(l2, error, level, delta):
    """Epsilon by way of rho = l2^2 / (2 sigma^2). Source: Canonne, Kamath, Steinke 2020, Proposition 12."""
    rho = (l2 * -ndtri(level / 2.0) / error) ** 2 / 2.0

    def at(log_excess_order):
        order = 1.0 + math.exp(log_excess_order)
        return order * rho + math.log1p(-1.0 / order) - (math.log(delta) + math.log(order)) / (order - 1.0)

    return minimize_scalar(at, bounds=(-10.0, 25.0), method="bounded", options={"xatol": 1e-10}).fun


def sum_of(error, level):
    """A sum of ages, at most 100 a person, and its textbook epsilons without a delta and with one."""

    def with_delta(delta):
        return textbook_gaussian(100.0, error, level, delta)

    return wish(SumQuery("age"), error, confidence=1.0 - level), textbook_laplace(100.0, error, level), with_delta


def many_of(count, error, level):
    """So many counts that one person moves all; whole numbers are above an error from half a step beyond it on."""
    edge = math.floor(error) + 0.5

    def with_delta(delta):
        return textbook_concentrated(math.sqrt(count), edge, level, delta)

    return wish(flags(count), error, confidence=1.0 - level), textbook_laplace(count, edge, level), with_delta


LISTS = (
    (1e-6, (many_of(32, 300.0, 0.01), many_of(12, 150.0, 0.05), sum_of(2500.0, 1e-3))),
    (1e-4, (many_of(40, 400.0, 0.05), many_of(20, 180.0, 1e-3), sum_of(900.0, 1e-8), sum_of(4000.0, 1e-4))),
    (2e-3, (sum_of(800.0, 1e-7), sum_of(1700.0, 1e-9), many_of(5, 120.0, 1e-4), many_of(30, 350.0, 0.1))),
    (1e-8, (many_of(36, 210.0, 1e-4), many_of(36, 700.0, 1e-4), many_of(18, 130.0, 1e-2))),
)
GRID = 1e-3
"""What four digits add to a share at most; beside that, noise on a grid of steps far below its size is continuous."""


@each(("delta", "rows"), LISTS)
def test_no_choice_of_kinds_and_no_split_of_delta_is_cheaper_in_the_textbook(delta, rows):
    plan = cheapest_plan([one for one, _, _ in rows], delta=delta)
    least = min(textbook_total(rows, chosen, delta) for chosen in itertools.product((False, True), repeat=len(rows)))
    assert plan.amounts.epsilon / 1e9 == pytest.approx(least, rel=GRID)
    assert any(one.mechanism == "gaussian" for one in plan.queries)


def test_all_with_laplace_noise_or_delta_in_equal_parts_cost_more_control():
    """The lists can tell a split from another: by ten times the tolerance."""
    delta, rows = LISTS[1]
    found = cheapest_plan([one for one, _, _ in rows], delta=delta).amounts.epsilon / 1e9
    assert sum(pure for _, pure, _ in rows) > (1.0 + 10.0 * GRID) * found
    assert sum(own(delta / len(rows)) for _, _, own in rows) > (1.0 + 10.0 * GRID) * found


def textbook_total(rows, chosen, delta):
    """The least sum of epsilons for a choice of which questions have Gaussian noise, by a search over the split."""
    pure = sum(alone for (_, alone, _), with_delta in zip(rows, chosen, strict=True) if not with_delta)
    own = [with_delta for (_, _, with_delta), takes in zip(rows, chosen, strict=True) if takes]
    if len(own) < 2:
        return pure + sum(one(delta) for one in own)

    def total(logits):
        parts = np.append(logits, 0.0)
        return sum(one(delta * part) for one, part in zip(own, np.exp(parts - np.logaddexp.reduce(parts)), strict=True))

    start = np.zeros(len(own) - 1)
    return pure + minimize(total, start, method="Nelder-Mead", options={"xatol": 1e-5, "fatol": 1e-9}).fun


def test_under_rho_each_question_has_the_noise_of_less_rho():
    """A count's Gaussian epsilon is larger than its Laplace one, and its rho smaller."""
    plan = cheapest_plan([COUNT], rule="concentrated", delta=1e-6)
    pure = cheapest_plan([COUNT], rule="concentrated")
    assert (plan.queries[0].mechanism, pure.queries[0].mechanism) == ("gaussian", "laplace")
    assert plan.queries[0].guarantee.epsilon > pure.queries[0].guarantee.epsilon
    assert plan.amounts.rho < pure.amounts.rho
    assert plan.amounts.rho / 1e9 == pytest.approx((-ndtri(0.025) / 30.5) ** 2 / 2.0, rel=5e-3)


def test_more_than_eight_questions_cost_about_what_every_choice_of_kinds_finds(monkeypatch):
    """Nine cannot be enumerated quickly by hand, so that the limit is lowered instead: the same list both ways."""
    rows = (*LISTS[1][1], *LISTS[3][1])
    wishes = [one for one, _, _ in rows]
    enumerated = cheapest_plan(wishes, delta=1e-5)
    monkeypatch.setattr("dpengine.feasible.delta_split.MOST_ENUMERATED", 0)
    by_multiplier = cheapest_plan(wishes, delta=1e-5)
    assert by_multiplier.amounts.epsilon == pytest.approx(enumerated.amounts.epsilon, rel=0.01)
    assert {one.mechanism for one in by_multiplier.queries} == {"gaussian", "laplace"}


@each(("rule", "delta"), RULES)
def test_a_budget_is_used_up_to_the_last_digit_of_the_errors(rule, delta):
    budget = Guarantee(epsilon=2.0, delta=1e-5)
    plan, number = best_shares(KINDS, budget=budget, rule=rule, delta=delta)
    assert plan.amounts.within(granted_by(budget), rule)
    assert plan == cheapest_plan([one.times(number) for one in KINDS], rule=rule, delta=delta)
    less = cheapest_plan([one.times(digit_less(number)) for one in KINDS], rule=rule, delta=delta)
    assert not less.amounts.within(granted_by(budget), rule)


def test_twice_the_budget_halves_the_error_of_sums():
    sums = [wish(SumQuery("age"), 700.0), wish(SumQuery("age", flag(0)), 2000.0)]
    budget = Guarantee(epsilon=cheapest_plan(sums).amounts.epsilon / 1e9)
    assert best_shares(sums, budget=budget)[1] == pytest.approx(1.0, rel=2e-3)
    assert best_shares(sums, budget=replace(budget, epsilon=2 * budget.epsilon))[1] == pytest.approx(0.5, rel=2e-3)


def digit_less(number):
    """The number before it among those of four digits."""
    found = calibration.least_of_four_digits(lambda x: x >= number * (1.0 - 1e-9), decades=range(-6, 7))
    assert found == number
    unit = 10.0 ** (math.floor(math.log10(number) + 1e-12) - 3)
    return float(f"{number - (unit if number / unit > 1000.5 else unit / 10.0):.4g}")


@each(("rule", "delta"), RULES)
def test_an_error_that_no_epsilon_keeps_names_its_question_and_the_least_that_one_does(rule, delta):
    mean = wish(MeanQuery("age"), 1e-6)
    few = replace(mean, asked=replace(mean.asked, guess=Guess(records=5, answer=40.0)))
    with pytest.raises(InvalidParameterError, match=r"error of question 2 must be at least 0\.0\d") as said:
        cheapest_plan([COUNT, few], rule=rule, delta=delta)
    possible = float(said.value.rule.split()[2].rstrip(","))
    (planned,) = cheapest_plan([replace(few, targets=Targets(error=possible))], rule=rule, delta=delta).queries
    assert planned.guarantee.epsilon > 500.0
    with pytest.raises(InvalidParameterError):
        cheapest_plan([replace(few, targets=Targets(error=0.99 * possible))], rule=rule, delta=delta)
    if not delta:
        _, number = best_shares([few], budget=Guarantee(epsilon=900.0, delta=1e-9), rule=rule)
        assert number > possible / 1e-6


ANOTHER = replace(COUNT, asked=replace(COUNT.asked, schema=replace(SCHEMA, name="visits")))
BAD_LISTS: tuple[Any, ...] = (
    ([], {}, "wishes must be at least one question"),
    ([COUNT, 3], {}, "wish 2 must be a Wish"),
    ([COUNT, ANOTHER], {}, "the table of question 2 must be 'patients' as declared in question 1"),
    ([COUNT, wish(CountQuery(), 3.0, neighbors=Neighbors.REPLACE_ONE)], {}, "the neighbors of question 2 must be"),
    ([COUNT, kept(CountQuery(), epsilon=0.1, delta=1e-6)], {"delta": 1e-7}, "delta must be at least 1e-06, which"),
    ([COUNT], {"rule": "exact"}, "rule must be one of 'basic', 'concentrated'"),
    ([COUNT], {"delta": 1.0}, "delta must be a number in [0, 1)"),
)


@each(("wishes", "named", "sentence"), BAD_LISTS)
def test_lists_that_no_account_pays_for_are_refused_in_a_sentence(wishes, named, sentence):
    with pytest.raises(InvalidParameterError) as refused:
        cheapest_plan(wishes, **named)
    assert sentence in str(refused.value)


SMALL, PURE = Guarantee(epsilon=0.5, delta=1e-6), Guarantee(epsilon=1.0)
BAD_BUDGETS: tuple[Any, ...] = (
    (
        [COUNT, kept(CountQuery(), epsilon=0.9)],
        SMALL,
        {},
        "the list costs epsilon 0.9001 even at a million times the errors",
    ),
    ([COUNT], PURE, {"rule": "concentrated"}, "no rho stands for a pure one"),
    ([COUNT], SMALL, {"delta": 2e-6}, "delta must be a number in [0, 1e-06]"),
    ([kept(CountQuery(), epsilon=0.1)], SMALL, {}, "the accepted error must be given for at least one question"),
    ([COUNT], 1.0, {}, "budget must be a Guarantee"),
)


@each(("wishes", "budget", "named", "sentence"), BAD_BUDGETS)
def test_budgets_that_hold_no_plan_are_refused_in_a_sentence(wishes, budget, named, sentence):
    with pytest.raises(InvalidParameterError) as refused:
        best_shares(wishes, budget=budget, **named)
    assert sentence in str(refused.value)


def test_a_wish_is_about_an_error_alone():
    with pytest.raises(InvalidParameterError, match="belief must be left out"):
        replace(COUNT, targets=Targets(error=3.0, belief=0.7))
    assert Wish(asked=COUNT.asked).is_kept
