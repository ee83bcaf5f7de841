"""Words that somebody chose never stand alone where a question is charged: the table's own names stand beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    ColumnLabel,
    Comparison,
    Labels,
    NumberColumn,
    OneOf,
    Or,
    Phrase,
    Schema,
)
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountPeopleQuery, CountQuery, HistogramQuery, QuantileQuery, Query, StatisticalQueries
from dpengine.scenario import Scenario
from pages.phrasing import in_full, wording
from pages.room.steps import spend
from tests.examples.ledgers import people
from tests.running.cases import each
from tests.ui.hosted import brought, press
from tests.ui.in_a_room import gathered, phone
from tests.ui.reading import texts

ILL = Comparison("ill", "=", value=True)
LABELS = Labels(phrases=(Phrase(ILL, "are well"),))
WORDS, NAMES = "How many people are well?", ":gray[In the table's names: How many people have `ill` = yes?]"
NewApp = Callable[[], AppTest]


@pytest.mark.parametrize("page", ["explore/release", "workshop/host"])
def test_whoever_charges_reads_the_tables_names(new_app: NewApp, page: str) -> None:
    drawn = brought(new_app(), people(), to=page, query=CountPeopleQuery(where=ILL), labels=LABELS)
    if page == "explore/release":
        press(drawn, "Open the account")
    read = texts(drawn) + "".join(box.label for box in drawn.checkbox)
    assert WORDS in read
    assert NAMES in read
    if page == "explore/release":
        again = texts(press(drawn, "Release this answer"))
        assert f"**{WORDS}** {NAMES} You already have an answer to this." in again, "It may be asked again."


def test_so_does_everybody_in_a_room(new_app: NewApp) -> None:
    gathering = gathered("spend", queries=(CountPeopleQuery(where=ILL),), prices=(0.1,), labels=LABELS)
    drawn = phone(new_app, gathering.join("Ada")[1])
    assert drawn.radio(key="room_question").options == [WORDS]
    assert NAMES in texts(drawn)


def test_a_count_of_ones_own_is_asked_with_whole_names(new_app: NewApp) -> None:
    """Two columns whose names differ in the middle have one look in a menu."""
    first, second = (f"Have you ever been told by a doctor that you have {ill}, anywhere?" for ill in ("gout", "HIV"))
    schema = Schema(name="told", columns=(BooleanColumn(name=first), BooleanColumn(name=second)))
    table = people(((1, "0"), (0, "1")), schema, header=f'"{first}","{second}"')
    gathering = gathered("spend", table=table, queries=(CountQuery(),), columns=(first, second))
    drawn = phone(new_app, gathering.join("Ada")[1])
    drawn.radio(key="room_question").set_value(spend.OWN).run()
    for name in (first, second):
        drawn.selectbox(key="own_column").set_value(name).run()
        assert f"**How many people have `{name}` = yes?**" in texts(drawn)


AGE = NumberColumn(name="age", lower=0, upper=120)
WARD = CategoryColumn(name="ward", categories=("a", "b", "a”; “b", "1” or ward = “2"))
PLAN = Scenario(
    table_name="t",
    schema=Schema(name="t", columns=(AGE, WARD)),
    neighbors=Neighbors.ADD_REMOVE,
    budget=Guarantee(epsilon=1.0),
)
IN_A, IN_B = (Comparison("ward", "=", one) for one in "ab")
ALIKE: tuple[tuple[Query, Query], ...] = (
    (HistogramQuery("age", (0, 1, 2)), HistogramQuery("age", (0, 65, 120))),
    (QuantileQuery("age", candidates=(1, 2, 3)), QuantileQuery("age", candidates=(40, 50, 60))),
    (StatisticalQueries((IN_A, IN_A, IN_B)), StatisticalQueries((IN_A, IN_B, IN_B))),
    (CountQuery(OneOf("ward", ("a", "b"))), CountQuery(OneOf("ward", ("a”; “b",)))),
    (
        CountQuery(Or((Comparison("ward", "=", "1"), Comparison("ward", "=", "2")))),
        CountQuery(Comparison("ward", "=", "1” or ward = “2")),
    ),
    (HistogramQuery("age", tuple(range(40))), HistogramQuery("age", (*range(20), 20.5, *range(21, 40)))),
)


@each(("one", "other"), ALIKE)
def test_no_two_questions_are_charged_under_the_same_words(one: Query, other: Query) -> None:
    """A list of numbers, or a quotation mark in a value, would make another question of one."""
    price = Guarantee(epsilon=0.1)
    read = []
    for query in (one, other):
        planned = PlannedQuery(query=query, guarantee=price)
        read.append(wording.asked(planned, Labels()) + in_full.beside(planned, PLAN))
    assert read[0] != read[1]
    assert in_full.beside(PlannedQuery(query=CountQuery(), guarantee=price), PLAN) == "", "The control."


def test_further_conditions_are_said_by_their_names() -> None:
    """Words that somebody chose for the second column would name another one."""
    lying = replace(PLAN, labels=Labels(columns=(ColumnLabel("ward", "age in years"),)))
    several = PlannedQuery(
        query=StatisticalQueries((Comparison("age", ">", 1), IN_A)), guarantee=Guarantee(epsilon=0.1)
    )
    assert "and 1 more condition" in wording.asked(several, lying.spoken), "The control: the sentence leaves it out."
    assert "Counted each: `age` > 1; `ward` = “a”." in in_full.beside(several, lying)


def test_the_control_names_alone_are_not_said_twice(new_app: NewApp) -> None:
    drawn = brought(new_app(), people(), to="explore/release", query=CountPeopleQuery(where=ILL))
    press(drawn, "Open the account")
    assert "How many people have `ill` = yes?" in texts(drawn)
    assert "In the table's names" not in texts(drawn)
