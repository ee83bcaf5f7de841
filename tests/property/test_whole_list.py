"""What the least budget of any list of questions has to do with that of another list."""

from __future__ import annotations

import math
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from dpengine.feasible import CheapestPlan, Wish, cheapest_plan
from dpengine.plan.amounts import COUNTED, Amounts, cost_of
from dpengine.privacy import Neighbors
from dpengine.queries import CountQuery, MeanQuery, ModeQuery, ProportionQuery, SumQuery
from tests.examples.wishes import SCHEMA, chance_of_more, flag, flags, wish

confidences = st.sampled_from((0.9, 0.999, 1.0 - 1e-7))
questions = st.one_of(
    st.builds(lambda error, sure: wish(CountQuery(), error, confidence=sure), st.floats(0.5, 200.0), confidences),
    st.builds(lambda error, sure: wish(SumQuery("age"), error, confidence=sure), st.floats(300.0, 2e4), confidences),
    st.builds(lambda error, sure: wish(flags(30), error, confidence=sure), st.floats(30.0, 500.0), confidences),
    st.builds(
        lambda error, sure, answer: wish(MeanQuery("age"), error, confidence=sure, answer=answer),
        st.floats(0.3, 20.0),
        confidences,
        st.floats(0.0, 100.0),
    ),
    st.builds(
        lambda error, sure: wish(ProportionQuery(flag(0)), error, answer=0.3, confidence=sure),
        st.floats(0.003, 0.1),
        confidences,
    ),
    st.builds(lambda error: wish(ModeQuery("ward"), error, answer=0.0), st.floats(10.0, 200.0)),
)
lists = st.lists(questions, min_size=1, max_size=4)
rules = st.sampled_from(
    (("basic", 0.0), ("basic", 1e-7), ("basic", 1e-3), ("concentrated", 0.0), ("concentrated", 1e-6))
)
BEST_SPLIT = 2e-3
"""How far a mean's cost may be above that of its best split."""
few = settings(max_examples=25, deadline=None)


def counted(plan: CheapestPlan) -> int:
    return int(getattr(plan.amounts, COUNTED[plan.rule][0]))


def last_digits(plan: CheapestPlan) -> float:
    """In billionths: what rounding another split of delta may cost, and another one between sums and counts."""
    split = [one.guarantee.epsilon for one in plan.queries if one.guarantee.delta and plan.rule == "basic"]
    means = [one for one in plan.queries if one.has_sum_and_count(SCHEMA, Neighbors.ADD_REMOVE)]
    charged = (cost_of(one, SCHEMA, Neighbors.ADD_REMOVE) for one in means)
    about = BEST_SPLIT * sum(getattr(one, COUNTED[plan.rule][0]) for one in charged)
    return about + sum(10.0 ** (math.floor(math.log10(epsilon)) + 6) for epsilon in split)


@few
@given(lists, rules, st.data())
def test_more_error_accepted_never_costs_more_and_another_question_never_less(
    wishes: list[Wish], rule: tuple[str, float], data: st.DataObject
) -> None:
    named, delta = rule
    plan = cheapest_plan(wishes, rule=named, delta=delta)
    place = data.draw(st.integers(0, len(wishes) - 1))
    eased = [*wishes]
    eased[place] = wishes[place].times(data.draw(st.floats(1.0, 3.0)))
    assert counted(cheapest_plan(eased, rule=named, delta=delta)) <= counted(plan) + last_digits(plan)
    more = cheapest_plan([*wishes, data.draw(questions)], rule=named, delta=delta)
    assert counted(more) >= counted(plan) - last_digits(more)


@few
@given(lists, rules, st.randoms(use_true_random=False))
def test_the_order_of_the_questions_does_not_matter(wishes: list[Wish], rule: tuple[str, float], order: Random) -> None:
    places = list(range(len(wishes)))
    order.shuffle(places)
    first = cheapest_plan(wishes, rule=rule[0], delta=rule[1])
    second = cheapest_plan([wishes[place] for place in places], rule=rule[0], delta=rule[1])
    assert second.amounts == first.amounts
    assert sorted(map(repr, second.queries)) == sorted(map(repr, first.queries))


@few
@given(lists, rules)
def test_no_plan_is_above_a_target_or_below_its_charge(wishes: list[Wish], rule: tuple[str, float]) -> None:
    plan = cheapest_plan(wishes, rule=rule[0], delta=rule[1])
    for one, planned in zip(wishes, plan.queries, strict=True):
        assert chance_of_more(one, planned) <= one.targets.level(one.asked.coordinates)
    assert plan.amounts == sum((cost_of(one, SCHEMA, Neighbors.ADD_REMOVE) for one in plan.queries), Amounts())
    assert plan.rule == "concentrated" or plan.amounts.delta <= math.floor(rule[1] * 1e18 + 1e-3)
