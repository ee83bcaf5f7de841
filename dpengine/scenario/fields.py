"""Whether read values are of the kinds that their fields declare: dataclasses themselves take anything."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from dpengine.errors import ScenarioError


@cache
def declared(builder: Hashable) -> dict[str, Any]:
    """The kinds that a class or function declares."""
    return get_type_hints(builder)


def require_kinds(cls: Any, arguments: Mapping[str, Any]) -> None:
    """Raise ScenarioError at the first argument that is not of its field's kind; unknown ones are left to the class."""
    kinds = declared(cls)
    for name, value in arguments.items():
        if name in kinds and not is_of(value, kinds[name]):
            raise ScenarioError(f"This plan cannot be read: {name} of a {cls.__name__} is of the wrong kind.")


def is_of(value: Any, kind: Any) -> bool:
    """isinstance for the kinds that our values declare: a whole number is also a float, but yes and no are not numbers.

    >>> is_of((1, 2.5), tuple[float, ...] | None), is_of(True, int), is_of("ab", tuple[str, ...])
    (True, False, False)
    """
    if get_origin(kind) in (Union, UnionType):
        return any(is_of(value, one) for one in get_args(kind))
    if get_origin(kind) is tuple:
        return isinstance(value, tuple) and all(is_of(item, get_args(kind)[0]) for item in value)
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, int | float if kind is float else kind)
