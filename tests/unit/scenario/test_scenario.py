"""Saved plans and links: equal when they come back, and answered with a sentence when they cannot be read."""

import base64
import json
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpengine.data import (
    Comparison,
    NumberColumn,
    Schema,
)
from dpengine.errors import InvalidParameterError, ScenarioError
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    MeanQuery,
)
from dpengine.scenario import Scenario, from_plain, to_plain
from dpengine.scenario.codec import CLASSES
from dpengine.scenario.packing import LONGEST_LINK
from dpengine.scenario.targets import MOST_QUERIES
from tests.examples.ledgers import asking
from tests.examples.scenarios import EVERY_CONDITION, QUERIES, SCENARIO, SCHEMA
from tests.running.cases import each


class TestRoundTrips:
    def test_by_json(self):
        again = Scenario.from_json(SCENARIO.to_json())
        assert again == SCENARIO
        assert again.to_json() == SCENARIO.to_json()

    def test_by_link(self):
        assert Scenario.from_link(SCENARIO.to_link()) == SCENARIO
        assert SCENARIO.to_link().isascii()
        assert not set(SCENARIO.to_link()) & set("+/=&?# ")

    def test_every_class_of_the_list_was_tried(self):
        assert set(CLASSES) <= set(SCENARIO.to_json().split('"'))

    def test_types_come_back_as_they_were(self):
        again = Scenario.from_json(SCENARIO.to_json())
        assert isinstance(again.queries, tuple)
        assert isinstance(again.schema.columns, tuple)
        assert again.neighbors is Neighbors.REPLACE_ONE
        assert again.queries[0].query.where == EVERY_CONDITION

    @given(
        epsilon=st.floats(1e-8, 1e9),
        delta=st.floats(0, 1, exclude_max=True),
        lower=st.floats(-1e6, 1e6),
        width=st.floats(1, 1e6),
        name=st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=30),
        neighbors=st.sampled_from(Neighbors),
    )
    def test_any_numbers_and_names(self, epsilon, delta, lower, width, name, neighbors):
        column = NumberColumn(name=name, lower=lower, upper=lower + width)
        scenario = Scenario(
            table_name=name,
            schema=Schema(name=name, columns=(column,), people=3),
            neighbors=neighbors,
            budget=Guarantee(epsilon=epsilon, delta=delta),
            queries=(asking(epsilon, MeanQuery(name, Comparison(name, "<", lower))),),
        )
        assert Scenario.from_json(scenario.to_json()) == scenario
        assert Scenario.from_link(scenario.to_link()) == scenario


class TestChanges:
    def test_a_question_is_added_exchanged_and_taken_out(self):
        short = Scenario(table_name="t", schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE, budget=Guarantee(epsilon=1))
        longer = short.with_query(QUERIES[0]).with_query(QUERIES[1])
        assert longer.queries == QUERIES[:2]
        assert longer.with_query_at(0, QUERIES[2]).queries == (QUERIES[2], QUERIES[1])
        assert longer.without_query(0).queries == QUERIES[1:2]
        assert short.queries == ()

    def test_replacing_one_needs_the_number_of_people(self):
        private = Schema(name="t", columns=SCHEMA.columns)
        with pytest.raises(InvalidParameterError, match="people"):
            Scenario(table_name="t", schema=private, neighbors=Neighbors.REPLACE_ONE, budget=Guarantee(epsilon=1))

    def test_an_unknown_rule(self):
        with pytest.raises(InvalidParameterError, match="rule"):
            Scenario(
                table_name="t",
                schema=SCHEMA,
                neighbors=Neighbors.ADD_REMOVE,
                budget=Guarantee(epsilon=1),
                rule="advanced",
            )

    def test_too_many_questions(self):
        with pytest.raises(InvalidParameterError, match="number of questions"):
            Scenario(
                table_name="t",
                schema=SCHEMA,
                neighbors=Neighbors.ADD_REMOVE,
                budget=Guarantee(epsilon=1),
                queries=QUERIES[:1] * (MOST_QUERIES + 1),
            )


def changed(**fields):
    return json.dumps(json.loads(SCENARIO.to_json()) | fields)


def without(name):
    plain = json.loads(SCENARIO.to_json())
    del plain[name]
    return json.dumps(plain)


def nested(depth):
    plain: dict[str, object] = {"is": "IsMissing", "column": "age"}
    for _ in range(depth):
        plain = {"is": "Not", "condition": plain}
    return changed(queries=[to_plain(asking(1.0)) | {"query": {"is": "CountQuery", "where": plain}}])


BAD_PLANS = {
    "not JSON": "hello",
    "empty": "",
    "a list": "[]",
    "a number": "3",
    "null": "null",
    "NaN": SCENARIO.to_json().replace("3.0", "NaN", 1),
    "infinity": SCENARIO.to_json().replace("3.0", "Infinity", 1),
    "an overflowing number": SCENARIO.to_json().replace("3.0", "1e999", 1),
    "no version": without("version"),
    "a later version": changed(version=3),
    "a version of another kind": changed(version=[1]),
    "a missing field": without("budget"),
    "an unknown field": changed(color="red"),
    "an unknown rule": changed(rule="advanced"),
    "a rule of another kind": changed(rule=["basic"]),
    "a schema that is text": changed(schema="visits"),
    "a schema that is a guarantee": changed(schema=to_plain(Guarantee(epsilon=1))),
    "a budget that is a schema": changed(budget=to_plain(SCHEMA)),
    "a budget that is a number": changed(budget=3),
    "neighbors that are text": changed(neighbors="add_remove"),
    "unknown neighbors": changed(neighbors={"is": "Neighbors", "name": "everybody"}),
    "questions that are numbers": changed(queries=[1, 2]),
    "questions that are text": changed(queries="all"),
    "one question instead of a list": changed(queries=to_plain(QUERIES[0])),
    "a table name that is a number": changed(table_name=7),
    "an unknown class": changed(budget={"is": "Popen", "args": ["rm"]}),
    "no class": changed(budget={"epsilon": 1}),
    "a class that is a list": changed(budget={"is": ["Guarantee"]}),
    "a class that is a number": changed(budget={"is": 3}),
    "an unknown field of a class": changed(budget={"is": "Guarantee", "epsilon": 1, "rho": 1}),
    "a negative epsilon": changed(budget={"is": "Guarantee", "epsilon": -1, "delta": 0}),
    "an epsilon that is text": changed(budget={"is": "Guarantee", "epsilon": "1", "delta": 0}),
    "an epsilon that is true": changed(budget={"is": "Guarantee", "epsilon": True, "delta": 0}),
    "a date that is none": changed(budget={"is": "date", "iso": "yesterday"}),
    "a date that is a number": changed(budget={"is": "date", "iso": 3}),
    "a question that is a condition": changed(queries=[to_plain(QUERIES[0]) | {"query": to_plain(EVERY_CONDITION)}]),
    "a condition that is text": changed(
        queries=[to_plain(QUERIES[0]) | {"query": {"is": "CountQuery", "where": "age > 3"}}]
    ),
    "a condition within text": changed(
        queries=[to_plain(QUERIES[0]) | {"query": {"is": "CountQuery", "where": {"is": "Not", "condition": "x"}}}]
    ),
    "conditions that are text": changed(
        queries=[to_plain(QUERIES[0]) | {"query": {"is": "CountQuery", "where": {"is": "And", "conditions": "xy"}}}]
    ),
    "a column that is a guarantee": changed(
        schema={"is": "Schema", "name": "t", "columns": [to_plain(Guarantee(epsilon=1))], "unit": None, "people": None}
    ),
    "a unit that is nothing": changed(schema=to_plain(SCHEMA) | {"unit": None}),
    "deeply nested conditions": nested(80),
    "brackets without end": "[" * 100_000,
}


@each("case", BAD_PLANS)
def test_a_plan_that_cannot_be_read_says_so(case):
    with pytest.raises(ScenarioError) as caught:
        Scenario.from_json(BAD_PLANS[case])
    assert str(caught.value).startswith(("This plan", "This is not"))
    assert len(str(caught.value)) < 400


def test_thirty_conditions_deep_can_be_read():
    assert Scenario.from_json(nested(30)).queries


def packed(content):
    return base64.urlsafe_b64encode(zlib.compress(content, 9)).decode().rstrip("=")


class TestLinks:
    @pytest.mark.parametrize(
        "link",
        [
            "",
            "x",
            "hello world",
            "%%%",
            "é" * 8,
            "A" * 40,
            SCENARIO.to_link()[:-5],
            SCENARIO.to_link()[5:],
            SCENARIO.to_link()[:50] + "AAAA" + SCENARIO.to_link()[54:],
            packed(b"\xff\xfe"),
            packed(b""),
            packed(b"{}"),
        ],
    )
    def test_a_damaged_link_says_so(self, link):
        with pytest.raises(ScenarioError):
            Scenario.from_link(link)

    def test_a_long_link_is_not_even_unpacked(self):
        with pytest.raises(ScenarioError, match="at most"):
            Scenario.from_link("A" * (LONGEST_LINK + 1))

    def test_a_bomb_is_not_unpacked(self):
        bomb = packed(b" " * 50_000_000)
        assert len(bomb) < LONGEST_LINK
        with pytest.raises(ScenarioError, match="unpacks to too much"):
            Scenario.from_link(bomb)

    @given(place=st.integers(0, 2000), letter=st.sampled_from("ABCxyz019-_"))
    def test_one_changed_letter_is_never_another_plan(self, place, letter):
        link = SCENARIO.to_link()
        place %= len(link)
        other = link[:place] + letter + link[place + 1 :]
        with suppress(ScenarioError):
            assert Scenario.from_link(other) == SCENARIO

    @given(st.text())
    def test_any_text_is_answered_with_a_sentence(self, text):
        with pytest.raises(ScenarioError):
            Scenario.from_link(text)

    @given(
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text() | st.integers(),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(["is", "epsilon", "name", "columns", "x"]), inner, max_size=3)
                | st.builds(
                    lambda name, rest: {"is": name} | rest, st.sampled_from([*CLASSES]), st.fixed_dictionaries({})
                )
            ),
            max_leaves=8,
        )
    )
    def test_any_json_is_answered_with_a_sentence(self, plain):
        with suppress(ScenarioError):
            from_plain(plain)
