"""Every error of the engine; each one reads as a sentence for a user and carries the offending values.

DPEngineError
├── InvalidParameterError     an argument or a field makes no sense (also a ValueError)
├── UnsupportedEventError     an accountant or a formula does not know this kind of event
├── RefusedQueryError         a question that cannot be asked, with the reason in terms of privacy
├── IntakeError               a file or a table that cannot be read as declared
├── EngineError               the engine of rows failed; never quotes a cell
│   └── MaskedError           an error of a driver or its surroundings, which rows may have caused
├── ScenarioError             a saved scenario or link that cannot be read
├── LedgerError               the ledger is missing, damaged, or contradicts what is asked of it
│   ├── AccountMismatchError  the account was opened with other terms
│   ├── RequestReusedError    a request id comes back with another request
│   └── BudgetExceededError   the charge does not fit in what is left
├── ReleaseFailedError        after the charge something failed: always the same message
├── RoomError                 a workshop's room does not allow this now
└── StoppedError              somebody who waited for a long computation has stopped it
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields
from datetime import date, datetime
from functools import cache, wraps
from inspect import signature
from types import UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from dpengine.signatures import kind_in_words, misfit

Made = TypeVar("Made", bound=Callable[..., Any])
LONGEST_VALUE = 200


class DPEngineError(Exception):
    """Root of all errors that the engine raises on purpose."""


class InvalidParameterError(DPEngineError, ValueError):
    """An argument makes no sense; says its name, the rule and the value."""

    def __init__(self, name: str, value: Any, rule: str) -> None:
        super().__init__(f"{name} must be {rule}; it is {_shown(value)}.")
        self.name, self.value, self.rule = name, value, rule


class UnsupportedEventError(DPEngineError):
    """A formula that does not cover this kind of event; `instead` is a sentence on what does."""

    def __init__(self, event: object, where: str = "this formula", *, instead: str = "") -> None:
        super().__init__(f"{where} does not cover {event!r}." + (f" {instead}" if instead else ""))
        self.event, self.where, self.instead = event, where, instead


class RefusedQueryError(DPEngineError):
    """A question that cannot be asked; the reason is in terms of privacy or of the declared schema."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class IntakeError(DPEngineError):
    """A file that cannot be read as declared; says what is wrong, where, and what to do."""


class EngineError(DPEngineError):
    """The engine of rows failed; its own message is withheld, because it may quote cells."""

    def __init__(self, sentence: str = "The engine could not compute this.") -> None:
        super().__init__(sentence)


class MaskedError(EngineError):
    """Stands for an error that a driver or its surroundings raised, maybe because of a row."""


class ScenarioError(DPEngineError):
    """A saved scenario or a link that this version cannot read."""


class LedgerError(DPEngineError):
    """The ledger is missing, damaged, or contradicts what is asked of it."""


class AccountMismatchError(LedgerError):
    """An account that exists with other terms than those asked for."""

    def __init__(self, term: str, opened_with: object, asked_for: object, *, sentence: str = "") -> None:
        super().__init__(
            sentence
            or f"This table already has an account whose {term} is {opened_with}; "
            f"it cannot be opened again with {asked_for}."
        )
        self.term, self.opened_with, self.asked_for = term, opened_with, asked_for


class RequestReusedError(LedgerError):
    """A request id that already stands for another request."""

    def __init__(self, request_id: str) -> None:
        super().__init__("This request was already used for another question. Nothing was charged.")
        self.request_id = request_id


class BudgetExceededError(LedgerError):
    """A charge that does not fit in what is left; nothing was charged and no row was read."""

    def __init__(self, *, asked: object, remaining: object, sentence: str) -> None:
        super().__init__(sentence)
        self.asked, self.remaining = asked, remaining


class ReleaseFailedError(DPEngineError):
    """Something failed after the charge; the message never depends on the rows.

    `reading_rows`: it failed while rows were read, and they may have been the cause.
    """

    def __init__(self, *, reading_rows: bool = False) -> None:
        self.reading_rows = reading_rows
        super().__init__(
            "The answer could not be computed. The charge stays in the ledger; "
            "the same request can be tried again without a second charge."
        )


class UnusedDeltaWarning(UserWarning):
    """A delta that was given to noise which needs none; it is not charged."""


class RoomError(DPEngineError):
    """What a workshop's room does not allow, or not now; nothing was changed."""


class StoppedError(DPEngineError):
    """A computation that the person who waited for it has stopped."""

    def __init__(self) -> None:
        super().__init__("The computation was stopped.")


def require_finite(name: str, value: float) -> None:
    """Refuse anything that is not a finite real number."""
    if not _is_number(value) or not math.isfinite(value):
        raise InvalidParameterError(name, value, "a finite number")


def require_positive(name: str, value: float) -> None:
    """Refuse anything that is not a finite number above 0."""
    if not _is_number(value) or not math.isfinite(value) or value <= 0:
        raise InvalidParameterError(name, value, "a finite number above 0")


def require_non_negative(name: str, value: float) -> None:
    """Refuse anything that is not a finite number of at least 0."""
    if not _is_number(value) or not math.isfinite(value) or value < 0:
        raise InvalidParameterError(name, value, "a finite number of at least 0")


def require_between(name: str, value: float, lower: float, upper: float, *, open_at: str = "") -> None:
    """Refuse a number outside [lower, upper]; open_at "lower", "upper" or "both" leaves out the ends."""
    inside = _is_number(value) and lower <= value <= upper
    at_open_end = (open_at in ("lower", "both") and value == lower) or (open_at in ("upper", "both") and value == upper)
    if not inside or at_open_end:
        left, right = "(" if open_at in ("lower", "both") else "[", ")" if open_at in ("upper", "both") else "]"
        raise InvalidParameterError(name, value, f"a number in {left}{lower:g}, {upper:g}{right}")


def require_whole(name: str, value: int, *, least: int = 1) -> None:
    """Refuse anything that is not a whole number of at least `least`."""
    if not _is_number(value) or not math.isfinite(value) or value != int(value) or value < least:
        raise InvalidParameterError(name, value, f"a whole number of at least {least}")


def require_one_of(name: str, value: object, allowed: Collection[object]) -> None:
    """Refuse a value that is not in the list."""
    if value not in tuple(allowed):
        raise InvalidParameterError(name, value, "one of " + ", ".join(repr(item) for item in allowed))


def require_kind(name: str, value: object, kind: Any) -> None:
    """Refuse a value that is not of a declared kind, such as Schema, int | None or tuple[str, ...]."""
    if not is_of(value, kind):
        raise InvalidParameterError(name, value, f"of the kind {kind_in_words(kind)}")


def require_kinds(builder: Any, arguments: Mapping[str, object]) -> None:
    """Refuse an argument that is not of the kind that a class or function declares; unknown ones are left to it."""
    for name, kind in _declared(builder).items():
        if name in arguments:
            require_kind(name, arguments[name], kind)


def require_fields(value: Any) -> None:
    """Refuse a dataclass of which a field is not of its declared kind: dataclasses themselves take anything."""
    require_kinds(type(value), {field.name: getattr(value, field.name) for field in fields(value)})


def is_of(value: object, kind: Any) -> bool:
    """isinstance for the kinds that our values declare.

    A whole number is also a float; but yes and no are not numbers, and a moment is not a date.

    >>> is_of((1, 2.5), tuple[float, ...] | None), is_of(True, int), is_of("ab", tuple[str, ...])
    (True, False, False)
    """
    if kind is Any:
        return True
    if get_origin(kind) in (Union, UnionType):
        return any(is_of(value, one) for one in get_args(kind))
    if get_origin(kind) is tuple:
        return isinstance(value, tuple) and all(is_of(item, get_args(kind)[0]) for item in value)
    if isinstance(value, bool):
        return kind is bool
    if isinstance(value, type) or (kind is date and isinstance(value, datetime)):
        return False
    return isinstance(value, int | float if kind is float else kind)


def named(made: Made) -> Made:
    """A class or a function that says in our words which value it does not take, or misses, where Python would.

    >>> from dpengine.privacy import Guarantee
    >>> Guarantee(1.0)
    Traceback (most recent call last):
    ...
    dpengine.errors.InvalidParameterError: epsilon must be given by name, as in Guarantee(epsilon=1.0); it is 1.0.
    """
    given: Any = vars(made)["__init__"] if isinstance(made, type) else made
    taken = list(signature(given).parameters.values())
    itself = int(bool(taken) and taken[0].name == "self")

    @wraps(given)
    def checked(*values: Any, **others: Any) -> Any:
        try:
            return given(*values, **others)
        except TypeError:
            found = misfit(made.__name__, taken[itself:], values[itself:], others)
            if found is None:
                raise
        raise InvalidParameterError(*found)

    if not isinstance(made, type):
        return cast("Made", checked)
    made.__init__ = checked  # type: ignore[misc]
    return made


def items_of(name: str, values: Iterable[Any]) -> tuple[Any, ...]:
    """What a list holds, NumPy's scalars as plain ones; a bare text is no list of its letters.

    >>> items_of("values", ["a", np.int64(1)])
    ('a', 1)
    """
    if not isinstance(values, str | bytes | Mapping):
        try:
            return tuple(plain(value) for value in values)
        except TypeError:
            pass
    raise InvalidParameterError(name, values, "a list")


def plain(value: Any) -> Any:
    """A NumPy number, text or boolean as Python's own, which can be saved; anything else as it is.

    >>> plain(np.float64(0.5)), plain(np.bool_(True)), plain("text")
    (0.5, True, 'text')
    """
    of_numpy = isinstance(value, np.integer | np.floating | np.bool_ | np.str_) and not isinstance(
        value, np.timedelta64
    )
    return value.item() if of_numpy else value


def _is_number(value: object) -> bool:
    """Yes and no are not numbers, Python's or NumPy's."""
    if isinstance(value, bool) or getattr(getattr(value, "dtype", None), "kind", "") == "b":
        return False
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False
    return not isinstance(value, str | bytes)


def _shown(value: object) -> str:
    """A value as a sentence can carry it."""
    try:
        text = str(value) if type(value) is date else repr(value)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return "too long to show"
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"


@cache
def _declared(builder: Any) -> dict[str, Any]:
    """The kinds that a class or function declares."""
    return get_type_hints(builder)
