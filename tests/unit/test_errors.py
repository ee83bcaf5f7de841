"""The shared rules that refuse arguments: what they let pass, what they make of NumPy's scalars, what they say."""

from datetime import date, datetime
from typing import Any

import numpy as np
import pytest

from dpengine.data import NumberColumn, Schema
from dpengine.errors import InvalidParameterError, items_of, plain, require_kind, require_one_of
from dpengine.privacy import Neighbors
from dpengine.queries import CountQuery, Query

NOON = datetime(2020, 1, 1, 12)  # noqa: DTZ001


@pytest.mark.parametrize(
    "value, kind",
    [
        (1, float),
        (1, int | None),
        (None, int | None),
        (("a", "b"), tuple[str, ...]),
        ((), tuple[str, ...]),
        (date(2020, 1, 1), date),
        (NOON, datetime),
        (Neighbors.ADD_REMOVE, Neighbors),
        (CountQuery(), Query),
        ("anything", Any),
    ],
)
def test_what_is_of_its_kind_passes(value, kind):
    require_kind("field", value, kind)


@pytest.mark.parametrize(
    "value, kind, words",
    [
        (True, int, "whole number; it is True"),
        (True, float, "number; it is True"),
        (1, bool, "True or False; it is 1"),
        (1.0, int | None, "whole number or None; it is 1.0"),
        ("add_remove", Neighbors, "Neighbors; it is 'add_remove'"),
        (NOON, date, "date; it is datetime"),
        ("ab", tuple[str, ...], "tuple of text; it is 'ab'"),
        (("a", 1), tuple[str, ...], r"tuple of text; it is \('a', 1\)"),
        (CountQuery, Query, "Query; it is <class"),
        (NumberColumn, NumberColumn | None, "NumberColumn or None; it is <class"),
    ],
)
def test_what_is_not_is_refused_by_name(value, kind, words):
    with pytest.raises(InvalidParameterError, match=f"^field must be of the kind {words}"):
        require_kind("field", value, kind)


def test_numpys_scalars_become_pythons_and_nothing_else_does():
    given = (np.float64(0.5), np.float32(0.5), np.int64(3), np.bool_(True), np.str_("a"))
    assert [(type(plain(one)), plain(one)) for one in given] == [
        (float, 0.5),
        (float, 0.5),
        (int, 3),
        (bool, True),
        (str, "a"),
    ]
    for other in (np.datetime64("2020-01-01", "ns"), np.timedelta64(1, "s"), np.array([1]), None, "a", date.min):
        assert plain(other) is other


def test_a_list_is_taken_apart_but_a_text_is_not():
    assert items_of("list", np.array([1, 2])) == items_of("list", (n for n in (1, 2))) == (1, 2)
    assert all(type(item) is int for item in items_of("list", np.array([1, 2])))
    for no_list in ("abc", b"abc", None, 5, {"a": 1}, np.array(1)):
        with pytest.raises(InvalidParameterError, match=r"^list must be a list; it is"):
            items_of("list", no_list)  # type: ignore[arg-type]


def test_a_choice_of_another_kind_is_a_choice_that_is_not_there():
    with pytest.raises(InvalidParameterError, match="one of 'a'; it is \\['a'\\]"):
        require_one_of("choice", ["a"], {"a": 1})


@pytest.mark.parametrize("huge", [10**5000, "x" * 10**6, tuple(range(10**5))], ids=["digits", "letters", "items"])
def test_a_sentence_stays_a_sentence(huge):
    with pytest.raises(InvalidParameterError) as caught:
        require_kind("schema", huge, Schema)
    assert str(caught.value).startswith("schema must be of the kind Schema; it is ")
    assert len(str(caught.value)) < 300
