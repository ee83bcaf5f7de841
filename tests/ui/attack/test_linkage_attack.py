"""The attack by linkage in three acts: what is said on the page is what the engine counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.attacks import (
    GOVERNOR,
    RowsAtHand,
    TwoValues,
    hospital_table,
    insurance_records,
    linked,
    narrowed,
    told_apart,
    town_voters,
    voter_list,
)
from dpengine.data import AsItIs, BooleanColumn, Coarsening, NumberColumn, Period, Schema, TextColumn, read_table
from dpengine.formatting import out_of_100
from dpengine.privacy import Guarantee, Neighbors
from dpengine.scenario import Scenario
from pages.attack.linkage.linkage import GOVERNOR_CHECK
from pages.attack.linkage.linkage_views import BIRTH, EXACT, ZIP
from tests.ui.reading import texts
from tests.ui.steps import at_step

NewApp = Callable[[], AppTest]


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """The page, to be opened on one of its acts."""
    return new_app().switch_page("pages/attack/linkage/page.py")


def at(page: AppTest, number: int, view: str = "") -> AppTest:
    at_step(page, "linkage", number)
    return page.pills(key="linkage_view").set_value(view).run() if view else page


def test_every_act_has_a_finding_of_its_own_and_the_end_asks(page: AppTest) -> None:
    findings = {at(page, number).title[0].value for number in (1, 2, 3, 4, 5)}
    assert len(findings) == 5
    assert not page.exception
    assert not page.error
    assert "May we publish the rows if we take the names off?" in texts(page)
    assert "67% of this hospital's people" in texts(page)


def test_everybody_and_one_person_are_told_as_the_join_finds_them(page: AppTest) -> None:
    joined = linked(hospital_table(), voter_list(), EXACT)
    assert at(page, 2).title[0].value == "Three columns, and one voter is left of 21,403"
    name = str(page.selectbox(key="linkage_who").value).split(",")[0]
    assert f"| name | – | **{name}** |" in texts(page)
    row = int(hospital_table().index[hospital_table()["name"] == name][0])
    assert joined.right[row]
    assert f"**{hospital_table()['disease'][row]}**" in texts(page)
    at(page, 2, "Everybody")
    assert (
        page.title[0].value == f"{out_of_100(joined.outcome.rate)}% of records without a name get their right name back"
    )
    assert f"**{joined.outcome.successes:,} of 2,000** records" in texts(page)
    assert f"{joined.wrong} get a wrong one" in texts(page)


def test_chosen_columns_and_their_coarseness_are_counted(page: AppTest) -> None:
    at(page, 2, "Columns that identify")
    page.multiselect(key="linkage_columns").set_value(["zip", "date_of_birth"]).run()
    page.selectbox(key="linkage_columns_dates").set_value("month").run()
    columns: list[Coarsening] = [AsItIs(column="zip"), Period(column="date_of_birth", period="month")]
    crowds = RowsAtHand(frame=hospital_table()).crowds(columns)
    assert page.title[0].value == f"2 columns single out {out_of_100(crowds.share_below(2))}% of people"
    assert f"**{crowds.below(2):,} of 2,000**" in texts(page)
    page.multiselect(key="linkage_columns").set_value([]).run()
    assert "at least one: choose some" in texts(page)


def test_coarser_columns_find_fewer(page: AppTest) -> None:
    at(page, 2, "Coarser columns")
    page.selectbox(key="linkage_way").set_value("decade of birth").run()
    assert page.title[0].value == "0% of records still get their name back: decade of birth"


def test_under_epsilon_the_attacker_is_measured(page: AppTest) -> None:
    at(page, 3).number_input(key="linkage_counts_epsilon_box").set_value(0.1).run()
    outcome = told_apart(TwoValues(epsilon=0.1), trials=2_000, seed=1)
    assert page.title[0].value == f"ε = 0.1: attackers guess {out_of_100(outcome.rate)} out of 100 right (chance: 50)"
    assert "**52.5 out of 100**" in texts(page)
    page.button(key="linkage_counts_again").click().run()
    again = told_apart(TwoValues(epsilon=0.1), trials=2_000, seed=2)
    assert f"right in **{out_of_100(again.rate)} out of 100** guesses" in texts(page)


SCHEMA = Schema(
    name="visits",
    columns=(TextColumn(name="who"), NumberColumn(name="cost", lower=0, upper=1000), BooleanColumn(name="ill")),
)
ROWS = b"who,cost,ill\n" + b"".join(f"{row},{row // 3 * 10},{row % 2}\n".encode() for row in range(60))


def test_the_curators_own_table_is_counted_by_its_engine_while_exact_values_are_shown(page: AppTest) -> None:
    page.session_state["table"] = read_table(ROWS, schema=SCHEMA, format="csv")
    page.session_state["scenario"] = Scenario(
        table_name="visits", schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE, queries=(), budget=Guarantee(epsilon=1.0)
    )
    page.session_state["exact_shown"] = False
    at(page, 2, "Columns that identify")
    assert "To attack your own table, show exact values" in "".join(caption.value for caption in page.caption)
    page.session_state["exact_shown"] = True
    page.run()
    assert page.title[0].value == "2 columns single out 33% of people"
    assert "**20 of 60** people are unique, 60 are in a crowd of fewer than 5" in texts(page)
    page.selectbox(key="linkage_own_columns_bands").set_value("1000").run()
    assert page.title[0].value == "2 columns single out 0% of people"
    assert "kept_linkage_own" in page.session_state
    page.switch_page("pages/explore/data/page.py").run()
    page.button(key="open_patients").click().run()
    assert "kept_linkage_own" not in page.session_state


def test_one_more_column_each_leaves_fewer_voters_and_then_a_diagnosis(page: AppTest) -> None:
    at(page, 4)
    assert page.title[0].value == "Birth date, sex and zip code leave 1 of 50,000 voters"
    record = insurance_records().iloc[int(town_voters()["patient"][town_voters()["name"] == GOVERNOR].iloc[0])]
    assert f"Diagnosis: **{record['diagnosis']}**." in texts(page)
    for used, left in (("birth date", 6), ("birth date and sex", 3)):
        page.pills(key="linkage_governor_used").set_value(used).run()
        assert page.title[0].value.endswith(f" {left} of 50,000 voters")
        (table,) = [one.value for one in page.markdown if "left on the list" in one.value]
        assert len(table.splitlines()) == left + 2
        assert "Diagnosis" not in texts(page)


def test_the_numbers_of_the_question_about_the_governor_are_those_of_the_town() -> None:
    row = int((town_voters()["name"] == GOVERNOR).to_numpy().argmax())
    every = [narrowed(town_voters(), row, columns) for columns in ((BIRTH, EXACT[2]), (ZIP,), (BIRTH, ZIP))]
    birth, zip_code, right = (answer.feedback for answer in GOVERNOR_CHECK.answers)
    assert f"still left {every[0][1]} voters" in birth
    assert f"among {every[0][2]} men" in zip_code
    assert f"fits about {round(every[1][1], -2):,} voters" in zip_code
    assert f"without sex {every[2][2]} would be left" in right
