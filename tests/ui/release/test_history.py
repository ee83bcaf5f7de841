"""What is kept, on the release page: newest first, what is left after each, files to take away, charges to fetch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import sample_schema
from dpengine.ledger import Account, Ledger
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery
from pages.plan import accounts
from pages.shell.sidebar import UNREAD
from tests.servers.server import own_ledger
from tests.ui.reading import button, texts

OpenPage = Callable[[str], AppTest]
AGAIN = "Ask again, and pay again"
FETCH = "Fetch the answer that was paid for"


def press(page: AppTest, label: str) -> AppTest:
    return next(button for button in page.button if button.label == label).click().run()


def downloads(page: AppTest) -> list[str]:
    """What can be taken along of answers; the plan's own files are others."""
    return [button.proto.label for button in page.get("download_button") if "release_take" not in button.proto.id]


@pytest.fixture
def account(opened: AppTest, ledger_folder) -> Account:
    """The account of the page, as another process finds it."""
    assert not opened.exception
    environment = own_ledger(ledger_folder)
    found = Ledger.open(environment["EPSILON_EXPLORER_LEDGER"], marker=ledger_folder / "ledger.id").accounts()
    return found[0]


def charged(account: Account, name: str, *, epsilon: float = 0.01) -> None:
    """A charge whose answer never came, as after a crash."""
    schema = sample_schema("rand_hie")
    account.charge(name, PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=epsilon)), schema)


def test_the_newest_answer_stands_first_with_what_is_left_after_it(opened: AppTest) -> None:
    assert "History: 0 answers released" in texts(opened)
    assert downloads(opened) == []
    press(opened, "Release this answer")
    opened.selectbox(key="release_question").set_value(2).run()
    press(opened, "Release this answer")
    table = opened.dataframe[-1].value
    assert list(table["charged"]) == ["ε 0.1", "ε 0.1"]
    assert list(table["left after"]) == ["ε 2.8", "ε 2.9"]
    assert "self-rated health" in table["question"][0]
    assert downloads(opened) == [
        *("Download as CSV", "Privacy label of this answer", "Download as CSV", "Download as JSON"),
        "Privacy label of the chosen answer",
    ]


def test_any_answer_of_the_table_can_be_chosen_for_its_label(opened: AppTest) -> None:
    press(opened, "Release this answer")
    press(opened, AGAIN)
    chosen = opened.selectbox(key="label_of")
    assert len(chosen.options) == 2
    assert all("were in hospital at least once" in option for option in chosen.options)
    chosen.set_value(1).run()
    assert not opened.exception
    assert opened.selectbox(key="label_of").value == 1
    press(opened, AGAIN)
    assert opened.selectbox(key="label_of").value == 0


def test_what_was_paid_for_is_fetched_once_and_free(opened: AppTest, account: Account) -> None:
    assert FETCH not in [button.label for button in opened.button]
    charged(account, "lost")
    opened.run()
    assert "Paid for, but not answered yet: 1" in texts(opened)
    assert list(opened.dataframe[-1].value["answer, 95% interval"]) == ["charged, not answered yet"]
    assert "History: 0 answers released" in texts(opened)
    spent = account.spent
    press(opened, FETCH)
    assert account.spent == spent
    (entry,) = account.charges()
    assert entry.noisy is not None
    assert "Paid for, but not answered yet" not in texts(opened)
    assert "History: 1 answer released" in texts(opened)
    opened.run()
    assert account.charges() == (entry,)


def test_what_another_declaration_paid_for_waits_for_that_declaration(opened: AppTest, account: Account) -> None:
    other = sample_schema("patients")
    account.charge("lost", PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.01)), other)
    opened.run()
    assert "Declare the columns on the **Data** page as they were declared then" in texts(opened)
    assert FETCH not in [button.label for button in opened.button]


def test_a_long_history_is_shown_twenty_at_a_time(opened: AppTest, account: Account) -> None:
    for number in range(45):
        charged(account, f"lost {number}", epsilon=0.001 * (number + 1))
    opened.run()
    assert "Page of the history, 1 to 3" in [box.label for box in opened.number_input]
    assert list(opened.dataframe[-1].value["charged"])[:2] == ["ε 0.045", "ε 0.044"]
    assert len(opened.dataframe[-1].value) == 20
    opened.number_input(key="history_page").set_value(3).run()
    assert list(opened.dataframe[-1].value["charged"])[-1] == "ε 0.001"
    assert len(opened.dataframe[-1].value) == 5
    opened.number_input(key="history_page").set_value(None).run()
    assert not opened.exception
    assert len(opened.dataframe[-1].value) == 5, "The page that was looked at stays."


def test_a_press_on_what_is_paid_for_already_costs_nothing_more(opened: AppTest, account: Account) -> None:
    """In another tab, or a session after this one: a question whose answer failed waits for it, and is paid once."""
    plan = opened.session_state["scenario"]
    account.charge("lost", plan.queries[0], plan.schema)
    press(opened, "Release this answer")
    assert len(account.charges()) == 1, "Its page did not say that it was paid for."
    assert "This is paid for already, and has no answer yet" in texts(opened)
    assert "Release this answer" not in [button.label for button in opened.button]
    assert [button.label for button in opened.button].count(FETCH) == 1, "It is offered in one place."
    button(opened, "release_").click().run()
    (entry,) = account.charges()
    assert entry.noisy is not None
    assert opened.title[0].value.startswith("The answer: ")
    press(opened, AGAIN)
    assert len(account.charges()) == 2, "The control: another one is another charge."


def test_while_its_ledger_cannot_be_read_nothing_is_said_of_what_was_released(
    ledger_folder: Path, opened: AppTest
) -> None:
    """The control: once it can be, everything is there."""
    accounts.ledger().close()
    kept = (ledger_folder / "budget.db").read_bytes()
    (ledger_folder / "budget.db").write_bytes(b"torn" * 1000)
    opened.run()
    assert opened.title[0].value == "The ledger cannot be read now"
    assert len(opened.warning) == 1
    assert UNREAD in "".join(one.value for one in opened.sidebar.markdown)
    assert "Nothing spent" not in texts(opened) + "".join(one.value for one in opened.sidebar.markdown)
    assert not opened.sidebar.get("html"), "No bar of a budget that nobody knows."
    assert [each.label for each in opened.button if each.label.startswith(("Release", "Open"))] == []
    accounts.ledger().close()
    (ledger_folder / "budget.db").write_bytes(kept)
    button(opened, "ledger_again").click().run()
    assert opened.title[0].value == "ε 3 is left of ε 3 (δ 10⁻⁶)"
