"""The least weighted sum of relative errors in a budget: by another search on other laws, and what weights do."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from dpengine.errors import InvalidParameterError
from dpengine.feasible import Wish, best_shares
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import COUNTED, granted_by
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, ModeQuery, ProportionQuery, SumQuery
from tests.examples.wishes import flag, flags, kept, wish
from tests.running.cases import each

BUDGET = Guarantee(epsilon=2.0, delta=1e-5)
MIXED = (
    wish(CountQuery(flag(0)), 30.0),
    wish(SumQuery("age"), 700.0),
    wish(MeanQuery("age"), 0.4),
    wish(ProportionQuery(flag(1)), 0.01, answer=0.3),
    wish(HistogramQuery("ward"), 20.0, together=True, answer=(600.0,) * 8),
    wish(ModeQuery("ward"), 40.0, answer=0.0),
    kept(CountQuery(flag(2)), epsilon=0.05),
)


def relative_error(one: Wish, planned: PlannedQuery) -> float:
    """By the quantile of the error's law."""
    if one.targets.error is None:
        return 0.0
    law = planned.error(one.asked.schema, one.asked.neighbors, one.asked.guess)
    counted = one.targets.counted(one.asked.coordinates)
    return float(law.quantile(one.targets.confidence, counted)) / one.targets.error


def counts(random: Random) -> list[tuple[float, float, float]]:
    """An accepted error, a confidence and a weight each."""
    return [
        (10 ** random.uniform(2.5, 4.0), random.choice((0.5, 0.9, 0.99)), 10 ** random.uniform(-1.0, 1.0))
        for _ in range(random.randint(2, 5))
    ]


def laplace_error(epsilon: float, confidence: float) -> float:
    """Where 2 a^(t + 1) / (1 + a) is the chance of more, with a = e^-epsilon, read between whole numbers, too."""
    return math.log(2.0 / (1.0 - confidence) / (1.0 + math.exp(-epsilon))) / epsilon - 1.0


def least_sum(rows: list[tuple[float, float, float]], rule: str, total: float) -> float:
    """By a search over the parts of epsilon, or of rho = epsilon^2 / 2."""

    def at(logits: np.ndarray) -> float:
        whole = np.append(logits, 0.0)
        parts = np.exp(whole - np.logaddexp.reduce(whole)) * total
        epsilons = parts if rule == "basic" else np.sqrt(2.0 * parts)
        terms = zip(rows, epsilons, strict=True)
        return sum(weight * laplace_error(one, sure) / accepted for (accepted, sure, weight), one in terms)

    settings: Any = {"xatol": 1e-7, "fatol": 1e-12, "maxiter": 20_000, "maxfev": 20_000}
    return float(minimize(at, np.zeros(len(rows) - 1), method="Nelder-Mead", options=settings).fun)


@each("rule", ["basic", "concentrated"])
@each("seed", range(4))
def test_no_other_shares_have_a_smaller_weighted_sum(rule, seed):
    rows = counts(Random(seed))
    wishes = [wish(CountQuery(), accepted, confidence=sure) for accepted, sure, _ in rows]
    weights, budget = [weight for _, _, weight in rows], Guarantee(epsilon=0.01 * len(rows), delta=1e-6)
    plan, found = best_shares(wishes, budget=budget, rule=rule, weights=weights)
    granted = granted_by(budget)
    assert plan.amounts.within(granted, rule)
    least = least_sum(rows, rule, getattr(granted, COUNTED[rule][0]) / 1e9)
    assert (1.0 - 1e-6) * least <= found <= 1.002 * least
    errors = map(relative_error, wishes, plan.queries)
    assert found == pytest.approx(sum(weight * error for weight, error in zip(weights, errors, strict=True)))


@each(("rule", "delta"), [("basic", 0.0), ("basic", 1e-5), ("concentrated", 0.0)])
def test_a_weighted_sum_is_below_that_of_the_plan_of_the_least_largest_error(rule, delta):
    weights = (4.0, 1.0, 1.0, 0.5, 2.0, 1.0, 1.0)
    plan, found = best_shares(MIXED, budget=BUDGET, rule=rule, delta=delta, weights=weights)
    even, _ = best_shares(MIXED, budget=BUDGET, rule=rule, delta=delta)
    sums = [
        sum(
            weight * relative_error(one, asked)
            for weight, one, asked in zip(weights, MIXED, found_queries, strict=True)
        )
        for found_queries in (plan.queries, even.queries)
    ]
    assert plan.amounts.within(granted_by(BUDGET), rule)
    assert found == pytest.approx(sums[0], rel=1e-6)
    assert found < 0.95 * sums[1]
    assert plan.queries[-1] is MIXED[-1].asked.planned
    assert all(float(f"{one.guarantee.epsilon:.3e}") == one.guarantee.epsilon for one in plan.queries)


def test_a_delta_is_shared_where_that_lowers_the_sum():
    many = [wish(flags(32), 300.0, confidence=0.99), wish(flags(12), 150.0), wish(SumQuery("age"), 2500.0)]
    budget, weights = Guarantee(epsilon=1.5, delta=1e-6), (1.0, 1.0, 9.0)
    plan, found = best_shares(many, budget=budget, delta=1e-6, weights=weights)
    assert {one.mechanism for one in plan.queries} == {"gaussian", "laplace"}
    assert plan.amounts.within(granted_by(budget), "basic")
    assert found < 0.9 * best_shares(many, budget=budget, weights=weights)[1]


@each(("rule", "delta"), [("basic", 0.0), ("concentrated", 1e-6)])
def test_equal_questions_of_equal_weight_get_equal_shares(rule, delta):
    wishes = [wish(MeanQuery("age"), 1.0), wish(SumQuery("age"), 900.0), wish(MeanQuery("age"), 1.0)]
    plan, _ = best_shares(wishes, budget=BUDGET, rule=rule, delta=delta, weights=[3, 1, 3])
    assert plan.queries[0] == plan.queries[2]
    scaled, _ = best_shares(wishes, budget=BUDGET, rule=rule, delta=delta, weights=[300, 100, 300])
    assert scaled == plan


def test_what_is_left_goes_to_one_question_and_never_to_one_of_two_equal_ones():
    """An error of 7 takes epsilon 0.3969, one of 6 takes 0.4558: 0.855 is enough for one of each."""
    pair, budget = [wish(CountQuery(flag(0)), 7.0), wish(CountQuery(flag(1)), 7.0)], Guarantee(epsilon=0.855)
    equal, _ = best_shares([pair[0], pair[0]], budget=budget, weights=[1, 1])
    apart, total = best_shares(pair, budget=budget, weights=[1, 1.01])
    assert {one.guarantee.epsilon for one in equal.queries} == {0.3969}
    assert apart.queries[0].guarantee.epsilon == 0.3969
    assert apart.queries[1].guarantee.epsilon >= 0.4558
    assert total == pytest.approx(1.0 + 1.01 * 6 / 7)


@each("seed", range(6))
def test_twice_the_weight_never_means_a_larger_error(seed):
    random = Random(seed)
    wishes = [*random.sample(MIXED, 3), wish(CountQuery(flag(5)), random.choice((3.0, 90.0)))]
    weights, place = [10 ** random.uniform(-1.5, 1.5) for _ in wishes], len(wishes) - 1
    budget = Guarantee(epsilon=random.choice((0.3, 3.0)))
    doubled = [*weights[:place], 2.0 * weights[place]]
    once, twice = (best_shares(wishes, budget=budget, weights=one)[0].queries[place] for one in (weights, doubled))
    assert relative_error(wishes[place], twice) <= relative_error(wishes[place], once)


def test_a_mean_whose_error_ends_at_its_bounds_leaves_its_share_to_others():
    """At hardly any epsilon it is off by the width of its bounds and no more."""
    wishes, budget = [wish(MeanQuery("age"), 1.0), wish(CountQuery(), 30.0)], Guarantee(epsilon=0.1)
    plan, found = best_shares(wishes, budget=budget, weights=[1e-6, 1.0])
    alone, least = best_shares(wishes[1:], budget=budget, weights=[1.0])
    assert plan.queries[0].guarantee.epsilon < 0.01
    assert least <= found <= 1.05 * least
    assert alone.queries[0].guarantee.epsilon == 0.1 or relative_error(wishes[1], alone.queries[0]) == least


BAD_WEIGHTS: tuple[Any, ...] = (
    ([1.0, 0.0], "the weight of question 2 must be a finite number above 0; it is 0.0."),
    ([-1, 2], "the weight of question 1 must be a finite number above 0; it is -1."),
    ([1.0, math.nan], "the weight of question 2 must be a finite number above 0"),
    ([1.0, True], "the weight of question 2 must be a finite number above 0"),
    ([1.0, "2"], "the weight of question 2 must be a finite number above 0"),
    ([1.0], "weights must be as many as there are questions, 2; it is 1."),
    ([], "weights must be as many as there are questions, 2; it is 0."),
    (3.0, "weights must be a list"),
    ("12", "weights must be a list"),
)


@each(("weights", "sentence"), BAD_WEIGHTS)
def test_other_weights_are_refused_in_a_sentence(weights, sentence):
    with pytest.raises(InvalidParameterError) as refused:
        best_shares(MIXED[:2], budget=BUDGET, weights=weights)
    assert sentence in str(refused.value)


def test_the_weight_of_a_kept_question_is_not_looked_at_and_a_budget_may_be_too_small():
    wishes = [MIXED[0], MIXED[-1]]
    others: tuple[Any, ...] = (1.0, -math.inf, None)
    plans = [best_shares(wishes, budget=BUDGET, weights=[1.0, other]) for other in others]
    assert plans[0] == plans[1] == plans[2]
    with pytest.raises(InvalidParameterError, match="even at a million times the errors"):
        best_shares(wishes, budget=Guarantee(epsilon=0.05), weights=[1.0, 1.0])
