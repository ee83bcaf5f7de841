"""Errors of engines quote cells, so none of them leaves: ours is raised in their place, without a trace of the text."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from dpengine.errors import EngineError, MaskedError

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
UNSAID = str(EngineError())
_SURROUNDING = (ArithmeticError, ValueError, RuntimeError, MemoryError, OSError)


def in_own_words(
    quoting: Callable[[], tuple[type[Exception], ...]], sentence: str = UNSAID
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Replace the errors that a driver and its surroundings raise by MaskedError.

    It is raised after the handler has ended: not even its context keeps the text. The driver's errors are asked for at
    the first call, because a driver may not be installed.
    """

    def decorated(call: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        @wraps(call)
        def guarded(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            try:
                return call(*args, **kwargs)
            except Exception as error:
                if not isinstance(error, (*quoting(), *_SURROUNDING)):
                    raise
            raise MaskedError(sentence)

        return guarded

    return decorated
