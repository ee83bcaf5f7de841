"""Links of both versions: kept ones open, and every bad one gets its own sentence."""

import base64
import json
import zlib
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpengine.data import Labels, sample_names, sample_schema
from dpengine.errors import ScenarioError
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery
from dpengine.scenario import Declarations, PlanTargets, Scenario, to_plain
from dpengine.scenario.packing import LARGEST_PLAN, LONGEST_LINK, packed, unpacked
from tests.examples import kept_links
from tests.examples.ledgers import asking
from tests.examples.scenarios import SCENARIO, SINCE_THEN
from tests.running.cases import each

SHORT = 100


def of(table_name, **changed):
    plan = Scenario(
        table_name=table_name,
        schema=sample_schema(table_name),
        neighbors=Neighbors.ADD_REMOVE,
        budget=Guarantee(epsilon=3.0, delta=1e-6),
        queries=(asking(0.1, CountQuery()),),
    )
    return replace(plan, **changed)


def with_fields(plan, **changed):
    """A link whose text was changed by somebody who knows how links are packed."""
    return packed(json.dumps(json.loads(unpacked(plan.to_link())[1]) | changed))


class TestKeptLinks:
    @pytest.mark.parametrize("link", [kept_links.FIRST_PLAN_1, kept_links.FIRST_PLAN_2])
    def test_a_plan_on_a_practice_table_still_opens(self, link):
        plan = Scenario.from_link(link)
        assert plan.table_name == "rand_hie"
        assert plan.schema == sample_schema("rand_hie")
        assert [type(one.query).__name__ for one in plan.queries] == ["CountPeopleQuery", "MeanQuery", "HistogramQuery"]
        assert plan.targets == PlanTargets()

    def test_everything_that_a_plan_can_hold_still_opens(self):
        asked = tuple(one for one in SCENARIO.queries if one not in SINCE_THEN)
        before = replace(SCENARIO, queries=asked, labels=Labels())
        assert Scenario.from_link(kept_links.EVERYTHING_2) == before
        assert Scenario.from_link(kept_links.EVERYTHING_1) == replace(before, targets=PlanTargets())

    def test_a_file_of_version_1_still_opens(self):
        plain = json.loads(SCENARIO.to_json()) | {"version": 1}
        del plain["targets"]
        assert Scenario.from_json(json.dumps(plain)) == replace(SCENARIO, targets=PlanTargets())


class TestLength:
    @pytest.mark.parametrize("name", sample_names())
    def test_a_practice_table_is_named_and_not_told(self, name):
        link = of(name).to_link()
        assert len(link) < SHORT
        assert Scenario.from_link(link) == of(name)

    def test_a_table_declared_otherwise_is_told(self):
        schema = sample_schema("patients")
        other = replace(schema, columns=schema.columns[1:])
        link = of("patients", schema=other).to_link()
        assert len(link) > SHORT
        assert Scenario.from_link(link).schema == other

    def test_a_link_is_a_fraction_of_its_version_1(self):
        assert 10 * len(kept_links.FIRST_PLAN_2) < len(kept_links.FIRST_PLAN_1)
        assert len(kept_links.EVERYTHING_2) < len(kept_links.EVERYTHING_1)


BOMB = zlib.compressobj(9, zlib.DEFLATED, -15)
OTHER = "0000-0000"
TOO_SMALL = {"is": "Guarantee", "epsilon": 1e-9}
BAD_LINKS = {
    "another version": (
        "7." + SCENARIO.to_link()[2:],
        "This link is of version 7; this program reads versions 1 and 2",
    ),
    "no version": ("." + SCENARIO.to_link()[2:], "damaged"),
    "a later version of version 1": (
        base64.urlsafe_b64encode(zlib.compress(b'{"version":3}')).decode(),
        "saved by version '3'",
    ),
    "cut off": (SCENARIO.to_link()[:-7], "damaged"),
    "cut off at the start": (SCENARIO.to_link()[7:], "damaged"),
    "nothing but the version": ("2.", "damaged"),
    "changed": (SCENARIO.to_link()[:80] + "AAAA" + SCENARIO.to_link()[84:], "damaged"),
    "another alphabet": ("2.Żółć-Пример-例", "damaged"),
    "spaces": ("2.AA AA AA", "damaged"),
    "a bomb": (
        "2." + base64.urlsafe_b64encode(b"0000" + BOMB.compress(b" " * 60_000_000) + BOMB.flush()).decode(),
        "unpacks to too much",
    ),
    "too long": ("2." + "A" * LONGEST_LINK, "at most 100,000 are read"),
    "a million questions": (packed('{"queries":[' + "{}," * 600_000 + "{}]}"), "unknown: 'None'"),
    "a thousand questions": (
        with_fields(SCENARIO, queries=[to_plain(asking(0.1))] * 1000),
        "number of questions must be at most 500; it is 1000",
    ),
    "a foreign fingerprint": (
        with_fields(of("patients"), schema={"is": "BuiltIn", "fingerprint": OTHER}),
        r"'patients' with other declarations \(0000-0000\) than this program's \(S53A-RFGK\). Ask for the plan as",
    ),
    "a fingerprint of another promise": (
        with_fields(of("rand_hie"), neighbors=to_plain(Neighbors.REPLACE_ONE)),
        "Ask for the plan as a file",
    ),
    "a practice table that is gone": (with_fields(of("patients"), table_name="titanic"), "does not have: 'titanic'"),
    "a name that is a list": (with_fields(of("patients"), table_name=["patients"]), "does not have"),
    "a fingerprint that is a list": (
        with_fields(of("patients"), schema={"is": "BuiltIn", "fingerprint": [1]}),
        "other declarations",
    ),
    "no table name": (packed('{"schema":{"is":"BuiltIn"}}'), "does not have"),
    "epsilon below its range": (
        with_fields(of("patients"), queries=[to_plain(asking(1.0)) | {"guarantee": TOO_SMALL}]),
        "epsilon must be at least 0.00000001; it is 1e-09",
    ),
    "a negative epsilon": (with_fields(of("patients"), budget={"is": "Guarantee", "epsilon": -3}), "it is -3"),
    "a delta above 1": (with_fields(of("patients"), budget={"is": "Guarantee", "epsilon": 3, "delta": 2}), "it is 2"),
    "an unknown rule": (with_fields(of("patients"), rule="luck"), "it is 'luck'"),
    "a confidence of all answers": (
        with_fields(of("patients"), targets={"is": "PlanTargets", "confidence": 1.0}),
        "confidence must be",
    ),
    "targets that are a number": (with_fields(of("patients"), targets=3), "targets must be"),
    "nothing": (packed("{}"), "schema must be"),
    "a list": (packed("[]"), "This is not a saved plan"),
    "no JSON": (packed("{"), "not readable as JSON"),
    "no text": ("2." + base64.urlsafe_b64encode(b"0000" + zlib.compress(b"\xff", wbits=-15)).decode(), "damaged"),
}


@each("case", BAD_LINKS)
def test_a_bad_link_gets_its_own_sentence(case):
    link, sentence = BAD_LINKS[case]
    with pytest.raises(ScenarioError, match=sentence) as caught:
        Scenario.from_link(link)
    assert str(caught.value).startswith("This ")
    assert len(str(caught.value)) < 400


def test_the_control_the_same_fields_unchanged_open():
    assert Scenario.from_link(with_fields(of("patients"))) == of("patients")
    assert len(unpacked(packed(" " * LARGEST_PLAN))[1]) == LARGEST_PLAN
    here = Declarations(schema=sample_schema("patients"), neighbors=Neighbors.ADD_REMOVE).fingerprint
    link = with_fields(of("patients"), schema={"is": "BuiltIn", "fingerprint": here})
    assert Scenario.from_link(link) == of("patients")


LINKS = (kept_links.EVERYTHING_1, kept_links.EVERYTHING_2, kept_links.FIRST_PLAN_2)
letters = st.text("ABCxyz019-_.=%+/ \n\0é", max_size=6)


@given(link=st.sampled_from(LINKS), place=st.integers(0, 1000), length=st.integers(0, 40), other=letters)
def test_a_mutated_link_is_the_same_plan_or_refused(link, place, length, other):
    place %= len(link)
    mutated = link[:place] + other + link[place + length :]
    with suppress(ScenarioError):
        assert Scenario.from_link(mutated) == Scenario.from_link(link)


fields_of_plans = st.sampled_from(["table_name", "schema", "neighbors", "budget", "queries", "rule", "targets", "more"])
values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["is", "fingerprint", "epsilon", "columns", "errors"]), inner, max_size=3)
        | st.fixed_dictionaries({"is": st.sampled_from(["BuiltIn", "PlanTargets", "Guarantee", "Schema", "Neighbors"])})
    ),
    max_leaves=6,
)


@given(field=fields_of_plans, value=values)
def test_a_link_that_somebody_packed_is_a_plan_or_refused(field, value):
    with suppress(ScenarioError):
        assert isinstance(Scenario.from_link(with_fields(of("patients"), **{field: value})), Scenario)


def test_a_link_holds_no_more_than_the_plan():
    """Each word of a link's text stands in the plan's own file, but for the practice table's fingerprint."""
    plan = of("anes_1996", queries=(asking(0.25, HistogramQuery("party")),))
    told = set(unpacked(plan.to_link())[1].split('"')) - {"BuiltIn", "fingerprint", plan.declarations.fingerprint}
    assert {word for word in told if word.isidentifier()} <= set(plan.to_json().split('"'))
