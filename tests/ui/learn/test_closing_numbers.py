"""The numbers in what closing questions say back are the engine's."""

from __future__ import annotations

from dpengine.accounting import Repetition
from dpengine.formatting import amount, at_most
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.privacy import Neighbors
from dpengine.queries.sensitivity.statistic_sensitivities import of_proportions
from pages.learn.composition.composition_deltas import OF_ITS_USE
from pages.learn.definition.definition_tables import OF_SHARES
from pages.lesson.check import Answer, Check


def right(check: Check) -> Answer:
    return next(answer for answer in check.answers if answer.right)


def test_three_shares_move_by_three_times_what_one_does() -> None:
    one, all_three = (
        100.0
        * of_proportions(proportions=shares, people=400, everybody_counts=True, neighbors=Neighbors.REPLACE_ONE).l1
        for shares in (1, 3)
    )
    assert f"at most {amount(all_three)} percentage points" in right(OF_SHARES).text
    assert f"which is {amount(one)} points" in right(OF_SHARES).feedback


def test_a_smaller_delta_costs_more_by_advanced_and_nothing_by_naive() -> None:
    event = DiscreteLaplaceMechanism.from_epsilon(0.1, l1_sensitivity=1).event
    first, second = (Repetition(event=event, delta=delta, chosen=300).at_chosen for delta in (1e-6, 1e-9))
    said = right(OF_ITS_USE).feedback
    assert f"at most {at_most(first['advanced'])} together, at 10⁻⁹ at most {at_most(second['advanced'])}" in said
    assert first["basic"] == second["basic"]
    assert f"Naive says {at_most(first['basic'])} for both" in said
