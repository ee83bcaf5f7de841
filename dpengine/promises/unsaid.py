"""Silence as an answer: what a promise does not say, and what nobody here has looked up."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

Value = TypeVar("Value")


class Unsaid(Enum):
    """Why a field of a promise is empty; the two are never the same."""

    NOT_SAID = "not said"
    NOT_LOOKED_UP = "not looked up"


NOT_SAID = Unsaid.NOT_SAID
NOT_LOOKED_UP = Unsaid.NOT_LOOKED_UP


def stated(value: Value | Unsaid) -> Value | None:
    """The value, or None where there is none."""
    return None if isinstance(value, Unsaid) else value
