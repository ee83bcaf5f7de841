"""The attack on k-anonymous rows in three acts: what is said on the page is what the engine finds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.attacks import (
    AnonymityTarget,
    RowsAtHand,
    anonymized,
    exposed,
    guessed,
    hierarchies,
    locally_recoded,
    sharpest,
)
from dpengine.attacks.k_anonymity.local_recoding import COARSER, FOUR_ROWS, STARS
from dpengine.data import CategoryColumn, NumberColumn, Schema, TextColumn, read_table, sample_frame, sample_schema
from dpengine.formatting import out_of_100
from dpengine.privacy import Guarantee, Neighbors
from dpengine.scenario import Scenario
from pages.attack.homogeneity.homogeneity import PAIR_CHECK
from tests.ui.reading import texts
from tests.ui.steps import at_step
from tests.ui.waiting import at_rest

NewApp = Callable[[], AppTest]
SCHEMA = Schema(
    name="visits",
    columns=(
        TextColumn(name="who"),
        NumberColumn(name="age", lower=0, upper=100),
        CategoryColumn(name="ill", categories=("yes", "no")),
    ),
)
ROWS = b"who,age,ill\n" + b"".join(f"{row},{row},{'yes' if row < 20 else 'no'}\n".encode() for row in range(100))


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """The page, to be opened on one of its acts."""
    return new_app().switch_page("pages/attack/homogeneity/page.py")


def at(page: AppTest, number: int, table: str = "") -> AppTest:
    at_rest(at_step(page, "homogeneity", number))
    return at_rest(page.pills(key="homogeneity_table").set_value(table).run()) if table else page


def test_every_act_has_a_finding_of_its_own(page: AppTest) -> None:
    findings = [at(page, number).title[0].value for number in (1, 2, 3, 4, 5)]
    assert findings[:2] == [
        "Everybody shares their details with at least 3 others (k = 4)",
        "Everybody hides among 4, and 4 people are exposed",
    ]
    assert len(set(findings)) == 5
    assert not page.exception
    assert not page.error
    assert "Is it enough if everybody looks like a few others?" in texts(page)


def test_the_patch_is_not_the_cure(page: AppTest) -> None:
    at_rest(at(page, 2).slider(key="homogeneity_l_3").set_value(3).run())
    assert page.title[0].value == "No secret is certain, yet one group’s “viral infection” rises to 50%"
    assert "**0 of 12** people are in a group with only one secret" in texts(page)


@pytest.mark.parametrize("people,values", [(5, 1), (10, 3)])
def test_the_hospital_is_told_as_the_search_finds_it(page: AppTest, people: int, values: int) -> None:
    at(page, 2, "Invented hospital")
    page.slider(key="homogeneity_k_50").set_value(people)
    at_rest(page.slider(key="homogeneity_l_5").set_value(values).run())
    rows = RowsAtHand(frame=sample_frame("patients"))
    levels = hierarchies(sample_schema("patients"), ["zip", "age", "sex"])
    wanted = AnonymityTarget(people=people, values=values)
    found = anonymized(rows.crowds, levels, wanted=wanted, sensitive="disease")
    one, guess = sharpest(rows, found, "disease"), guessed(rows, found, "disease")
    told = exposed(found.published)
    shown = texts(page)
    assert f"**{told.certain.successes:,} of {told.certain.trials:,}** people" in shown
    assert f"**Another {told.one_fact_away:,}** are in a group with only two: one fact" in shown
    assert f"“{one.value}” rises from {out_of_100(one.among_all)}% to **{out_of_100(one.in_crowd)}%**" in shown
    assert (
        f"is right for {out_of_100(guess.rate)}% of people; without groups, for {out_of_100(guess.baseline)}%" in shown
    )
    at(page, 1)
    assert f"{found.left_out} of 2,000 people are left out" in texts(page)
    assert f"None of the {found.ways} ways to coarsen whole columns loses less." in texts(page)


def test_counts_of_the_same_table_are_published_instead(page: AppTest) -> None:
    at(page, 3)
    assert "counts of all 12 inpatients" in texts(page)
    at(page, 1, "Voters of 1996")
    at(page, 3)
    assert "counts of all 944 voters" in texts(page)
    assert "hesitates between “strong democrat” and “weak democrat”" in texts(page)
    at(page, 2, "Health study")
    assert "counts once in each of their groups" in "".join(caption.value for caption in page.caption)
    at(page, 3)
    assert "counts of all 12 inpatients" in texts(page), "A person of the study has several rows."


def test_the_curators_own_table_is_searched_in_its_engine(page: AppTest) -> None:
    page.session_state["table"] = read_table(ROWS, schema=SCHEMA, format="csv")
    page.session_state["scenario"] = Scenario(
        table_name="visits", schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE, queries=(), budget=Guarantee(epsilon=1.0)
    )
    page.session_state["exact_shown"] = True
    at(page, 2)
    assert page.title[0].value == "Everybody hides among 5, and 100 people are exposed"
    at_rest(page.slider(key="homogeneity_l_5").set_value(3).run())
    assert "l must be at most the number of different sensitive values, 2" in texts(page)
    at_rest(page.multiselect(key="homogeneity_known").set_value([]).run())
    assert "at least one: choose some" in texts(page)


def test_four_rows_in_pairs_expose_one_of_them(page: AppTest) -> None:
    at(page, 4)
    assert page.title[0].value == "John Ramos hides among 2 rows, and each says mumps"
    found = locally_recoded(FOUR_ROWS, people=2, coarsen=COARSER)
    assert f"Cells changed: {found.changed} of 16" in texts(page)
    assert page.main.get("html")[-1].proto.body.count('class="marked"') == 3, "His row, and the two that may be his."
    page.pills(key="homogeneity_four_way").set_value("2 alike, removed").run()
    assert page.title[0].value == "John Ramos hides among 2 rows, and each says mumps"
    page.pills(key="homogeneity_four_other").set_value("flu").run()
    assert page.title[0].value == "John Ramos hides among 2 rows with 2 diseases"
    page.pills(key="homogeneity_four_way").set_value("all 4 alike").run()
    assert "may be any of 4 rows" in texts(page)
    assert "counted again: at least 4. Cells changed: 16 of 16" in texts(page)


def test_the_numbers_of_the_question_about_pairs_are_the_engine_s() -> None:
    changed = {locally_recoded(FOUR_ROWS, people=2, coarsen=how).changed for how in (COARSER, STARS)}
    assert changed == {10}
    assert f"10 of {FOUR_ROWS.size} cells" in PAIR_CHECK.answers[2].text
    assert PAIR_CHECK.answers[2].feedback.startswith("Those 10 cells removed entirely leave")
