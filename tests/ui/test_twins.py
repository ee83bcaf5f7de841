"""A page that was opened once for many tests: none of them finds what another one did on it."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.ui.reading import texts


def test_what_is_done_on_one_page_is_not_found_on_its_twin(page_again: Callable[[str], AppTest]) -> None:
    one, other = page_again("explore/budget"), page_again("explore/budget")
    address, shown = dict(other.query_params), texts(other)
    one.number_input(key="share_1_box").set_value(0.5)
    one.number_input(key="budget_epsilon").set_value(5.0).run()
    one.button(key="budget_keep").click().run()
    one.session_state["exact_shown"] = False
    assert one.title[0].value == "All 3 questions fit: they spend ε 0.7 of ε 5"
    for untouched in (other, page_again("explore/budget"), other.run()):
        assert untouched.title[0].value == "All 3 questions fit: they spend ε 0.3 of ε 3"
        assert untouched.number_input(key="share_1_box").value == 0.1
        assert untouched.session_state["scenario"].budget.epsilon == 3.0
        assert untouched.session_state["exact_shown"]
        assert texts(untouched) == shown
        assert untouched.query_params == address != one.query_params
