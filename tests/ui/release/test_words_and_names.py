"""Words that somebody chose never stand alone where a question is charged: the table's own names stand beside them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import BooleanColumn, Comparison, Labels, Phrase, Schema
from dpengine.queries import CountPeopleQuery, CountQuery
from pages.room.steps import spend
from tests.examples.ledgers import people
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
        assert NAMES in texts(press(drawn, "Release this answer")), "It may be asked again."


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


def test_the_control_names_alone_are_not_said_twice(new_app: NewApp) -> None:
    drawn = brought(new_app(), people(), to="explore/release", query=CountPeopleQuery(where=ILL))
    press(drawn, "Open the account")
    assert "How many people have `ill` = yes?" in texts(drawn)
    assert "In the table's names" not in texts(drawn)
