"""Text is never a formula, numbers are never text, and everything comes back through the csv module."""

import csv
import io
from decimal import Decimal

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from dpengine.reports import comma_separated, spreadsheet_file, spreadsheet_safe
from tests.examples.kept import HOSTILE, taken_for_a_formula

FORMULAS = (
    *("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\rx", "\tx", " =1", "\n=1", "＝1", "＋1", "－1", "＠x", "−1"),
    *(f"{unseen}=1" for unseen in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u180e\ufe0f\u2064\u061c"),
    *('"=1"', "“=1", "\ufeff=1", "\u200b=1", "\u00a0=1", "\u3000=1"),
)
HARMLESS = ("", "a", "a=1", "1-2", "a - b", "é, ü", "x;y", "age >= 65; 3", "(=)")


def cells(text: str, delimiter: str = ",") -> list[str]:
    return [cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) for cell in row]


def test_what_a_spreadsheet_would_run_gets_an_apostrophe_and_keeps_its_signs():
    for text in FORMULAS:
        assert taken_for_a_formula(text), text
        safe = str(spreadsheet_safe(text))
        assert not taken_for_a_formula(safe), text
        assert safe.replace("'", "") == text.replace("'", ""), text


def test_harmless_text_stays_as_it_is():
    for text in HARMLESS:
        assert not taken_for_a_formula(text), text
        assert spreadsheet_safe(text) == text, text


def test_numbers_stay_numbers():
    numbers: list[float | Decimal | np.integer] = [-1, -0.5, 3, Decimal("0.000001"), np.float64(-2.5), np.int64(-7)]
    for number in numbers:
        text = comma_separated(["n"], [[number]])
        assert text == f'"n"\r\n{text.split(chr(10))[1].strip()}\r\n', number
        assert '"' not in text.split("\r\n")[1], number
        assert float(cells(text)[1]) == float(number), number


def test_whole_numbers_of_numpy_stay_whole():
    assert cells(comma_separated(["n"], [[np.int64(7)]])) == ["n", "7"]


def test_what_has_no_value_is_empty_and_yes_is_a_word():
    assert cells(comma_separated(["n"], [[None, float("nan"), float("-inf"), True, np.bool_(0)]])) == [
        *("n", "", "", "", "yes", "no")
    ]


@given(st.lists(st.text(), min_size=1, max_size=4))
@example(list(HOSTILE))
def test_text_comes_back_but_for_the_apostrophes(texts):
    came = cells(comma_separated(["n"], [texts]))[1:]
    assert [one.replace("'", "") for one in came] == [one.replace("'", "") for one in texts]
    assert all(came == given for came, given in zip(came, texts, strict=True) if not at_risk(given))


@given(st.lists(st.text(alphabet="=+-@\t\r\n;,\"' ax1＝\u200b\u202e\u2066\u180e\ufe0f"), min_size=1, max_size=3))
@example(["x;=1+1", "a\t=1"])
@example(["", ';"\t'])
def test_no_cell_is_a_formula_wherever_a_program_divides_the_line(texts):
    """Nor is the name of a column."""
    for text in (comma_separated(["n"], [texts]), *(comma_separated([name], []) for name in texts)):
        for delimiter in (",", ";", "\t"):
            assert not [cell for cell in cells(text, delimiter) if taken_for_a_formula(cell)]


def test_the_control_an_unguarded_table_holds_formulas():
    plain = io.StringIO(newline="")
    csv.writer(plain, quoting=csv.QUOTE_ALL).writerows([["n"], ["x;=1+1"], ["=1"]])
    assert [cell for cell in cells(plain.getvalue(), ";") if taken_for_a_formula(cell)] == ["=1"]
    unquoted = io.StringIO(newline="")
    csv.writer(unquoted).writerow(["a", "x;=1+1"])
    assert [cell for cell in cells(unquoted.getvalue(), ";") if taken_for_a_formula(cell)] == ["=1+1"]


def test_excel_is_told_that_the_file_is_utf_8():
    assert spreadsheet_file("é") == b"\xef\xbb\xbf\xc3\xa9"


def at_risk(text):
    return any(
        taken_for_a_formula(piece) for piece in [text, *text.replace("\t", ";").replace("\r", ";").split(";")]
    ) or ("\n" in text or "\t" in text or "\r" in text)
