"""Names: whatever is typed, what is stored stays as it is, hides nothing, and shares its look with its disguises."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dpengine.errors import RoomError
from dpengine.seen_text import look
from dpengine.workshop.pseudonyms import LONGEST_NAME, pseudonym
from tests.running.cases import each

INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u180e\u200b\u200d\u2060\u3164\ufe0f\ufeff\uffa0"
    "\U00016fe4\U0001d159\U000e0041\U000e0100"
)
STEERING = (
    *"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c",
    *"\x00\x07\x7f\ud800\ue000\uffff",
)
CYRILLIC = "\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0410\u0412\u0415\u041d\u041a\u041c\u0422\u0425"
DISGUISE = str.maketrans("aeopcxyABEHKMTX", CYRILLIC)
DISGUISED = {"\u00eb": "\u0451", "\u0103": "\u04d1"}
"""Latin letters with an accent, and Cyrillic ones in one sign that look the same."""
LETTERS = st.characters() | st.sampled_from([*INVISIBLE, *" \t\n\u00a0\u0301\u0327\u1100\u1161\u00a8\uff21"])
TYPED = st.text(LETTERS, max_size=40)
NAMES = st.text(st.sampled_from("abcdefghjkmnpqrstuvwxyzABCDEFGH 23456"), min_size=1, max_size=12)


def stored(text: str) -> str:
    try:
        return pseudonym(text)
    except RoomError:
        assume(False)
        return ""


@given(TYPED)
def test_a_stored_name_is_stored_as_it_is(text: str) -> None:
    name = stored(text)
    assert pseudonym(name) == name
    assert 0 < len(name) <= LONGEST_NAME
    assert name == " ".join(name.split(" ")) == name.strip()
    assert not [letter for letter in name if unicodedata.category(letter)[0] == "C" or letter in INVISIBLE]
    assert look(name)


@given(NAMES, st.lists(st.tuples(st.integers(0, 12), st.sampled_from(INVISIBLE)), max_size=5))
def test_signs_that_nobody_sees_change_no_name(text: str, hidden: list[tuple[int, str]]) -> None:
    name, typed = stored(text), text
    for place, sign in hidden:
        typed = typed[:place] + sign + typed[place:]
    assert pseudonym(typed) == name


@each("sign", INVISIBLE)
def test_each_sign_that_nobody_sees_is_dropped(sign: str) -> None:
    assert pseudonym(f"An{sign}na{sign}") == "Anna"


@given(NAMES)
def test_letters_of_another_writing_are_the_same_to_the_eye(text: str) -> None:
    name = stored(text)
    assert look(pseudonym(text.translate(DISGUISE))) == look(name)
    assert look(f"{name}\u2800") == look(name)
    accented = unicodedata.normalize("NFC", name.replace("e", "e\u0308").replace("a", "a\u0306"))
    assume(len(accented) <= LONGEST_NAME)
    disguised = unicodedata.normalize("NFC", "".join(DISGUISED.get(sign, sign) for sign in accented))
    assert look(pseudonym(disguised)) == look(pseudonym(accented))


@each("blank", ["\u2800", "\ufffc"])
def test_a_sign_that_shows_nothing_is_a_space(blank: str) -> None:
    assert pseudonym(f"An{blank}na") == "An na"


@each("sign", STEERING)
def test_what_steers_or_cannot_be_shown_is_refused(sign: str) -> None:
    with pytest.raises(RoomError, match="cannot be shown here"):
        pseudonym(f"An{sign}na")


@each("text", ["", " ", *INVISIBLE, INVISIBLE, "\u2800", " \u2800\ufe0f ", "\u0301", "..."])
def test_a_name_of_which_nothing_is_seen_is_refused(text: str) -> None:
    with pytest.raises(RoomError, match="at least one letter or number"):
        pseudonym(text)


@each(
    ("one", "other"),
    [
        ("Anna", "Anne"),
        ("Zo\u00eb", "Zoe"),
        ("\u7530\u4e2d", "\u738b\u65b9"),
        ("\U0001f98a", "\U0001f43b"),
        ("Jose 1", "Jose 2"),
        ("\u0410\u043d\u043d\u0430", "Anna"),
        ("Amy", "Army"),
    ],
)
def test_names_that_people_tell_apart_are_both_free(one: str, other: str) -> None:
    assert look(pseudonym(one)) != look(pseudonym(other))
