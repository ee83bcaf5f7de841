"""What somebody calls the columns of their own table: proposed in the form, corrected there, and said in sentences."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import (
    BooleanColumn,
    ColumnLabel,
    Comparison,
    Labels,
    NumberColumn,
    Phrase,
    Schema,
    sample_labels,
    sample_schema,
)
from dpengine.privacy import Neighbors
from dpengine.queries import CountQuery, MeanQuery
from pages.phrasing import wording
from pages.plan.table import column_words, saved_declaration
from pages.plan.table.column_words import _proposed
from pages.widgets.escaping import code
from tests.ui.reading import button, texts
from tests.ui.waiting import arrived

OpenPage = Callable[[str], AppTest]
FILE = ("mine.csv", b"hospitalStays,cost_eur,smoker,age\n1,20.5,yes,30\n0,4,no,50\n", "text/csv")
ILL = ("asthma", "HIV")
SMOKES = Comparison("smoker", "=", value=True)


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    page = open_page("explore/data")
    page.file_uploader(key="upload_file").set_value(FILE).run()
    for i, kind in enumerate(("number", "number", "boolean", "number")):
        page.selectbox(key=f"kind_{i}").set_value(kind)
    page.run()
    for i in (0, 1, 3):
        page.number_input(key=f"lower_{i}").set_value(0)
        page.number_input(key=f"upper_{i}").set_value(100)
    return page.run()


def used(page: AppTest) -> Labels:
    arrived(button(page, "use_table").click().run())
    labels: Labels = page.session_state["scenario"].labels
    return labels


def test_names_are_proposed_as_words_and_said_in_questions(page: AppTest) -> None:
    proposed = [page.text_input(key=f"words_{i}").placeholder for i in range(4)]
    assert proposed == ["hospital stays", "cost eur", "smoker", "age"]
    labels = used(page)
    assert labels == Labels(
        columns=(ColumnLabel("hospitalStays", "hospital stays"), ColumnLabel("cost_eur", "cost eur"))
    )
    shown = page.dataframe[0].value
    assert list(shown["called in questions"]) == ["hospital stays", "cost eur", "smoker", "age"]


def test_typed_words_are_said_and_come_back_with_the_form(page: AppTest) -> None:
    page.text_input(key="words_1").set_value("  costs in euro ")
    page.text_input(key="said_2").set_value("smoke").run()
    labels = used(page)
    said = wording.said_of(labels)
    assert "costs in euro" in MeanQuery("cost_eur").in_words(said)
    assert "who smoke" in CountQuery(SMOKES).in_words(said)
    button(page, "declare_again").click().run()
    filled = [str(page.text_input(key=key).value).strip() for key in ("words_1", "said_2")]
    assert filled == ["costs in euro", "smoke"]
    page.text_input(key="said_2").set_value("").run()
    assert used(page).phrases == (), "What was emptied is not said any more."


@pytest.mark.parametrize(
    ("typed", "refused"),
    [("cost eur", "cost eur"), ("Age", "another column's name"), ("a\u202eb", "printable"), ("age", "another column")],
)
def test_words_that_are_another_columns_are_refused(page: AppTest, typed: str, refused: str) -> None:
    page.text_input(key="words_0").set_value(typed).run()
    page.text_input(key="words_1").set_value("cost eur" if typed == "cost eur" else "").run()
    assert button(page, "use_table").disabled
    assert refused in texts(page)
    page.text_input(key="words_0").set_value("stays").run()
    assert used(page).column("hospitalStays") == "stays", "The control."


def test_saved_declarations_carry_words_and_show_them_before_they_count(page: AppTest) -> None:
    used(page)
    schema = page.session_state["scenario"].schema
    words = Labels(columns=(ColumnLabel("age", "age in years"),), phrases=(Phrase(SMOKES, "smoke"),))
    text = saved_declaration.to_text(schema, Neighbors.ADD_REMOVE, words)
    assert saved_declaration.from_text(text) == (schema, Neighbors.ADD_REMOVE, words)
    button(page, "declare_again").click().run()
    page.file_uploader(key="load_declaration").set_value(("d.json", text.encode(), "application/json")).run()
    assert (page.text_input(key="words_3").value, page.text_input(key="said_2").value) == ("age in years", "smoke")
    assert next(one for one in page.expander if "call each column" in one.label).proto.expanded


def test_words_that_came_in_a_file_are_shown_whatever_sheet_they_are_on(open_page: OpenPage) -> None:
    names = [f"c{i}" for i in range(27)] + ["smoker"]
    rows = "\n".join([",".join(names), *(",".join([*["1"] * 27, word]) for word in ("yes", "no"))])
    page = open_page("explore/data")
    page.file_uploader(key="upload_file").set_value(("wide.csv", rows.encode(), "text/csv")).run()
    schema = Schema(
        name="wide",
        columns=(*(NumberColumn(name=name, lower=0, upper=9) for name in names[:27]), BooleanColumn(name="smoker")),
    )
    text = saved_declaration.to_text(schema, Neighbors.ADD_REMOVE, Labels(phrases=(Phrase(SMOKES, "smoke"),)))
    assert "said_27" not in {box.key for box in page.text_input}
    page.file_uploader(key="load_declaration").set_value(("d.json", text.encode(), "application/json")).run()
    assert page.text_input(key="said_27").value == "smoke"
    assert "words_26" not in {box.key for box in page.text_input}, "It has none."


def test_names_that_differ_in_the_middle_are_told_apart_where_they_are_declared_and_asked(open_page: OpenPage) -> None:
    asthma, hiv = (f"Were you ever told by a doctor that you have {one}, in this country or elsewhere" for one in ILL)
    page = open_page("explore/data")
    rows = f'"{asthma}","{hiv}"\nyes,no\nno,yes\n'
    page.file_uploader(key="upload_file").set_value(("survey.csv", rows.encode(), "text/csv")).run()
    assert code(asthma) == code(hiv), "The control: a short form of both is one."
    lines = [one.value for one in page.markdown]
    assert [name for name in (asthma, hiv) if f"`{name}`" in lines] == [asthma, hiv]
    said = wording.said_of(Labels())
    asked = [CountQuery(Comparison(name, "=", value=True)).in_words(said) for name in (asthma, hiv)]
    assert [one for one, name in zip(asked, ILL, strict=True) if name in one] == asked


@pytest.fixture
def towns(open_page: OpenPage) -> AppTest:
    """A form with one column of two values, of which one begins as the other does."""
    page = open_page("explore/data")
    page.file_uploader(key="upload_file").set_value(("towns.csv", b"town\nA\nA = B\n", "text/csv")).run()
    page.selectbox(key="kind_0").set_value("category").run()
    return page.text_input(key="values_0").set_value("A, A = B").run()


def test_those_with_each_value_have_words(towns: AppTest) -> None:
    towns.text_input(key="each_0").set_value("A = live in a city;  A = B = live  elsewhere ;").run()
    labels = used(towns)
    in_a_city, elsewhere = (Comparison("town", "=", value) for value in ("A", "A = B"))
    assert labels.phrases == (Phrase(in_a_city, "live in a city"), Phrase(elsewhere, "live elsewhere"))
    assert CountQuery(in_a_city).in_words(wording.said_of(labels)).endswith("people who live in a city")
    button(towns, "declare_again").click().run()
    typed = str(towns.text_input(key="each_0").value)
    assert typed.split() == ["A", "=", "live", "in", "a", "city;", "A", "=", "B", "=", "live", "elsewhere", ";"]
    towns.text_input(key="each_0").set_value("A = live in a city").run()
    assert used(towns).phrases == (Phrase(in_a_city, "live in a city"),), "What was emptied is not said any more."
    schema = towns.session_state["scenario"].schema
    assert column_words.typed(labels, "town")["each"] == "A = live in a city; A = B = live elsewhere"
    saved = saved_declaration.to_text(schema, Neighbors.ADD_REMOVE, labels)
    button(towns, "declare_again").click().run()
    towns.file_uploader(key="load_declaration").set_value(("d.json", saved.encode(), "application/json")).run()
    assert used(towns).phrases == labels.phrases, "As a file of declarations says."


STAYED, COSTLY = Comparison("hospitalStays", ">", 0), Comparison("cost_eur", ">=", 0.1)


def test_what_those_do_beyond_a_number_is_said_in_questions(page: AppTest) -> None:
    page.text_input(key="each_0").set_value("> 0 = had a hospital stay; <= 1e2=were in for days").run()
    page.text_input(key="each_1").set_value("≥ 0.1 = cost something").run()
    labels = used(page)
    assert [one.words for one in labels.phrases] == ["had a hospital stay", "were in for days", "cost something"]
    assert CountQuery(STAYED).in_words(wording.said_of(labels)) == "how many rows are of people who had a hospital stay"
    assert labels.phrase(COSTLY) == "cost something"
    button(page, "declare_again").click().run()
    assert column_words.typed(labels, "cost_eur")["each"] == ">= 0.1 = cost something"
    assert str(column_words.typed(labels, "hospitalStays")["each"]).endswith("<= 100 = were in for days")
    page.text_input(key="each_0").set_value("> 0 = had a hospital stay").run()
    assert [one.words for one in used(page).phrases] == ["had a hospital stay", "cost something"], "One was emptied."


@pytest.mark.parametrize("typed", ["had a stay", "> = had a stay", "> many = had a stay", "!= 0 = had a stay", "> 0 ="])
def test_words_of_what_is_no_comparison_are_refused(page: AppTest, typed: str) -> None:
    page.text_input(key="each_0").set_value(typed).run()
    assert button(page, "use_table").disabled
    assert "a number, then =, then words" in texts(page)


@pytest.mark.parametrize(
    "typed", ["C = live in a city", "= live in a city", "A", "A =", "live in a city", "A = x; A = B = x"]
)
def test_words_of_what_is_no_value_are_refused(towns: AppTest, typed: str) -> None:
    towns.text_input(key="each_0").set_value(typed).run()
    assert button(towns, "use_table").disabled
    assert towns.session_state["scenario"].table_name != "towns"
    assert ("said only once" if "B = x" in typed else "one of its values, then =, then words") in texts(towns)


def test_a_practice_table_that_is_declared_anew_keeps_the_words_that_still_hold() -> None:
    schema, words = sample_schema("rand_hie"), sample_labels("rand_hie")
    assert Labels().with_phrases_of(words, was=schema, now=schema).phrases == words.phrases
    without = type(schema)(name="mine", columns=tuple(one for one in schema.columns if one.name != "female"))
    kept = Labels().with_phrases_of(words, was=schema, now=without).phrases
    assert kept == tuple(one for one in words.phrases if "female" not in str(one.condition))
    mine = Labels(phrases=(Phrase(kept[0].condition, "were in hospital"),))
    assert mine.with_phrases_of(words, was=schema, now=schema).phrases[0].words == "were in hospital"


@pytest.mark.parametrize(
    ("names", "word"),
    [
        (("a_b",), "a b"),
        (("a_b", "a b"), "a_b"),
        (("a_b", "aB"), "a_b"),
        (("A_b", "a b"), "A_b"),
        (("a_b", "c"), "a b"),
        (("__",), "__"),
        (("told_" * 12 + "_ill",), "told_" * 12 + "_ill"),
    ],
)
def test_nothing_is_proposed_that_could_be_another_column(names: tuple[str, ...], word: str) -> None:
    assert _proposed(names[0], dict.fromkeys(names, "")) == word
