"""The shared rules that refuse arguments: what they let pass, what they make of NumPy's scalars, what they say."""

import dataclasses
import importlib
import inspect
from datetime import date, datetime
from typing import Any

import numpy as np
import pytest

import dpengine
from dpengine.accounting import epsilon
from dpengine.data import Comparison, NumberColumn, Schema, Table, load_sample, read_table
from dpengine.errors import (
    InvalidParameterError,
    items_of,
    named,
    plain,
    require_between,
    require_finite,
    require_kind,
    require_non_negative,
    require_one_of,
    require_positive,
    require_whole,
)
from dpengine.losses import delta_of
from dpengine.mechanisms import LaplaceMechanism
from dpengine.privacy import Guarantee, Neighbors, PureEvent
from dpengine.queries import CountQuery, Query
from tests.running.cases import each

SCHEMA = Schema(name="t", columns=(NumberColumn(name="age", lower=0, upper=120),), people=9)
NOON = datetime(2020, 1, 1, 12)  # noqa: DTZ001


@each(
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


@each(
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


YES, NO = np.True_, np.array(False)


@each("yes", [True, YES, NO])
def test_yes_and_no_are_not_numbers_numpys_neither(yes: Any) -> None:
    calls: list[tuple[str, Any]] = [
        ("field", lambda: require_finite("field", yes)),
        ("field", lambda: require_positive("field", yes)),
        ("field", lambda: require_non_negative("field", yes)),
        ("field", lambda: require_between("field", yes, 0.0, 1.0)),
        ("field", lambda: require_whole("field", yes, least=0)),
        ("epsilon", lambda: PureEvent(epsilon=yes)),
        ("delta", lambda: Guarantee(epsilon=1.0, delta=yes)),
        ("scale", lambda: LaplaceMechanism(scale=yes, l1_sensitivity=1.0)),
        ("delta", lambda: epsilon({PureEvent(epsilon=0.1): 1}, delta=yes, accountant="basic")),
        ("the number of runs", lambda: epsilon({PureEvent(epsilon=0.1): yes}, delta=0.1, accountant="basic")),
    ]
    for name, call in calls:
        with pytest.raises(InvalidParameterError) as refused:
            call()
        assert refused.value.name == name
    numbers: list[Any] = [1, 1.0, np.float64(1.0), np.int64(1), np.array(1.0)]
    for one in numbers:
        require_between("field", one, 0.0, 1.0)
        require_whole("field", one)


@each(
    "values", [True, YES, [True, False], np.array([True]), np.array([0.5, True], dtype=object), np.array([YES], object)]
)
def test_arrays_of_yes_and_no_are_told_that_numbers_are_needed(values: Any) -> None:
    with pytest.raises(InvalidParameterError, match="epsilon must be a finite number, not True or False; it is"):
        delta_of(PureEvent(epsilon=1.0), epsilon=values)
    assert delta_of(PureEvent(epsilon=1.0), epsilon=np.array([0.5, 1], dtype=object)).shape == (2,)


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


def test_the_names_of_a_first_notebook_are_in_one_place() -> None:
    """Each is the very one of its package; `release` is the door's module, called as its one function."""
    for name in dpengine.__all__:
        assert name in dir(dpengine)
        assert callable(getattr(dpengine, name))
    assert dpengine.Guarantee is Guarantee
    assert dpengine.release is importlib.import_module("dpengine.release")
    with pytest.raises(AttributeError, match="no attribute 'privacy_for_free'"):
        _ = dpengine.privacy_for_free
    with pytest.raises(InvalidParameterError, match=r"request_id must be given by name, as in release\(request_id="):
        dpengine.release(None, None, None, "first")  # type: ignore[operator]  # a module that is a function, too


def positional(package: str) -> list[type]:
    """The public classes of a package whose values are all given by name."""
    module = importlib.import_module(f"dpengine.{package}")
    made = [getattr(module, name) for name in module.__all__]
    classes = [one for one in made if isinstance(one, type) and dataclasses.is_dataclass(one)]
    return [
        one for one in classes if all(field.kw_only for field in dataclasses.fields(one)) and dataclasses.fields(one)
    ]


@each("package", ["privacy", "mechanisms", "plan", "data", "accounting"])
def test_a_value_without_its_name_gets_our_sentence(package: str) -> None:
    """Of every class that a notebook makes; with its name the value is taken, or refused for what it is."""
    classes = positional(package)
    assert classes
    for one in classes:
        first = next(iter(inspect.signature(one).parameters))
        with pytest.raises(InvalidParameterError, match=rf"given by name, as in {one.__name__}\({first}=1\.0\)"):
            one(1.0)


NOTEBOOK: list[tuple[Any, tuple[Any, ...], dict[str, Any], str]] = [
    (
        *(read_table, ("x.csv", SCHEMA), {}),
        r"schema must be given by name, as in read_table\(schema=\.\.\.\); it is Schema\(",
    ),
    (Table, (1,), {}, r"schema must be given, as in Table\(opened, schema=\.\.\.\); it is missing\."),
    (Guarantee, (), {}, r"epsilon must be given, as in Guarantee\(epsilon=\.\.\.\); it is missing\."),
    (Guarantee, (), {"eps": 1}, r"a name in Guarantee\(\.\.\.\) must be one of 'epsilon', 'delta'; it is 'eps'\."),
    (
        *(Comparison, ("a > 1",), {}),
        r"operator must be given, as in Comparison\(column, operator, value\); it is missing\.",
    ),
    (CountQuery, (None, 2), {}, r"the number of values of CountQuery without a name must be at most 1; it is 2\."),
    (CountQuery, (None,), {"where": None}, r"where must be given once; it is None\."),
    (load_sample, (), {}, r"name must be given, as in load_sample\(name\); it is missing\."),
]


@each("called, values, others, sentence", NOTEBOOK)
def test_a_call_that_does_not_fit_gets_our_sentence(
    called: Any, values: tuple[Any, ...], others: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InvalidParameterError, match=f"^{sentence}"):
        called(*values, **others)


def test_a_call_that_fits_keeps_the_error_that_python_raises_in_it() -> None:
    @named
    def broken(first: int, *, second: int = 0) -> int:
        return first + None  # type: ignore[operator]

    with pytest.raises(TypeError, match="unsupported operand"):
        broken(1, second=2)


@each("package", ["privacy", "mechanisms", "plan", "data", "queries", "accounting"])
def test_a_name_that_a_class_does_not_know_gets_our_sentence(package: str) -> None:
    """Of every class that a notebook makes, whether its values are given by name or in order."""
    module = importlib.import_module(f"dpengine.{package}")
    made: list[Any] = [getattr(module, name) for name in module.__all__]
    classes: list[Any] = [one for one in made if isinstance(one, type) and dataclasses.is_dataclass(one)]
    assert classes
    for one in classes:
        with pytest.raises(InvalidParameterError, match="; it is 'no_such_name'"):
            one(no_such_name=1)
