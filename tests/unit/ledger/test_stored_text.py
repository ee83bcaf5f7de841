"""Nothing that a ledger has written is ever mended, so that whatever it writes must be read back."""

from __future__ import annotations

import enum
import json
from pathlib import Path

import pytest

from dpengine.data import CategoryColumn, Comparison, NumberColumn, OneOf, Schema
from dpengine.errors import RefusedQueryError
from dpengine.ledger.entries.entry import Request, text_of
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, GroupedCountQuery, Query, SumQuery
from dpengine.scenario import from_plain
from tests.examples.ledgers import ledger_at
from tests.examples.tables import read_here
from tests.running.cases import each


class Word(enum.StrEnum):
    """Names and values as some programs keep them."""

    TABLE = "visits"
    AGE = "age"
    SEX = "sex"
    FEMALE = "f"
    NOISE = "laplace"


class Number(enum.IntEnum):
    """The same for numbers."""

    OLD = 65


class Unlike(str):
    """A text that is equal to none."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return False


PLAIN = Schema(
    name="visits",
    columns=(NumberColumn(name="age", lower=0, upper=120), CategoryColumn(name="sex", categories=("f", "m"))),
)
OF_MEMBERS = Schema(
    name=Word.TABLE,
    columns=(
        NumberColumn(name=Word.AGE, lower=0, upper=120),
        CategoryColumn(name=Word.SEX, categories=(Word.FEMALE, "m")),
    ),
)
QUESTIONS: list[tuple[Query, Query]] = [
    (SumQuery(Word.AGE), SumQuery("age")),
    (CountQuery(Comparison("sex", "=", Word.FEMALE)), CountQuery(Comparison("sex", "=", "f"))),
    (CountQuery(Comparison("age", ">", Number.OLD)), CountQuery(Comparison("age", ">", 65))),
    (CountQuery(OneOf(Word.SEX, (Word.FEMALE,))), CountQuery(OneOf("sex", ("f",)))),
    (GroupedCountQuery(Word.SEX), GroupedCountQuery("sex")),
]


def planned(query: Query, mechanism: str = "laplace") -> PlannedQuery:
    return PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.1), mechanism=mechanism)


@each(("member", "plain"), QUESTIONS)
def test_a_member_of_an_enumeration_is_written_as_its_value(member: Query, plain: Query) -> None:
    text = text_of(planned(member, Word.NOISE))
    assert text == text_of(planned(plain))
    assert from_plain(json.loads(text)) == planned(plain)


def test_a_ledger_with_members_of_enumerations_is_read_by_everybody(tmp_path: Path) -> None:
    table = read_here(b"age,sex\n30,f\n40,m\n", schema=OF_MEMBERS)
    ledger = ledger_at(tmp_path / "budget.db")
    account = ledger.open_account(
        table, OF_MEMBERS, neighbors=Neighbors.ADD_REMOVE, budget=Guarantee(epsilon=len(QUESTIONS))
    )
    for number, (member, _) in enumerate(QUESTIONS):
        account.charge(str(number), planned(member))
    (read,) = ledger_at(tmp_path / "budget.db").accounts()
    assert read.schema == PLAIN
    assert [entry.planned_query for entry in read.charges()] == [planned(plain) for _, plain in QUESTIONS]


def test_what_would_be_read_back_as_something_else_is_refused_before_it_is_written() -> None:
    asked = planned(CountQuery(Comparison("sex", "=", Unlike("f"))))
    with pytest.raises(RefusedQueryError, match="could not store it"):
        Request.of("1", asked, PLAIN)
    assert Request.of("1", planned(CountQuery(Comparison("sex", "=", "f"))), PLAIN).planned, "The control."


def test_a_text_that_no_page_could_show_is_not_stored() -> None:
    columns = (NumberColumn(name="age", lower=0, upper=1, unit="\ud800"),)
    assert text_of(Schema(name="t", columns=(NumberColumn(name="age", lower=0, upper=1, unit="years"),)))
    with pytest.raises(TypeError, match="could not store"):
        text_of(Schema(name="t", columns=columns))
    long = Schema(name="t", columns=(CategoryColumn(name="answer", categories=("long" * 1000, "short")),))
    assert from_plain(json.loads(text_of(long))) == long, "What no link may carry, a ledger may hold already."
