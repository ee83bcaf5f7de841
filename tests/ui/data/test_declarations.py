"""What a person typed, saved and read back: lists of values, and whole declarations."""

import json

import pytest

from dpengine.data import Labels, NumberColumn, PrivacyUnit, Schema, TextColumn
from dpengine.errors import ScenarioError
from dpengine.privacy import Neighbors
from pages.plan.table import saved_declaration
from pages.plan.table.column_fields import word_list, words
from tests.running.cases import each


def test_saved_declarations_come_back():
    declared = Schema(
        name="t",
        columns=(NumberColumn(name="a", lower=0, upper=1), TextColumn(name="id")),
        unit=PrivacyUnit(identifier="id", rows=3),
        people=5,
    )
    text = saved_declaration.to_text(declared, Neighbors.REPLACE_ONE, Labels())
    assert saved_declaration.from_text(text) == (declared, Neighbors.REPLACE_ONE, Labels())


def test_declarations_saved_before_groups_could_be_bounded_come_back():
    declared = Schema(name="t", columns=(TextColumn(name="id"),), unit=PrivacyUnit(identifier="id", rows=3))
    plain = json.loads(saved_declaration.to_text(declared, Neighbors.ADD_REMOVE, Labels()))
    assert plain["schema"]["unit"].pop("groups", "absent") is None
    assert plain["schema"]["unit"].pop("rows_per_group", "absent") is None
    assert saved_declaration.from_text(json.dumps(plain)) == (declared, Neighbors.ADD_REMOVE, Labels())


@each(
    "text",
    [
        "",
        "[]",
        "{",
        "null",
        json.dumps({"version": 2}),
        json.dumps({"version": 1}),
        json.dumps({"version": 1, "schema": {"is": "Schema"}, "neighbors": {"is": "Neighbors", "name": "add_remove"}}),
        json.dumps({"version": 1, "schema": {"is": "os.system"}, "neighbors": 3}),
        "[" * 100_000,
        " " * 1_000_001,
    ],
)
def test_damaged_declarations_are_a_sentence(text):
    with pytest.raises(ScenarioError):
        saved_declaration.from_text(text)


@each("values", [("a",), ("a", "b c"), ("a, b", 'say "x"', "c"), ("0", "1")])
def test_a_word_list_comes_back(values):
    assert words(word_list(values)) == values


def test_words_are_trimmed_and_blank_ones_dropped():
    assert words(' red ,, "green, dark" , ') == ("red", "green, dark")
