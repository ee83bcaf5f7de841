"""What was worked out for the very same objects, kept for the next time."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")
_MOST = 1024


class _Very:
    """One object; equal ones are others, since 1, 1.0 and True are equal and mean different things."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Very) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def remembered(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Keep the latest results of a function of frozen values, by the identity of each."""

    @lru_cache(maxsize=_MOST)
    def known(*very: _Very) -> _R:
        return function(*(one.value for one in very))  # type: ignore[arg-type, call-arg]

    @wraps(function)
    def asked(*values: _P.args, **named: _P.kwargs) -> _R:
        return function(*values, **named) if named else known(*map(_Very, values))

    return asked
