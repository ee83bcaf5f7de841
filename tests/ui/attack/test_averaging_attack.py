"""Asking again on screen: the errors, the wins and the bill are the engine's; a kept answer and a ledger end it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.attacks import AveragingBill, AveragingRules, answers_needed, averaged
from dpengine.data import Comparison, NumberColumn, Schema, read_table, sample_frame
from dpengine.formatting import amount, at_most, lower_of_100, upper_of_100
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery
from dpengine.scenario import Scenario
from pages.attack.averaging import averaging_bill
from pages.attack.averaging.averaging_stage import SEED, TRIALS
from tests.ui.reading import texts
from tests.ui.steps import at_step, box

NewApp = Callable[[], AppTest]
LEDGER, KEPT, FRESH = range(3)
SCHEMA = Schema(name="own_rows", columns=(NumberColumn(name="height", lower=0, upper=900, complete=True),))
ROWS = b"height\n" + b"".join(b"%d\n" % (100 + place) for place in range(637))
TALL = PlannedQuery(query=CountQuery(Comparison("height", ">=", 110)), guarantee=Guarantee(epsilon=0.5))


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """The page, to be opened on one of its acts."""
    return new_app().switch_page("pages/attack/averaging/page.py")


def at(page: AppTest, number: int) -> AppTest:
    return at_step(page, "averaging", number)


def answering(page: AppTest, way: int) -> AppTest:
    pills = page.pills(key="averaging_way")
    return pills.set_value(pills.options[way]).run()


def row(page: AppTest, name: str) -> str:
    return next(line for line in texts(page).splitlines() if line.startswith(f"| {name} |"))


def alts(page: AppTest) -> str:
    return "\n".join(str(chart.proto.alt) for chart in page.get("plotly_chart"))


def test_every_question_gets_another_answer(page: AppTest) -> None:
    at(page, 1)
    half = at_most(DiscreteLaplaceMechanism.from_epsilon(0.1, l1_sensitivity=1).error_quantile(0.95))
    assert page.title[0].value == f"In the long run, 95% of answers fall within ±{half} people"
    mumps = int((sample_frame("patients")["disease"] == "mumps").sum())
    assert f"around {mumps}." in alts(page)
    assert "How many patients have mumps?" in texts(page)
    assert "Nothing is released" in "".join(caption.value for caption in page.caption)
    assert "publishes exactly this" in texts(page)
    first = alts(page)
    page.button(key="averaging_day").click().run()
    assert alts(page) != first


def test_the_attacker_averages_the_noise_away(page: AppTest) -> None:
    at(page, 2)
    for answers in (300, 1):
        page.select_slider(key="averaging_times").set_value(answers).run()
        rules = AveragingRules(answers=answers, epsilon=0.1)
        outcome = averaged(rules, trials=TRIALS, seed=SEED).outcome
        low, high = outcome.interval()
        won = amount(100 * outcome.rate)
        many = "300 answers averaged" if answers > 1 else "1 answer"
        assert page.title[0].value == f"{many}: {won} out of 100 guesses are right"
        needed = f"the best possible attacker needs **{answers_needed(0.1, right=0.75)} answers**."
        assert f"To be right 75 out of 100 times, {needed}" in texts(page)
        assert f"Standard deviation of the average: **±{amount(rules.error)}** people in theory" in texts(page)
        assert f"**{won}** ({lower_of_100(low)} to {upper_of_100(high)})" in texts(page)
        assert f"best possible attacker against this noise | {upper_of_100(rules.optimum)} |" in texts(page)
        most = "100" if answers > 1 else upper_of_100(rules.bound)
        assert f"| upper limit for any attacker, whatever the noise | {most} |" in texts(page)
    page.pills(key="averaging_look").set_value("Error falls").run()
    assert f"in theory {amount(AveragingRules(answers=1, epsilon=0.1).error)}" in alts(page)
    page.pills(key="averaging_look").set_value("Guesses right").run()
    rate = averaged(AveragingRules(answers=1), trials=TRIALS, seed=SEED).outcome.rate
    assert f"After 1 answers the attacker was right in {amount(100 * rate)} out of 100 guesses" in alts(page)
    assert not page.exception


def test_fresh_answers_cost_again_and_again(page: AppTest) -> None:
    answering(at(page, 3), FRESH).select_slider(key="averaging_times").set_value(500).run()
    said = AveragingBill(epsilon=0.1, delta=1e-6, most=1000, budget=1.0).at(500)
    best = upper_of_100(AveragingRules(answers=500).optimum)
    assert page.title[0].value == f"500 fresh answers: attackers are right in {best} out of 100"
    for rule, name in (("basic", "naive"), ("advanced", "advanced"), ("exact", "exact")):
        assert f"| **{at_most(said[rule])}** |" in row(page, f"ε, {name}")
        assert f"{name} {at_most(said[rule])}" in alts(page)
    assert row(page, "best possible attacker against this noise").endswith(f"| **{best}** |")


def test_dial_and_times_stay_from_act_to_act(page: AppTest) -> None:
    box(at(page, 3), "averaging_epsilon_box").set_value(0.2).run()
    page.select_slider(key="averaging_times").set_value(50).run()
    assert box(at(page, 1), "averaging_published_epsilon_box").value == 0.2
    half = at_most(DiscreteLaplaceMechanism.from_epsilon(0.2, l1_sensitivity=1).error_quantile(0.95))
    assert page.title[0].value.endswith(f"within ±{half} people")
    box(at(page, 2), "averaging_attack_epsilon_box").set_value(0.5).run()
    assert page.select_slider(key="averaging_times").value == 50
    assert "all answers together cost ε 25 (naive: just added up)" in "".join(one.value for one in page.caption)
    assert box(at(page, 3), "averaging_epsilon_box").value == 0.5


@pytest.mark.parametrize("epsilon", [1e-6, 5.0])
def test_the_ends_of_the_dial_are_drawn(page: AppTest, epsilon: float) -> None:
    for number, name in ((1, "_published"), (2, "_attack"), (3, "")):
        box(at(page, number), f"averaging{name}_epsilon_box").set_value(epsilon).run()
        assert not page.exception, (number, epsilon)
        assert not page.error, (number, epsilon)


def test_a_kept_answer_gains_nothing_and_costs_nothing(page: AppTest) -> None:
    answering(at(page, 3), KEPT)
    error = amount(AveragingRules(answers=1, epsilon=0.1).error)
    assert page.title[0].value == "Asked 300 times, answered once: attackers are right in 52.5 out of 100"
    assert row(page, "fresh answers") == "| fresh answers | 10 | **1** | 300 |"
    assert f"a standard deviation of {error} people; ε: naive 0.1." in alts(page)


def test_a_ledger_refuses_and_the_error_stops_falling(page: AppTest) -> None:
    at(page, 3)
    assert row(page, "fresh answers") == "| fresh answers | **10** | 1 | 300 |", "The page begins with what stops it."
    error = amount(AveragingRules(answers=10, epsilon=0.1).error)
    best = upper_of_100(AveragingRules(answers=10).optimum)
    assert page.title[0].value == f"Refused after 10 answers: attackers are right in {best} out of 100"
    assert "refuses question 11 and all later ones" in texts(page)
    assert "pays for **10** fresh answers" in texts(page)
    assert f"After 300 questions the average has a standard deviation of {error} people; ε: naive 1." in alts(page)
    page.number_input(key="averaging_epsilon_box").set_value(2.0).run()
    assert "no question is answered" in page.title[0].value
    bill = AveragingBill(epsilon=0.1, delta=1e-6, most=100, budget=1.0)
    for asked, refused in ((10, "refused none of these questions yet."), (11, "refuses question 11 and")):
        assert refused in averaging_bill._meaning(averaging_bill.LEDGER, bill, asked)
    assert not page.exception
    assert not page.error


@pytest.mark.parametrize("shown", [True, False])
def test_no_answer_is_drawn_around_the_count_of_a_real_table(page: AppTest, *, shown: bool) -> None:
    page.session_state["table"] = read_table(ROWS, schema=SCHEMA)
    page.session_state["scenario"] = Scenario(
        table_name="own_rows",
        schema=SCHEMA,
        neighbors=Neighbors.ADD_REMOVE,
        queries=(TALL,),
        budget=Guarantee(epsilon=1.0),
    )
    page.session_state["exact_shown"] = shown
    at(page, 1)
    assert not page.exception
    assert ("height" in texts(page)) == shown
    assert ("How many patients have mumps?" in texts(page)) != shown
    assert ("around 0." in alts(page)) == shown
    assert "627" not in texts(page) + alts(page)
