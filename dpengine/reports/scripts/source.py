"""Engine values as Python source that builds them again: constructors with named fields, every text a quoted literal.

Nothing that somebody typed becomes code: texts are written by `repr`, which escapes quotes, backslashes, line ends and
every sign without a shape; names of classes and fields are our own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields
from datetime import date
from enum import Enum

from dpengine.errors import InvalidParameterError
from dpengine.scenario import Scenario
from dpengine.scenario.codec import CLASSES

WIDTH = 110
_INDENT = "    "
_BARE = (str, int, float, bool, type(None))


def source_of(value: object, indent: str = "") -> str:
    r"""An expression that is equal to the value, given its imports; fields that keep their default are left out.

    >>> from dpengine.data import Comparison
    >>> source_of(Comparison("na\"me", "=", "a'b\n"))
    'Comparison(column=\'na"me\', operator=\'=\', value="a\'b\\n")'
    """
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, date):
        return f"date({value.year}, {value.month}, {value.day})"
    if isinstance(value, tuple):
        items = [source_of(item, indent + _INDENT) for item in value]
        return _enclosed("(", items, ")", indent, single=len(items) == 1)
    if isinstance(value, _BARE):
        return repr(value)
    if not _known(value):
        raise InvalidParameterError("value", value, "one that a saved plan may hold")
    given = [f"{name}={source_of(item, indent + _INDENT)}" for name, item in _stated(value)]
    return _enclosed(f"{type(value).__name__}(", given, ")", indent)


def imports_of(value: object, also: Mapping[str, str] | None = None) -> str:
    """The import lines that the expression needs, sorted; `also` names more, each with its module."""
    needed: dict[str, set[str]] = {}
    for name, module in (also or {}).items():
        needed.setdefault(module, set()).add(name)
    for part in _inside(value):
        module = "datetime" if isinstance(part, date) else ".".join(type(part).__module__.split(".")[:2])
        needed.setdefault(module, set()).add(type(part).__name__)
    return "\n".join(_import_line(module, sorted(names)) for module, names in sorted(needed.items()))


def _import_line(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    return line if len(line) <= WIDTH else _enclosed(f"from {module} import (", names, ")", "")


def _inside(value: object) -> Iterator[object]:
    """The values of classes in a value, itself first."""
    if isinstance(value, tuple):
        for item in value:
            yield from _inside(item)
    elif isinstance(value, date | Enum):
        yield value
    elif _known(value):
        yield value
        for _, item in _stated(value):
            yield from _inside(item)


def _known(value: object) -> bool:
    return isinstance(value, Scenario) or CLASSES.get(type(value).__name__) is type(value)


def _stated(value: object) -> Iterator[tuple[str, object]]:
    """Fields that are not what they would be without a word."""
    for field in fields(value):  # type: ignore[arg-type]
        item = getattr(value, field.name)
        if item != _default(field):
            yield field.name, item


def _default(field: Field[object]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _enclosed(opening: str, items: list[str], closing: str, indent: str, *, single: bool = False) -> str:
    """On one line where it fits, else one line for each item; a tuple of one keeps its comma."""
    joined = ", ".join(items) + ("," if single else "")
    line = f"{opening}{joined}{closing}"
    if len(indent) + len(line) <= WIDTH and "\n" not in line:
        return line
    inner = "".join(f"{indent}{_INDENT}{item},\n" for item in items)
    return f"{opening}\n{inner}{indent}{closing}"
