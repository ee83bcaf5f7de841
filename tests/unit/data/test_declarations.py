"""What a person declares: nonsense is refused by name, and what is accepted can be saved as it is."""

from datetime import date, datetime
from typing import Any

import numpy as np
import pytest

from dpengine.data import (
    And,
    Between,
    BooleanColumn,
    CategoryColumn,
    Comparison,
    DateColumn,
    NumberColumn,
    OneOf,
    PrivacyUnit,
    Schema,
    TextColumn,
)
from dpengine.errors import InvalidParameterError
from dpengine.scenario import from_plain, to_plain
from tests.running.cases import each

AGE, PERSON = NumberColumn(name="age", lower=0, upper=120), TextColumn(name="person")
DAY = date(2020, 1, 1)
NOON = datetime(2020, 1, 1, 12)  # noqa: DTZ001
COLUMNS = (AGE, PERSON)

REFUSED: dict[str, tuple[Any, dict[str, Any], str]] = {
    "a name with spaces before it": (TextColumn, {"name": " a"}, "name must be without spaces around it"),
    "a name with spaces after it": (Schema, {"name": "t ", "columns": COLUMNS}, "name must be without spaces"),
    "an empty list of columns": (Schema, {"name": "t", "columns": ()}, "columns must be at least one column"),
    "columns that differ by case alone": (
        Schema,
        {"name": "t", "columns": (PERSON, TextColumn(name="PERSON"))},
        "columns must be a list without repeated names .upper and lower case count as equal",
    ),
    "a name that shows nothing": (TextColumn, {"name": "\u3164"}, "name must be one that shows something"),
    "a value that stands there twice": (
        CategoryColumn,
        {"name": "a", "categories": ("A", "B", "A")},
        "categories of a must be a list without repetitions",
    ),
    "bounds that are text": (NumberColumn, {"name": "a", "lower": "0", "upper": 1}, "lower bound of a must be"),
    "a unit that is a number": (NumberColumn, {"name": "a", "lower": 0, "upper": 1, "unit": 5}, "unit must be of"),
    "complete that is text": (NumberColumn, {"name": "a", "lower": 0, "upper": 1, "complete": "no"}, "complete must"),
    "no categories": (CategoryColumn, {"name": "a", "categories": None}, "categories of a must be a list"),
    "categories that are text": (CategoryColumn, {"name": "a", "categories": "abc"}, "categories of a must be a list"),
    "true words that are text": (BooleanColumn, {"name": "a", "true_words": "yes"}, "true_words of a must be a list"),
    "false words that are none": (BooleanColumn, {"name": "a", "false_words": None}, "false_words of a must be"),
    "no earliest day": (
        DateColumn,
        {"name": "a", "earliest": None, "latest": DAY},
        "earliest must be of the kind date",
    ),
    "days that are text": (
        DateColumn,
        {"name": "a", "earliest": "2000-01-01", "latest": "2000-01-02"},
        "earliest must be of the kind date",
    ),
    "a day with an hour": (
        DateColumn,
        {"name": "a", "earliest": DAY, "latest": NOON},
        "latest must be of the kind date",
    ),
    "rows beyond any file": (PrivacyUnit, {"identifier": "id", "rows": 10**19}, "rows must be at most 1,000,000"),
    "an identifier that is a number": (PrivacyUnit, {"identifier": 5}, "identifier must be of the kind text or None"),
    "columns that are text": (Schema, {"name": "t", "columns": ("a",)}, "columns must be of the kind tuple of NumberC"),
    "bounds beyond any sum": (
        NumberColumn,
        {"name": "a", "lower": -1e300, "upper": 1e308},
        "bounds of a must be within",
    ),
    "bounds nearer than any grid": (NumberColumn, {"name": "a", "lower": 0, "upper": 1e-101}, "bounds of a must be"),
    "no columns": (Schema, {"name": "t", "columns": None}, "columns must be a list"),
    "one column": (Schema, {"name": "t", "columns": AGE}, "columns must be a list"),
    "a unit that is text": (Schema, {"name": "t", "columns": COLUMNS, "unit": "person"}, "unit must be of the kind Pr"),
    "more people than there are": (Schema, {"name": "t", "columns": COLUMNS, "people": 10**300}, "people must be at"),
    "an identifier that is no column": (
        Schema,
        {"name": "t", "columns": COLUMNS, "unit": PrivacyUnit(identifier="zz")},
        "identifier must be a column declared as text or identifier; it is 'zz'",
    ),
    "an identifier that is a number column": (
        Schema,
        {"name": "t", "columns": COLUMNS, "unit": PrivacyUnit(identifier="age")},
        "identifier must be a column declared as text or identifier; it is 'age'",
    ),
    "values that are text": (OneOf, {"column": "a", "values": "abc"}, "values must be a list"),
    "no values": (OneOf, {"column": "a", "values": None}, "values must be a list"),
    "one condition": (And, {"conditions": Comparison("a", "=", 1)}, "conditions must be a list"),
    "a moment": (
        Comparison,
        {"column": "a", "operator": ">", "value": NOON},
        "value must be text, a number, yes or no",
    ),
    "a moment in a list": (OneOf, {"column": "a", "values": (DAY, NOON)}, "value must be text"),
    "a moment as an end": (Between, {"column": "a", "lower": DAY, "upper": NOON}, "value must be text"),
    "a moment of NumPy": (
        Comparison,
        {"column": "a", "operator": "=", "value": np.datetime64("2020-01-01", "ns")},
        "value must be text",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_nonsense_is_refused_by_name(case):
    kind, arguments, sentence = REFUSED[case]
    with pytest.raises(InvalidParameterError, match=f"^{sentence}"):
        kind(**arguments)


def test_the_control_these_make_sense():
    assert PrivacyUnit(identifier="id", rows=1_000_000).rows == 1_000_000
    assert DateColumn(name="a", earliest=DAY, latest=DAY).latest == DAY
    assert CategoryColumn(name="a", categories=["b "]).categories == ("b",)  # type: ignore[arg-type]
    assert Schema(name="t", columns=[*COLUMNS], unit=PrivacyUnit(identifier="person")).columns == COLUMNS  # type: ignore[arg-type]
    assert Comparison("a", "=", DAY).value == DAY


@each(
    ("columns", "sentence"),
    [
        ((TextColumn(name="told ill"), TextColumn(name="told ill\ufe0f")), "columns must be a list without names"),
        ((CategoryColumn(name="a", categories=("A", "B", "\u0410")),), "categories of a must be a list without values"),
    ],
)
def test_who_declares_a_table_is_refused_what_reads_alike_but_a_kept_one_is_read(columns, sentence):
    """An account that was opened before would be closed for good, and all others with it."""
    kept = Schema(name="t", columns=columns)
    with pytest.raises(InvalidParameterError, match=sentence):
        kept.require_read_apart()
    assert from_plain(to_plain(kept)) == kept
    Schema(name="t", columns=COLUMNS).require_read_apart()


def kinds(*values):
    return [type(value) for value in values]


def test_numpys_numbers_are_kept_as_pythons_own():
    column = NumberColumn(name="a", lower=np.int64(0), upper=np.float32(1), complete=np.bool_(True))  # type: ignore[arg-type]
    assert kinds(column.lower, column.upper, column.complete) == [float, float, bool]
    assert kinds(PrivacyUnit(identifier="a", rows=np.int64(2)).rows) == [int]  # type: ignore[arg-type]
    assert kinds(Schema(name="t", columns=COLUMNS, people=np.int64(9)).people) == [int]  # type: ignore[arg-type]
    values = (np.int64(1), np.float64(0.5), np.str_("a"), np.bool_(True))
    assert kinds(*(Comparison("a", "=", value).value for value in values)) == [int, float, str, bool]  # type: ignore[arg-type]
    assert kinds(*OneOf("a", values).values) == [int, float, str, bool]  # type: ignore[arg-type]
    ends = Between("a", np.int64(1), np.float64(2.5))  # type: ignore[arg-type]
    assert kinds(ends.lower, ends.upper) == [int, float]
