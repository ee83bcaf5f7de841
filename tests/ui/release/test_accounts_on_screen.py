"""An account's life on the Release page: opened, raised with a reason, continued by a new edition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Checkbox, Selectbox

from dpengine.data import BooleanColumn, NumberColumn, Schema, Table
from dpengine.ledger import Account, Ledger
from dpengine.privacy import Guarantee, Neighbors
from dpengine.release import release
from pages.plan import accounts
from pages.plan.edition_choice import CHOICES, NO_EDITION, NOT_COMPARED, UNKNOWN
from tests.examples.ledgers import ROWS, SCHEMA, asking, found, ledger_at, opened, people
from tests.ui.hosted import brought
from tests.ui.reading import button, texts

FIRST, SECOND = people(ROWS), people(ROWS[:4])

OPENED = "ε 5, which came with the plan that was opened here; change it on **Budget**"


def bring(page: AppTest, table: Table, *, epsilon: float = 0.5) -> AppTest:
    """The Release page of a session with a table of real people."""
    return brought(page, table, epsilon=epsilon, delta=1e-6, to="explore/release")


@pytest.mark.parametrize("to", ["release", "tradeoff", "budget"])
def test_a_run_looks_for_its_account_once_and_the_next_one_finds_what_was_opened_since(
    new_app: Callable[[], AppTest], monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    looked, account_of = list[Table](), Ledger.account_of

    def noted(ledger: Ledger, table: Table) -> Account | None:
        looked.append(table)
        return account_of(ledger, table)

    monkeypatch.setattr(Ledger, "account_of", noted)
    page = brought(new_app(), FIRST, epsilon=0.5, delta=1e-6, to=f"explore/{to}")
    looked.clear()
    page.run()
    assert looked == [FIRST]
    before = texts(page)
    opened(accounts.ledger(), FIRST)
    assert texts(page.run()) != before


@pytest.fixture
def page(new_app: Callable[[], AppTest]) -> AppTest:
    """The Release page with a real account of epsilon 1."""
    page = bring(new_app(), FIRST)
    assert "**Answers hide** whether any one person is in the table" in texts(page)
    assert "The budget can only be raised, with a reason that everybody reads." in texts(page)
    assert "card_edition" not in texts(page)
    said = "Your plan's question asks for ε 0.5, and the budget holds ε 1, δ 10⁻⁶: it fits."
    captions = page.radio(key="account_rule").proto.captions
    assert captions[0] == f"{said} It has room for 2 such questions."
    assert "room for" not in captions[1], "The control: there it does not fit."
    button(page, "open_account").click().run()
    assert not page.exception
    return page


def test_rows_that_come_under_another_name_are_said_to_have_their_account(page: AppTest) -> None:
    told = "They have this account, opened for `people`: another name gives them no second budget."
    assert told not in texts(page)
    bring(page, people(schema=replace(SCHEMA, name="staff")))
    assert f"You brought these rows as `staff`. {told}" in texts(page)


def widget(page: AppTest, kind: str, name: str) -> str:
    """The full key of the widget whose key begins so."""
    return next(item.key for item in page.get(kind) if item.key and item.key.startswith(name))


def other_people(page: AppTest) -> Checkbox:
    return page.checkbox(key=widget(page, "checkbox", "account_other_people"))


def edition(page: AppTest) -> Selectbox:
    return page.selectbox(key=widget(page, "selectbox", "account_edition"))


def press(page: AppTest, label: str) -> AppTest:
    return next(button for button in page.button if button.label == label).click().run()


def raise_to(page: AppTest, epsilon: float, reason: str) -> AppTest:
    page.number_input(key=widget(page, "number_input", "top_up_epsilon")).set_value(epsilon)
    page.text_input(key=widget(page, "text_input", "top_up_reason")).set_value(reason)
    page.run()
    pressed = [item for item in page.button if (item.key or "").startswith("top_up_")]
    return pressed[0].click().run() if pressed else page


def test_a_raised_budget_shows_its_total_and_its_reason(page: AppTest, ledger_folder: Path) -> None:
    raise_to(page, 3.0, "a [second](http://nowhere) *wave*")
    assert found(ledger_folder / "budget.db", FIRST).budget == Guarantee(epsilon=3.0, delta=1e-6)
    assert "to a total of ε 3, δ 10⁻⁶" in texts(page)
    assert "](http://" not in texts(page)
    assert "ε 3" in page.title[0].value


def test_where_nothing_is_left_the_raise_below_is_named(page: AppTest) -> None:
    press(page, "Release this answer")
    assert "raise the budget below" not in texts(page), "The control: something is left."
    press(page, "Ask again, and pay again")
    assert "The curator can raise the budget below: that is a decision about everybody in the table" in texts(page)
    assert "another account" not in texts(page)
    assert "what is spent never comes back. The curator can only raise" in texts(
        page.switch_page("pages/explore/released/page.py").run()
    )


def test_the_boxes_of_a_raise_hold_the_present_total_and_nothing_complains(page: AppTest) -> None:
    assert page.number_input(key=widget(page, "number_input", "top_up_epsilon")).value == 1.0
    assert page.number_input(key=widget(page, "number_input", "top_up_delta")).value == 1e-6
    assert not page.error
    page.number_input(key=widget(page, "number_input", "top_up_epsilon")).set_value(5.0).run()
    assert "then promised **ε 5, δ 10⁻⁶** instead of ε 1, δ 10⁻⁶" in texts(page)
    assert not page.error


@pytest.mark.parametrize(
    "epsilon, reason, sentence", [(1.0, "more", "larger than"), (3.0, " ", "Say why"), (-1.0, "more", "epsilon")]
)
def test_a_budget_is_not_raised_without_more_or_without_a_reason(
    page: AppTest, ledger_folder: Path, epsilon: float, reason: str, sentence: str
) -> None:
    raise_to(page, epsilon, reason)
    account = found(ledger_folder / "budget.db", FIRST)
    assert account.budget == Guarantee(epsilon=1.0, delta=1e-6)
    assert not account.top_ups()
    assert sentence in page.error[0].value


def test_a_new_edition_continues_the_account_before(page: AppTest, ledger_folder: Path) -> None:
    bring(page, SECOND)
    others = "**This server answers about other tables of people, too:** `people`, with"
    assert f"{others} nothing released so far." in texts(page)
    release(asking(0.1), FIRST, found(ledger_folder / "budget.db", FIRST), request_id="r")
    page.run()
    assert f"{others} 1 answer released so far.\nAnswers from this table tell something more about" in texts(page)
    assert CHOICES in texts(page)
    choice = edition(page)
    assert choice.value is None
    assert button(page, "open_account").disabled
    choice.set_value(found(ledger_folder / "budget.db", FIRST).id).run()
    assert "tell more: in total, up to **ε 2, δ 2·10⁻⁶**" in texts(page)
    button(page, "open_account").click().run()
    account = found(ledger_folder / "budget.db", SECOND)
    assert [one.fingerprint for one in account.lineage()] == [
        found(ledger_folder / "budget.db", FIRST).fingerprint,
        account.fingerprint,
    ]
    assert "This table may hold the same people as `people`" in texts(page)


def test_whoever_does_not_know_is_taken_to_say_yes(page: AppTest, ledger_folder: Path) -> None:
    edition(bring(page, SECOND)).set_value(UNKNOWN).run()
    assert "**Taken as yes, to be on the safe side:** the account continues that of `people`." in texts(page)
    assert "tell more: in total, up to **ε 2, δ 2·10⁻⁶**" in texts(page)
    button(page, "open_account").click().run()
    before = found(ledger_folder / "budget.db", FIRST)
    assert found(ledger_folder / "budget.db", SECOND).predecessor == before.id


def test_where_no_earlier_account_can_be_continued_it_is_said_why(page: AppTest) -> None:
    bring(page, SECOND)
    assert NOT_COMPARED not in texts(page), "The control: there the question is asked."
    assert CHOICES in texts(page)
    replaced = replace(SECOND.schema, people=4)
    page.session_state["table"] = people(ROWS[:4], replaced)
    plan = page.session_state["scenario"]
    page.session_state["scenario"] = replace(plan, schema=replaced, neighbors=Neighbors.REPLACE_ONE)
    assert f"`people`, with nothing released so far. :gray[{NOT_COMPARED}]" in texts(page.run())
    assert CHOICES not in texts(page)
    assert button(page, "open_account").disabled, "Under another promise, too, they may be the same people."
    other_people(page).check().run()
    assert not button(page, "open_account").disabled


@pytest.mark.parametrize(("answer", "apart"), [(UNKNOWN, "`people`"), (NO_EDITION, "`people`, `elsewhere`")])
def test_who_may_be_in_a_table_that_is_not_continued_is_asked_about_whatever_the_answer(
    page: AppTest, ledger_folder: Path, answer: int, apart: str
) -> None:
    """Not to know of one table is no answer about another one that looks the same."""
    replaced, elsewhere = replace(SECOND.schema, people=4), replace(SCHEMA, name="elsewhere", people=4)
    ledger = ledger_at(ledger_folder / "budget.db", marker=ledger_folder / "ledger.id")
    strangers = people(((70, "no"), (71, "yes"), (72, "no"), (73, "yes")), elsewhere)
    opened(ledger, strangers, neighbors=Neighbors.REPLACE_ONE)
    bring(page, SECOND)
    page.session_state["table"] = people(ROWS[:4], replaced)
    plan = page.session_state["scenario"]
    page.session_state["scenario"] = replace(plan, schema=replaced, neighbors=Neighbors.REPLACE_ONE)
    edition(page.run()).set_value(answer).run()
    assert ("the account continues that of `elsewhere`" in texts(page)) is (answer == UNKNOWN)
    assert other_people(page).label == f"I know that nobody in this table is in {apart}"
    assert button(page, "open_account").disabled
    other_people(page).check().run()
    assert not button(page, "open_account").disabled


@pytest.mark.parametrize(("answer", "other"), [(UNKNOWN, "people"), (1, "stations"), (2, "people")])
def test_of_two_earlier_tables_one_is_continued_and_of_the_other_somebody_says_what_they_know(
    page: AppTest, ledger_folder: Path, answer: int, other: str
) -> None:
    """Nor does not knowing speak of the other, whose people may be these under other names of columns."""
    ledger = ledger_at(ledger_folder / "budget.db", marker=ledger_folder / "ledger.id")
    opened(ledger, people(((70, "no"), (71, "yes")), replace(SCHEMA, name="stations")))
    columns = (NumberColumn(name="years", lower=0, upper=200), BooleanColumn(name="sick"))
    renamed = people(ROWS, Schema(name="survey", columns=columns), header="years,sick")
    edition(bring(page, renamed)).set_value(answer).run()
    assert "in another form" not in texts(page), "Nothing says that they are the same rows."
    assert other_people(page).label == f"I know that nobody in this table is in `{other}`"
    assert button(page, "open_account").disabled
    other_people(page).check().run()
    assert not button(page, "open_account").disabled


def test_nobody_opens_an_account_beside_others_without_saying_that_these_are_other_people(page: AppTest) -> None:
    """However little the tables look alike; the room on such a table refuses, too."""
    columns = (NumberColumn(name="rent", lower=0, upper=9000), BooleanColumn(name="owns"))
    unlike = people(((500, "no"), (600, "yes")), Schema(name="flats", columns=columns, people=2), header="rent,owns")
    page.session_state["table"] = unlike
    plan = page.session_state["scenario"]
    page.session_state["scenario"] = replace(
        plan, table_name="flats", schema=unlike.schema, neighbors=Neighbors.REPLACE_ONE
    )
    page.run()
    assert "in another form" not in texts(page), "Nothing says that they are the same rows."
    assert button(page, "open_account").disabled
    assert other_people(page).label == "I know that nobody in this table is in `people`"
    host = page.switch_page("pages/workshop/host/page.py").run()
    assert "Somebody in this table may be in an earlier one" in texts(host)
    assert "To Release →" in [link.proto.label for link in host.get("page_link")]
    other_people(page.switch_page("pages/explore/release/page.py").run()).check().run()
    assert not button(page, "open_account").disabled


def test_tables_under_another_promise_are_named_among_the_others(page: AppTest, ledger_folder: Path) -> None:
    staff = replace(SCHEMA, name="staff", people=3)
    ledger = ledger_at(ledger_folder / "budget.db", marker=ledger_folder / "ledger.id")
    opened(ledger, people(ROWS[:3], staff), neighbors=Neighbors.REPLACE_ONE)
    first = found(ledger_folder / "budget.db", FIRST)
    opened(ledger, people(ROWS[1:], replace(SCHEMA, name="later")), predecessor=first)
    bring(page, SECOND)
    assert "about other tables of people, too:** `later`, `staff`, `people`, with nothing" in texts(page)
    assert f"**Of these,** `staff` **cannot be chosen below.** :gray[{NOT_COMPARED}]" in texts(page)
    assert [option.split(",")[0] for option in edition(page).options][1:2] == ["Yes"]
    assert not any("people" in option for option in edition(page).options), "It is continued."


def test_other_people_have_an_account_of_their_own(page: AppTest, ledger_folder: Path) -> None:
    edition(bring(page, SECOND)).set_value(NO_EDITION).run()
    assert "**Are these the rows of `people` in another form?**" in texts(page)
    assert "This account stands for itself. If somebody is in both after all, both budgets count." in texts(page)
    assert other_people(page).label == "I know that nobody in this table is in `people`"
    assert "spend what is left of its budget, ε 1." in texts(page)
    assert button(page, "open_account").disabled
    other_people(page).check().run()
    button(page, "open_account").click().run()
    assert found(ledger_folder / "budget.db", SECOND).predecessor is None
    assert "may hold the same people as" not in texts(page)


def test_the_budget_where_a_practice_table_starts_is_set_by_nobody_until_it_is_kept(
    open_page: Callable[[str], AppTest],
) -> None:
    page = open_page("explore/release")
    starts = "the starting budget of this practice table: until you press, you may change it on the **Budget** page"
    first = page.session_state["scenario"]
    assert starts in texts(page)
    assert "came with the plan" not in texts(open_page("explore/data"))
    page.session_state["scenario"] = replace(first, budget=Guarantee(epsilon=5.0))
    assert OPENED in texts(page.run()), "As by an address: nobody here has set it."
    page.session_state["scenario"] = first
    assert starts in texts(page.run())
    press(page.switch_page("pages/explore/budget/page.py").run(), "Keep budget and shares in the plan")
    assert "ε 3, δ 10⁻⁶, set on the **Budget** page" in texts(page.switch_page("pages/explore/release/page.py").run())


def test_practice_accounts_have_neither(open_page: Callable[[str], AppTest]) -> None:
    page = open_page("explore/release")
    button(page, "open_account").click().run()
    assert "answers of this practice account" not in texts(page)
    press(page, "Release this answer")
    assert "The answer of this practice account will be deleted**, for everybody on this server" in texts(page)
    captions = page.radio(key="restart_rule").proto.captions
    asks = "Your plan's 3 questions ask for ε 0.3, and the budget holds ε 3, δ 10⁻⁶: they all fit."
    assert captions[0] == f"{asks} It has room for these 3 questions 10 times."
    assert captions[1].startswith("Your plan's 3 questions ask for ρ 0.01")
    page.radio(key="restart_rule").set_value("concentrated").run()
    button(page, "restart_account").click().run()
    assert "ρ" in page.title[0].value
    assert not page.exception
    assert not [item.key for item in page.get("button") if (item.key or "").startswith("top_up_")]


def _two_things_go_wrong() -> None:
    from pages import session
    from pages.widgets import outputs

    for text in ("The ledger is away.", "No account was opened."):
        session.notice(text)
        outputs.notices()


def test_a_page_says_what_went_wrong_twice_in_one_run() -> None:
    """One notice had waited, and opening an account failed as well: the page ended in a fault of its own."""
    page = AppTest.from_function(_two_things_go_wrong).run()
    assert not page.exception
    assert [told.value for told in page.warning] == ["The ledger is away.", "No account was opened."]
