"""The Data page: which table it is, what may be known about it without looking, and the three doors to another one."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import BooleanColumn, CategoryColumn, DateColumn, Labels, NumberColumn, RowCount, Schema
from dpengine.errors import EngineError
from dpengine.privacy import Neighbors
from pages.plan.table import saved_declaration
from pages.widgets.escaping import unmarked, whole
from tests.ui.reading import button, switch
from tests.ui.waiting import arrived

OpenPage = Callable[[str], AppTest]
CSV = b"age,sex,joined,member\n34,f,2020-01-01,yes\n50,m,2020-02-01,no\nold,f,,no\n,x,2020-03-01,no\n"
VISITS = b"person,cost\n1,10\n1,20\n1,30\n2,15\n,99\n"


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    return open_page("explore/data")


def upload(page: AppTest, content: bytes, name: str = "trial.csv") -> AppTest:
    page.file_uploader(key="upload_file").set_value((name, content, "text/csv"))
    return page.run()


def declare(page: AppTest) -> AppTest:
    """Everything that the trial's form asks for."""
    upload(page, CSV)
    for i, kind in enumerate(("number", "category", "date", "boolean")):
        page.selectbox(key=f"kind_{i}").set_value(kind)
    page.run()
    page.number_input(key="lower_0").set_value(0)
    page.number_input(key="upper_0").set_value(120)
    page.text_input(key="unit_0").set_value("years")
    page.text_input(key="values_1").set_value("f, m")
    page.date_input(key="earliest_2").set_value(date(2019, 1, 1))
    page.date_input(key="latest_2").set_value(date(2021, 12, 31))
    return page.run()


def use(page: AppTest) -> AppTest:
    """Press the button, and wait where the file is read in the background."""
    return arrived(button(page, "use_table").click().run())


def look(page: AppTest) -> AppTest:
    """Ask what happened to the cells."""
    assert switch(page, "report_shown").value is False
    assert "rows read" not in said(page)
    return switch(page, "report_shown").set_value(True).run()


def said(page: AppTest) -> str:
    return "\n".join(element.value for element in (*page.main.markdown, *page.caption)).replace("\\", "")


def sentences(page: AppTest, kind: str = "error") -> str:
    assert not page.exception
    return " ".join(str(getattr(element, "value", "")) for element in page.get(kind)).replace("\\", "")


def keys(page: AppTest) -> set[str]:
    kinds = ("button", "number_input", "text_input", "selectbox", "toggle", "checkbox", "radio")
    return {element.key for kind in kinds for element in page.get(kind) if element.key}


def schema(page: AppTest) -> Schema:
    found = page.session_state["scenario"].schema
    assert isinstance(found, Schema)
    return found


def test_the_title_says_how_much_is_one_persons(page):
    assert page.title[0].value == "Health insurance study: 13 columns, at most 5 rows per person"
    plan = page.session_state["scenario"]
    unit = replace(plan.schema.unit, groups=2)
    page.session_state["scenario"] = replace(plan, schema=replace(plan.schema, unit=unit), queries=())
    assert page.run().title[0].value == "`rand_hie`: 13 columns, at most 5 rows per person", "Anew."


def test_a_practice_table_is_one_press_away(page):
    page.button(key="open_patients").click().run()
    assert page.title[0].value == "Invented hospital: 8 columns, one row per person"
    assert page.button(key="open_patients").disabled
    assert not page.button(key="open_rand_hie").disabled


def test_practice_tables_say_where_they_come_from(page):
    assert said(page).count("License: ") == 3
    assert "forget_table" not in keys(page)


def test_it_says_how_long_anything_is_kept(page):
    assert "until you close or reload this tab, or press Forget" in said(page)


def test_bounds_and_values_start_empty(page):
    upload(page, b"age,sex\n1,f\n2,m\n2,f\n3,m\n")
    assert page.number_input(key="lower_0").value is None
    assert page.number_input(key="upper_0").value is None
    assert page.text_input(key="values_1").value == ""
    assert "Still to declare: the lowest and highest possible value of 'age'" in sentences(page, "info")


def test_a_half_filled_form_is_refused_and_keeps_what_was_typed(page):
    upload(page, CSV)
    page.selectbox(key="kind_0").set_value("number").run()
    page.number_input(key="lower_0").set_value(5).run()
    assert button(page, "use_table").disabled
    assert "the lowest and highest possible value of 'age'" in sentences(page, "info")
    assert page.number_input(key="lower_0").value == 5
    assert schema(page).name == "rand_hie"


def test_what_is_typed_becomes_the_schema(page):
    use(declare(page))
    assert sentences(page) == ""
    assert schema(page) == Schema(
        name="trial",
        columns=(
            NumberColumn(name="age", lower=0, upper=120, unit="years"),
            CategoryColumn(name="sex", categories=("f", "m")),
            DateColumn(name="joined", earliest=date(2019, 1, 1), latest=date(2021, 12, 31)),
            BooleanColumn(name="member"),
        ),
    )
    assert page.title[0].value == "`trial`: 4 columns, one row per person"


def test_exact_values_start_hidden_and_the_plan_starts_empty(page):
    use(declare(page))
    assert page.session_state["exact_shown"] is False
    assert page.session_state["scenario"].queries == ()


def test_the_curator_sees_what_happened_to_the_cells(page):
    look(use(declare(page)))
    report, table_report = page.main.dataframe[1].value, page.session_state["table"].intake_report.columns
    assert "4 rows read." in said(page)
    assert list(report["column"]) == ["age", "sex", "joined", "member"]
    assert list(report["empty"]) == [1, 0, 1, 0]
    assert list(report["do not fit"]) == [1, 1, 0, 0]
    assert list(report["beyond the bounds"]) == [table_report[0].beyond, 0, 0, 0]
    assert ("lie beyond the bounds" in said(page)) is bool(table_report[0].beyond)
    switch(page, "report_shown").set_value(False).run()
    assert "rows read" not in said(page)


def test_replacing_one_needs_the_public_number_of_people(page):
    declare(page)
    page.radio(key="neighbors").set_value(Neighbors.REPLACE_ONE).run()
    assert button(page, "use_table").disabled
    assert "the public number of people" in sentences(page, "info")
    page.number_input(key="people").set_value(7).run()
    use(page)
    assert page.session_state["scenario"].neighbors is Neighbors.REPLACE_ONE
    assert schema(page).people == 7
    assert "You declared 7 people, one row each, and the file has another number of rows" in sentences(page, "warning")
    look(page)
    assert "You declared 7 people, one row each, and the file has 4 rows." in sentences(page, "warning")


def test_a_column_can_be_left_out(page):
    declare(page)
    page.selectbox(key="kind_2").set_value("leave out").run()
    use(page)
    assert [column.name for column in schema(page).columns] == ["age", "sex", "member"]


def test_proposed_values_are_asked_for_and_marked(page):
    upload(page, b"sex,age\n" + b"f,1\nm,2\n" * 20)
    page.selectbox(key="kind_0").set_value("category").run()
    proposed = "Proposed from the first rows: keep it only if this is the whole list, known without looking at the data"
    page.text_input(key="values_0").set_value("f, m").run()
    assert proposed not in said(page), "It was typed by hand."
    page.button(key="propose_0").click().run()
    assert page.text_input(key="values_0").value == "f, m"
    assert proposed in said(page)
    page.text_input(key="values_0").set_value("f, m, x").run()
    assert proposed not in said(page)
    page.button(key="propose_0").click().run()
    upload(page, b"city,age\n" + b"f,1\nm,2\n" * 20)
    page.selectbox(key="kind_0").set_value("category").run()
    assert proposed not in said(page), "Nothing was proposed for another file."
    upload(page, b"city,age\n" + b"%s,1\nm,2\n" % (b"f" * 2000) * 20)
    page.selectbox(key="kind_0").set_value("category").run()
    assert "Propose" not in {button.label for button in page.button}, "No box holds so much."


BAD_FILES = {
    "ragged.csv": b"a,b\n1,2\n3\n",
    "empty.csv": b"",
    "twins.csv": b"a,a\n1,2\n",
    "wrong.csv.gz": b"not gzip",
}


def test_a_bad_file_is_a_sentence_and_the_next_one_is_read(page):
    for name, content in BAD_FILES.items():
        upload(page, content, name)
        assert len(sentences(page)) > 10, name
        assert not any(str(key).startswith("use_table") for key in keys(page)), name
        upload(page, CSV)
        assert sentences(page) == "", name
        assert any(str(key).startswith("use_table") for key in keys(page)), name


def test_the_delimiter_is_chosen(page):
    upload(page, b"a;b\n1;2\n3;4\n")
    page.selectbox(key="upload_delimiter").set_value(";").run()
    assert {"kind_0", "kind_1"} <= keys(page)


def test_another_file_starts_with_an_empty_form_and_the_same_columns_keep_it(page):
    declare(page)
    upload(page, CSV + b"60,m,,yes\n", "trial2.csv")
    assert page.number_input(key="upper_0").value == 120
    upload(page, VISITS, "visits.csv")
    page.selectbox(key="kind_0").set_value("number").run()
    assert page.number_input(key="upper_0").value is None


def test_a_wide_table_is_declared_sheet_by_sheet(page):
    names = [f"c{i}" for i in range(30)]
    upload(page, "\n".join([",".join(names), *(",".join(["1"] * 30) for _ in range(2))]).encode() + b"\n")
    assert "columns 1 to 25 of 30" in said(page)
    page.selectbox(key="kind_0").set_value("number").run()
    page.number_input(key="lower_0").set_value(0)
    page.number_input(key="upper_0").set_value(9).run()
    for i in range(1, 25):
        page.selectbox(key=f"kind_{i}").set_value("leave out")
    page.run()
    page.pagination(key="form_sheet").set_value(2).run()
    assert "kind_0" not in keys(page)
    for i in range(25, 30):
        page.selectbox(key=f"kind_{i}").set_value("text")
    use(page.run())
    assert sentences(page) == ""
    assert [column.name for column in schema(page).columns] == ["c0", *names[25:]]
    assert schema(page).number("c0").upper == 9


@pytest.mark.parametrize("name", ["Patients", "p\u0430tients", "rand hie", "Health insurance study"])
def test_the_name_of_a_practice_table_is_taken(page, name):
    declare(page)
    page.text_input(key="table_name").set_value(name).run()
    assert button(page, "use_table").disabled
    assert "is the name of a practice table" in sentences(page, "info")
    page.text_input(key="table_name").set_value("mine").run()
    use(page)
    assert schema(page).name == "mine"


def test_forgetting_removes_rows_and_file_and_keeps_what_was_declared(page):
    use(declare(page))
    rows = page.session_state["table"]
    page.button(key="forget_table").click().run()
    assert "table" not in page.session_state
    assert page.session_state["kept_upload_preview"] is None
    assert "forget_table" not in keys(page)
    assert "Its rows are not here" in said(page)
    with pytest.raises(EngineError):
        rows.run(RowCount())


def test_the_same_file_finds_its_declarations_again(page):
    use(declare(page))
    page.button(key="forget_table").click().run()
    upload(page, CSV)
    assert page.number_input(key="upper_0").value == 120
    before = schema(page)
    use(page)
    assert schema(page) == before


def test_a_used_file_can_be_declared_differently(page):
    use(declare(page))
    page.button(key="declare_again").click().run()
    page.number_input(key="upper_0").set_value(110).run()
    use(page)
    assert schema(page).number("age").upper == 110


def test_one_column_and_a_backslash_are_written_as_they_are(page):
    upload(page, b"a\\b\n1\n2\n2\n")
    assert switch(page, "first_rows_of").label == "Show the first rows of 1 column, for your eyes only"
    page.selectbox(key="kind_0").set_value("number").run()
    assert [line.value for line in page.info] == [
        unmarked("Still to declare: the lowest and highest possible value of 'a\\b'.")
    ]


def test_hostile_names_are_shown_as_text(page):
    upload(page, b"[x](http://evil.example),`b`\n1,2\n3,4\n", "![n](x).csv")
    assert unmarked("[x](http://evil.example)") in "".join(element.value for element in page.main.markdown)
    for i in range(2):
        page.selectbox(key=f"kind_{i}").set_value("text")
    page.run()
    use(page)
    assert page.title[0].value == f"{whole('![n](x)')}: 2 columns, one row per person"


def test_saved_declarations_fill_the_form(page):
    declared = Schema(name="t", columns=(CategoryColumn(name="sex", categories=("f", "m", "a, b")),))
    saved = saved_declaration.to_text(declared, Neighbors.ADD_REMOVE, Labels()).encode()
    upload(page, CSV)
    page.file_uploader(key="load_declaration").set_value(("d.json", saved, "application/json")).run()
    assert page.text_input(key="values_1").value == 'f, m, "a, b"'
    assert page.selectbox(key="kind_0").value == "leave out"
    use(page)
    assert schema(page).columns == declared.columns
