"""Every error of the engine; each one reads as a sentence for a user and carries the offending values.

DPEngineError
├── InvalidParameterError     an argument or a field makes no sense (also a ValueError)
├── UnsupportedEventError     an accountant or a formula does not know this kind of event
├── RefusedQueryError         a question that cannot be asked, with the reason in terms of privacy
├── IntakeError               a file or a table that cannot be read as declared
├── EngineError               the engine of rows failed; never quotes a cell
├── ScenarioError             a saved scenario or link that cannot be read
├── LedgerError               the ledger is missing, damaged, or contradicts what is asked of it
│   ├── AccountMismatchError  the account was opened with other terms
│   ├── RequestReusedError    a request id comes back with another request
│   └── BudgetExceededError   the charge does not fit in what is left
└── ReleaseFailedError        after the charge something failed: always the same message
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any


class DPEngineError(Exception):
    """Root of all errors that the engine raises on purpose."""


class InvalidParameterError(DPEngineError, ValueError):
    """An argument makes no sense; says its name, the rule and the value."""

    def __init__(self, name: str, value: Any, rule: str) -> None:
        super().__init__(f"{name} must be {rule}; it is {value!r}.")
        self.name, self.value, self.rule = name, value, rule


class UnsupportedEventError(DPEngineError):
    """A formula that does not cover this kind of event."""

    def __init__(self, event: object, where: str = "this formula") -> None:
        super().__init__(f"{where} does not cover {event!r}.")
        self.event, self.where = event, where


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


class ScenarioError(DPEngineError):
    """A saved scenario or a link that this version cannot read."""


class LedgerError(DPEngineError):
    """The ledger is missing, damaged, or contradicts what is asked of it."""


class AccountMismatchError(LedgerError):
    """An account that exists with other terms than those asked for."""

    def __init__(self, term: str, opened_with: object, asked_for: object) -> None:
        super().__init__(
            f"This table already has an account whose {term} is {opened_with}; "
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
    """Something failed after the charge; the message never depends on the rows."""

    def __init__(self) -> None:
        super().__init__(
            "The answer could not be computed. The charge stays in the ledger; "
            "the same request can be tried again without a second charge."
        )


def require_finite(name: str, value: float) -> None:
    """Refuse anything that is not a finite real number."""
    if isinstance(value, bool) or not _is_number(value) or not math.isfinite(value):
        raise InvalidParameterError(name, value, "a finite number")


def require_positive(name: str, value: float) -> None:
    """Refuse anything that is not a finite number above 0."""
    if isinstance(value, bool) or not _is_number(value) or not math.isfinite(value) or value <= 0:
        raise InvalidParameterError(name, value, "a finite number above 0")


def require_non_negative(name: str, value: float) -> None:
    """Refuse anything that is not a finite number of at least 0."""
    if isinstance(value, bool) or not _is_number(value) or not math.isfinite(value) or value < 0:
        raise InvalidParameterError(name, value, "a finite number of at least 0")


def require_between(name: str, value: float, lower: float, upper: float, *, open_at: str = "") -> None:
    """Refuse a number outside [lower, upper]; open_at "lower", "upper" or "both" leaves out the ends."""
    inside = _is_number(value) and not isinstance(value, bool) and lower <= value <= upper
    at_open_end = (open_at in ("lower", "both") and value == lower) or (open_at in ("upper", "both") and value == upper)
    if not inside or at_open_end:
        left, right = "(" if open_at in ("lower", "both") else "[", ")" if open_at in ("upper", "both") else "]"
        raise InvalidParameterError(name, value, f"a number in {left}{lower:g}, {upper:g}{right}")


def require_whole(name: str, value: int, *, least: int = 1) -> None:
    """Refuse anything that is not a whole number of at least `least`."""
    if (
        isinstance(value, bool)
        or not _is_number(value)
        or not math.isfinite(value)
        or value != int(value)
        or value < least
    ):
        raise InvalidParameterError(name, value, f"a whole number of at least {least}")


def require_one_of(name: str, value: object, allowed: Collection[object]) -> None:
    """Refuse a value that is not in the list."""
    if value not in allowed:
        raise InvalidParameterError(name, value, "one of " + ", ".join(repr(item) for item in allowed))


def _is_number(value: object) -> bool:
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False
    return not isinstance(value, str | bytes)
