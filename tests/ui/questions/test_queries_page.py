"""The Questions page: what is planned, how far one person moves it, and a builder that answers nonsense in words."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import And, Comparison, Not, NumberColumn, OneOf, Or, Schema, Table, read_table
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountPeopleQuery, CountQuery, HistogramQuery, MeanQuery, ProportionQuery
from dpengine.scenario import Scenario
from tests.ui.reading import button, switch, texts

OpenPage = Callable[[str], AppTest]


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    return open_page("explore/queries")


def choose(page: AppTest, kind: str) -> AppTest:
    return page.selectbox(key="query_kind").set_value(kind).run()


def add(page: AppTest) -> AppTest:
    return page.button(key="add_question").click().run()


def said(page: AppTest) -> str:
    return "\n".join(element.value for element in page.main.markdown).replace("\\", "")


def planned(page: AppTest) -> list[object]:
    return [one.query for one in page.session_state["scenario"].queries]


def errors(page: AppTest) -> str:
    assert not page.exception
    return " ".join(element.value for element in page.error).replace("\\", "")


def test_the_title_says_what_is_planned_and_what_it_costs(page):
    assert page.title[0].value == "3 questions planned; together they cost ε 0.3"


def test_every_question_says_how_far_one_person_moves_it_and_why(page):
    assert "Everybody counts once, so one person can change the count by at most 1." in said(page)
    assert "a row adds to one count only: one person can change all counts together by at most 5." in said(page)


def test_a_mean_is_itemized_as_two_answers(page):
    assert "Takes two noisy answers: a sum (60% of epsilon: 0.06) and a count (40% of epsilon: 0.04)." in said(page)


def test_another_kind_shows_another_sensitivity_before_it_is_added(page):
    choose(page, "sum")
    page.selectbox(key="query_number").set_value("income").run()
    assert "What is the sum of yearly income in dollars?" in said(page)
    assert "each adds at most 30,000 dollars to the sum" in said(page)
    assert len(planned(page)) == 3


def test_the_question_joins_the_plan_under_the_button(page):
    page.number_input(key="query_epsilon").set_value(0.25).run()
    add(page)
    assert planned(page)[3] == CountQuery()
    assert page.title[0].value == "4 questions planned; together they cost ε 0.55"


def test_a_nonsensical_epsilon_is_refused_in_a_sentence(page):
    for epsilon in (0.0, -1.0, 1e-12):
        page.number_input(key="query_epsilon").set_value(epsilon).run()
        assert len(page.info) == 1
        add(page)
        assert "psilon must be" in errors(page)
        assert len(planned(page)) == 3


def test_conditions_are_typed_row_by_row(page):
    page.button(key="where_add").click().run()
    page.selectbox(key="where_0_column").set_value("income").run()
    page.selectbox(key="where_0_4_NumberColumn_operator").set_value(">=").run()
    assert "Type a value for" in page.info[0].value
    page.number_input(key="where_0_4_NumberColumn_>=").set_value(1000).run()
    page.button(key="where_add").click().run()
    page.selectbox(key="where_1_column").set_value("self_rated_health").run()
    page.selectbox(key="where_1_12_CategoryColumn_operator").set_value("one of").run()
    page.multiselect(key="where_1_12_CategoryColumn_one of").set_value(["fair", "poor"]).run()
    page.checkbox(key="where_1_not").check().run()
    conditions = (Comparison("income", ">=", 1000), Not(OneOf("self_rated_health", ("fair", "poor"))))
    add(page)
    page.button(key="change_3").click().run()
    page.radio(key="where_any_of").set_value(True).run()
    assert page.button(key="add_question").label == "Keep this as question 4"
    assert planned(page)[3:] == [CountQuery(where=And(conditions))]
    add(page)
    assert planned(page)[3:] == [CountQuery(where=Or(conditions))]


def test_a_removed_row_leaves_the_others_alone(page):
    for _ in range(2):
        page.button(key="where_add").click().run()
    page.selectbox(key="where_1_column").set_value("female").run()
    page.button(key="where_0_remove").click().run()
    add(page)
    assert planned(page)[3] == CountQuery(where=Comparison("female", "=", True))


def test_a_row_that_is_added_anew_starts_empty(page):
    page.button(key="where_add").click().run()
    page.selectbox(key="where_0_column").set_value("female").run()
    page.button(key="where_0_remove").click().run()
    page.button(key="where_add").click().run()
    assert page.selectbox(key="where_1_column").value == "year"


def test_reversed_ends_are_pointed_out(page):
    page.button(key="where_add").click().run()
    page.selectbox(key="where_0_column").set_value("age").run()
    page.selectbox(key="where_0_2_NumberColumn_operator").set_value("between").run()
    page.number_input(key="where_0_2_NumberColumn_between_from").set_value(60)
    page.number_input(key="where_0_2_NumberColumn_between_to").set_value(20).run()
    add(page)
    assert "swap the two ends" in errors(page)


def test_a_share_is_asked_among_a_selection(page):
    choose(page, "proportion")
    page.selectbox(key="having_0_column").set_value("female").run()
    page.button(key="where_add").click().run()
    add(page)
    assert planned(page)[3] == ProportionQuery(
        having=Comparison("female", "=", True), where=Comparison("year", "=", "1")
    )


def test_a_share_of_nothing_is_refused(page):
    choose(page, "proportion")
    page.button(key="having_0_remove").click().run()
    add(page)
    assert "Add the condition whose share you want to know." in errors(page)


def test_bins_are_equal_between_public_bounds_or_typed(page):
    choose(page, "histogram")
    page.selectbox(key="query_countable").set_value("age").run()
    page.number_input(key="query_bins").set_value(4).run()
    add(page)
    page.radio(key="query_bins_how").set_value("typed").run()
    page.text_input(key="query_edges").set_value("0, 18; 65 100").run()
    add(page)
    assert planned(page)[3:] == [
        HistogramQuery("age", edges=(0, 25, 50, 75, 100)),
        HistogramQuery("age", edges=(0, 18, 65, 100)),
    ]


EDGES = {
    "": "needs at least two edges",
    "50": "needs at least two edges",
    "0, abc": "'abc' is not a number",
    "100, 0": "must increase",
    "0, nan": "must be a finite number",
    "0, 1e999": "must be a finite number",
}


def test_bad_edges_are_refused_in_a_sentence(page):
    choose(page, "histogram")
    page.selectbox(key="query_countable").set_value("age").run()
    page.radio(key="query_bins_how").set_value("typed").run()
    for edges, sentence in EDGES.items():
        page.text_input(key="query_edges").set_value(edges)
        add(page)
        assert sentence in errors(page), edges
        assert len(planned(page)) == 3, edges


def test_a_bad_number_of_bins_is_refused_in_a_sentence(page):
    choose(page, "histogram")
    page.selectbox(key="query_countable").set_value("age").run()
    for bins in (0, -3, 1001):
        page.number_input(key="query_bins").set_value(bins)
        add(page)
        assert "from 1 to 1,000" in errors(page), bins
        assert len(planned(page)) == 3, bins


def test_a_question_can_be_removed(page):
    button(page, "remove_0_of").click().run()
    assert page.title[0].value == "2 questions planned; together they cost ε 0.2"
    button(page, "remove_1_of").click().run()
    assert (page.title[0].value, *planned(page)) == ("1 question planned; it costs ε 0.1", MeanQuery("medical_dollars"))


def test_removing_an_earlier_question_keeps_the_chosen_one(page):
    page.session_state["question"] = 1
    button(page, "remove_0_of").click().run()
    assert page.session_state["question"] == 0


def test_an_empty_plan_says_what_to_do(page):
    for _ in range(3):
        button(page, "remove_0_of").click().run()
    assert page.title[0].value == "No question is planned yet"
    assert "Add this question" in said(page)


def test_a_question_leads_to_its_trade_off(page):
    page.button(key="ask_2").click().run()
    assert page.session_state["question"] == 2
    assert page.title[0].value.startswith("All 4 counts")
    assert page.selectbox(key="tradeoff_question").value == 2


def test_another_table_starts_with_an_empty_condition(page):
    page.button(key="where_add").click().run()
    page.switch_page("pages/explore/data/page.py").run()
    page.button(key="open_patients").click().run()
    page.switch_page("pages/explore/queries/page.py").run()
    assert not page.exception
    add(page)
    assert planned(page)[3] == CountQuery()


def test_no_row_is_read(page, monkeypatch):
    def refuse(*_):
        raise AssertionError("a row was read")

    monkeypatch.setattr(Table, "run", refuse)
    choose(page, "mean")
    add(page)
    assert not page.exception
    assert planned(page)[3] == MeanQuery("age")


def test_what_may_be_shown_is_decided_anew_for_each_table(page):
    practice = page.session_state["scenario"].to_json()
    schema = Schema(name="trial", columns=(NumberColumn(name="age", lower=0, upper=120),))
    table = read_table(b"age\n34\n50\n", schema=schema, format="csv")
    own = Scenario(table_name="trial", schema=schema, neighbors=Neighbors.ADD_REMOVE, budget=Guarantee(epsilon=1))
    page.session_state["table"] = table
    page.session_state["share"] = True
    page.run()
    page.file_uploader(key="load_plan").upload("own.json", own.to_json().encode(), "application/json").run()
    assert switch(page, "exact_toggle").value is False
    page.file_uploader(key="load_plan").upload("practice.json", practice.encode(), "application/json").run()
    assert switch(page, "exact_toggle").value is True
    page.file_uploader(key="load_plan").upload("again.json", own.to_json().encode(), "application/json").run()
    assert switch(page, "exact_toggle").value is False


def test_a_gaussian_question_says_its_noise_and_its_delta(open_page: Callable[[str], AppTest]) -> None:
    page = open_page("explore/queries")
    assert "Gaussian noise" not in texts(page)
    plan = page.session_state["scenario"]
    page.session_state["scenario"] = plan.with_query_at(0, plan.queries[0].with_mechanism("gaussian", delta=4e-7))
    page.run()
    assert "ε\u00a00.1 :gray[Gaussian noise, δ\u00a04·10⁻⁷]" in texts(page)
    assert page.title[0].value == "3 questions planned; together they cost ε 0.3, δ 4·10⁻⁷"


def test_a_condition_narrows_the_question_that_it_was_typed_for_and_no_other(page):
    page.button(key="where_add").click().run()
    page.selectbox(key="where_0_column").set_value("female").run()
    add(page)
    assert [button.key for button in page.button if button.label == "remove"] == []
    add(page)
    assert planned(page)[3:] == [CountQuery(where=Comparison("female", "=", True)), CountQuery()]


def test_a_question_is_changed_in_its_place_and_keeps_its_noise(page):
    page.session_state["scenario"] = replace(
        page.session_state["scenario"],
        queries=tuple(one.with_mechanism("gaussian", delta=1e-7) for one in page.session_state["scenario"].queries),
    )
    page.run()
    before = page.session_state["scenario"].queries
    page.number_input(key="query_epsilon").set_value(0.7).run()
    page.button(key="change_0").click().run()
    assert "## Change question 1" in [one.value for one in page.markdown]
    assert page.number_input(key="query_epsilon").value == before[0].guarantee.epsilon
    page.button(key="where_add").click().run()
    page.selectbox(key="where_1_column").set_value("female").run()
    page.number_input(key="query_epsilon").set_value(0.25).run()
    assert page.button(key="add_question").label == "Keep this as question 1"
    add(page)
    after = page.session_state["scenario"].queries
    assert after[1:] == before[1:]
    assert after[0].query == CountPeopleQuery(
        where=And((Comparison("hospital_stays", ">", 0), Comparison("female", "=", True)))
    )
    assert (after[0].guarantee.epsilon, after[0].mechanism, after[0].guarantee.delta) == (0.25, "gaussian", 1e-7)
    assert page.button(key="add_question").label == "Add this question"


def test_a_question_that_is_left_as_it_was_is_as_it_was(page):
    before = page.session_state["scenario"].queries
    page.button(key="change_1").click().run()
    page.selectbox(key="query_number").set_value("income").run()
    page.button(key="leave_question").click().run()
    assert page.session_state["scenario"].queries == before
    page.button(key="change_1").click().run()
    button(page, "remove_1_of").click().run()
    assert page.button(key="add_question").label == "Add this question", "What is changed is gone."


def test_a_question_that_is_being_changed_is_followed_where_it_goes(page):
    before = page.session_state["scenario"].queries
    page.button(key="change_1").click().run()
    button(page, "remove_0_of").click().run()
    assert page.button(key="add_question").label == "Keep this as question 1"
    add(page)
    assert page.session_state["scenario"].queries == before[1:]
    page.button(key="change_0").click().run()
    plan = page.session_state["scenario"]
    page.session_state["scenario"] = plan.with_query_at(0, plan.queries[0].at(0.7))
    assert page.run().button(key="add_question").label == "Add this question", "It was changed elsewhere meanwhile."
