"""Subtracting two counts on screen: certain without noise, a guess with it, and rules that are kept in vain."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.attacks import DifferencingRules, differenced, noisy_counts
from dpengine.attacks.clinic import HIS_AGE, NAMED, clinic_table, mumps_cases, trait_counts
from dpengine.data import CategoryColumn, NumberColumn, Schema, Table, read_table
from dpengine.formatting import out_of_100, upper_of_100
from dpengine.privacy import Guarantee, Neighbors
from dpengine.scenario import Scenario
from pages.attack.differencing.differencing import NAMED_CHECK
from pages.attack.differencing.differencing_named import CASES, EVERYBODY, OTHERS, ROW
from tests.ui.reading import texts
from tests.ui.steps import at_step

NewApp = Callable[[], AppTest]
SCHEMA = Schema(
    name="own_rows",
    columns=(NumberColumn(name="age", lower=0, upper=120), CategoryColumn(name="ill", categories=("yes", "no"))),
)


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """The page, to be opened on one of its acts."""
    return new_app().switch_page("pages/attack/differencing/page.py")


@pytest.fixture
def own() -> Iterator[Table]:
    """A table of which every second is ill; one person is 51, and ill."""
    rows = "".join(f"{20 + row % 30},{'yes' if row % 2 else 'no'}\n" for row in range(60))
    table = read_table(("age,ill\n" + rows + "51,yes\n").encode(), schema=SCHEMA)
    yield table
    table.close()


def at(page: AppTest, number: int) -> AppTest:
    return at_step(page, "differencing", number)


def test_two_exact_counts_tell_a_yes_and_a_no(page: AppTest) -> None:
    at(page, 1)
    assert "| How many have mumps? | **121** |" in texts(page)
    assert "How many without Pablo? | **120** |" in texts(page)
    at(page, 2)
    assert page.title[0].value == "Two exact counts reveal that Pablo has mumps"
    assert "**100%** of cases" in texts(page)
    at(page, 1).selectbox(key="differencing_trait").set_value("flu").run()
    assert page.title[0].value.startswith("Two counts")
    assert at(page, 2).title[0].value == "Two exact counts reveal that Pablo does not have flu"


def test_rules_are_kept_in_vain(page: AppTest) -> None:
    at(page, 2).pills(key="differencing_look").set_value("Would an auditor help?").run()
    assert page.title[0].value == "Three rules are obeyed, and each time Rosa’s secret is revealed"
    assert "| 19 | 10 | 1 | **yes**" in texts(page)
    assert "who is **41**" in texts(page)


@pytest.mark.parametrize(("epsilon", "prior"), [(0.5, 50), (2.0, 20)])
def test_noise_leaves_a_guess(page: AppTest, epsilon: float, prior: int) -> None:
    at(page, 3)
    page.slider(key="differencing_prior").set_value(prior)
    page.number_input(key="differencing_epsilon_box").set_value(epsilon).run()
    rules = DifferencingRules(epsilon=epsilon, prior=prior / 100)
    measured = out_of_100(differenced(rules, trials=10_000, seed=7).outcome.rate)
    assert page.title[0].value == f"ε = {epsilon:g}: subtracting is right in {measured} out of 100 cases"
    assert f"| upper limit for any attacker, whatever the noise | {upper_of_100(rules.knowing_the_others)} |" in texts(
        page
    )
    assert "guesses from the difference whether Pablo has it" in texts(page)
    said = "".join(caption.value for caption in page.caption)
    assert f"for them the limit is {upper_of_100(rules.bound)}." in said


def test_the_curators_own_table_only_while_exact_values_are_shown(page: AppTest, own: Table) -> None:
    page.session_state["table"] = own
    page.session_state["scenario"] = Scenario(
        table_name="own_rows",
        schema=SCHEMA,
        neighbors=Neighbors.ADD_REMOVE,
        queries=(),
        budget=Guarantee(epsilon=1.0),
    )
    page.session_state["exact_shown"] = True
    at(page, 1)
    assert "Type a value for" in texts(page)
    column = "differencing_facts_0_0_NumberColumn"
    page.number_input(key=f"{column}_=").set_value(51).run()
    page.selectbox(key="differencing_secret_0_column").set_value("ill").run()
    page.selectbox(key="differencing_secret_0_1_CategoryColumn_=").set_value("yes").run()
    assert "How many without this person? | **30** |" in texts(page)
    assert at(page, 2).title[0].value == "Two exact counts reveal that this person has the trait"
    at(page, 1).number_input(key=f"{column}_=").set_value(20).run()
    assert "rows that fit these facts" in texts(page)
    page.session_state["exact_shown"] = False
    assert at(page, 2).title[0].value == "Two exact counts reveal that Pablo has mumps"
    assert not page.exception


@pytest.fixture(scope="module")
def clinic() -> Iterator[sqlite3.Connection]:
    """The clinic's table in a database that knows nothing of the page."""
    database = sqlite3.connect(":memory:")
    clinic_table().to_sql("clinic", database, index=False)
    yield database
    database.close()


def rows(clinic: sqlite3.Connection, sql: str) -> list[object]:
    return [row[0] for row in clinic.execute(sql)]


def test_the_sql_that_is_shown_has_the_answers_that_are_shown(page: AppTest, clinic: sqlite3.Connection) -> None:
    at(page, 4)
    assert page.title[0].value == "The count of 22 is answered, the row of one is refused"
    assert [code.value for code in page.code] == [CASES.format(age=24), ROW]
    assert rows(clinic, ROW) == ["mumps"]
    assert rows(clinic, "SELECT name FROM clinic WHERE disease = 'mumps' AND age BETWEEN 22 AND 24") == [NAMED]
    for age in (21, 22, 60):
        page.slider(key="differencing_named_age").set_value(age).run()
        (cases,) = rows(clinic, page.code[0].value)
        assert f"**Answered: {cases} people**" in texts(page)
        assert f"Older than {HIS_AGE - 1}, it is {mumps_cases(older_than=21)}: one more" in texts(page)
    page.pills(key="differencing_named_look").set_value("Two counts").run()
    assert [code.value for code in page.code] == [EVERYBODY, OTHERS]
    assert (rows(clinic, EVERYBODY), rows(clinic, OTHERS)) == ([17], [16])
    assert "Their difference is 1: John Ramos has it." in texts(page)


def test_noise_in_both_counts_leaves_the_named_person_a_guess(page: AppTest) -> None:
    at(page, 4).pills(key="differencing_named_look").set_value("With noise").run()
    limits = []
    for epsilon in (0.5, 0.1):
        page.number_input(key="differencing_named_epsilon_box").set_value(epsilon).run()
        limits.append(upper_of_100(DifferencingRules(epsilon=epsilon).knowing_the_others))
        assert page.title[0].value == f"ε = {epsilon:g}: at most {limits[-1]} out of 100 guesses are right"
    assert limits == ["62.3", "52.5"]
    for day in (1, 2):
        everybody, others = noisy_counts(trait_counts(), epsilon=0.1, seed=day)
        assert f"= **{everybody - others}**;".replace("-", "−") in texts(page)
        page.button(key="differencing_named_again").click().run()


def test_the_numbers_of_the_closing_question_are_those_of_the_clinic(clinic: sqlite3.Connection) -> None:
    both = [*rows(clinic, EVERYBODY), *rows(clinic, f"{EVERYBODY} AND age <> {HIS_AGE}")]
    (right,) = [answer for answer in NAMED_CHECK.answers if answer.right]
    assert right.feedback.startswith(f"{both[0]} have the trait, {both[1]} of those who are not {HIS_AGE}.")
    assert f"Both counts, {both[0]} and {both[1]}," in NAMED_CHECK.answers[2].feedback
    assert rows(clinic, f"SELECT name FROM clinic WHERE age = {HIS_AGE}") == [NAMED]
