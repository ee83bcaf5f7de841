"""The SQL box beside the builder: each shows the other, refusals teach, and no row is read."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from streamlit.elements.lib import policies
from streamlit.testing.v1 import AppTest

from dpengine.data import CategoryColumn, NumberColumn, Schema, Table, TextColumn, sample_schema
from dpengine.errors import RefusedQueryError
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import HistogramQuery, parse_sql
from dpengine.scenario import Scenario
from pages.explore.queries.refused_examples import examples
from pages.session.first_plan import first_plan
from tests.ui.reading import texts

SCHEMA = sample_schema("patients")

FILLED = [
    "SELECT count(*) FROM patients WHERE NOT (age > 22.5) AND disease IN ('flu', 'mumps')",
    "SELECT count(*) FROM patients WHERE age BETWEEN 20 AND 30 OR zip IS NULL",
    "SELECT count(*) FROM patients WHERE admission >= DATE '2024-03-01' AND admission <> DATE '2024-05-01'",
    "SELECT sum(age) FROM patients WHERE sex <> 'male'",
    "SELECT avg(age) FROM patients",
    "SELECT avg(CASE WHEN disease = 'mumps' THEN 1.0 ELSE 0.0 END) FROM patients WHERE age < 10",
    "SELECT sex, race, avg(age) FROM patients GROUP BY sex, race",
    "SELECT disease, sum(age) FROM patients GROUP BY disease",
    "SELECT sex, count(*) FROM patients GROUP BY sex",
    "SELECT var_pop(age) FROM patients",
    "SELECT percentile_cont(0.333) WITHIN GROUP (ORDER BY age) FROM patients",
    "SELECT mode(disease) FROM patients",
    "SELECT histogram(disease) FROM patients",
    "SELECT date_trunc('year', date_of_birth), count(*) FROM patients GROUP BY date_trunc('year', date_of_birth)",
    "SELECT count(*) FROM patients WHERE disease = 'mumps' AND name <> 'John Ramos'",
    "SELECT count(*) FROM patients WHERE NOT (name = 'O''Neil, [x](y)') OR name IN ('Ann, Lee', '$2$') OR name IS NULL",
    "SELECT count(*) FILTER (WHERE age > 65), count(*) FILTER (WHERE disease = 'flu') FROM patients",
]
AS_IT_STANDS = [
    "SELECT count(*) FROM patients WHERE (age > 65 OR age < 18) AND disease = 'flu'",
    "SELECT count(*) FILTER (WHERE age > 65 AND sex = 'male') FROM patients",
    "SELECT count(*) FROM patients WHERE NOT (NOT age > 65)",
]


@pytest.fixture
def page(new_app: Callable[[], AppTest]) -> AppTest:
    """The Questions page on the patients."""
    page = new_app()
    page.session_state["scenario"] = first_plan("patients")
    return page.switch_page("pages/explore/queries/page.py").run()


def write(page: AppTest, text: str) -> AppTest:
    page.text_area(key="sql_text").set_value(text).run()
    assert not page.exception
    return page


def added(page: AppTest) -> object:
    page.button(key="add_question").click().run()
    assert not page.exception
    return page.session_state["scenario"].queries[-1].query


def test_what_is_written_fills_the_builder_which_says_the_same(page: AppTest) -> None:
    for text in FILLED:
        write(page, text)
        assert "In use: the builder says the same." in texts(page), text
        assert page.text_area(key="sql_text").value == text
    assert page.selectbox(key="query_kind").value == "several"
    write(page, "SELECT count(*) FROM patients")
    assert page.selectbox(key="query_kind").value == "count"


def test_what_was_filled_in_is_what_is_planned(page: AppTest) -> None:
    either = FILLED[1]
    write(page, either)
    assert page.radio(key="where_any_of").value is True
    page.radio(key="where_any_of").set_value(False).run()
    assert page.text_area(key="sql_text").value == either.replace(" OR ", " AND ")
    page.radio(key="where_any_of").set_value(True).run()
    assert added(page) == parse_sql(either, SCHEMA)


def test_below_a_condition_on_a_name_stands_what_noise_does(page: AppTest) -> None:
    write(page, "SELECT count(*) FROM patients WHERE name <> 'John Ramos'")
    assert (
        "A name may single out one person. One person changes this count by at most **1** person all the same, and "
        "the noise hides that, to the degree set by ε = 0.1."
    ) in texts(page)
    write(page, "SELECT avg(age) FROM patients WHERE name <> 'John Ramos'")
    assert "One person changes a sum by at most **60** and a count by at most **1** all the same" in texts(page)
    write(page, "SELECT count(*) FROM patients WHERE disease = 'mumps'")
    assert "may single out one person" not in texts(page)


def test_an_empty_box_asks_nothing_until_its_button_is_pressed(page: AppTest) -> None:
    """A browser that has not heard of the builder's question yet still says that the box is empty."""
    built = str(page.text_area(key="sql_text").value)
    page.text_area(key="sql_text").set_value("").run()
    assert (not page.error, page.text_area(key="sql_text").value) == (True, built)
    page.text_area(key="sql_text").set_value("")
    page.button(key="sql_read").click().run()
    assert "There is no question yet" in page.error[0].value


def test_a_name_is_typed_into_the_builder_and_said_as_text(page: AppTest) -> None:
    write(page, "SELECT count(*) FROM patients WHERE name = 'Ann'")
    page.text_input(key="where_0_0_TextColumn_=").set_value("  Bob **Lee** ").run()
    assert page.text_area(key="sql_text").value == "SELECT count(*) FROM patients WHERE name = 'Bob **Lee**'"
    assert any(r"= “Bob \*\*Lee\*\*”?" in one.value for one in page.main.markdown)
    page.text_input(key="where_0_0_TextColumn_=").set_value(" ").run()
    assert "Type a value for 'name'." in texts(page)
    page.selectbox(key="where_0_0_TextColumn_operator").set_value("one of").run()
    assert "Choose at least one value of 'name'." in texts(page)
    page.multiselect(key="where_0_0_TextColumn_one of").set_value(["Ann", " Bob "]).run()
    assert added(page) == parse_sql("SELECT count(*) FROM patients WHERE name IN ('Ann', 'Bob')", SCHEMA)


@pytest.mark.parametrize("text", AS_IT_STANDS)
def test_what_the_builder_has_no_boxes_for_is_taken_as_it_stands(page: AppTest, text: str) -> None:
    write(page, text)
    assert "the builder cannot show all of it" in texts(page)
    assert added(page) == parse_sql(text, SCHEMA)
    page.selectbox(key="query_kind").set_value("mean").run()
    assert "the builder cannot show" not in texts(page)
    assert str(page.text_area(key="sql_text").value).startswith("SELECT avg(age) FROM patients")


def test_a_refusal_says_why_and_offers_what_to_ask_instead(page: AppTest) -> None:
    write(page, "SELECT disease FROM patients WHERE age = 22")
    (refused,) = page.error
    assert "returns the values of individual people, and no noise can hide a person" in refused.value
    assert "No row was read, and nothing was charged." in refused.value
    assert page.code[0].value == "SELECT disease, count(*) FROM patients WHERE age = 22 GROUP BY disease"
    assert refused.value.endswith("Ask how many have each value\\:")
    assert page.button(key="add_question").disabled
    assert "Change what stands in the SQL box first." in texts(page)
    page.button(key="sql_instead").click().run()
    assert page.multiselect(key="query_groups").value == ["disease"]
    assert not page.error
    assert not page.button(key="add_question").disabled
    assert added(page) == parse_sql("SELECT disease, count(*) FROM patients WHERE age = 22 GROUP BY disease", SCHEMA)


def test_what_to_ask_instead_keeps_the_condition_or_says_that_it_does_not(page: AppTest) -> None:
    write(page, "SELECT * FROM patients WHERE age = 22")
    assert page.code[0].value == "SELECT count(*) FROM patients WHERE age = 22"
    assert "without the condition" not in texts(page)
    write(page, "SELECT age FROM patients WHERE lower(sex) = 'male'")
    assert page.code[0].value == "SELECT avg(age) FROM patients"
    assert "without the condition in WHERE, which has no answer as it stands:" in texts(page)


def test_a_rank_that_was_written_fills_its_box_without_a_warning(
    page: AppTest, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policies, "_shown_default_value_warning", False)
    write(page, "SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY age) FROM patients")
    assert page.number_input(key="query_rank").value == 90.0
    assert not [record for record in caplog.records if "query_rank" in record.getMessage()]


def test_a_refused_text_stays_until_the_builder_is_asked_again(page: AppTest) -> None:
    write(page, "SELECT max(age) FROM patients")
    assert "The smallest or largest value is one person's own value" in texts(page)
    assert page.text_area(key="sql_text").value == "SELECT max(age) FROM patients"
    page.button(key="sql_back").click().run()
    assert page.text_area(key="sql_text").value == "SELECT count(*) FROM patients"
    write(page, "SELECT * FROM patients")
    page.selectbox(key="query_kind").set_value("sum").run()
    assert page.text_area(key="sql_text").value == "SELECT sum(age) FROM patients"
    assert not page.error


@pytest.mark.parametrize("name", ["patients", "rand_hie", "anes_1996"])
def test_every_example_is_refused_for_every_table(name: str) -> None:
    schema = sample_schema(name)
    assert len(examples(schema)) == 7
    for _, text in examples(schema):
        with pytest.raises(RefusedQueryError):
            parse_sql(text, schema)


def test_an_example_is_one_choice_away(page: AppTest) -> None:
    texts_of = [text for _, text in examples(SCHEMA)]
    page.selectbox(key="sql_example").select(texts_of[1]).run()
    assert page.text_area(key="sql_text").value == texts_of[1]
    assert "individual people" in texts(page)
    assert page.selectbox(key="sql_example").value is None


def test_nothing_is_read_to_write_and_to_refuse(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a row was read")

    monkeypatch.setattr(Table, "run", refuse)
    write(page, FILLED[1])
    write(page, "SELECT disease FROM patients")
    assert page.error


def test_an_unfinished_builder_leaves_the_box_empty(page: AppTest) -> None:
    page.button(key="where_add").click().run()
    page.selectbox(key="where_0_column").set_value("age").run()
    assert page.text_area(key="sql_text").value == ""
    assert "not finished yet" in texts(page)


def test_a_question_with_bins_of_its_own_has_no_form_in_sql(page: AppTest) -> None:
    page.selectbox(key="query_kind").set_value("histogram").run()
    page.selectbox(key="query_countable").set_value("age").run()
    assert "has no form in it" in texts(page)
    assert isinstance(added(page), HistogramQuery)


def test_hostile_names_stay_text(page: AppTest) -> None:
    hostile = "[x](http://a.example) `b` <img src=x>"
    columns = (
        TextColumn(name=hostile),
        CategoryColumn(name=hostile + "c", categories=("![i](http://b.example)", "$x$")),
        NumberColumn(name=hostile + "n", lower=0, upper=1, unit="![u](http://c.example)"),
    )
    schema = Schema(name="t](x)", columns=columns)
    page.session_state["scenario"] = Scenario(
        table_name="t](x)", schema=schema, neighbors=Neighbors.ADD_REMOVE, budget=Guarantee(epsilon=1)
    )
    page.run()
    for kind in ("mean", "quantile", "mode", "variance", "histogram", "several", "count"):
        page.selectbox(key="query_kind").set_value(kind).run()
        page.button(key="add_question").click().run()
        assert not page.exception
    for _, text in examples(schema):
        write(page, text)
        (refused,) = page.error
        assert "](" not in refused.value
        assert "<img" not in refused.value.replace("\\<img", "")
    written = "\n".join(element.value for element in (*page.markdown, *page.info))
    shown = re.sub(r"`[^`]*`", "", written)
    assert r"\[x\]\(http" in written
    assert "](" not in shown.replace("\\]\\(", "")
