"""Declarations that contradict themselves: marked where they stand, and told apart from what is still to declare."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.reading import button

OpenPage = Callable[[str], AppTest]
TRIAL = b"age,sex,joined\n34,f,2020-01-01\n50,m,2020-02-01\n"


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    """A number, a category and a day, declared without a fault."""
    page = open_page("explore/data")
    page.file_uploader(key="upload_file").set_value(("trial.csv", TRIAL, "text/csv")).run()
    for i, kind in enumerate(("number", "category", "date")):
        page.selectbox(key=f"kind_{i}").set_value(kind)
    page.run()
    page.number_input(key="lower_0").set_value(0)
    page.number_input(key="upper_0").set_value(120)
    page.text_input(key="values_1").set_value("f, m")
    page.date_input(key="earliest_2").set_value(date(2019, 1, 1))
    page.date_input(key="latest_2").set_value(date(2019, 1, 1)).run()
    assert not page.error, "the control: one day is a range"
    assert not page.info
    assert not button(page, "use_table").disabled, "the control"
    return page


def marked(page: AppTest) -> list[str]:
    assert not page.exception
    return [one.value.replace("\\", "") for one in page.error]


def left_to_do(page: AppTest) -> list[str]:
    return [one.value.replace("\\", "") for one in page.info]


def test_reversed_bounds_and_days_are_marked_where_they_stand_and_named_once_at_the_button(page: AppTest) -> None:
    page.number_input(key="upper_0").set_value(-3)
    page.date_input(key="latest_2").set_value(date(2018, 12, 31)).run()
    lines = [
        "Lowest possible value of age must be below the highest, -3; it is 0.0.",
        "Earliest possible day of joined must be on or before the latest, 2018-12-31; it is 2019-01-01.",
    ]
    assert marked(page) == lines
    assert left_to_do(page) == ["Correct what is marked above: 'age', 'joined'."]
    assert button(page, "use_table").disabled


def test_what_is_missing_and_what_is_contradictory_are_each_said_once(page: AppTest) -> None:
    page.number_input(key="upper_0").set_value(-3)
    page.text_input(key="values_1").set_value("").run()
    assert left_to_do(page) == ["Still to declare: the possible values of 'sex'. Correct what is marked above: 'age'."]


def test_values_that_read_alike_are_refused(page: AppTest) -> None:
    page.text_input(key="values_1").set_value("f, m, f\ufe0f").run()
    assert "without values that read alike" in left_to_do(page)[0]
    assert button(page, "use_table").disabled


def test_what_is_marked_on_another_sheet_is_found_there(open_page: OpenPage) -> None:
    page, names = open_page("explore/data"), [f"c{i}" for i in range(26)]
    content = "\n".join([",".join(names), *(",".join(["1"] * 26) for _ in range(2))]).encode()
    page.file_uploader(key="upload_file").set_value(("wide.csv", content, "text/csv")).run()
    for i in range(25):
        page.selectbox(key=f"kind_{i}").set_value("number" if i == 0 else "leave out")
    page.run()
    page.number_input(key="lower_0").set_value(1)
    page.number_input(key="upper_0").set_value(0).run()
    page.pagination(key="form_sheet").set_value(2).run()
    page.selectbox(key="kind_25").set_value("text").run()
    assert marked(page) == []
    assert left_to_do(page) == ["Correct what is marked on sheet 1: 'c0'."]
