"""How the text of a file is read: the choices that are offered, and files that need none."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from dpengine.data import csv_text
from pages.ui.upload_form import DELIMITERS

OpenPage = Callable[[str], AppTest]


def test_every_delimiter_that_is_offered_is_read() -> None:
    assert set(DELIMITERS) == set(csv_text.DELIMITERS)


def test_a_delimiter_chosen_for_one_file_is_not_used_for_a_file_with_tabs(open_page: OpenPage) -> None:
    page = open_page("explore/data")
    page.file_uploader(key="upload_file").set_value(("a.csv", b"a;b\n1;2\n3;4\n", "text/csv")).run()
    page.selectbox(key="upload_delimiter").set_value(";").run()
    page.file_uploader(key="upload_file").set_value(("b.tsv", b"x\ty\tz\n1\t2\t3\n", "text/csv")).run()
    assert not page.error
    assert "z" in page.selectbox(key="kind_2").label
