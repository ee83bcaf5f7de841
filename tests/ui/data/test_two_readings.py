"""Cells that may be read in two ways: named, and decided by whoever knows the file, never by one of its rows."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.plan.table.file_words import UNSURE
from tests.ui.data.test_upload_form import page, upload
from tests.ui.reading import button, texts
from tests.ui.waiting import arrived

__all__ = ["page"]


def test_a_number_that_may_be_read_in_two_ways_is_named(page: AppTest) -> None:
    upload(page, "a.csv", b"a;b\n1;1,234\n2;7,000\n")
    page.selectbox(key="upload_delimiter").set_value(";").run()
    assert "`1,234` may be read in two ways" in texts(page)
    assert page.selectbox(key="upload_thousands").value == ","


def test_what_may_be_read_in_two_ways_is_decided_by_somebody_and_by_no_row(page: AppTest) -> None:
    """With one more row, such as 1.234.567, every 1.234 is read otherwise, and that row moves everybody's values."""
    upload(page, "a.csv", b"income\n" + b"1.234\n2.345\n" * 20)
    page.selectbox(key="kind_0").set_value("number").run()
    page.number_input(key="lower_0").set_value(0)
    page.number_input(key="upper_0").set_value(10000).run()
    assert button(page, "use_table").disabled
    assert UNSURE in texts(page)
    assert page.session_state["scenario"].built_in, "Nothing was used."
    (sure,) = (box for box in page.checkbox if str(box.key).startswith("read_as_"))
    assert sure.label == "I know, and not only from these rows, that `.` in `1.234` stands before a fraction"
    arrived(button(sure.check().run(), "use_table").click().run())
    assert page.session_state["scenario"].table_name == "a"


@pytest.mark.parametrize(
    ("cells", "meant"),
    [
        (b'"1,234"\n"7,000"\n', "`1,234` is a whole number, with `,` between thousands"),
        (b"05/06/2024\n07/08/2024\n", "`05/06/2024` has the day first"),
    ],
)
def test_it_is_said_how_it_is_read(page: AppTest, cells: bytes, meant: str) -> None:
    upload(page, "a.csv", b"x\n" + cells)
    (sure,) = (box for box in page.checkbox if str(box.key).startswith("read_as_"))
    assert sure.label.endswith(f"that {meant}")


def test_what_can_be_read_in_one_way_asks_nobody(page: AppTest) -> None:
    upload(page, "a.csv", b"income\n" + b"1.2\n2.345\n" * 20)
    assert not [box for box in page.checkbox if str(box.key).startswith("read_as_")]


def test_a_tick_is_about_the_cells_that_its_sentence_names(page: AppTest) -> None:
    """Without the last line the days may be read in two ways, too, of which nobody has said a word."""
    upload(page, "a.csv", b"income,day\n" + b"1.234,05/06/2024\n2.345,07/08/2024\n" * 10 + b"3.456,31/12/2024\n")

    def ticks() -> dict[str, bool]:
        return {str(box.label): bool(box.value) for box in page.checkbox if str(box.key).startswith("read_as_")}

    next(box for box in page.checkbox if str(box.key).startswith("read_as_")).check().run()
    assert [*ticks().values()] == [True]
    page.number_input(key="upload_skip_last").set_value(1).run()
    ((sentence, ticked),) = ticks().items()
    assert "05/06/2024" in sentence
    assert not ticked
