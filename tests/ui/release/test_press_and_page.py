"""A press that opens an account is about what its page showed: these other accounts, and these terms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import BooleanColumn, NumberColumn, Schema
from dpengine.privacy import Guarantee
from pages.plan import accounts
from pages.plan.edition_choice import NO_EDITION
from tests.examples.ledgers import ROWS, SCHEMA, found, ledger_at, opened, people
from tests.ui.budget.test_sharing import opened as sharing
from tests.ui.hosted import brought
from tests.ui.reading import button, texts
from tests.ui.release.test_accounts_on_screen import FIRST, SECOND, bring, edition, other_people, page, press, widget

__all__ = ["page"]


def test_what_was_said_of_the_accounts_before_is_not_said_of_one_that_was_opened_since(
    page: AppTest, ledger_folder: Path
) -> None:
    """Somebody else opens the account of the same rows while what was said stands on the screen, and the button."""
    edition(bring(page, SECOND)).set_value(NO_EDITION).run()
    other_people(page).check().run()
    assert not button(page, "open_account").disabled, "The control."
    opened(accounts.ledger(), people(ROWS[1:], replace(SCHEMA, name="third")))
    button(page, "open_account").click().run()
    ledger = ledger_at(ledger_folder / "budget.db", marker=ledger_folder / "ledger.id")
    assert ledger.account_of(SECOND) is None
    assert edition(page).value is None
    edition(page).set_value(NO_EDITION).run()
    assert other_people(page).label == "I know that nobody in this table is in `people`, `third`"
    assert not other_people(page).value
    other_people(page).check().run()
    button(page, "open_account").click().run()
    assert ledger.account_of(SECOND) is not None


MET = Guarantee(epsilon=500.00000000000506, delta=1.5576412065639574e-20)
"""Of Guarantee(epsilon=1.0, delta=0.0), Python's own hash is the same: numbers have no secret in it."""


OTHERS: dict[str, dict[str, Any]] = {
    "a budget of the same hash": {"budget": MET},
    "a larger budget": {"budget": Guarantee(epsilon=500.0)},
    "another rule": {"budget": Guarantee(epsilon=1.0, delta=1e-6), "rule": "concentrated"},
    "the control": {},
}


@pytest.mark.parametrize("changed", OTHERS)
def test_a_press_opens_no_account_on_terms_that_its_page_did_not_show(
    new_app: Callable[[], AppTest], ledger_folder: Path, changed: str
) -> None:
    """A link that was pasted and not entered comes with the press that takes the hand out of its box."""
    page = brought(new_app(), FIRST, to="explore/release")
    plan = replace(page.session_state["scenario"], **OTHERS[changed])
    sharing(page).text_input(key="paste_link").set_value(plan.to_link())
    button(page, "open_account").click().run()
    ledger = ledger_at(ledger_folder / "budget.db", marker=ledger_folder / "ledger.id")
    assert (ledger.account_of(FIRST) is None) == bool(OTHERS[changed])
    if OTHERS[changed]:
        button(page, "open_account").click().run()
        opened_now = found(ledger_folder / "budget.db", FIRST)
        assert opened_now.budget.epsilon == pytest.approx(plan.budget.epsilon)
        assert opened_now.rule == plan.rule


def test_a_link_calls_a_table_by_no_other_name_than_that_of_its_declarations(page: AppTest) -> None:
    bring(page, SECOND)
    own = page.session_state["scenario"]
    other = replace(own, table_name="rand_hie", budget=Guarantee(epsilon=0.7))
    sharing(page).text_input(key="paste_link").set_value(other.to_link()).run()
    assert page.session_state["scenario"].budget == other.budget, "The control: it was opened."
    assert page.session_state["scenario"].table_name == own.table_name
    assert "rand_hie" not in texts(page)


def test_who_continues_one_account_is_asked_about_the_others_too(page: AppTest, ledger_folder: Path) -> None:
    """That somebody is in one earlier table says nothing of another, whose columns have other names."""
    columns = (NumberColumn(name="alter", lower=0, upper=100), BooleanColumn(name="krank"))
    opened(accounts.ledger(), people(schema=Schema(name="leute", columns=columns), header="alter,krank"))
    bring(page, SECOND)
    edition(page).set_value(found(ledger_folder / "budget.db", FIRST).id).run()
    assert button(page, "open_account").disabled
    assert other_people(page).label == "I know that nobody in this table is in `leute`"
    other_people(page).check().run()
    assert not button(page, "open_account").disabled
    edition(page).set_value(NO_EDITION).run()
    assert other_people(page).label == "I know that nobody in this table is in `people`", "The look-alike alone."


def test_a_total_is_said_before_it_counts(page: AppTest, ledger_folder: Path) -> None:
    page.text_input(key=widget(page, "text_input", "top_up_reason")).set_value("agreed").run()
    page.number_input(key=widget(page, "number_input", "top_up_epsilon")).set_value(12.0)
    press(page, "Raise the total, for everybody to see")
    assert found(ledger_folder / "budget.db", FIRST).budget.epsilon == 1.0, "It came along with the press."
    assert "**ε 12, δ 10⁻⁶** instead of" in texts(page)
    press(page, "Raise the total, for everybody to see")
    assert found(ledger_folder / "budget.db", FIRST).budget.epsilon == 12.0


def test_a_press_in_a_tab_that_has_not_seen_the_answer_shows_it_and_asks_nothing(
    page: AppTest, new_app: Callable[[], AppTest], ledger_folder: Path
) -> None:
    """It said "Release this answer", and what it would do by then is to ask again."""
    other = bring(new_app(), FIRST)
    press(page, "Release this answer")
    press(other, "Release this answer")
    assert len(found(ledger_folder / "budget.db", FIRST).charges()) == 1
    assert other.title[0].value.startswith("The answer: ")
    press(other, "Ask again, and pay again")
    press(page, "Ask again, and pay again")
    assert len(found(ledger_folder / "budget.db", FIRST).charges()) == 2
