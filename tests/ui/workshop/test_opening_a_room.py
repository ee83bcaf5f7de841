"""The form that opens a room: it works as it stands, every bad box gets a sentence, and the right account pays."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from dpengine.ledger import Ledger
from dpengine.privacy import Guarantee
from dpengine.promises import NOT_SAID, Promise
from dpengine.promises.recorded import RECORDED
from dpengine.promises.saved import to_json, to_link
from dpengine.workshop import JUDGE, STEPS
from tests.examples.ledgers import ROWS, opened, people
from tests.ui.hosted import HOST, OPEN, brought, press, press_open, room, rooms
from tests.ui.reading import texts

OpenPage = Callable[[str], AppTest]


@pytest.fixture
def form(open_page: OpenPage) -> AppTest:
    return open_page(HOST)


def ledger() -> Ledger:
    return rooms().ledger


def test_it_opens_as_it_stands(form: AppTest) -> None:
    assert "The budget holds **10 questions**, no matter who asks." in texts(form)
    assert "5,912 people stand in it with 20,190 entries, up to 5 each" in texts(form)
    assert "two lines, naive and advanced, lie on one another" in texts(form)
    form.number_input(key="host_each").set_value(0.005).run()
    parts = re.search(r"From question \*\*(\d+)\*\* on, advanced costs clearly less than naive.", texts(form))
    assert parts is not None
    assert 20 < int(parts[1]) < 40
    form.number_input(key="host_each").set_value(None).run()
    assert press(form, OPEN).title[0].value == "Let people in"
    setting = room().setting
    assert setting.steps == STEPS
    plan = form.session_state["scenario"]
    assert plan.budget.epsilon == 3.0
    assert setting.plan == replace(plan, budget=Guarantee(epsilon=1.0, delta=plan.budget.delta)), "Protection shows."
    assert (setting.cap, setting.columns, setting.people, setting.days) == (None, (), 5912.0, 7)
    assert ledger().account(room().account).practice
    assert room().spaced_code in texts(form)


BAD: dict[str, tuple[str, float | None, str]] = {
    "a budget of zero": ("host_epsilon", 0.0, "The budget ε must be more than 0"),
    "a budget below zero": ("host_epsilon", -1.0, "The budget ε must be more than 0"),
    "a budget beyond all": ("host_epsilon", 1e6, "at most 10000"),
    "no budget": ("host_epsilon", None, "The budget ε must be more than 0"),
    "a delta of one": ("host_delta", 1.0, "The budget δ must be at least 0 and less than 1"),
    "a price of zero": ("host_each", 0.0, "Each question must cost more than ε 0"),
    "a cap above the budget": ("host_cap", 3.5, "ε 3.5, more than the whole budget of ε 1"),
    "a cap of zero": ("host_cap", 0.0, "With a cap of 0 nobody can ask anything"),
    "no people": ("host_people", None, "Type how many people the table has"),
    "less than one person": ("host_people", 0.5, "Type how many people the table has"),
}


def test_a_bad_box_gets_a_sentence_and_opens_nothing(form: AppTest) -> None:
    for bad, (key, value, sentence) in BAD.items():
        before = form.number_input(key=key).value
        form.number_input(key=key).set_value(value).run()
        assert sentence in form.error[0].value.replace("\\", ""), bad
        press(form, OPEN)
        assert form.title[0].value == "Open a room", bad
        form.number_input(key=key).set_value(before)
    assert rooms().all() == ()


def test_a_promise_on_record_is_judged_at_the_end(form: AppTest) -> None:
    form.selectbox(key="host_promise").set_value("Facebook movement maps").run()
    press(form, OPEN)
    assert room().setting.steps == (*STEPS, JUDGE)
    assert room().setting.promise == RECORDED["Facebook movement maps"].promise


def test_a_promise_may_be_pasted_and_a_bad_one_opens_nothing_and_stays(form: AppTest) -> None:
    mine = Promise(name="Mine", epsilon=1.5, delta=1e-5, unit="person-day", every_days=1.0)
    form.selectbox(key="host_promise").set_value("pasted").run()
    for text, sentence in (
        ("", "Paste the promise"),
        ("{not json", "not a saved promise"),
        ("http://here/judge?promise=x", "holds no promise"),
        (to_json(replace(mine, epsilon=NOT_SAID)), "nothing to add up"),
    ):
        form.text_area(key="host_promise_text").set_value(text).run()
        assert sentence in form.error[0].value.replace("\\", ""), text
        press(form, OPEN)
        assert form.title[0].value == "Open a room"
        assert form.text_area(key="host_promise_text").value == text
    assert rooms().all() == ()
    form.text_area(key="host_promise_text").set_value(f"http://here/judge?promise={to_link(mine)}").run()
    press(form, OPEN)
    assert room().setting.promise == mine


def test_the_promise_in_hand_is_offered_and_may_be_the_only_step(form: AppTest) -> None:
    mine = Promise(name="Mine", epsilon=1.5, delta=1e-5, unit="person-day", every_days=1.0)
    assert not any("in hand" in option for option in form.selectbox(key="host_promise").options)
    form.session_state["kept_promise_in_hand"] = mine
    form.run()
    form.selectbox(key="host_promise").set_value("in hand").run()
    form.pills(key="host_steps").set_value([]).run()
    press(form, OPEN)
    assert (room().setting.steps, room().setting.promise) == ((JUDGE,), mine)


def test_no_question_ticked_opens_nothing(form: AppTest) -> None:
    for box in form.checkbox:
        box.uncheck()
    press(form.run(), OPEN)
    assert "Tick at least one question" in form.error[0].value
    assert rooms().all() == ()


def test_no_step_chosen_opens_nothing(form: AppTest) -> None:
    form.pills(key="host_steps").set_value([])
    press(form.run(), OPEN)
    assert "Choose at least one step" in form.error[0].value
    assert rooms().all() == ()


def test_rhos_need_a_delta(form: AppTest) -> None:
    form.radio(key="host_rule").set_value("concentrated")
    form.number_input(key="host_delta").set_value(0.0).run()
    assert form.radio(key="host_rule").proto.captions[1] == "Needs a budget with a δ: this one has none."
    assert "The concentrated rule needs a budget with a δ above 0" in form.error[0].value
    form.number_input(key="host_delta").set_value(1e-6).run()
    press(form, OPEN)
    assert room().setting.plan.rule == "concentrated"


def test_each_rule_says_what_the_questions_of_this_room_cost(form: AppTest) -> None:
    form.checkbox[1].uncheck()
    form.number_input(key="host_each").set_value(0.2)
    form.number_input(key="host_epsilon").set_value(0.3).run()
    naive, concentrated = form.radio(key="host_rule").proto.captions
    assert naive == "This room's 2 questions ask for ε 0.4, and the budget holds ε 0.3, δ 10⁻⁶: they do not all fit."
    assert "questions ask for ρ 0.04 (ε 0.4 if just added up), and the budget holds ρ 0.00" in concentrated
    form.number_input(key="host_epsilon").set_value(-1.0).run()
    assert list(form.radio(key="host_rule").proto.captions) == [], "The error below says what is wrong."


def test_what_is_filled_in_is_what_opens(form: AppTest) -> None:
    form.text_input(key="host_title").set_value("Rent [x](y)")
    form.checkbox[1].uncheck()
    form.pills(key="host_steps").set_value(["spend", "guess"])
    form.number_input(key="host_epsilon").set_value(1.0)
    form.number_input(key="host_each").set_value(0.05)
    form.number_input(key="host_cap").set_value(0.2)
    form.number_input(key="host_people").set_value(800.0)
    form.number_input(key="host_days").set_value(2)
    form.multiselect(key="host_columns").set_value(["hospital_stays"])
    form.run()
    assert "The budget holds **20 questions**. Each person may ask **4**: with **5 people** or fewer" in texts(form)
    press(form, OPEN)
    setting = room().setting
    assert (setting.title, setting.cap, setting.people, setting.days) == ("Rent [x](y)", 0.2, 800.0, 2)
    assert (setting.steps, setting.columns) == (("guess", "spend"), ("hospital_stays",))
    assert [one.guarantee.epsilon for one in setting.plan.queries] == [0.05, 0.05]
    assert ledger().account(room().account).budget == Guarantee(epsilon=1.0, delta=1e-6)


def test_a_practice_account_that_was_used_starts_over(open_page: OpenPage) -> None:
    used = press(press(open_page("explore/release"), "Open the account"), "Release this answer")
    before = ledger().accounts()[0]
    form = used.switch_page(f"pages/{HOST}/page.py").run()
    assert "The practice account starts over: its 1 answer is deleted" in form.caption[0].value
    press(form, OPEN)
    assert room().account != before.id
    assert ledger().account(room().account).spent == Guarantee(epsilon=0.0)


def test_an_untouched_practice_account_is_taken_as_it_is(open_page: OpenPage) -> None:
    known = press(open_page("explore/release"), "Open the account")
    form = known.switch_page(f"pages/{HOST}/page.py").run()
    form.number_input(key="host_epsilon").set_value(3.0).run()
    press(form, OPEN)
    assert room().account == ledger().accounts()[0].id
    assert ledger().accounts()[0].generation == 1


@pytest.fixture
def second(form: AppTest) -> AppTest:
    """The form, while another room is open on the same practice account."""
    return press(press(form, OPEN), "Open a new room")


def test_another_room_on_the_same_account_waits_for_a_choice(second: AppTest) -> None:
    press(second, OPEN)
    assert "Choose what becomes of it" in second.error[0].value
    assert len(rooms().all()) == 1


def test_two_rooms_may_share_one_budget(second: AppTest) -> None:
    second.radio(key="host_shared").set_value("as it is").run()
    press(second, OPEN)
    new, old = rooms().all()
    assert new.account == old.account
    assert old.state == "open"


def test_or_the_earlier_room_is_closed(second: AppTest) -> None:
    second.radio(key="host_shared").set_value("fresh").run()
    press(second, OPEN)
    new, old = rooms().all()
    assert (new.state, old.state) == ("open", "closed")


@pytest.fixture
def real(new_app: Callable[[], AppTest]) -> AppTest:
    """The form on a table of real people."""
    return brought(new_app(), people(ROWS))


def opener(form: AppTest) -> Button:
    return next(button for button in form.button if button.label == OPEN)


def test_strangers_spend_no_real_budget_unless_the_host_says_so(real: AppTest, open_page: OpenPage) -> None:
    assert "unwise to let strangers spend a real budget" in "".join(one.value for one in real.caption)
    assert opener(real).disabled
    assert not opener(open_page(HOST)).disabled, "The control: a practice table."


def test_a_real_table_gets_an_account_on_these_terms(real: AppTest) -> None:
    real.number_input(key="host_epsilon").set_value(2.0).run()
    press_open(real)
    account = ledger().account(room().account)
    assert not account.practice
    assert account.budget == Guarantee(epsilon=2.0)
    assert room().setting.people == 1000.0


def test_the_account_of_a_real_table_decides(real: AppTest) -> None:
    press_open(real)
    again = press(real, "Open a new room")
    assert opener(again).disabled, "Each room asks anew."
    assert "decides: **ε 1 is left of ε 1**" in texts(again)
    assert not [box for box in again.number_input if box.key == "host_epsilon"]
    press_open(again)
    assert len(rooms().all()) == 2
    assert len(ledger().accounts()) == 1


def test_without_its_rows_no_room_opens(real: AppTest) -> None:
    del real.session_state["table"]
    real.run()
    assert "The rows of this table are not here" in real.error[0].value
    assert "To the tables →" in [link.proto.label for link in real.get("page_link")]
    assert not [button for button in real.button if button.label == OPEN]


def test_a_press_opens_no_room_on_a_budget_that_its_page_did_not_show(real: AppTest) -> None:
    """Somebody else opens the table's account while the host's tick and button stand there."""
    next(box for box in real.checkbox if str(box.key).startswith("host_trusted_")).set_value(True).run()
    assert not opener(real).disabled
    opened(ledger(), people(ROWS), epsilon=50.0)
    press(real, OPEN)
    assert rooms().all() == ()
    assert "The account of this table decides: **ε 50" in texts(real)
    assert opener(real).disabled, "Another budget is another decision."
    press_open(real)
    assert ledger().account(room().account).budget == Guarantee(epsilon=50.0), "The control: now it was shown."


@pytest.mark.parametrize(
    ("box", "value"), [("host_epsilon", 15.0), ("host_each", 0.9), ("host_cap", 0.9), ("host_delta", 1e-3)]
)
def test_a_press_opens_no_real_room_on_terms_that_came_along_with_it(real: AppTest, box: str, value: float) -> None:
    next(tick for tick in real.checkbox if str(tick.key).startswith("host_trusted_")).set_value(True).run()
    real.number_input(key=box).set_value(value)
    press(real, OPEN)
    assert rooms().all() == ()
    press(real, OPEN)
    assert len(rooms().all()) == 1, "The control: now they were shown."


def test_a_press_opens_no_room_on_a_plan_that_its_page_did_not_show(form: AppTest) -> None:
    form.session_state["scenario"] = replace(form.session_state["scenario"], budget=Guarantee(epsilon=500.0))
    press(form, OPEN)
    assert rooms().all() == ()
    press(form, OPEN)
    assert room().setting.plan.budget == Guarantee(epsilon=500.0), "The control: now it was shown."
