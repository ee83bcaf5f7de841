"""A mean or a share in a list has the split between its sum and its count that costs least, of all 99 per cents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from dpengine.accuracy import Guess
from dpengine.feasible import Asked, Wish, cheapest_plan, feasible_epsilons
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import COUNTED, cost_of
from dpengine.privacy import Neighbors
from dpengine.queries import GroupedMeanQuery, MeanQuery, ProportionQuery
from tests.examples.wishes import flag, wish
from tests.running.cases import each

CLOSE = 1.002
"""What a cost may be, beside the least one: the last of four digits alone is up to a thousandth of it."""
PROMISED = 10.0
RULES = (("basic", 0.0), ("concentrated", 0.0), ("concentrated", 1e-6))


def mean(random: Random, *, few: bool) -> Wish:
    """A mean, a share, or means by group, with an error that is from a thousandth to a sixth of the range."""
    query, width, groups = random.choice(
        ((MeanQuery("age"), 100.0, 1), (ProportionQuery(flag(0)), 1.0, 1), (GroupedMeanQuery("age", "ward"), 100.0, 8))
    )
    records, place = 10 ** (random.uniform(1.3, 2.3) if few else random.uniform(3.0, 4.5)), random.random()
    error = width * 10 ** random.uniform(-3.0, -0.8)
    confidence = random.choice((0.5, 0.9, 0.95, 0.999))
    answer = width * place if groups == 1 else (width * place,) * groups
    one = wish(query, error, answer=answer, confidence=confidence, together=random.random() < 0.5)
    return replace(one, asked=replace(one.asked, guess=Guess(records=round(records) * groups, answer=answer)))


def costs(one: Wish, noise: str, delta: float, rule: str, percents: Sequence[int]) -> dict[int, float]:
    """What the question costs at its least share, at each per cent for its sum, by a search of its own."""
    found = {}
    for percent in percents:
        planned = replace(one.asked.planned, percent_for_sum=percent).with_mechanism(noise, delta=delta)
        asked = replace(one.asked, planned=planned)
        least = feasible_epsilons(asked, one.targets).least
        found[percent] = cost(asked, planned.at(least), rule) if least else float("inf")
    return found


def cost(asked: Asked, planned: PlannedQuery, rule: str) -> float:
    """In what the rule counts; of rho the root, which grows like epsilon."""
    counted = getattr(cost_of(planned, asked.schema, asked.neighbors), COUNTED[rule][0])
    return float(counted**0.5 if rule == "concentrated" else counted)


@each(("rule", "delta"), RULES)
@each("few", [True, False])
@pytest.mark.parametrize("portion", [0, *(pytest.param(more, marks=pytest.mark.slow) for more in range(1, 12))])
def test_no_per_cent_costs_clearly_less(rule, delta, few, portion):
    """Of Gaussian noise every eighth, at any epsilon that somebody promises."""
    random = Random(f"{rule} {delta} {few} {portion}")
    noise, percents = ("gaussian", (*range(2, 100, 8), 60)) if delta else ("laplace", range(1, 100))
    one = mean(random, few=few)
    (planned,) = cheapest_plan([one], rule=rule, delta=delta).queries
    if not delta or planned.guarantee.epsilon < PROMISED:
        assert cost(one.asked, planned, rule) <= CLOSE * min(costs(one, noise, delta, rule, percents).values())


def test_the_split_of_every_mean_is_worth_its_search_control():
    """In the middle of the bounds 60% costs a third more than the best one; near a bound 50% is about the best."""
    middle, edge = (wish(MeanQuery("age"), 1.0, answer=answer) for answer in (52.0, 97.0))
    (first,), (second,) = (cheapest_plan([one]).queries for one in (middle, edge))
    least = {one: feasible_epsilons(one.asked, one.targets).least or 0.0 for one in (middle, edge)}
    assert (first.percent_for_sum or 0) > 85
    assert least[middle] > 1.3 * first.guarantee.epsilon
    assert second.percent_for_sum in range(48, 56)
    assert least[edge] > 1.01 * second.guarantee.epsilon


def test_under_rho_the_split_is_nearer_to_halves():
    one = wish(MeanQuery("age"), 0.1, answer=47.0)
    (naive,), (squared,) = (cheapest_plan([one], rule=rule).queries for rule in ("basic", "concentrated"))
    assert 60 < (squared.percent_for_sum or 0) < (naive.percent_for_sum or 0)
    assert cost(one.asked, squared, "concentrated") < 0.99 * cost(one.asked, naive, "concentrated")
    assert cost(one.asked, naive, "basic") < 0.99 * cost(one.asked, squared, "basic")


@each("percent", [None, 95])
def test_a_mean_that_is_kept_keeps_its_split_and_another_one_has_it_found_anew(percent):
    planned = replace(wish(MeanQuery("age"), None).asked.planned, percent_for_sum=percent)
    kept, free = (wish(MeanQuery("age"), error, planned=planned) for error in (None, 1.0))
    plan = cheapest_plan([kept, free])
    assert plan.queries[0] is planned
    assert plan.queries[1].percent_for_sum == cheapest_plan([wish(MeanQuery("age"), 1.0)]).queries[0].percent_for_sum


def test_no_per_cent_is_planned_that_saves_nothing_or_that_does_nothing():
    """The best split is near 60% where the answer lies a quarter of the range from the middle."""
    near = wish(MeanQuery("age"), 0.5, answer=23.0)
    public = wish(MeanQuery("age"), 0.5, neighbors=Neighbors.REPLACE_ONE)
    plans = [cheapest_plan([one]).queries[0] for one in (near, public)]
    assert [one.percent_for_sum for one in plans] == [None, None]
