"""The fingerprint of what is declared, and what two declarations tell otherwise."""

import re
from dataclasses import replace
from datetime import date

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    DateColumn,
    NumberColumn,
    PrivacyUnit,
    Schema,
    TextColumn,
    sample_names,
    sample_schema,
)
from dpengine.privacy import Neighbors
from dpengine.scenario import Declarations, DeclaredDifference
from tests.examples.forged import forged
from tests.running.cases import each

COLUMNS = (
    TextColumn(name="person"),
    NumberColumn(name="age", lower=0, upper=120, unit="years"),
    CategoryColumn(name="city", categories=("Bonn", "Köln")),
    BooleanColumn(name="ill"),
    DateColumn(name="day", earliest=date(2000, 1, 1), latest=date(2020, 1, 1)),
)
SCHEMA = Schema(name="trial", columns=COLUMNS, unit=PrivacyUnit(identifier="person", rows=3), people=50)
PLAN = Declarations(schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE)


def with_column(index, column):
    columns = (*COLUMNS[:index], column, *COLUMNS[index + 1 :])
    return replace(PLAN, schema=replace(SCHEMA, columns=columns))


def difference(column, fact, here, there):
    return DeclaredDifference(column=column, fact=fact, here=here, there=there)


CHANGED = {
    "name": (
        replace(PLAN, schema=replace(SCHEMA, name="other")),
        difference("", "name of the table", "trial", "other"),
    ),
    "promise": (
        replace(PLAN, neighbors=Neighbors.REPLACE_ONE),
        difference("", "what the answers hide", "whether a person is in the table", "a person's values"),
    ),
    "rows of a person": (
        replace(PLAN, schema=replace(SCHEMA, unit=PrivacyUnit(identifier="person", rows=4))),
        difference("", "rows of one person that count", "3", "4"),
    ),
    "groups": (
        replace(PLAN, schema=replace(SCHEMA, unit=PrivacyUnit(identifier="person", rows=3, groups=2))),
        difference("", "groups in which one person counts", "not stated", "2"),
    ),
    "person": (
        replace(PLAN, schema=replace(SCHEMA, unit=PrivacyUnit())),
        difference("", "column that names the person", "person", "none"),
    ),
    "highest": (
        with_column(1, NumberColumn(name="age", lower=0, upper=110, unit="years")),
        difference("age", "highest value", "120", "110"),
    ),
    "lowest": (
        with_column(1, NumberColumn(name="age", lower=1, upper=120, unit="years")),
        difference("age", "lowest value", "0", "1"),
    ),
    "unit": (
        with_column(1, NumberColumn(name="age", lower=0, upper=120)),
        difference("age", "unit", "years", "not stated"),
    ),
    "missing": (
        with_column(1, NumberColumn(name="age", lower=0, upper=120, unit="years", complete=True)),
        difference("age", "missing values", "possibly", "never"),
    ),
    "kind": (with_column(1, TextColumn(name="age")), difference("age", "kind", "number", "text")),
    "values": (
        with_column(2, CategoryColumn(name="city", categories=("Köln",))),
        difference("city", "values", "Bonn, Köln", "Köln"),
    ),
    "words": (
        with_column(3, BooleanColumn(name="ill", true_words=("ja",))),
        difference("ill", "words for yes", "true, yes, 1, t, y", "ja"),
    ),
    "days": (
        with_column(4, DateColumn(name="day", earliest=date(2000, 1, 1), latest=date(2021, 1, 1))),
        difference("day", "latest day", "2020-01-01", "2021-01-01"),
    ),
    "a column less": (
        replace(PLAN, schema=replace(SCHEMA, columns=COLUMNS[:4])),
        difference("day", "column", "declared", "missing"),
    ),
    "a column more": (
        replace(PLAN, schema=replace(SCHEMA, columns=(*COLUMNS, TextColumn(name="note")))),
        difference("note", "column", "missing", "declared"),
    ),
}


@each("case", CHANGED)
def test_a_changed_fact_is_named_and_changes_the_fingerprint(case):
    other, expected = CHANGED[case]
    found = PLAN.differences(other)
    assert expected in found
    assert other.fingerprint != PLAN.fingerprint
    assert len({one.fact for one in found}) == len(found) <= 2


def test_equal_facts_have_one_fingerprint():
    turned = replace(PLAN, schema=replace(SCHEMA, columns=COLUMNS[::-1]))
    assert turned.fingerprint == PLAN.fingerprint
    assert turned.differences(PLAN) == ()


def test_two_declarations_with_one_fingerprint_are_not_the_same():
    """Forty bits: whoever may choose a free text of both finds such a pair in seconds, and these are one."""
    many, one = (forged(*terms) for terms in ((20, 711_703), (None, 561_661)))
    assert many.fingerprint == one.fingerprint
    assert not many.same_as(one)
    turned = replace(many, schema=replace(many.schema, columns=many.schema.columns[::-1]))
    assert many.same_as(turned), "the control"


def test_the_number_of_people_counts_where_it_is_public():
    fewer = replace(PLAN, schema=replace(SCHEMA, people=49))
    assert fewer.fingerprint == PLAN.fingerprint
    one, other = (replace(each, neighbors=Neighbors.REPLACE_ONE) for each in (PLAN, fewer))
    assert one.fingerprint != other.fingerprint
    assert one.differences(other) == (difference("", "number of people", "50", "49"),)


def test_fingerprints_are_short_and_stay_what_they_are():
    """Links that were given away hold these."""
    known = {"rand_hie": "6KQW-W1E0", "anes_1996": "BPNG-R4RW", "patients": "S53A-RFGK"}
    for name in sample_names():
        shown = Declarations(schema=sample_schema(name), neighbors=Neighbors.ADD_REMOVE).fingerprint
        assert shown == known[name]
        assert re.fullmatch("[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}", shown)
