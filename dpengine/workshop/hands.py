"""What phones do while the room is attacked: one more answer averaged, a group subtracted, a secret opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dpengine.workshop.room import ATTACK, PHASES, Saying

AVERAGE, SUBTRACT, REBUILD, ONE_PERSON = range(PHASES[ATTACK])
"""The acts, as numbers of what is said in them."""
MOST_PRESSES = 40
"""Further answers that one person may wish for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """How many further answers all wished for, how many chose each group, and who opened their invented person."""

    further: int
    chosen: Counter[int]
    opened: frozenset[int]

    @property
    def favorite(self) -> int:
        """The group that most chose, the first of equals; 0 where nobody has."""
        return min(self.chosen, key=lambda place: (-self.chosen[place], place), default=0)


def counted(said: Sequence[Saying]) -> Hands:
    """Of everything that phones said in the attack; a person's wishes are taken for at most MOST_PRESSES."""
    presses = (one.value for one in said if one.number == AVERAGE)
    return Hands(
        further=sum(round(min(max(value, 0.0), MOST_PRESSES)) for value in presses),
        chosen=Counter(round(one.value) for one in said if one.number == SUBTRACT),
        opened=frozenset(one.participant for one in said if one.number == REBUILD),
    )


def invented_person(whom: int, everybody: Sequence[int], *, people: int) -> int:
    """Which of the invented people is somebody's own: one after the other in the order of joining."""
    return everybody.index(whom) % people


def opened_by(opened: Collection[int], everybody: Sequence[int], *, people: int) -> frozenset[int]:
    """The invented people whose secrets are open: once everybody has opened theirs, those of nobody too."""
    if everybody and set(everybody).issubset(opened):
        return frozenset(range(people))
    return frozenset(invented_person(one, everybody, people=people) for one in opened if one in everybody)
