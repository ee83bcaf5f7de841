"""How a promise stands before one hazard, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Standing(Enum):
    """Silence of the promise and a gap in our own record are never the same."""

    SOUND = "stated and sound"
    WEAK = "stated and weak"
    NOT_STATED = "not stated"
    NOT_LOOKED_UP = "not looked up"

    @property
    def words(self) -> str:
        """The same in words."""
        return str(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A standing, and a sentence with the promise's own numbers that says what it rests on.

    What is sound because the hazard cannot apply does not arise.
    """

    standing: Standing
    because: str
    arises: bool = True


def sound(because: str) -> Judgement:
    """What is stated meets the hazard."""
    return Judgement(standing=Standing.SOUND, because=because)


def apart(because: str) -> Judgement:
    """What is stated keeps the hazard from arising."""
    return Judgement(standing=Standing.SOUND, because=because, arises=False)


def weak(because: str) -> Judgement:
    """What is stated lets the hazard in."""
    return Judgement(standing=Standing.WEAK, because=because)
