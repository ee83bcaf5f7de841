"""What nobody may see is guessed: every guess is named, and whoever made none is not judged by ours."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.ui.reading import texts


def test_an_error_that_rests_on_guesses_says_so_with_every_guess(open_page: Callable[[str], AppTest]) -> None:
    page = open_page("explore/tradeoff")
    page.selectbox(key="tradeoff_question").set_value(1).run()
    assert "This rests on" not in texts(page)
    page.sidebar.toggle(key="exact_toggle").set_value(False).run()
    boxes = [page.number_input(key=f"guess_{of}_1") for of in ("records", "answer")]
    assert [box.value for box in boxes] == [None, None], "A number would look as if somebody had said it."
    assert [box.placeholder for box in boxes] == [f"no guess yet; drawn for {start}" for start in ("5,912", "2,500")]
    first = "5,912 rows and an answer of 2,500"
    assert "**Nobody has said how many rows there are and how large the answer is**" in texts(page)
    assert page.title[0].value.endswith(f", if there are {first} (nobody has said so)")
    page.number_input(key="guess_records_1").set_value(20000.0).run()
    assert "**Nobody has said how large the answer is**" in texts(page)
    told = ", assuming about 20,000 rows, with an answer of 2,500 (which nobody has said)"
    assert page.title[0].value.endswith(told)
    page.number_input(key="guess_answer_1").set_value(900.0).run()
    assert "**This rests on guesses: 20,000 rows and an answer of 900.**" in texts(page)
    assert page.title[0].value.endswith(", assuming about 20,000 rows and an answer of 900")
    page.number_input(key="guess_answer_1").set_value(None).run()
    assert page.title[0].value.endswith(told), "Who empties a box no longer says so."
    page.number_input(key="guess_answer_1").set_value(2500.0).run()
    assert page.title[0].value.endswith(" and an answer of 2,500"), "To agree with what is drawn is to say it."
    page.selectbox(key="tradeoff_question").set_value(0).run()
    assert "This rests on" not in texts(page), "The error of a count does not depend on its size."
