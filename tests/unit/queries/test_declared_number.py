"""A count of all people is the declared number where one person is replaced by another, and nothing else is."""

import pytest

from dpengine.data import Comparison, IsMissing, Not, NumberColumn, Or, PrivacyUnit, Schema, TextColumn
from dpengine.errors import RefusedQueryError
from dpengine.privacy import Neighbors
from dpengine.queries import CountPeopleQuery, CountQuery, MeanQuery, Query, declared_number, require_undeclared
from tests.running.cases import each

AR, RP = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE
OLD = Comparison("age", ">=", 65)
COLUMNS = (TextColumn(name="person"), NumberColumn(name="age", lower=0, upper=120))
EACH = Schema(name="t", columns=COLUMNS, people=5000)
SEVERAL = Schema(name="t", columns=COLUMNS, people=5000, unit=PrivacyUnit(identifier="person", rows=3))
SENTENCE = "You declared this number of people: 5,000. It is public, so it needs no noise and costs nothing."


@each(
    ("query", "schema"),
    [
        (CountQuery(), EACH),
        (CountPeopleQuery(), EACH),
        (CountPeopleQuery(), SEVERAL),
        (CountQuery(Or((OLD, Not(OLD)))), EACH),
        (CountQuery(Or((Comparison("person", "=", "x"), Not(Comparison("person", "=", "x"))))), EACH),
        (CountPeopleQuery(Or((IsMissing("age"), Not(IsMissing("age"))))), SEVERAL),
    ],
)
def test_everybody_is_the_declared_number(query: Query, schema: Schema) -> None:
    assert declared_number(query, schema, RP) == SENTENCE
    assert query.parts(schema, RP)[0].sensitivity.because == SENTENCE
    with pytest.raises(RefusedQueryError, match="5,000"):
        require_undeclared(query, schema, RP)


@each(
    ("query", "schema", "neighbors"),
    [
        (CountQuery(), EACH, AR),
        (CountPeopleQuery(), SEVERAL, AR),
        (CountQuery(), SEVERAL, RP),
        (CountQuery(OLD), EACH, RP),
        (CountQuery(Not(IsMissing("age"))), EACH, RP),
        (CountQuery(Or((OLD, Comparison("age", "<", 65)))), EACH, RP),
        (CountQuery(Comparison("person", "=", "x")), EACH, RP),
        (CountQuery(Or((Comparison("person", "=", "x"), Comparison("person", "!=", "x")))), EACH, RP),
        (MeanQuery("age"), EACH, RP),
    ],
)
def test_what_one_person_may_move_is_not(query: Query, schema: Schema, neighbors: Neighbors) -> None:
    """Of several rows, with a condition that somebody may miss, if only because their value is missing."""
    assert declared_number(query, schema, neighbors) == ""
    require_undeclared(query, schema, neighbors)
