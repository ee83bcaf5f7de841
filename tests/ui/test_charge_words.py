"""Why an answer cost what it did, and what the other rule would have charged: delta included."""

from __future__ import annotations

import pytest

from dpengine.queries import CountQuery, MeanQuery, ModeQuery
from pages.ui import charge_words
from tests.drawn import planned_as, released
from tests.ledgers import SCHEMA


@pytest.mark.parametrize(
    ("rule", "delta", "said"),
    [
        ("basic", 0.0, "(concentrated) would have charged ρ 0.125."),
        ("basic", 1e-6, "; there the δ belongs to the whole budget, and no question spends of it."),
        ("concentrated", 0.0, "(basic) would have charged ε 0.5."),
        ("concentrated", 1e-6, "charged ε 0.5, δ 10⁻⁶; there every question spends its own δ."),
    ],
)
def test_the_other_rule_in_its_own_amounts(rule: str, delta: float, said: str) -> None:
    shown = released(planned_as(CountQuery(), 0.5, delta), [[9]], rule=rule)
    assert charge_words.other_rule(shown).endswith(said)


def test_each_part_is_itemized_with_its_reason() -> None:
    words = charge_words.reasons(released(planned_as(MeanQuery("age"), 0.5), [[9], [9]]))
    assert "a centered sum (60 % of ε: 0.3) and a count (40 % of ε: 0.2)" in words
    assert words.count("(One person added or removed.)") == 2
    assert ".)." not in words
    assert charge_words.reasons(released(planned_as(CountQuery(), 0.5), [[9]])).startswith("One person has one row")


def test_a_choice_has_a_reason_too() -> None:
    words = charge_words.reasons(released(planned_as(ModeQuery("ill"), 0.5), [[0]], schema=SCHEMA))
    assert words.endswith((".", ")"))
