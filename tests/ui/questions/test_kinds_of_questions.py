"""Every kind of question: built, explained under both relations, planned, and gone with another table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import Comparison
from dpengine.privacy import Neighbors
from dpengine.queries import (
    CountPeopleQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    ModeQuery,
    ProportionQuery,
    QuantileQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    VarianceQuery,
    to_sql,
)
from pages.session.first_plan import first_plan
from tests.ui.reading import texts


@pytest.fixture
def page(new_app: Callable[[], AppTest]) -> AppTest:
    """The Questions page on the patients, who have one row each."""
    page = new_app()
    page.session_state["scenario"] = first_plan("patients")
    return page.switch_page("pages/explore/queries/page.py").run()


def choose(page: AppTest, kind: str) -> AppTest:
    return page.selectbox(key="query_kind").set_value(kind).run()


def added(page: AppTest) -> Query:
    page.button(key="add_question").click().run()
    assert not page.exception
    assert not page.error
    return page.session_state["scenario"].queries[-1].query


def sql(page: AppTest) -> str:
    return str(page.text_area(key="sql_text").value)


def test_a_count_of_people_is_moved_by_one_who_is_added_or_removed(page: AppTest) -> None:
    choose(page, "people")
    assert "| **added or removed** (this plan) | **1** person |" in texts(page)
    nobody_else = "| replaced | nothing: their number is public then |"
    assert nobody_else in texts(page)
    plan = page.session_state["scenario"]
    page.session_state["scenario"] = replace(plan, schema=replace(plan.schema, people=None))
    assert nobody_else in texts(page.run()), "Whether it is declared yet or not."
    assert added(page) == CountPeopleQuery()


def test_the_declared_number_is_not_sold(page: AppTest) -> None:
    choose(page, "people")
    assert not page.button(key="add_question").disabled
    plan = page.session_state["scenario"]
    public = replace(plan, schema=replace(plan.schema, people=2000), neighbors=Neighbors.REPLACE_ONE)
    page.session_state["scenario"] = public
    page.run()
    assert "You declared this number of people" in page.info[0].value
    assert page.button(key="add_question").disabled
    page.text_area(key="sql_text").set_value("SELECT count(*) FROM patients").run()
    assert "You declared this number of people" in page.info[0].value
    assert page.button(key="add_question").disabled
    choose(page, "sum")
    assert not page.exception
    assert not page.button(key="add_question").disabled


def test_the_classic_count_with_a_condition_is_moved_by_one(page: AppTest) -> None:
    page.button(key="where_add").click().run()
    page.selectbox(key="where_0_column").set_value("disease").run()
    page.selectbox(key="where_0_6_CategoryColumn_=").set_value("mumps").run()
    assert sql(page) == "SELECT count(*) FROM patients WHERE disease = 'mumps'"
    assert "| **added or removed** (this plan) | **1** person |" in texts(page)
    assert "| replaced | **1** person |" in texts(page)


def test_counts_by_group_are_moved_by_one_or_by_two(page: AppTest) -> None:
    page.multiselect(key="query_groups").set_value(["disease"]).run()
    assert sql(page) == "SELECT disease, count(*) FROM patients GROUP BY disease"
    assert "| **added or removed** (this plan) | **1** person in total |" in texts(page)
    assert "| replaced | **2** people in total |" in texts(page)
    assert added(page) == GroupedCountQuery(("disease",))


def test_a_mean_could_jump_among_as_many_rows_as_somebody_declared(page: AppTest) -> None:
    plan = page.session_state["scenario"]
    private = replace(plan, schema=replace(plan.schema, people=None))
    page.session_state["scenario"] = private
    assert "among 1,000 rows, say, by up to" in texts(choose(page, "mean"))
    page.session_state["kept_table_sizes"] = {private.schema: (400, None)}
    assert "among 400 rows, as declared, by up to 0.301 years" in texts(page.run())


def test_a_mean_could_jump_and_says_how_far(page: AppTest) -> None:
    choose(page, "mean")
    far = "one person could change the mean a lot**: by up to 120 years; among 2,000 rows, as "
    assert f"{far}declared, by up to 0.0601 years." in texts(page)
    worked_out = "added to a sum and a count, each of which one person changes only a little, and the mean is "
    assert f"{worked_out}worked out from them." in texts(page)
    assert "| **added or removed** (this plan) | a sum: 60 and a count: 1 |" in texts(page)
    assert "| replaced | **0.06** years |" in texts(page)


@pytest.mark.parametrize(("kind", "query"), [("sum", GroupedSumQuery), ("mean", GroupedMeanQuery)])
def test_sums_and_means_by_two_columns(page: AppTest, kind: str, query: type[Query]) -> None:
    choose(page, kind)
    page.multiselect(key="query_groups").set_value(["sex", "race"]).run()
    assert added(page) == query("age", ("sex", "race"))  # type: ignore[call-arg]


def test_a_share_of_each_group(page: AppTest) -> None:
    choose(page, "proportion")
    page.selectbox(key="having_0_column").set_value("sex").run()
    page.multiselect(key="query_groups").set_value(["race"]).run()
    assert "a lot**: by up to 100 percentage points in a group" in texts(page)
    assert added(page) == GroupedProportionQuery(Comparison("sex", "=", "female"), ("race",))


def test_a_variance_costs_three_answers(page: AppTest) -> None:
    choose(page, "variance")
    assert "Takes three noisy answers: a sum of squares (50% of epsilon: 0.05), a sum (25% of epsilon" in texts(page)
    assert added(page) == VarianceQuery("age")


def test_a_median_is_chosen_among_any_value_or_listed_ones(page: AppTest) -> None:
    choose(page, "quantile")
    assert (
        "One person could change this value a lot**, from 0 to 120 years if half of the values lie at each end"
        in texts(page)
    )
    assert "| **added or removed** (this plan) | each rank: **0.5** people |" in texts(page)
    assert sql(page) == "SELECT median(age) FROM patients"
    assert added(page) == QuantileQuery("age")
    page.number_input(key="query_rank").set_value(90.0)
    page.radio(key="query_candidates_how").set_value("equal").run()
    assert page.number_input(key="query_candidates_of_age").value == 121
    page.number_input(key="query_candidates_of_age").set_value(3).run()
    assert "a quantile among listed ones has no form in it" in texts(page)
    assert added(page) == QuantileQuery("age", quantile=0.9, candidates=(0.0, 60.0, 120.0))
    page.radio(key="query_candidates_how").set_value("typed").run()
    assert "Type the values among which the answer is chosen" in texts(page)
    page.text_input(key="query_candidates").set_value("20 40, 60").run()
    assert added(page) == QuantileQuery("age", quantile=0.9, candidates=(20, 40, 60))


def test_a_most_frequent_value_is_chosen_among_public_ones(page: AppTest) -> None:
    choose(page, "mode")
    page.selectbox(key="query_listed").set_value("disease").run()
    assert "only the name of the largest is published" in texts(page)
    assert "each count: **1** person" in texts(page)
    assert added(page) == ModeQuery("disease")


def test_dates_are_counted_by_month_or_year(page: AppTest) -> None:
    choose(page, "histogram")
    page.selectbox(key="query_countable").set_value("admission").run()
    assert added(page) == HistogramQuery("admission", period="month")
    page.radio(key="query_period").set_value("year").run()
    assert added(page) == HistogramQuery("admission", period="year")


def test_a_hundred_counts_are_moved_by_a_hundred(page: AppTest) -> None:
    choose(page, "several")
    page.radio(key="query_several_how").set_value("thresholds").run()
    assert "| **added or removed** (this plan) | **100** people in total |" in texts(page)
    assert "One person may be in all 100" in texts(page)
    asked = added(page)
    assert isinstance(asked, StatisticalQueries)
    assert len(asked.conditions) == 100
    assert asked.conditions[-1] == Comparison("age", "<=", 120)


def test_several_conditions_are_counts_of_their_own(page: AppTest) -> None:
    choose(page, "several")
    page.button(key="several_add").click().run()
    page.selectbox(key="several_0_column").set_value("sex").run()
    page.selectbox(key="several_1_column").set_value("disease").run()
    conditions = (Comparison("sex", "=", "female"), Comparison("disease", "=", "none"))
    assert "| **2** people in total |" in texts(page)
    assert added(page) == StatisticalQueries(conditions)
    for row in (0, 1):
        page.button(key=f"several_{row}_remove").click().run()
    assert "Add the conditions that you want to ask about." in texts(page)


def two_shares(page: AppTest) -> AppTest:
    """Of women, and of those without a disease, in the form."""
    choose(page, "several")
    page.radio(key="query_several_as").set_value("shares").run()
    page.button(key="several_add").click().run()
    page.selectbox(key="several_0_column").set_value("sex").run()
    return page.selectbox(key="several_1_column").set_value("disease").run()


TWO_SHARES = SeveralProportionsQuery((Comparison("sex", "=", "female"), Comparison("disease", "=", "none")))


def test_several_shares_say_what_they_cost_under_both_relations(page: AppTest) -> None:
    two_shares(page)
    assert "What share of the rows has … (each line is a share of its own)" in texts(page)
    assert "**One person may be in all 2**, so 2 shares together change by 2 times as much as one." in texts(page)
    assert "A histogram costs less, as its cells exclude each other." in texts(page)
    assert "one person could change each share a lot**: by up to 100 percentage points" in texts(page)
    assert "| **added or removed** (this plan) | sums of zeros and ones: 1 and a count: 1 |" in texts(page)
    assert "| replaced | **0.1** percentage points in total |" in texts(page)
    plan = page.session_state["scenario"]
    page.session_state["scenario"] = replace(plan, neighbors=Neighbors.REPLACE_ONE)
    assert "One of 2,000 people can change a share by at most 1 / 2,000, and all 2 shares at once by 2" in texts(
        page.run()
    )
    assert "The number of people is public here, so no noisy count of them is needed." in texts(page)
    assert added(page) == TWO_SHARES


def test_several_shares_are_read_back_from_their_sql(page: AppTest) -> None:
    written = sql(two_shares(page))
    assert written == (
        "SELECT avg(CASE WHEN sex = 'female' THEN 1.0 ELSE 0.0 END), "
        "avg(CASE WHEN disease = 'none' THEN 1.0 ELSE 0.0 END) FROM patients"
    )
    choose(page, "count")
    page.text_area(key="sql_text").set_value(f"{written} WHERE age >= 18").run()
    assert page.selectbox(key="query_kind").value == "several"
    assert page.radio(key="query_several_as").value == "shares"
    assert "In use: the builder says the same." in texts(page)
    assert added(page) == replace(TWO_SHARES, where=Comparison("age", ">=", 18))


def test_a_list_of_one_share_is_a_single_share(page: AppTest) -> None:
    two_shares(page)
    page.button(key="several_1_remove").click().run()
    assert sql(page) == "SELECT avg(CASE WHEN sex = 'female' THEN 1.0 ELSE 0.0 END) FROM patients"
    assert added(page) == ProportionQuery(Comparison("sex", "=", "female"))


def test_what_was_chosen_for_one_table_is_forgotten_with_it(page: AppTest) -> None:
    page.multiselect(key="query_groups").set_value(["disease", "race"]).run()
    choose(page, "histogram")
    page.selectbox(key="query_countable").set_value("admission").run()
    page.switch_page("pages/explore/data/page.py").run()
    page.button(key="open_rand_hie").click().run()
    page.switch_page("pages/explore/queries/page.py").run()
    choose(page, "count")
    assert not page.exception
    assert page.multiselect(key="query_groups").value == []


def test_what_was_typed_survives_a_look_at_another_page(page: AppTest) -> None:
    page.button(key="where_add").click().run()
    page.selectbox(key="where_0_column").set_value("sex").run()
    page.selectbox(key="where_0_3_CategoryColumn_=").set_value("male").run()
    before = sql(page)
    page.switch_page("pages/explore/budget/page.py").run()
    page.switch_page("pages/explore/queries/page.py").run()
    assert sql(page) == before == "SELECT count(*) FROM patients WHERE sex = 'male'"


def test_every_kind_is_on_the_menu_in_plain_words_first(page: AppTest) -> None:
    labels = page.selectbox(key="query_kind").options
    assert len(labels) == 10
    assert all(label[0].isupper() and not label.startswith("(") for label in labels)
    schema = page.session_state["scenario"].schema
    assert to_sql(HistogramQuery("disease"), schema) == "SELECT histogram(disease) FROM patients"
