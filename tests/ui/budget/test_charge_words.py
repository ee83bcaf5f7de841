"""Why an answer cost what it did, and what the other rule would have charged: delta included."""

from __future__ import annotations

from dpengine.ledger import Amounts
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, MeanQuery, ModeQuery, VarianceQuery
from dpengine.scenario import Scenario
from pages.phrasing import charge_words
from pages.question import one_person
from tests.examples.drawn import planned_as, released
from tests.examples.ledgers import SCHEMA
from tests.running.cases import each


@each(
    ("rule", "delta", "said"),
    [
        ("basic", 0.0, "with many small questions: it would have charged ρ 0.125."),
        ("basic", 1e-6, "; there the δ belongs to the whole budget, and no question spends any of it."),
        ("concentrated", 0.0, "(naive): it would have charged ε 0.5."),
        ("concentrated", 1e-6, "charged ε 0.5, δ 10⁻⁶; there every question spends its own δ."),
    ],
)
def test_the_other_rule_in_its_own_amounts(rule: str, delta: float, said: str) -> None:
    shown = released(planned_as(CountQuery(), 0.5, delta), [[9]], rule=rule)
    assert charge_words.other_rule(shown).endswith(said)


def test_what_is_spent_is_rounded_up_and_what_is_left_down() -> None:
    amounts = Amounts(rho=123_456_789)
    assert charge_words.counted(amounts, "concentrated") == "ρ 0.1235"
    assert charge_words.remaining(amounts, "concentrated") == "ρ 0.1234"


def test_each_part_is_itemized_with_its_reason() -> None:
    words = charge_words.reasons(released(planned_as(MeanQuery("age"), 0.5), [[9], [9]]))
    assert "a centered sum (60% of ε: 0.3) and a count (40% of ε: 0.2)" in words
    assert words.count("(One person added or removed.)") == 1
    assert words.endswith("at most 1. (One person added or removed.)")
    assert ".)." not in words
    assert charge_words.reasons(released(planned_as(CountQuery(), 0.5), [[9]])).startswith("One person has one row")


def test_the_questions_page_says_the_relation_once_in_a_line_of_its_own() -> None:
    plan = Scenario(table_name="people", schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE, budget=Guarantee(epsilon=1.0))
    *reasons, relation = one_person.because(planned_as(VarianceQuery("age"), 0.5), plan).split("  \n")
    assert len(reasons) == 4
    assert "One person added or removed" in relation
    assert not any("added or removed" in reason for reason in reasons)
    assert one_person.because(planned_as(CountQuery(), 0.5), plan).count("added or removed") == 1


def test_a_choice_has_a_reason_too() -> None:
    words = charge_words.reasons(released(planned_as(ModeQuery("ill"), 0.5), [[0]], schema=SCHEMA))
    assert words.endswith((".", ")"))


@each(
    ("epsilon", "count", "rule", "asks", "verdict"),
    [
        (0.5, 3, "basic", "3 questions ask for ε 1.5", "they all fit. It has room for these 3 questions 2 times"),
        (1.5, 3, "basic", "3 questions ask for ε 4.5", "they do not all fit"),
        (0.1, 40, "concentrated", "40 questions ask for ρ 0.2 (ε 4 if just added up)", "they do not all fit"),
        (
            0.1,
            1,
            "concentrated",
            "question asks for ρ 0.005 (ε 0.1 by itself)",
            "it fits. It has room for 37 such questions",
        ),
        (0.1, 1, "basic", "question asks for ε 0.1", "it fits. It has room for 30 such questions"),
        (2.0, 1, "basic", "question asks for ε 2", "it fits. It has room for 1 such question"),
    ],
)
def test_a_plan_beside_its_budget_under_each_rule(
    epsilon: float, count: int, rule: str, asks: str, verdict: str
) -> None:
    budget = "ε 3, δ 10⁻⁶" if rule == "basic" else "ρ 0.185 (ε 3, δ 10⁻⁶)"
    plan = Scenario(
        table_name="people",
        schema=SCHEMA,
        neighbors=Neighbors.ADD_REMOVE,
        queries=(planned_as(CountQuery(), epsilon),) * count,
        budget=Guarantee(epsilon=3.0, delta=1e-6),
    )
    said = f"Your plan's {asks}, and the budget holds {budget}: {verdict}."
    assert charge_words.of_plan(plan, rule) == said
