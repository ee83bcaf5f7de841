"""Who is protected: rows of one person, their bounds with the picture of an invented person, and what bounds drop."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import Labels, PrivacyUnit, Schema, TextColumn
from dpengine.privacy import Neighbors
from pages.plan.table import person_picture, saved_declaration
from pages.widgets.outputs import NO_DOWNLOAD
from tests.running.cases import each
from tests.ui.reading import button, read_in, switch, texts
from tests.ui.waiting import arrived

OpenPage = Callable[[str], AppTest]
VISITS = b"person,cost\n1,10\n1,20\n1,30\n2,15\n,99\n"
ANOTHER = Schema(name="another", columns=(TextColumn(name="person"),))
BOUNDS = PrivacyUnit(identifier="person", rows=6, groups=2, rows_per_group=2)


@pytest.fixture
def boundless(open_page: OpenPage) -> AppTest:
    """The form for a file in which a person may have several rows, before anybody has said how many count."""
    page = open_page("explore/data")
    page.file_uploader(key="upload_file").set_value(("visits.csv", VISITS, "text/csv")).run()
    page.selectbox(key="kind_0").set_value("text")
    page.selectbox(key="kind_1").set_value("number")
    page.radio(key="unit_kind").set_value("identifier").run()
    page.number_input(key="lower_1").set_value(0)
    return page.number_input(key="upper_1").set_value(100).run()


@pytest.fixture
def page(boundless: AppTest) -> AppTest:
    return bound(boundless, "rows", 1)


def use(page: AppTest) -> AppTest:
    return arrived(button(page, "use_table").click().run())


def schema(page: AppTest) -> Schema:
    found = page.session_state["scenario"].schema
    assert isinstance(found, Schema)
    return found


def bound(page: AppTest, name: str, value: int | None) -> AppTest:
    return page.number_input(key=f"person_{name}").set_value(value).run()


def test_a_column_can_name_the_person(page: AppTest) -> None:
    bound(page, "rows", 2)
    use(page)
    assert schema(page).unit == PrivacyUnit(identifier="person", rows=2)
    assert page.title[0].value == "`visits`: 2 columns, at most 2 rows per person"
    assert "Some rows are beyond the number that one person counts with" in page.warning[0].value
    switch(page, "report_shown").set_value(True).run()
    assert "1 without an identifier" in texts(page)
    assert "1 beyond the rows that one person counts with" in texts(page)


def test_nobody_has_chosen_how_many_rows_of_a_person_count(boundless: AppTest) -> None:
    page = boundless
    assert page.number_input(key="person_rows").value is None
    assert "Still to declare: how many rows of a person count at most." in read_in(page.main)
    assert "invented person" not in read_in(page.main).casefold(), "no picture of a bound that nobody has typed"
    assert "one person has up to" not in read_in(page.main), "what the file holds is said of a bound, not before one"
    bound(page, "rows", 2)
    assert "Still to declare" not in read_in(page.main)
    dropped = "Of all rows, one person has up to 3; at a bound of 2, 1 of these rows would be dropped."
    assert f"{dropped} For your eyes only. Settings that you choose after seeing exact values are" in read_in(page.main)
    assert "one person has up to" not in read_in(bound(page, "rows", 3).main), "nothing would be dropped"


def test_declarations_in_which_rows_are_people_choose_no_bound_either(boundless: AppTest) -> None:
    text = saved_declaration.to_text(
        Schema(name="t", columns=(TextColumn(name="person"),)), Neighbors.ADD_REMOVE, Labels()
    )
    boundless.file_uploader(key="load_declaration").set_value(("d.json", text.encode(), "application/json")).run()
    boundless.radio(key="unit_kind").set_value("identifier").run()
    assert boundless.number_input(key="person_rows").value is None


@pytest.mark.parametrize("by", ["a file", "a button"])
def test_what_fills_the_form_along_with_the_press_is_shown_before_it_counts(page: AppTest, by: str) -> None:
    if by == "a file":
        text = saved_declaration.to_text(ANOTHER, Neighbors.ADD_REMOVE, Labels()).encode()
        page.file_uploader(key="load_declaration").set_value(("d.json", text, "application/json"))
    else:
        page.session_state["share"] = True
        plan = replace(page.session_state["scenario"], table_name="another", schema=ANOTHER, queries=())
        page.run().text_input(key="paste_link").set_value(plan.to_link()).run()
        page.button(key="declare_as_planned").click()
    button(page, "use_table").click().run()
    assert "table" not in page.session_state, "Nothing was used."
    assert use(page).session_state["table"].schema.name == "another"


def test_the_column_that_names_the_person_is_chosen_by_somebody_and_stays_chosen(page: AppTest) -> None:
    page.selectbox(key="kind_1").set_value("text")
    page.selectbox(key="kind_0").set_value("number").run()
    assert "'person' as text, as it names the person" in texts(page)
    page.selectbox(key="kind_0").set_value("text").run()
    assert page.selectbox(key="identifier").value == "person", "and not the other one that was text meanwhile"
    assert "Still to declare" not in texts(page)
    page.file_uploader(key="upload_file").set_value(("two.csv", b"a,b\nx,y\n", "text/csv")).run()
    page.selectbox(key="kind_0").set_value("text")
    page.selectbox(key="kind_1").set_value("text")
    page.radio(key="unit_kind").set_value("identifier").run()
    assert page.selectbox(key="identifier").value is None
    assert "Still to declare: which column names the person; how many rows of a person" in texts(page)


def test_who_says_that_rows_are_people_is_asked_once_more(page: AppTest) -> None:
    doubt = "Does `person` name a person?"
    assert doubt not in texts(page)
    page.radio(key="unit_kind").set_value("row").run()
    assert doubt in texts(page)
    page.selectbox(key="kind_0").set_value("leave out").run()
    assert doubt not in texts(page), "No column is left that could name a person."


def test_who_does_not_know_is_told_whom_to_ask_and_uses_no_table_on_a_guess(page: AppTest) -> None:
    page.radio(key="unit_kind").set_value("unknown").run()
    assert "Ask the person who keeps the table whether somebody can be in it twice" in texts(page)
    assert button(page, "use_table").disabled
    assert [one.value for one in page.info] == ["Still to declare\\: whether a person may have several rows."]
    assert "Does `person` name a person?" in texts(page), "Who does not know is asked, too."
    page.button(key="names_the_person").click().run()
    assert page.radio(key="unit_kind").value == "identifier"


def test_a_number_under_the_name_of_an_identifier_is_asked_about_too(open_page: OpenPage) -> None:
    page = open_page("explore/data")
    rows = "".join(f"{i % 50},{i}.5\n" for i in range(200))
    page.file_uploader(key="upload_file").set_value(
        ("visits.csv", f"patient_id,cost\n{rows}".encode(), "text/csv")
    ).run()
    assert page.selectbox(key="kind_0").value == "number"
    asked = "Does `patient_id` name a person?** Each of its values stands in **4** of the first rows on average"
    assert f"{asked} (for your eyes only). If it does, and a person may have several rows, say so." in texts(page)
    page.selectbox(key="kind_0").set_value("text").run()
    assert asked in texts(page)
    page.selectbox(key="kind_0").set_value("number").run()
    page.radio(key="unit_kind").set_value("identifier").run()
    assert asked in texts(page), "The question stays until a column names the person."
    page.button(key="names_the_person").click().run()
    assert (page.selectbox(key="kind_0").value, page.radio(key="unit_kind").value) == ("text", "identifier")
    assert page.selectbox(key="identifier").value == "patient_id"
    assert "name a person?" not in texts(page)


@pytest.mark.parametrize("alone", [True, False])
def test_a_repeating_name_is_named_again_wherever_that_can_still_be_mended(open_page: OpenPage, alone: bool) -> None:
    page = open_page("explore/data")
    rows = "".join(f"{i % 50},{i}.5\n" for i in range(200))
    page.file_uploader(key="upload_file").set_value(
        ("visits.csv", f"patient_id,cost\n{rows}".encode(), "text/csv")
    ).run()
    page.selectbox(key="kind_0").set_value("leave out")
    page.number_input(key="lower_1").set_value(0)
    page.number_input(key="upper_1").set_value(300)
    page.run()
    if not alone:
        page.radio(key="unit_kind").set_value("identifier").run()
        page.selectbox(key="identifier").set_value("patient_id").run()
        bound(page, "rows", 4)
    use(page)
    said = (
        "Each row is declared another person, and each value of `patient_id` stands in 4 of the first rows on average."
    )
    assert (said in texts(page)) is alone
    page.switch_page("pages/explore/release/page.py").run()
    assert button(page, "open_account").label == "Open the account"
    assert (said in texts(page)) is alone
    button(page, "open_account").click().run()
    assert not any("Open" in button.label for button in page.button), "Open it is."
    assert any(said in one.value for one in page.caption) is alone


def test_of_a_column_that_is_empty_in_the_first_rows_nobody_is_asked_whether_it_names_people(
    open_page: OpenPage,
) -> None:
    page = open_page("explore/data")
    for cell, asked in (("", False), ("x", True)):
        rows = "level,cost\n" + "".join(f"{cell},{i}.5\n" for i in range(200))
        page.file_uploader(key="upload_file").set_value(("a.csv", rows.encode(), "text/csv")).run()
        page.selectbox(key="kind_0").set_value("text").run()
        assert ("Does `level` name a person?" in texts(page)) is asked


def test_any_column_may_be_chosen_to_name_the_person_and_is_text_from_then_on(open_page: OpenPage) -> None:
    page = open_page("explore/data")
    page.file_uploader(key="upload_file").set_value(("a.csv", b"nr,cost\n1,1.5\n2,2.5\n2,3.5\n", "text/csv")).run()
    page.radio(key="unit_kind").set_value("identifier").run()
    assert page.selectbox(key="identifier").options == ["nr", "cost"]
    assert "Still to declare" in texts(page)
    assert "which column names the person" in texts(page)
    page.selectbox(key="identifier").set_value("nr").run()
    assert (page.selectbox(key="kind_0").value, page.selectbox(key="kind_1").value) == ("text", "number")
    assert "which column names the person" not in texts(page)
    page.selectbox(key="kind_0").set_value("number").run()
    assert "'nr' as text, as it names the person" in texts(page), "the control"


def test_a_table_that_was_brought_leads_to_its_questions(page: AppTest) -> None:
    use(page)
    assert page.button(key="next_after_data").label == "Next: Questions →"


@pytest.mark.parametrize("people, told", [(7, True), (2, False)])
def test_a_declared_number_of_people_is_compared_with_the_file_for_the_curator(
    page: AppTest, people: int, told: bool
) -> None:
    page.radio(key="neighbors").set_value(Neighbors.REPLACE_ONE).run()
    page.number_input(key="people").set_value(people).run()
    use(page)
    assert "You declared" not in texts(page)
    switch(page, "report_shown").set_value(True).run()
    assert ("You declared 7 people and the file has rows of 2 people." in texts(page)) is told


def test_the_person_is_named_by_a_text_column(page: AppTest) -> None:
    page.selectbox(key="kind_0").set_value("leave out").run()
    assert button(page, "use_table").disabled
    assert "Still to declare: 'person' as text, as it names the person." in texts(page)


def test_bounds_by_group_are_declared_where_wanted(page: AppTest) -> None:
    assert page.number_input(key="person_groups").value is None
    for name, value in (("rows", 6), ("groups", 2), ("rows_per_group", 2)):
        bound(page, name, value)
    use(page)
    assert schema(page).unit == BOUNDS


@each(
    "rows, groups, rows_per_group, words",
    [
        (1, None, None, "Of an invented person's 9 visits 1 counts; with a smaller"),
        (4, None, None, "Of an invented person's 9 visits 4 count; with a smaller bound there is less noise, and more"),
        (9, None, None, "All 9 visits of an invented person count; "),
        (500, None, None, "All 9 visits of an invented person count; "),
        (9, 1, None, "All 9 visits of an invented person count, and 5 in answers by clinic; "),
        (9, 3, 1, "All 9 visits of an invented person count, and 3 in answers by clinic; "),
        (6, 2, 2, "Of an invented person's 9 visits 6 count, and 3 in answers by clinic; "),
    ],
)
def test_the_picture_moves_with_the_bounds(rows, groups, rows_per_group, words) -> None:
    unit = PrivacyUnit(identifier="any", rows=rows, groups=groups, rows_per_group=rows_per_group)
    assert person_picture.sentence(person_picture.invented(unit)).startswith(words)


def test_the_picture_is_of_an_invented_person_under_the_bounds_that_are_typed(page: AppTest) -> None:
    assert "Choose it from how often anybody can appear" in texts(page)
    assert "Of an invented person's 9 visits 1 counts;" in texts(page)
    bound(page, "rows", 4)
    assert "Of an invented person's 9 visits 4 count" in texts(page)
    bound(page, "groups", 1)
    assert "in answers by clinic" in texts(page)
    page.radio(key="unit_kind").set_value("row").run()
    assert "how often anybody can appear" not in texts(page)
    assert "invented person" not in texts(page).casefold()


def test_saved_declarations_carry_the_bounds(page: AppTest) -> None:
    declared = Schema(name="t", columns=schema(page).columns[:1], unit=BOUNDS)
    text = saved_declaration.to_text(declared, Neighbors.ADD_REMOVE, Labels())
    page.file_uploader(key="load_declaration").set_value(("d.json", text.encode(), "application/json")).run()
    assert page.number_input(key="person_rows").value == 6
    assert page.number_input(key="person_groups").value == 2
    assert page.number_input(key="person_rows_per_group").value == 2


DOWNLOAD = "Download as CSV"


def labels(page: AppTest) -> list[str]:
    return [str(button.proto.label) for button in page.get("download_button")]


def behind(page: AppTest) -> AppTest:
    """With the numbers behind the picture of each person's rows."""
    return page.toggle(key="contributions_numbers").set_value(True).run()


def test_what_a_bound_drops_is_shown_when_asked_for_and_called_uncovered(page: AppTest) -> None:
    bound(page, "rows", 2)
    use(page)
    assert "drops" not in texts(page)
    switch(page, "contributions_shown").set_value(True).run()
    assert "**Capping at 2 rows per person drops 25% of the rows.** :gray[Exact, for your eyes only.]" in texts(page)
    assert "4 rows of 2 people; nobody has more than 3. 1 person would lose rows, 1 in total." in texts(page)
    assert "after looking at this is not covered by the promise" in texts(page)
    behind(page)
    assert NO_DOWNLOAD in [one.value for one in page.caption]
    assert DOWNLOAD not in labels(page)
    page.number_input(key="contributions_bound").set_value(1).run()
    assert "Capping at 1 row per person drops 50% of the rows." in texts(page)
    page.number_input(key="contributions_bound").set_value(3).run()
    assert "Capping at 3 rows per person drops nothing." in texts(page)
    assert schema(page).unit.rows == 2
    page.button(key="forget_table").click().run()
    assert "Capping" not in texts(page)
    assert page.session_state["kept_contributions"] is None


def test_a_practice_table_shows_it_without_a_warning(open_page: OpenPage) -> None:
    page = open_page("explore/data")
    switch(page, "contributions_shown").set_value(True).run()
    assert "20,190 rows of 5,912 people; nobody has more than 5." in texts(page)
    assert not page.warning
    behind(page)
    assert DOWNLOAD in labels(page), "The control: these are public."
    assert "for your eyes only" not in "".join(text.value for text in page.main.markdown)
    page.button(key="open_patients").click().run()
    assert not [toggle for toggle in page.toggle if str(toggle.key).startswith("contributions_shown")]
