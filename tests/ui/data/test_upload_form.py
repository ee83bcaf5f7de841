"""How a file is read: the choices that are offered, the kinds of files, and the sentences for wrong choices."""

import io
from collections.abc import Callable
from datetime import date

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data.files import encodings, file_form, notation
from dpengine.errors import IntakeError
from pages.plan.table import file_choices, file_words
from pages.plan.table.file_choices import DATES, DECIMALS, DELIMITERS, ENCODINGS, THOUSANDS
from tests.examples.workbooks import Stored, merged, parts, workbook, zipped
from tests.ui.reading import button, switch, texts
from tests.ui.waiting import arrived

OpenPage = Callable[[str], AppTest]
ROWS = (("city", "cost"), ("Köln", 1.5), ("Bonn", 20), ("Köln", 3))
TEXT = "city,cost\nKöln,1.5\nBonn,20\nKöln,3\n"


def parquet() -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table({"city": ["Köln", "Bonn", "Köln"], "cost": [1.5, 20.0, 3.0]}), sink)
    return sink.getvalue()


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    return open_page("explore/data")


def upload(page: AppTest, name: str, content: bytes) -> AppTest:
    return page.file_uploader(key="upload_file").set_value((name, content, "any/thing")).run()


def declare_and_use(page: AppTest) -> AppTest:
    """The two columns of this file's table, and its rows."""
    page.selectbox(key="kind_0").set_value("category")
    page.selectbox(key="kind_1").set_value("number").run()
    page.text_input(key="values_0").set_value("Köln, Bonn")
    page.number_input(key="lower_1").set_value(0)
    page.number_input(key="upper_1").set_value(50).run()
    return arrived(button(page, "use_table").click().run())


def test_every_way_of_writing_that_is_offered_is_read() -> None:
    assert set(DELIMITERS) == set(file_form.DELIMITERS)
    assert set(DECIMALS) == set(notation.DECIMALS)
    assert set(THOUSANDS) == set(notation.THOUSANDS)
    assert set(DATES) == set(notation.DATES)
    assert set(ENCODINGS) == set(encodings.ENCODINGS)


def test_a_delimiter_chosen_for_one_file_is_not_used_for_a_file_with_tabs(page: AppTest) -> None:
    upload(page, "a.csv", b"a;b\n1;2\n3;4\n")
    page.selectbox(key="upload_delimiter").set_value(";").run()
    upload(page, "b.tsv", b"x\ty\tz\n1\t2\t3\n")
    assert not page.error
    assert "z" in page.selectbox(key="kind_2").label


KINDS = {
    **dict.fromkeys(("a.csv", "a.txt", "a.csv.gz", "a.gz", "a.b.CSV"), "csv"),
    **dict.fromkeys(("a.tsv", "a.TAB", "a.tab.gz"), "tsv"),
    **dict.fromkeys(("a.parquet", "a.pq"), "parquet"),
    "a.xlsx": "xlsx",
}


def test_the_ending_of_a_name_says_how_a_file_is_read() -> None:
    assert {name: file_choices._format(name) for name in KINDS} == KINDS
    assert {name.lower().removesuffix(".gz").rsplit(".", maxsplit=1)[-1] for name in KINDS} >= set(
        file_choices._FORMATS
    )
    for name in ("a.doc", "a", "csv", "a.doc.gz", "a.xls"):
        with pytest.raises(IntakeError, match=r"is of a kind that is not read; bring a \.csv"):
            file_choices._format(name)


@pytest.mark.parametrize(
    "name, content, choices",
    [
        ("a.TAB", TEXT.replace(",", "\t").encode(), {}),
        ("a.parquet", parquet(), {}),
        ("a.xlsx", workbook(*ROWS), {}),
        (
            "german.csv",
            TEXT.replace(",", ";").replace(".", ",").encode("latin-1"),
            {"upload_delimiter": ";", "upload_decimal": ",", "upload_encoding": "iso-8859-1"},
        ),
    ],
)
def test_every_kind_of_file_becomes_the_same_table(
    page: AppTest, name: str, content: bytes, choices: dict[str, str]
) -> None:
    upload(page, name, content)
    for key, value in choices.items():
        page.selectbox(key=key).set_value(value)
    declare_and_use(page.run())
    assert not page.error
    report = page.session_state["table"].intake_report
    assert report.rows_read == 3
    assert [(one.missing, one.misfits) for one in report.columns] == [(0, 0), (0, 0)]


def test_the_sheet_of_a_workbook_is_chosen(page: AppTest) -> None:
    upload(page, "a.xlsx", zipped(parts({"Notes": [("hello",), ("x",)], "Costs [x](y)": ROWS})))
    assert page.selectbox(key="upload_sheet").options == ["Notes", "Costs [x](y)"]
    assert "hello" in page.selectbox(key="kind_0").label
    page.selectbox(key="upload_sheet").set_value("Costs [x](y)").run()
    declare_and_use(page)
    assert page.session_state["table"].intake_report.rows_read == 3


def test_a_workbook_of_one_sheet_asks_for_none(page: AppTest) -> None:
    upload(page, "a.xlsx", workbook(*ROWS))
    assert "upload_sheet" not in [box.key for box in page.selectbox]


def test_a_workbook_whose_first_sheet_is_no_table_asks_for_another(page: AppTest) -> None:
    upload(page, "a.xlsx", zipped(parts({"Twins": [("a", "a"), (1, 2)], "Costs": ROWS})))
    assert page.error
    page.text_input(key="upload_sheet").set_value("Costs").run()
    assert not page.error
    declare_and_use(page)
    assert page.session_state["table"].intake_report.rows_read == 3


def test_a_file_is_read_as_its_first_rows_suggest_and_a_wrong_choice_is_said(page: AppTest) -> None:
    upload(page, "a.csv", b"a;b\n1;3,5\n2;4,5\n2;0,1\n")
    assert (page.selectbox(key="upload_delimiter").value, page.selectbox(key="upload_decimal").value) == (";", ",")
    assert page.selectbox(key="kind_1").value == "number"
    assert not page.warning
    assert not page.error
    page.selectbox(key="upload_delimiter").set_value("|").run()
    assert "Choose it as the delimiter." in texts(page)
    page.selectbox(key="upload_delimiter").set_value(";").run()
    assert not page.error
    assert page.selectbox(key="upload_decimal").value == ","


BELOW_TITLES = (("Costs of 2024",), (), *ROWS, ("Total", 24.5))


@pytest.mark.parametrize("name", ["a.xlsx", "a.csv"])
def test_a_table_below_titles_and_above_totals_is_found_and_what_is_left_out_is_said(page: AppTest, name: str) -> None:
    text = "".join(";".join(map(str, row)) + "\n" for row in BELOW_TITLES).encode("latin-1")
    upload(page, name, text if name == "a.csv" else workbook(*BELOW_TITLES))
    assert [page.number_input(key=f"upload_{key}").value for key in ("header", "skip_last")] == [3, 1]
    unit = "line" if name == "a.csv" else "row"
    said = f"Left out: 1 {unit} above the header (`Costs of 2024`); 1 {unit} at the end (`Total · 24.5`)."
    assert [one.value for one in page.info][:1] == [said]
    page.number_input(key="upload_skip_last").set_value(0).run()
    assert "at the end" not in page.info[0].value
    page.number_input(key="upload_header").set_value(4).run()
    assert f"Left out: 2 {unit}s above the header (`Costs of 2024` to `city · cost`)." in page.info[0].value
    page.number_input(key="upload_header").set_value(3).run()
    page.number_input(key="upload_skip_last").set_value(1).run()
    declare_and_use(page)
    assert not page.error
    report = page.session_state["table"].intake_report
    assert (report.rows_read, [one.misfits for one in report.columns]) == (3, [0, 0])


def test_columns_whose_merged_cells_were_filled_are_named_with_how_many(page: AppTest) -> None:
    rows = (("ward", "cost"), ("north", 1), (None, 2), (None, 3), ("south", 4))
    upload(page, "a.xlsx", merged(workbook(*rows), "A2:A4"))
    told = "Merged cells were filled: `ward` (2 cells). Each row below a merged cell's first has its value, too."
    assert told in [one.value for one in page.info]
    upload(page, "b.xlsx", workbook(*rows))
    assert "Merged cells" not in texts(page), "the control"


def test_of_tables_side_by_side_another_can_be_chosen(page: AppTest) -> None:
    rows = [
        (*row, None, *(("beds", "floor"), (10, 1), (12, 2), (), ())[i]) for i, row in enumerate([*ROWS, ("Ulm", 4)])
    ]
    upload(page, "a.xlsx", workbook(*rows))
    assert page.selectbox(key="upload_columns").options == ["all, A to E", "A to B", "D to E"]
    assert page.selectbox(key="upload_columns").value == "A:B"
    page.selectbox(key="upload_columns").set_value("D:E").run()
    assert ["beds" in page.selectbox(key="kind_0").label, "floor" in page.selectbox(key="kind_1").label] == [True, True]


def test_formulas_without_a_result_are_told_before_the_table_is_used(page: AppTest) -> None:
    upload(page, "a.xlsx", workbook(*ROWS, ("Ulm", Stored("", "<f>1+1</f>"))))
    assert "1 formula saved without a result will count as missing." in page.warning[0].value
    upload(page, "b.xlsx", workbook(*ROWS, ("Ulm", Stored("", "<f>1+1</f><v>2</v>"))))
    assert not page.warning, "the control"


DAYS = "".join(f"{day:02}.02.2024;{day},10\n" for day in range(1, 19))
OFFICE = "tag;betrag\n" + DAYS + "31.12.2024;1.212,72\n30.11.2024;ungefähr 3\n"


def test_days_and_numbers_are_read_as_the_first_rows_suggest_and_what_would_be_lost_is_said(page: AppTest) -> None:
    upload(page, "a.csv", OFFICE.encode())
    page.selectbox(key="upload_delimiter").set_value(";").run()
    marks = [page.selectbox(key=f"upload_{key}").value for key in ("decimal", "thousands", "dates")]
    assert marks == [",", ".", "day first"]
    assert page.selectbox(key="kind_0").value == "date"
    page.selectbox(key="kind_1").set_value("number").run()
    page.number_input(key="lower_1").set_value(0.0)
    page.number_input(key="upper_1").set_value(9000.0)
    page.date_input(key="earliest_0").set_value(date(2024, 1, 1))
    page.date_input(key="latest_0").set_value(date(2024, 12, 31)).run()
    assert [one.value.split("\n")[1:] for one in page.warning] == [
        ["- `betrag`: 1 of 20 cells does not fit, such as `ungefähr 3`"]
    ]
    page.selectbox(key="upload_dates").set_value("month first").run()
    page.selectbox(key="kind_0").set_value("date").run()
    assert "- `tag`: 8 of 20 cells do not fit, such as `13.02.2024`" in texts(page)
    arrived(button(page, "use_table").click().run())
    assert [one.misfits for one in page.session_state["table"].intake_report.columns] == [8, 1]
    taken = page.session_state["table_form"]
    assert (taken.delimiter, taken.decimal, taken.thousands, taken.dates) == (";", ",", ".", "month first")


def test_that_cells_were_lost_beyond_the_first_rows_is_said_without_being_asked(page: AppTest) -> None:
    lost = (
        "Some cells of `age` did not fit what you declared and count as missing. If what you declared is wrong, "
        "declare it differently on **Data**."
    )
    empty = (
        "Most cells of `age` are empty: questions about them rest on few rows. Enter on **Trade-off** how many you "
        "expect."
    )
    how_many = "The first switch below shows how many."
    for last, told in (
        (b"old\n", [f"{lost} {how_many}"]),
        (b'""\n' * 1300, [f"{empty} {how_many}"]),
        (b"", []),
    ):
        upload(page, "a.csv", b"age\n" + b"31\n" * 1200 + last)
        page.number_input(key="lower_0").set_value(0)
        page.number_input(key="upper_0").set_value(120).run()
        assert not page.warning, "The first rows have none."
        arrived(button(page, "use_table").click().run())
        assert [one.value for one in page.warning] == told
        assert (file_words.ALL_READ in texts(page)) is (not told)
        switch(page, "report_shown").set_value(True).run()
        assert ("`age`: 1 does not fit. For example `old`. A cell" in texts(page)) is (last == b"old\n")


def test_another_file_of_the_same_columns_begins_as_the_last_but_for_its_name_and_says_so(page: AppTest) -> None:
    before = "What was declared last is filled in, because this file's columns have the same names: check it."
    upload(page, "a.csv", b"age\n31\n")
    page.number_input(key="lower_0").set_value(0)
    page.number_input(key="upper_0").set_value(120)
    page.text_input(key="table_name").set_value("mine").run()
    assert before not in texts(page)
    upload(page, "b.csv", b"age\n32\n")
    assert before in texts(page)
    assert page.number_input(key="upper_0").value == 120
    assert (page.text_input(key="table_name").value, page.text_input(key="table_name").placeholder) == ("", "b")
    arrived(button(page, "use_table").click().run())
    upload(page, "c.csv", b"age\n33\n")
    assert before in texts(page)
    assert page.text_input(key="table_name").value == ""
    upload(page, "d.csv", b"weight\n33\n")
    assert before not in texts(page)


def test_whole_numbers_that_may_be_identifiers_are_not_taken_for_decimal_commas(page: AppTest) -> None:
    upload(page, "a.csv", b"id,cost\n" + b"".join(b"%d,%d.5\n" % (i, i) for i in range(40)))
    assert page.selectbox(key="kind_0").value == "text"
    assert not page.warning


@pytest.fixture(scope="module")
def wrong() -> list[tuple[str, bytes, str]]:
    """Names and contents, and the reason why each is not read."""
    return [
        ("a.csv", b"PK\x03\x04", "The file is an Excel workbook, but is to be read as csv."),
        ("a.csv", f"a,{'b' * 200}\n1,2\n".encode(), "at most 120 are read"),
        ("a.csv", b"a\n" + b"x" * (2**20 + 1) + b"\n", "1,048,576"),
    ]


def test_what_is_wrong_or_too_large_is_a_sentence(page: AppTest, wrong: list[tuple[str, bytes, str]]) -> None:
    for name, content, reason in wrong:
        upload(page, name, content)
        assert not page.exception, reason
        assert reason in texts(page), reason
        upload(page, "good.csv", TEXT.encode())
        assert not page.error, reason


def test_letters_are_read_as_the_bytes_suggest_and_a_guess_is_said(page: AppTest) -> None:
    upload(page, "a.csv", "größe\n1\n".encode("latin-1"))
    assert page.selectbox(key="upload_encoding").value == "windows-1252"
    assert "Is `größe` written as it should be?" in texts(page)
    page.selectbox(key="upload_encoding").set_value("utf-8").run()
    assert "Try the encoding windows-1252." in texts(page)
    upload(page, "a.csv", "größe\n1\n".encode())
    assert page.selectbox(key="upload_encoding").value == "utf-8"
    assert not page.warning, "the control"


def test_the_first_rows_wait_until_they_are_asked_for_and_hide_again_with_another_file(page: AppTest) -> None:
    upload(page, "a.csv", b"name\nQuixley\n")
    assert len(page.dataframe) == 0
    switch(page, "first_rows_of").set_value(True).run()
    assert page.dataframe[0].value["name"].tolist() == ["Quixley"]
    upload(page, "b.csv", b"name\nWexford\n")
    assert len(page.dataframe) == 0
