"""What the budget and the release page argue with: delta, different people, the account's own rule, a refusal."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.accounting import epsilon as worth
from dpengine.data import CategoryColumn, Comparison, load_sample
from dpengine.formatting import at_most
from dpengine.frames import EPSILONS
from dpengine.plan import PlannedQuery
from dpengine.privacy import ConcentratedEvent, Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery
from pages.explore.budget.burn_panels import EVERY_RULE
from pages.session.first_plan import first_plan
from tests.ui.dials import frames_on, make_films_of, now_on
from tests.ui.reading import moved, texts, travelled

NewApp = Callable[[], AppTest]
OpenPage = Callable[[str], AppTest]
VOTERS = load_sample("anes_1996")[0].schema
EDUCATION = next(column for column in VOTERS.columns if isinstance(column, CategoryColumn))


def laplace(epsilon: float, query: CountQuery | MeanQuery) -> PlannedQuery:
    return PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon))


def gaussian(epsilon: float, delta: float) -> PlannedQuery:
    promise = Guarantee(epsilon=epsilon, delta=delta)
    return PlannedQuery(query=CountQuery(), guarantee=promise, mechanism="gaussian")


def voters(new_app: NewApp, page: str, *queries: PlannedQuery, rule: str = "basic") -> AppTest:
    """A page about the voters of 1996 with these questions."""
    app = new_app()
    app.session_state["scenario"] = replace(
        first_plan("rand_hie"),
        table_name="anes_1996",
        schema=VOTERS,
        neighbors=Neighbors.ADD_REMOVE,
        queries=queries,
        rule=rule,
    )
    return app.switch_page(f"pages/explore/{page}/page.py").run()


def press(page: AppTest, label: str) -> AppTest:
    """Click the first button whose label begins so."""
    return next(button for button in page.button if button.label.startswith(label)).click().run()


def about(page: AppTest, place: int) -> None:
    """Talk about another question of the plan."""
    page.session_state["question"] = place
    page.run()


def of_education(place: int) -> CountQuery:
    return CountQuery(Comparison(EDUCATION.name, "=", EDUCATION.categories[place]))


def test_counts_of_different_people_are_seen_and_asked_as_one_question(new_app: NewApp) -> None:
    queries = (laplace(0.1, of_education(0)), laplace(0.4, of_education(1)), laplace(0.2, MeanQuery("age")))
    page = voters(new_app, "budget", *queries)
    assert "**Questions 1 and 2 are about different people**" in texts(page)
    assert "the list would cost ε 0.6 instead of 0.7.**" in texts(page)
    page.session_state["kept_typed_targets"] = {f"target_error_{place}": 1.5 + place for place in range(3)}
    page.button(key="budget_one_question_0").click().run()
    assert not page.exception
    assert travelled(page).targets.errors == (None, 3.5), "What was accepted of the counts is gone."
    asked = page.session_state["scenario"].queries
    assert [planned.query for planned in asked] == [HistogramQuery(EDUCATION.name), MeanQuery("age")]
    assert [planned.guarantee.epsilon for planned in asked] == [0.4, 0.2]
    assert [moved(page.number_input, f"share_{place}_box").value for place in range(2)] == [0.4, 0.2]
    assert page.title[0].value == "All 2 questions fit: they would spend ε 0.6 of ε 3"
    assert "different people" not in texts(page)


def test_under_replacement_two_counts_apart_save_nothing_and_one_histogram_is_noisier(new_app: NewApp) -> None:
    page = voters(new_app, "budget", laplace(0.4, of_education(0)), laplace(0.4, of_education(1)))
    assert "the other cells come free." in texts(page)
    page.session_state["scenario"] = replace(page.session_state["scenario"], neighbors=Neighbors.REPLACE_ONE)
    page.run()
    assert "Here that saves nothing: ε 0.8 either way." in texts(page)
    assert "come free, with noise twice as large" in texts(page)


def test_where_a_person_may_have_several_rows_nothing_is_called_apart(open_page: OpenPage) -> None:
    page = open_page("explore/budget")
    assert "different people**" not in texts(page)
    plan = page.session_state["scenario"]
    page.session_state["scenario"] = replace(plan, queries=(plan.queries[0], plan.queries[0]))
    page.run()
    assert "One person may have several rows in this table" in texts(page)


def test_delta_is_followed_through_each_rule(new_app: NewApp) -> None:
    page = voters(new_app, "budget", gaussian(0.1, 3e-7), laplace(0.1, CountQuery()))
    page.toggle(key=EVERY_RULE).set_value(True).run()
    page.pills(key="budget_rules").set_value(["exact", "concentrated", "advanced", "basic"]).run()
    assert "| the noise of the questions: 3·10⁻⁷ |" in texts(page)
    assert "| noise 5·10⁻⁷, the theorem (δ′) 5·10⁻⁷ |" in texts(page)
    assert "| converting ρ into ε, once |" in texts(page)
    page.number_input(key="budget_rounds").set_value(4).run()
    assert page.title[0].value == "The δ of 10⁻⁶ is not enough: question 7 of this plan does not fit"
    naive = "| **naive** (the account's rule) |"
    assert f"{naive} question **7** is the first that does not fit: δ is not enough | none |" in texts(page)


def test_what_could_go_is_named(new_app: NewApp) -> None:
    queries = [laplace(epsilon, CountQuery()) for epsilon in (1.0, 2.5, 0.5)]
    page = voters(new_app, "budget", *queries)
    assert "**Without question 2 the others fit**, and all fit if the whole list costs ε 3 or less" in texts(page)


def test_the_title_goes_by_the_rule_of_the_plan(new_app: NewApp) -> None:
    page = voters(new_app, "budget", laplace(0.2, CountQuery()), laplace(0.4, CountQuery()), rule="concentrated")
    assert page.title[0].value == "All 2 questions fit: they would spend ρ 0.1 of ρ 0.185"
    page.number_input(key="budget_rounds").set_value(2).run()
    assert page.title[0].value == "The budget of ρ 0.185 is not enough: question 4 of this plan does not fit"
    assert "one person: less than ε 1.2, because not all of this list is answered.**" in texts(page)
    page.number_input(key="budget_rounds").set_value(1)
    page.number_input(key="budget_epsilon").set_value(0.5).run()
    assert page.title[0].value == "The budget of ρ 0.006641 is not enough: question 1 of this plan does not fit"
    assert "one person: at most ε 0.5, because questions stop when the budget is spent (the whole list" in texts(page)
    moved(page.number_input, "share_0_box").set_value(0.01)
    moved(page.number_input, "share_1_box").set_value(0.01).run()
    assert "one person: ε 0.02 once all is answered.**" in texts(page)
    page.number_input(key="budget_rounds").set_value(30).run()
    assert "ε 0.5 once all is answered by the concentrated rule (ε 0.6 by the naive one).**" in texts(page)


@pytest.mark.parametrize(("rule", "fitting"), [("basic", "ε 3"), ("concentrated", "ε 0.608391058")])
def test_a_refusal_offers_what_the_account_then_takes(new_app: NewApp, rule: str, fitting: str) -> None:
    page = voters(new_app, "release", laplace(20.0, CountQuery()), laplace(0.1, MeanQuery("age")), rule=rule)
    page.radio(key="account_rule").set_value(rule).run()
    press(page, "Open the account")
    assert "**It does not fit.**" in texts(page)
    assert "question 2 of your plan would fit." in texts(page)
    assert page.title[0].value.startswith("It does not fit: this question costs ")
    assert page.button(key="offer_laplace").label == f"Make it {fitting} (changes the plan only)"
    plan = page.session_state["scenario"]
    offer, other = page.button(key="offer_laplace").click(), replace(plan, queries=plan.queries[1:])
    page.session_state["scenario"] = other
    offer.run()
    assert page.session_state["scenario"] == other, "It was drawn for a plan that is not in use any more."
    page.session_state["scenario"] = plan
    page.run().selectbox(key="release_question").set_value(1)
    page.button(key="offer_laplace").click().run()
    changed = page.session_state["scenario"].queries
    assert changed[1] == plan.queries[1], "It was drawn for the first question, whichever is chosen by then."
    assert changed[0] != plan.queries[0]
    page.session_state["scenario"] = plan
    page.selectbox(key="release_question").set_value(0)
    page.run().button(key="offer_laplace").click().run()
    assert "**It does not fit.**" not in texts(page)
    press(page, "Release this answer")
    assert page.title[0].value.startswith("The answer: ")


def test_a_question_with_an_answer_is_not_offered_instead(new_app: NewApp) -> None:
    page = voters(new_app, "release", laplace(1.0, CountQuery()), laplace(20.0, MeanQuery("age")))
    press(page, "Open the account")
    about(page, 1)
    assert "question 1 of your plan would fit." in texts(page)
    about(page, 0)
    press(page, "Release this answer")
    about(page, 1)
    assert "**It does not fit.**" in texts(page)
    assert "Every other question of your plan that would fit has its answer already." in texts(page)


def test_the_other_rule_is_told_with_how_many_it_would_have_allowed(new_app: NewApp) -> None:
    page = voters(new_app, "release", laplace(0.7, CountQuery()), rule="concentrated")
    page.radio(key="account_rule").set_value("concentrated").run()
    press(page, "Open the account")
    assert "under the naive rule would now have room for **4** such questions." in texts(page)
    assert "What was charged stays charged: no question can be taken back." in texts(page)


def test_the_trade_off_counts_as_the_tables_account_does(new_app: NewApp, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its rule and by what it has left, whatever the plan says: nothing fits there that Release refuses."""
    make_films_of(monkeypatch, few := EPSILONS[::41])
    page = voters(new_app, "tradeoff", laplace(0.5, CountQuery()), rule="concentrated")
    page.segmented_control(key="closer_look").set_value("How fast the budget burns").run()
    whole = "For comparison, this ρ is worth ε 3 at δ 10⁻⁶. The naive rule allows **6** such questions of that ε"
    assert whole in texts(page), "As many as a ledger that adds up epsilons, although rho is rounded down."
    assert (
        "costs **ρ 0.125** of the ρ 0.18506984 that is planned: **1** such answer fits (concentrated: ρ is added up)"
        in texts(page)
    )
    page.switch_page("pages/explore/release/page.py").run()
    page.radio(key="account_rule").set_value("concentrated").run()
    press(page, "Open the account")
    press(page, "Release this answer")
    page.session_state["scenario"] = replace(page.session_state["scenario"], rule="basic")
    page.switch_page("pages/explore/tradeoff/page.py").run()
    refused = "One such answer costs **ρ 0.125**, more than the ρ 0.06006 that is left: it does not fit."
    assert refused in texts(page)
    left = now_on(page)["frame"]["words"]
    assert (left["cost"], left["often"], now_on(page)["frame"]["price"]) == (refused, "0", 1.0)
    film = frames_on(page)
    for index, rho in enumerate(epsilon**2 / 2 for epsilon in few):
        assert film.row("price", index)[0] == pytest.approx(min(rho / 0.06006984, 1.0), rel=1e-6)
        assert ("does not fit" in film.words(index)["cost"]) is (rho > 0.06006984)
    page.segmented_control(key="closer_look").set_value("How fast the budget burns")
    moved(page.number_input, "tradeoff_epsilon_box").set_value(0.1).run()
    assert texts(page).count("costs **ρ 0.005** of the ρ 0.06006 that is left: **12** such answers fit (") == 2
    comes_to = worth({ConcentratedEvent(rho=0.06006984): 1}, delta=1e-6, accountant="concentrated")
    assert (
        f"worth ε {at_most(comes_to)} at δ 10⁻⁶. The naive rule allows **{int(comes_to / 0.1)}** such questions of that"
        in texts(page)
    )
    page.switch_page("pages/explore/release/page.py").run()
    assert "**It does not fit.**" in texts(page)


def test_gaussian_noise_takes_of_a_delta_that_is_soon_gone(new_app: NewApp) -> None:
    page = voters(new_app, "tradeoff", gaussian(0.5, 7e-7))
    assert (
        "costs **ε 0.5, δ 7·10⁻⁷** of the ε 3, δ 10⁻⁶ that is planned: **1** such answer fits (naive: just added up)"
        in texts(page)
    )
    moved(page.number_input, "tradeoff_delta_box").set_value(2e-6).run()
    lacks = "costs **ε 0.5, δ 2·10⁻⁶**, more than the ε 3, δ 10⁻⁶ that is planned: it does not fit"
    assert lacks in texts(page)


def test_gaussian_noise_that_lacks_delta_is_offered_less_of_it_or_laplace_noise(new_app: NewApp) -> None:
    page = voters(new_app, "release", gaussian(0.5, 7e-7))
    press(page, "Open the account")
    press(page, "Release this answer")
    assert "**It does not fit.**" in texts(page)
    assert page.button(key="offer_gaussian").label == "Make it Gaussian noise, ε 0.5, δ 3·10⁻⁷ (changes the plan only)"
    assert page.button(key="offer_laplace").label == "Make it ε 0.5 (changes the plan only)"
    page.button(key="offer_gaussian").click().run()
    press(page, "Ask again, and pay again")
    assert "Charged: **ε 0.5, δ 3·10⁻⁷**." in texts(page)


def test_a_question_that_fits_has_a_bar_and_no_refusal(new_app: NewApp) -> None:
    page = voters(new_app, "release", laplace(0.6, CountQuery()))
    press(page, "Open the account")
    (bar,) = [element.proto.body for element in page.get("html") if "this question" in element.proto.body]
    assert 'aria-label="spent ε 0, this question ε 0.6, left afterwards ε 2.4"' in bar
    assert "width: 20.000%" in bar
    assert "What would fit" not in texts(page)


def test_the_page_starts_at_the_accounts_own_delta(new_app: NewApp) -> None:
    """Without a delta the account refuses Gaussian noise, and so does the page."""
    page = voters(new_app, "release", gaussian(0.5, 1e-7), laplace(0.1, CountQuery()))
    plan = page.session_state["scenario"]
    page.session_state["scenario"] = replace(plan, budget=Guarantee(epsilon=2.0))
    page.run()
    press(page, "Open the account")
    page.switch_page("pages/explore/budget/page.py").run()
    assert moved(page.number_input, "budget_delta_box").value == 0.0
    assert page.title[0].value == "The δ of 0 is not enough: question 1 of this plan does not fit"


def test_the_rule_that_decides_is_drawn_and_listed_first_whatever_is_chosen(new_app: NewApp) -> None:
    page = voters(new_app, "budget", laplace(0.2, CountQuery()), rule="concentrated")
    page.toggle(key=EVERY_RULE).set_value(True).run()
    page.pills(key="budget_rules").set_value(["advanced"]).run()
    assert drawn(page) == {"advanced", "concentrated (a conversion of ρ)"}
    assert listed(page) == ["**concentrated** (the account's rule)", "advanced"]
    told = "Composition: the **Release** page counts by the account's rule, **concentrated**."
    assert told in texts(page)
    page = voters(new_app, "budget", laplace(0.2, CountQuery()))
    page.toggle(key=EVERY_RULE).set_value(True).run()
    page.pills(key="budget_rules").set_value(["advanced"]).run()
    assert drawn(page) == {"advanced", "naive"}
    assert listed(page) == ["**naive** (the account's rule)", "advanced"]


def drawn(page: AppTest) -> set[str]:
    """The names of the lines, without the questions that they refuse."""
    return {name.partition(": ")[0] for name in names_of_lines(page)}


def names_of_lines(page: AppTest) -> set[str]:
    (chart,) = page.get("plotly_chart")
    return {trace["name"] for trace in json.loads(chart.proto.spec)["data"] if "name" in trace}


def listed(page: AppTest) -> list[str]:
    """The first cells of the table of rules."""
    rows = texts(page).split("|---|---|---|---|\n")[1].splitlines()
    return [row.split(" | ")[0].removeprefix("| ") for row in rows if row.startswith("| ")]
