"""The pages for everybody: numbers of many cells, editions, every budget in one table, and raises in the history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import NumberColumn, Schema, Table, sample_labels
from dpengine.ledger import Account, Ledger, combined
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, Query
from dpengine.release import release
from dpengine.reports import DECIDED_BEFOREHAND
from pages.phrasing import released_words
from pages.plan import published_panels
from pages.session.plan import READY_MADE
from tests.examples.kept import visits
from tests.examples.ledgers import ROWS, asking, ledger_at, opened, people
from tests.examples.tables import read_here
from tests.ui.reading import texts

OpenPage = Callable[[str], AppTest]
FIRST, SECOND = people(ROWS), people(ROWS[:4])
CELLS = HistogramQuery("ill")


def answered(table: Table, account: Account, queries: Sequence[Query], *, epsilon: float = 0.1) -> None:
    for number, query in enumerate(queries):
        release(asking(epsilon, query), table, account, request_id=f"request-{number}")


@pytest.fixture
def ledger(ledger_folder: Path) -> Ledger:
    """The ledger of the pages."""
    return ledger_at(ledger_folder / "budget.db", marker=ledger_folder / "ledger.id")


@pytest.fixture
def account(ledger: Ledger) -> Account:
    """An account of epsilon 1 in it."""
    return opened(ledger, FIRST)


def test_the_newest_answer_shows_every_number(account: Account, open_page: OpenPage) -> None:
    answered(FIRST, account, [CountQuery(), CELLS])
    page = open_page("explore/released")
    _, last = account.releases()
    assert list(page.dataframe[0].value.iloc[:, 0]) == list(last.labels)
    assert list(page.dataframe[0].value.iloc[:, 1]) == list(last.values)
    assert not page.exception


def test_a_table_is_not_spoken_of_in_the_words_of_another(ledger: Ledger, open_page: OpenPage) -> None:
    """A visitor's own plan is about the practice table, in which this very column has words."""
    said = sample_labels(READY_MADE).column("doctor_visits")
    schema = Schema(name="ours", columns=(NumberColumn(name="doctor_visits", lower=0, upper=9),))
    table = read_here(b"doctor_visits\n1\n2\n", schema=schema)
    answered(table, opened(ledger, table), [MeanQuery("doctor_visits")])
    page = open_page("explore/released")
    (question,) = page.dataframe[0].value["question"]
    assert "doctor_visits" in question
    assert "`doctor_visits`" in texts(page)
    assert str(said) not in question + texts(page)


def test_answers_to_one_question_stand_together(account: Account, open_page: OpenPage) -> None:
    answered(FIRST, account, [CountQuery(), CELLS])
    assert "to this question together" not in texts(open_page("explore/released"))
    release(asking(0.2), FIRST, account, request_id="once more")
    first, _, last = account.releases()
    together = released_words.headline(combined([first, last]).estimate, released_words.CONFIDENCE)
    seen = texts(open_page("explore/released"))
    assert f"The 2 answers to this question together: **{together}**. :gray[{DECIDED_BEFOREHAND}]" in seen
    assert "In 95% of such releases the interval holds the exact answer; here it reaches from" in seen


def test_what_an_interval_is_for_and_what_comes_on_top_is_read_by_everybody(
    ledger: Ledger, account: Account, open_page: OpenPage
) -> None:
    answered(FIRST, account, [CountQuery()])
    assert "comes on top" not in texts(open_page("explore/released")), "The control: every row is a person."
    table = visits()
    later = opened(ledger, table)
    answered(table, later, [MeanQuery("age")])
    page = open_page("explore/released")
    page.selectbox(key="published_account").set_value(later.id).run()
    assert "once values are cut to 0 to 100" in texts(page)
    assert "at most 4 rows of a person count; here it reaches from" in texts(page)
    assert "The error is measured from the capped answer. What the cap on rows drops comes on top." in texts(page)


def test_the_picture_goes_on_with_each_answer_and_with_a_raised_budget(account: Account, open_page: OpenPage) -> None:
    """It is computed once for everybody, as long as nothing is charged."""
    answered(FIRST, account, [CountQuery(), CELLS])
    page = open_page("explore/budgets")
    page.toggle(key="published_numbers").set_value(True).run()
    before = page.dataframe[-1].value
    release(asking(0.1, CountQuery()), FIRST, account, request_id="another")
    after = page.run().dataframe[-1].value
    assert (len(before), len(after)) == (2, 3)
    assert after.iloc[:2].equals(before)
    account.top_up(Guarantee(epsilon=1.0, delta=1e-6), reason="a test")
    assert not page.run().dataframe[-1].value.equals(after), "advanced adding depends on the budget's delta"


@pytest.mark.parametrize("path", ["explore/released", "explore/budgets"])
def test_everybody_reads_the_sum_over_editions(
    ledger: Ledger, account: Account, open_page: OpenPage, path: str
) -> None:
    assert "the same people as" not in texts(open_page(path))
    later = opened(ledger, SECOND, epsilon=0.5, predecessor=account)
    page = open_page(path)
    page.selectbox(key="published_account").set_value(later.id).run()
    assert "This table may hold the same people as `people`" in texts(page)
    assert "Somebody who is in both is promised the sum: ε 1.5." in texts(page)


def test_all_budgets_stand_in_one_table_that_one_first(ledger: Ledger, account: Account, open_page: OpenPage) -> None:
    answered(FIRST, account, [CountQuery()])
    later = opened(ledger, SECOND, epsilon=0.5)
    page = open_page("explore/budgets")
    page.selectbox(key="published_account").set_value(later.id).run()
    table = page.dataframe[0].value
    assert list(table["budget"]) == ["ε 0.5", "ε 1"]
    assert list(table["spent"]) == ["ε 0", "ε 0.1"]
    assert list(table["left"]) == ["ε 0.5", "ε 0.9"]
    assert list(table["answers"]) == [0, 1]


def test_the_last_charge_burns_once(account: Account, open_page: OpenPage) -> None:
    answered(FIRST, account, [CountQuery(), CELLS, CountQuery()])
    page = open_page("explore/budgets")
    page.toggle(key="published_numbers").set_value(True).run()
    spent = page.dataframe[-1].value.filter(like="naive").iloc[:, 0]
    assert list(spent) == pytest.approx([0.1, 0.2, 0.3])


@pytest.mark.parametrize("path", ["explore/released", "explore/budgets"])
def test_a_broken_ledger_is_one_sentence_that_names_no_place(
    ledger_folder: Path, ledger: Ledger, open_page: OpenPage, path: str
) -> None:
    ledger.close()
    (ledger_folder / "budget.db").write_bytes(b"torn" * 1000)
    said = texts(open_page(path))
    assert published_panels.WITHOUT in said
    assert str(ledger_folder) not in said


def test_each_budget_is_counted_by_its_own_rule(ledger: Ledger, account: Account, open_page: OpenPage) -> None:
    later = opened(ledger, SECOND, epsilon=0.5, delta=1e-6, rule="concentrated")
    answered(SECOND, later, [CountQuery()])
    table = open_page("explore/budgets").dataframe[0].value
    assert list(table["spent"]) == ["ε 0", "ρ 0.005"]


def test_a_raise_is_a_line_of_the_history(account: Account, open_page: OpenPage) -> None:
    answered(FIRST, account, [CountQuery()])
    account.top_up(Guarantee(epsilon=2.0), reason="a second wave")
    release(asking(0.1), FIRST, account, request_id="once more")
    table = open_page("explore/released").dataframe[-1].value
    assert table["question"][1] == "Budget raised to ε 2: a second wave"
    assert list(table["left after"]) == ["ε 1.8", "ε 1.9", "ε 0.9"]
