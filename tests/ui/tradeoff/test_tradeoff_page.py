"""The trade-off page: an input changes, and the engine's new number stands on the screen."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.accounting import affordable
from dpengine.calibration import epsilon_for_belief
from dpengine.formatting import amount
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.plan import PlannedQuery, right_at_most
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery, SumQuery
from tests.ui.dials import now_on
from tests.ui.reading import moved, texts

OpenPage = Callable[[str], AppTest]


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    """The page on the built-in table's first question, a count of people at epsilon 0.1."""
    return open_page("explore/tradeoff")


def test_the_title_is_the_interval_of_the_released_law(page: AppTest) -> None:
    for epsilon in (0.02, 0.5, 2.0):
        page.number_input(key="tradeoff_epsilon_box").set_value(epsilon).run()
        half_width = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1).error_quantile(0.95)
        people = "person" if half_width == 1 else "people"
        assert page.title[0].value == f"95% of possible answers are off by at most {amount(half_width)} {people}"


def test_a_budget_that_no_account_counts_is_planned(page: AppTest) -> None:
    """Whoever opens a shared link has no rows, and so nobody knows here what was spent; see the budget page's test."""
    page.number_input(key="tradeoff_epsilon_box").set_value(0.1).run()
    assert "costs **ε 0.1** of the ε 3 that is planned: **30** such answers fit (naive: just added up)" in texts(page)


def test_the_risk_is_the_limit_for_any_attacker_and_the_belief_follows_the_prior(page: AppTest) -> None:
    page.number_input(key="tradeoff_epsilon_box").set_value(1.0).run()
    assert 100 * right_at_most(PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=1.0))) == pytest.approx(
        100 * math.e / (1 + math.e)
    )
    assert "can be right in at most **73.2 out of 100** cases (50 is pure chance)." in texts(page)
    assert "may give it" not in texts(page)
    page.number_input(key="prior_of_100").set_value(10.0).run()
    told = "Somebody who gave it 10 out of 100 before may give it at most 23.2 afterwards, and at least 3.9."
    assert told in texts(page)
    assert told in now_on(page)["frame"]["words"]["believed"]


def test_the_risk_and_the_belief_that_is_drawn_are_one_number(page: AppTest) -> None:
    """Of a sum too, whose finer steps leave fewer answers that tell as much: the promise is the same."""
    plan = page.session_state["scenario"]
    summed = PlannedQuery(query=SumQuery("income"), guarantee=Guarantee(epsilon=2.0))
    for query in (plan.queries[0], summed):
        page.session_state["scenario"] = plan.with_query_at(0, query)
        for epsilon, most in ((0.2, "55"), (0.01, "50.3"), (2.0, "88.1")):
            page.run()
            moved(page.number_input, "tradeoff_epsilon_box").set_value(epsilon).run()
            assert f"right in at most **{most} out of 100** cases" in texts(page), epsilon
            assert now_on(page)["frame"]["words"]["most"] == most


def test_a_verdict_on_privacy_stands_beside_the_one_on_usefulness(page: AppTest) -> None:
    for epsilon, verdict in ((0.1, "Hides a person well"), (1.0, "in part"), (3.0, "Hides little"), (10.0, "hardly")):
        page.number_input(key="tradeoff_epsilon_box").set_value(epsilon).run()
        assert verdict in now_on(page)["frame"]["words"]["believed"].split(".")[0], epsilon


def test_without_a_question_the_page_says_where_to_add_one(page: AppTest) -> None:
    page.session_state["scenario"] = replace(page.session_state["scenario"], queries=())
    page.run()
    assert page.title[0].value == "There is no question to weigh yet"
    assert "Add one on the **Questions** page." in texts(page)


def test_the_tolerated_error_starts_at_the_bound_that_the_title_says(page: AppTest) -> None:
    page.selectbox(key="tradeoff_question").set_value(1).run()
    page.segmented_control(key="closer_look").set_value("How often is it worse?").run()
    start = page.number_input(key="tradeoff_tolerance_1").value
    assert page.title[0].value == f"95% of possible answers are off by at most about {start:g} dollars"
    assert "The interval after release follows from the noisy numbers, so it may be wider than this ±." in texts(page)


def test_a_cap_that_drops_nothing_is_told_as_that_alone(page: AppTest) -> None:
    page.selectbox(key="tradeoff_question").set_value(1).run()
    assert "Counting at most 5 rows per person drops no row here" in texts(page)
    assert "What the cap on rows drops comes on top" not in texts(page)
    page.sidebar.toggle(key="exact_toggle").set_value(False).run()
    assert "What the cap on rows drops comes on top" in texts(page)
    assert "drops no row here" not in texts(page)


def test_a_wider_confidence_widens_the_band(page: AppTest) -> None:
    page.number_input(key="confidence_of_100").set_value(99.0).run()
    half_width = DiscreteLaplaceMechanism.from_epsilon(0.1, l1_sensitivity=1).error_quantile(0.99)
    assert page.title[0].value == f"99% of possible answers are off by at most {amount(half_width)} people"


def test_a_typed_tolerance_gets_its_chance(page: AppTest) -> None:
    page.segmented_control(key="closer_look").set_value("How often is it worse?").run()
    moved(page.number_input, "tradeoff_tolerance_0").set_value(10.0).run()
    chance = DiscreteLaplaceMechanism.from_epsilon(0.1, l1_sensitivity=1).tail(10.0)
    for typed in (10.0, None):
        moved(page.number_input, "tradeoff_tolerance_0").set_value(typed).run()
        assert f"By more than ±10 people the answer is off in **{100 * chance:.0f}%**" in texts(page)
        assert moved(page.slider, "tradeoff_tolerance_0_slider").value == 10.0


def test_targets_solve_for_epsilon_and_the_button_uses_it(page: AppTest) -> None:
    page.number_input(key="target_error_0").set_value(10.0)
    page.number_input(key="target_belief").set_value(70.0).run()
    most = epsilon_for_belief(prior=0.5, belief=0.7)
    assert f"**ε at most {most:g}**" in texts(page)
    page.button(key="target_use").click().run()
    assert page.title[0].value == "95% of possible answers are off by at most 10 people"


def test_targets_that_cannot_be_met_say_so(page: AppTest) -> None:
    page.number_input(key="target_error_0").set_value(1.0)
    page.number_input(key="target_belief").set_value(51.0).run()
    assert "No ε meets both" in texts(page)
    page.number_input(key="target_belief").set_value(40.0).run()
    assert "An attacker already believes 50 out of 100: type more than that." in texts(page)


def test_a_mean_is_itemized_as_two_answers_and_says_that_its_values_are_cut(page: AppTest) -> None:
    page.selectbox(key="tradeoff_question").set_value(1).run()
    assert "It takes two noisy answers: a centered sum (60% of ε" in texts(page)
    assert "Each value is cut to 0 to 5,000 dollars first." in texts(page)
    assert page.title[0].value.endswith("dollars")


def test_a_histogram_says_each_and_all_at_once(page: AppTest) -> None:
    page.selectbox(key="tradeoff_question").set_value(2).run()
    assert page.title[0].value == "All 4 counts are off by at most 218 rows in 95% of releases"
    assert re.search(r"within ±150 rows\. Compared with a typical one of .+ :gray\[\(exact; public", texts(page))
    page.segmented_control(key="closer_look").set_value("How often is it worse?").run()
    assert "All 4 counts at once are within **±218 rows** in 95% of releases; the largest error among" in texts(page)
    found = re.search(
        r"each of the counts is off in \*\*([\d.]+)%\*\* of releases, at least one of the 4 in \*\*([\d.]+)%\*\*",
        texts(page),
    )
    assert found
    each, any_of_them = map(float, found.groups())
    assert any_of_them == pytest.approx(100 * (1 - (1 - each / 100) ** 4), rel=0.1)
    assert any_of_them > 3 * each


def test_sampling_error_stands_beside_privacy_noise(page: AppTest) -> None:
    page.segmented_control(key="closer_look").set_value("Sampling error").run()
    assert "privacy widens the interval by" in texts(page)
    assert "With **about 11,000 people** instead of 5,912 :gray[(exact; public practice data)], all" in texts(page)
    page.number_input(key="tradeoff_epsilon_box").set_value(1.0).run()
    assert "That is less than 5%, which we call negligible." in texts(page)


SENSELESS = {
    None: "Type a number, such as 0.5. The pictures still show 0.1.",
    0.0: "ε must be more than 0; 0 is not. The pictures still show 0.1.",
    -1.0: "ε must be more than 0; -1 is not. The pictures still show 0.1.",
    1e-7: "ε = 0.0000001 is less than this picture can show (at least 0.000001); it still shows 0.1.",
    20000.0: "ε = 20000 is more than this picture can show (at most 10000); it still shows 0.1.",
}


def test_a_senseless_epsilon_gets_a_sentence_and_loses_nothing(page: AppTest) -> None:
    for bad, sentence in SENSELESS.items():
        page.number_input(key="tradeoff_epsilon_box").set_value(bad).run()
        assert not page.exception
        assert [error.value.replace("\\", "") for error in page.error] == [sentence]
        assert page.title[0].value == "95% of possible answers are off by at most 30 people"
    page.number_input(key="tradeoff_epsilon_box").set_value(0.5).run()
    assert not page.error
    assert page.title[0].value.startswith("95%")


def test_keeping_an_epsilon_changes_the_plan(page: AppTest) -> None:
    page.number_input(key="tradeoff_epsilon_box").set_value(0.7).run()
    assert "Kept:" not in texts(page)
    page.button(key="tradeoff_keep").click().run()
    assert page.session_state["scenario"].queries[0].guarantee.epsilon == 0.7
    assert "**Kept:** in the plan this question now asks for ε 0.7." in texts(page)
    page.number_input(key="tradeoff_epsilon_box").set_value(0.8).run()
    assert "Kept:" not in texts(page), "This is not what the plan asks for."


def test_hidden_exact_values_are_not_on_the_page_and_a_guess_takes_their_place(page: AppTest) -> None:
    assert "1,398" in texts(page)
    page.sidebar.toggle(key="exact_toggle").set_value(False).run()
    assert "1,398" not in texts(page)
    assert "Enter below the answer that you expect" in texts(page)
    page.number_input(key="guess_answer_0").set_value(20.0).run()
    assert "If the answer is about 20 (a guess): Rough" in texts(page)


@pytest.mark.parametrize("question", [0, 1, 2])
def test_no_end_of_the_dial_breaks_the_page(page: AppTest, question: int) -> None:
    """The looks take turns: over the three questions each is opened at both ends with both mechanisms."""
    looks = ("How often is it worse?", "Sampling error", "Textbook bounds")
    page.selectbox(key="tradeoff_question").set_value(question).run()
    for turn, (mechanism, epsilon) in enumerate(product(("laplace", "gaussian"), (1e-4, 1000.0)), start=question):
        moved(page.selectbox, "tradeoff_mechanism").set_value(mechanism)
        page.number_input(key="tradeoff_epsilon_box").set_value(epsilon)
        page.segmented_control(key="closer_look").set_value(looks[turn % len(looks)]).run()
        assert not page.exception, (mechanism, epsilon, turn)
        assert not page.error, (mechanism, epsilon, turn)
        assert "95% of " in page.title[0].value


def test_the_exact_loss_of_the_noise_allows_more_questions(page: AppTest) -> None:
    plan = page.session_state["scenario"]
    page.segmented_control(key="closer_look").set_value("How fast the budget burns")
    for epsilon in (0.1, 0.02):
        page.number_input(key="tradeoff_epsilon_box").set_value(epsilon).run()
        events = plan.queries[0].at(epsilon).events(plan.schema, plan.neighbors)
        fit = affordable(events, budget=plan.budget, accountant="exact")
        assert f"The exact rule allows **{fit:,}**." in texts(page)
    page.number_input(key="tradeoff_epsilon_box").set_value(3.0).run()
    assert "exact loss" not in texts(page), "One question fits under every rule."


@pytest.mark.parametrize(("key", "typed"), [("confidence_of_100", 90.0), ("prior_of_100", 5.0)])
def test_an_emptied_box_keeps_its_last_number_and_says_so(page: AppTest, key: str, typed: float) -> None:
    """On the page and in the link."""

    def shown() -> object:
        return page.title[0].value, [one.value for one in page.markdown], page.query_params.get("plan")

    before = shown()
    page.number_input(key=key).set_value(typed).run()
    after = shown()
    page.number_input(key=key).set_value(None).run()
    assert [error.value for error in page.error] == [f"Type a number; until then it is {typed:g}."]
    assert shown() == after != before
    page.number_input(key=key).set_value(typed).run()
    assert not page.error
    assert shown() == after
