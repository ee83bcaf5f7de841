"""A promise as JSON and as a link: kept texts open, and every bad one gets its own sentence."""

import json
import math
from dataclasses import replace

import pytest

from dpengine.errors import InvalidParameterError, ScenarioError
from dpengine.promises import NOT_LOOKED_UP, NOT_SAID, Promise
from dpengine.promises.promise import LONGEST_NAME
from dpengine.promises.saved import LARGEST_PROMISE, to_json
from dpengine.scenario import LONGEST_LINK
from dpengine.scenario.packing import packed, shortened
from tests.examples import promised
from tests.running.cases import each

DAILY = replace(promised.DAILY, contribution=math.inf)
KEPT_FILE = """{
  "promise": 1,
  "name": "Phones",
  "by": "A vendor",
  "epsilon": 1.5,
  "delta": 1e-05,
  "unit": "person-day",
  "neighbors": "add_remove",
  "every_days": 1,
  "for_days": "no end",
  "rule": "not looked up",
  "model": "local",
  "contribution": "unlimited",
  "people": 1000000,
  "handling": {
    "code": "open",
    "audit": "not looked up"
  }
}"""
KEPT_LINK = "p1.JUHLNsOqOiADGObFMKsdFYBxmpJfhK4VnzOwRCfOCMQRV9DIQU_isICHhzZVwhiW71Ftq60FAA"


class TestKept:
    def test_a_file_of_version_1_opens_for_ever_and_is_written_so(self):
        assert Promise.from_json(KEPT_FILE) == DAILY
        assert DAILY.to_json() == KEPT_FILE

    def test_a_link_of_version_1_opens_for_ever(self):
        assert Promise.from_link(KEPT_LINK) == DAILY
        assert len(KEPT_LINK) < 120

    def test_what_is_not_said_is_left_out_and_what_was_not_looked_up_is_kept(self):
        assert json.loads(Promise(name="Short").to_json()) == {"promise": 1, "name": "Short"}
        read = Promise.from_json('{"promise": 1, "epsilon": "not looked up", "delta": "not said"}')
        assert (read.epsilon, read.delta, read.rho) == (NOT_LOOKED_UP, NOT_SAID, NOT_SAID)

    def test_equal_promises_are_the_same_text(self):
        assert Promise(epsilon=2, every_days=1).to_json() == Promise(epsilon=2.0, every_days=1.0).to_json()


def said(**changed):
    return json.dumps({"promise": 1} | changed)


BAD_FILES = {
    "no text": ("", "not readable as JSON"),
    "a list": ("[1]", "This is not a saved promise."),
    "a plan": ('{"version": 2}', "This is not a saved promise."),
    "too long": (said(name=" " * LARGEST_PROMISE), r"at most 20,000 are read"),
    "too deep": ("[" * 9_000, "not readable as JSON"),
    "deep within": (said(name=json.loads("[" * 90 + "]" * 90)), "name must be of the kind text"),
    "another version": (said(promise=2), "saved by version '2'; this program reads version 1"),
    "yes as a version": (said(promise=True), "saved by version 'True'"),
    "a broken version": ('{"promise": 1.0}', "saved by version '1.0'"),
    "a long version": (said(promise="9" * 99), "saved by version '99999999999999999999'"),
    "an unknown field": (said(epsilom=1.0), "does not know: 'epsilom'"),
    "an unknown answer field": (said(handling={"codes": "open"}), "does not know: 'codes'"),
    "a field of Python": (said(__class__="x"), "does not know: '__class__'"),
    "handling as text": (said(handling="open"), "handling must be of the kind Handling"),
    "an unknown answer": (said(handling={"code": "perhaps"}), "code must be one of open, closed"),
    "an answer in a list": (said(handling={"code": ["open"]}), "code must be "),
    "an unknown unit": (said(unit="planet"), "unit must be one of 'person'"),
    "unknown neighbors": (said(neighbors="next_door"), "neighbors must be one of 'add_remove'"),
    "neighbors as a number": (said(neighbors=1), "neighbors must be "),
    "a number as text": (said(epsilon="1.5"), "epsilon must be of the kind number"),
    "a word of another field": (said(for_days="never"), "for_days must be of the kind number"),
    "yes as a number": (said(epsilon=True), "epsilon must be of the kind number"),
    "nothing": (said(epsilon=None), "epsilon must be of the kind number"),
    "broken people": (said(people=2.5), "people must be of the kind whole number"),
    "no number": ('{"promise": 1, "epsilon": NaN}', "NaN is no number"),
    "infinite": ('{"promise": 1, "every_days": Infinity}', "write a word, such as 'never'"),
    "infinite by its power": ('{"promise": 1, "every_days": 1e999}', "too large or too small to be read: 1e999"),
    "zero by its power": ('{"promise": 1, "epsilon": 1, "delta": 0.1e-999}', "too large or too small"),
    "many digits": ('{"promise": 1, "people": ' + "9" * 5_000 + "}", "A number in it has 5,000 digits"),
    "too many people": (said(people=10**13), "people must be a number in"),
    "twice": ('{"promise": 1, "epsilon": 1, "epsilon": 9}', "says 'epsilon' twice"),
    "twice within": ('{"promise": 1, "handling": {"code": "open", "code": "closed"}}', "says 'code' twice"),
    "half a letter": ('{"promise": 1, "name": "\\ud800"}', "half a letter"),
    "half a letter in a field": ('{"promise": 1, "\\ud800": 1}', "half a letter"),
    "a long name": (said(name="x" * 121), "A text in it has 121 letters; at most 120 are read"),
    "no privacy": (said(epsilon=1, delta=1), "at 1 nothing is promised, whatever epsilon is"),
    "no answers": (said(epsilon=0), "at 0 no answer depends on the data at all"),
    "one in the table": (said(people=1), "one protected unit would be the whole table"),
    "back in time": (said(every_days=-1), "every_days must be above 0"),
    "noise too small": (said(epsilon=1, noise="laplace", noise_multiplier=0.1), "large enough for the epsilon"),
}


@each("name", BAD_FILES)
def test_a_bad_file_gets_a_sentence(name):
    text, sentence = BAD_FILES[name]
    with pytest.raises(ScenarioError, match=sentence) as refused:
        Promise.from_json(text)
    assert len(str(refused.value)) < 600
    assert str(refused.value).endswith(".")


def test_what_contradicts_itself_keeps_the_sentence_of_the_promise():
    with pytest.raises(InvalidParameterError) as own:
        Promise(epsilon=1.0, delta=1.0)
    with pytest.raises(ScenarioError) as read:
        Promise.from_json(said(epsilon=1.0, delta=1.0))
    assert str(own.value) in str(read.value)


BAD_LINKS = {
    "nothing": ("", "holds no promise"),
    "a plan": (packed("{}"), "holds no promise"),
    "another version": ("p2." + KEPT_LINK[3:], "of version 2; this program reads version 1"),
    "cut": (KEPT_LINK[:-4], "damaged"),
    "only its mark": ("p1.", "damaged"),
    "no letters of a link": ("p1.<script>", "damaged"),
    "too long": ("p1." + "A" * LONGEST_LINK, "at most 100,000 are read"),
    "packed with other words": ("p1." + shortened(KEPT_FILE, KEPT_FILE.encode()), "damaged"),
}


@each("name", BAD_LINKS)
def test_a_bad_link_gets_a_sentence(name):
    link, sentence = BAD_LINKS[name]
    with pytest.raises(ScenarioError, match=sentence):
        Promise.from_link(link)


def test_every_changed_letter_is_noticed():
    for place in range(3, len(KEPT_LINK)):
        changed = KEPT_LINK[:place] + ("A" if KEPT_LINK[place] != "A" else "B") + KEPT_LINK[place + 1 :]
        try:
            read = Promise.from_link(changed)
        except ScenarioError:
            continue
        assert read == DAILY, place


def test_the_longest_promise_fits_a_file_and_an_address():
    widest = Promise(name="\U0001f511" * LONGEST_NAME, by="漢" * LONGEST_NAME)
    assert len(to_json(widest)) < LARGEST_PROMISE / 4
    assert Promise.from_json(widest.to_json()) == widest
    assert Promise.from_link(widest.to_link()) == widest


@each("text", ["x" * 121, "\ud800"])
def test_a_promise_takes_no_name_that_could_not_be_kept(text):
    for field in ("name", "by"):
        with pytest.raises(InvalidParameterError, match=f"{field} must be at most 120 whole letters"):
            Promise(**{field: text})
