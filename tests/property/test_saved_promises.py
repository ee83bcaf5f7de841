"""Every promise comes back from its file and its link; whatever else is read gets a sentence or is a promise."""

import json
from dataclasses import fields

from hypothesis import assume, given
from hypothesis import strategies as st

from dpengine.errors import InvalidParameterError, ScenarioError
from dpengine.privacy import Neighbors
from dpengine.promises import HANDLING, MODELS, NOISES, RULES, UNITS, Handling, Promise, Unsaid
from dpengine.promises.promise import LONGEST_NAME, MOST_COUNTED, MOST_DAYS

GAPS = st.sampled_from(Unsaid)
NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=LONGEST_NAME)
SIZES = st.floats(min_value=1e-300, max_value=1e6)
DAYS = st.floats(min_value=1e-9, max_value=MOST_DAYS) | st.just(float("inf"))
COUNTS = st.integers(min_value=2, max_value=MOST_COUNTED)
HANDLINGS = st.builds(Handling, **{name: GAPS | st.sampled_from(sorted(HANDLING[name].answers)) for name in HANDLING})
GIVEN = st.fixed_dictionaries(
    {"name": NAMES, "by": NAMES, "handling": HANDLINGS},
    optional={
        "epsilon": GAPS | SIZES,
        "delta": GAPS | st.floats(min_value=0.0, max_value=1.0, exclude_max=True),
        "rho": GAPS | SIZES,
        "noise": GAPS | st.sampled_from(NOISES),
        "noise_multiplier": GAPS | SIZES,
        "unit": GAPS | st.sampled_from(sorted(UNITS)),
        "neighbors": GAPS | st.sampled_from(Neighbors),
        "every_days": GAPS | DAYS,
        "for_days": GAPS | DAYS,
        "rule": GAPS | st.sampled_from(RULES),
        "model": GAPS | st.sampled_from(MODELS),
        "contribution": GAPS | COUNTS | st.just(float("inf")),
        "people": GAPS | COUNTS,
    },
)


def of(given):
    try:
        return Promise(**given)
    except InvalidParameterError:
        return None


PROMISES = GIVEN.map(of).filter(lambda promise: promise is not None)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=6), inside, max_size=3),
    max_leaves=6,
)


@given(PROMISES)
def test_a_promise_comes_back_from_its_file_and_its_link(promise):
    for read in (Promise.from_json(promise.to_json()), Promise.from_link(promise.to_link())):
        assert read == promise
        assert read.to_json() == promise.to_json()


@given(st.sampled_from([field.name for field in fields(Promise)]), JSON)
def test_any_value_of_a_field_is_a_promise_or_a_sentence(field, value):
    _read(json.dumps({"promise": 1, field: value}))


@given(PROMISES, st.data())
def test_a_damaged_file_is_a_promise_or_a_sentence(promise, data):
    text = promise.to_json()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    _read(text[:start] + data.draw(st.text(max_size=5)) + text[end:])


def _read(text):
    try:
        read = Promise.from_json(text)
    except ScenarioError:
        return
    assert Promise.from_json(read.to_json()) == read


@given(PROMISES, st.integers(0, 10**6), st.characters(min_codepoint=33, max_codepoint=126))
def test_a_changed_link_is_noticed_or_changes_nothing(promise, place, sign):
    link = promise.to_link()
    place %= len(link)
    assume(link[place] != sign)
    try:
        read = Promise.from_link(link[:place] + sign + link[place + 1 :])
    except ScenarioError:
        return
    assert read == promise
