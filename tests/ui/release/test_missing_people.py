"""An account that hides replaced people, and a table declared without their number: the way on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from streamlit.testing.v1 import AppTest

from dpengine.data import Comparison, PrivacyUnit, TextColumn, read_table
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery
from dpengine.scenario import Scenario
from pages.phrasing import account_words
from tests.examples.ledgers import ROWS, SCHEMA, ledger_at, opened, people
from tests.ui.reading import button, texts
from tests.ui.waiting import arrived

CSV = b"age,sex\n34,f\n50,m\n61,f\n"


def declare(page: AppTest) -> AppTest:
    page.file_uploader(key="upload_file").set_value(("trial.csv", CSV, "text/csv")).run()
    page.text_input(key="table_name").set_value("trial")
    page.selectbox(key="kind_0").set_value("number")
    page.selectbox(key="kind_1").set_value("leave out").run()
    page.number_input(key="lower_0").set_value(0)
    page.number_input(key="upper_0").set_value(120).run()
    page.radio(key="neighbors").set_value(Neighbors.REPLACE_ONE).run()
    return page.number_input(key="people").set_value(3).run()


def use(page: AppTest) -> AppTest:
    return arrived(button(page, "use_table").click().run())


def to_release(page: AppTest) -> AppTest:
    """The Release page with one question in the plan."""
    count = PlannedQuery(query=CountQuery(where=Comparison("age", ">", 40.0)), guarantee=Guarantee(epsilon=0.5))
    if not page.session_state["scenario"].queries:
        page.session_state["scenario"] = page.session_state["scenario"].with_query(count)
    return page.switch_page("pages/explore/release/page.py").run()


def test_from_a_missing_number_of_people_a_button_leads_to_a_release(open_page: Callable[[str], AppTest]) -> None:
    page = to_release(use(declare(open_page("explore/data"))))
    assert "whose rows, the number of people (3 people, as declared) and what answers hide cannot be changed" in texts(
        page
    )
    button(page, "open_account").click().run()
    page.switch_page("pages/explore/data/page.py").run()
    page.button(key="declare_again").click().run()
    page.radio(key="neighbors").set_value(Neighbors.ADD_REMOVE).run()
    page = to_release(use(page))
    assert "**The public number of people is missing.**" in texts(page)
    assert "it was opened for 3 people" in texts(page)
    assert not page.error
    page.button(key="declare_people").click().run()
    page.switch_page("pages/explore/data/page.py").run()  # AppTest itself stays on the page where a script left it
    assert page.radio(key="neighbors").value is Neighbors.REPLACE_ONE
    assert page.number_input(key="people").value == 3
    page = to_release(use(page))
    next(button for button in page.button if button.label == "Release this answer").click().run()
    assert page.title[0].value.startswith("The answer:")
    assert not page.exception


def test_another_number_of_people_is_not_ordered_to_be_declared_but_said_what_holds(tmp_path: Path) -> None:
    table, budget = people(ROWS, replace(SCHEMA, people=450)), Guarantee(epsilon=1.0)
    account = opened(ledger_at(tmp_path / "budget.db"), table, neighbors=Neighbors.REPLACE_ONE)
    plan = Scenario(table_name="people", schema=table.schema, neighbors=Neighbors.REPLACE_ONE, budget=budget)
    assert not account_words.mismatch(account, plan)
    said = account_words.mismatch(account, replace(plan, schema=replace(table.schema, people=400)))
    assert "was opened for 450 people; the table is now declared with 400." in said
    assert "What was released stays protected." in said
    assert "can only be used with 450, declared on the Data page: another number would be another promise." in said
    assert "declare it as the account says" not in said


def test_a_stronger_declaration_is_not_ordered_to_be_taken_back(tmp_path: Path) -> None:
    """What was released for rows alone is never called what hides people, and no weaker promise is asked for."""
    visits = replace(SCHEMA, columns=(*SCHEMA.columns, TextColumn(name="who")))
    table = read_table(b"age,ill,who\n31,yes,a\n32,no,a\n", schema=visits)
    account = opened(ledger_at(tmp_path / "budget.db"), table)
    declared = replace(visits, unit=PrivacyUnit(identifier="who", rows=12))
    plan = Scenario(table_name="people", schema=declared, neighbors=Neighbors.ADD_REMOVE, budget=Guarantee(epsilon=1.0))
    assert not account_words.mismatch(account, replace(plan, schema=visits))
    said = account_words.mismatch(account, plan)
    assert "opened for one row for each person; the table is now declared with at most 12 rows for each 'who'" in said
    assert "If the declaration is right, keep it: what was released so far" in said
