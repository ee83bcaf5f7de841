"""What one question of a list can change so that a budget keeps every error: re-solved, and no less is enough."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpengine.feasible import Wish, cheapest_plan, single_changes
from dpengine.plan.amounts import granted_by
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, SumQuery
from tests.examples.wishes import flag, kept, wish

ASKED = (
    wish(CountQuery(flag(0)), 30.0),
    wish(SumQuery("age"), 700.0),
    wish(MeanQuery("age"), 0.4),
    wish(HistogramQuery("ward"), 20.0, together=True, answer=(600.0,) * 8),
    kept(CountQuery(flag(2)), epsilon=0.05),
)
RULES = (("basic", 0.0), ("basic", 1e-5), ("concentrated", 1e-6))


def fits(wishes: tuple[Wish, ...], budget: Guarantee, rule: str, delta: float) -> bool:
    return cheapest_plan(wishes, rule=rule, delta=delta).amounts.within(granted_by(budget), rule)


def accepting(wishes: tuple[Wish, ...], place: int, error: float) -> tuple[Wish, ...]:
    changed = replace(wishes[place], targets=replace(wishes[place].targets, error=error))
    return (*wishes[:place], changed, *wishes[place + 1 :])


@pytest.mark.parametrize(("rule", "delta"), RULES)
def test_each_change_is_enough_and_a_little_less_is_not(rule: str, delta: float) -> None:
    rng, found = np.random.default_rng(11), 0
    needed = cheapest_plan(ASKED, rule=rule, delta=delta)
    for share in rng.uniform(0.3, 0.95, size=6):
        whole = needed.amounts.epsilon / 10**9 if rule == "basic" else 1.6
        budget = Guarantee(epsilon=float(share * whole), delta=max(delta, 1e-6 if rule == "concentrated" else 0.0))
        assert not fits(ASKED, budget, rule, delta), "The control."
        for place, change in enumerate(single_changes(ASKED, budget=budget, rule=rule, delta=delta)):
            others = ASKED[:place] + ASKED[place + 1 :]
            assert change.left_out == fits(others, budget, rule, delta)
            if change.error is None:
                assert ASKED[place].is_kept or not fits(accepting(ASKED, place, 1e5), budget, rule, delta)
                continue
            found += 1
            assert fits(accepting(ASKED, place, change.error), budget, rule, delta)
            assert not fits(accepting(ASKED, place, change.error * (1 - 2e-3)), budget, rule, delta)
    assert found >= 4


def test_a_list_that_fits_needs_no_change() -> None:
    for change, one in zip(single_changes(ASKED, budget=Guarantee(epsilon=1000.0)), ASKED, strict=True):
        assert (change.error, change.left_out) == (one.targets.error, True)


def test_one_question_too_many_may_be_left_out_alone() -> None:
    """Two counts that each need about all there is: either goes, and no error of one makes room for the other."""
    both = (wish(CountQuery(flag(0)), 30.0), wish(CountQuery(flag(1)), 30.0))
    alone = cheapest_plan(both[:1]).amounts.epsilon / 10**9
    changes = single_changes(both, budget=Guarantee(epsilon=alone + 0.00005))
    assert [(one.error, one.left_out) for one in changes] == [(None, True), (None, True)]
