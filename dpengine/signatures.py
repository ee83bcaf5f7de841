"""What a class or a function takes, in words, and why values do not fit it: a name, a value and a rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import Parameter
from types import UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin

_SHORT = 40
_IN_ORDER = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


class Misfit(NamedTuple):
    """What does not fit; the rule reads on from "must be"."""

    name: str
    value: object
    rule: str


class _Missing:
    """Stands where no value was given."""

    def __repr__(self) -> str:
        return "missing"


def misfit(
    called: str, taken: Sequence[Parameter], values: Sequence[object], others: Mapping[str, object]
) -> Misfit | None:
    """The first value that is not taken as it was given, in order or by name, or that is missing; None if all fit.

    >>> from inspect import signature
    >>> misfit("int", list(signature(lambda *, base: base).parameters.values()), [], {"bass": 2}).rule
    "one of 'base'"
    """
    return (
        _beyond(called, taken, values, others)
        or _twice(taken, values, others)
        or _unknown(called, taken, others)
        or _missing(called, taken, values, others)
    )


def _beyond(
    called: str, taken: Sequence[Parameter], values: Sequence[object], others: Mapping[str, object]
) -> Misfit | None:
    """Of more values than are taken in order the first that is too many."""
    in_order = [one for one in taken if one.kind in _IN_ORDER]
    by_name = [one.name for one in taken if one.kind is Parameter.KEYWORD_ONLY and one.name not in others]
    if len(values) <= len(in_order):
        return None
    if not by_name:
        return Misfit(f"the number of values of {called} without a name", len(values), f"at most {len(in_order)}")
    name, value = by_name[0], values[len(in_order)]
    shown = repr(value) if isinstance(value, int | float | str) else "..."
    return Misfit(name, value, f"given by name, as in {called}({name}={shown if len(shown) <= _SHORT else '...'})")


def _twice(taken: Sequence[Parameter], values: Sequence[object], others: Mapping[str, object]) -> Misfit | None:
    in_order = [one.name for one in taken if one.kind in _IN_ORDER][: len(values)]
    return next((Misfit(name, others[name], "given once") for name in in_order if name in others), None)


def _unknown(called: str, taken: Sequence[Parameter], others: Mapping[str, object]) -> Misfit | None:
    names = [one.name for one in taken if one.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)]
    unknown = [name for name in others if name not in names]
    if not unknown or any(one.kind is Parameter.VAR_KEYWORD for one in taken):
        return None
    return Misfit(f"a name in {called}(...)", unknown[0], "one of " + ", ".join(map(repr, names)))


def _missing(
    called: str, taken: Sequence[Parameter], values: Sequence[object], others: Mapping[str, object]
) -> Misfit | None:
    in_order = [one for one in taken if one.kind in _IN_ORDER]
    given = {one.name for one in in_order[: len(values)]} | set(others)
    needed = [
        one for one in taken if one.default is Parameter.empty and one.kind in (*_IN_ORDER, Parameter.KEYWORD_ONLY)
    ]
    missing = [one.name for one in needed if one.name not in given]
    if not missing:
        return None
    pattern = ", ".join(one.name if one.kind in _IN_ORDER else f"{one.name}=..." for one in needed)
    return Misfit(missing[0], _Missing(), f"given, as in {called}({pattern})")


def kind_in_words(kind: Any) -> str:
    """A declared kind as a sentence names it.

    >>> kind_in_words(tuple[int, ...] | None)
    'tuple of whole number or None'
    """
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(kind_in_words(one) for one in get_args(kind))
    if get_origin(kind) is tuple:
        return f"tuple of {kind_in_words(get_args(kind)[0])}"
    return _KINDS.get(kind) or str(kind.__name__)


_KINDS: Mapping[object, str] = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "True or False",
    type(None): "None",
}
