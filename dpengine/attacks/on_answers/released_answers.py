"""What an attacker of released answers starts from: what was asked, and the noisy numbers that came back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import add

from dpengine.data import Schema
from dpengine.errors import InvalidParameterError, require_fields
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import Amounts, cost_of
from dpengine.privacy import Event, Neighbors


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One released answer: the planned question, and one tuple of noisy grid integers for each of its parts."""

    planned: PlannedQuery
    noisy: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        require_fields(self)


@dataclass(frozen=True, kw_only=True)
class Answers:
    """Everything that was released about one table, in any order; no row is needed to attack it.

    Raises InvalidParameterError where nothing was released, or where an answer does not fit its question.
    """

    schema: Schema = field(repr=False)
    neighbors: Neighbors
    told: tuple[Told, ...]

    def __post_init__(self) -> None:
        require_fields(self)
        if not self.told:
            raise InvalidParameterError("answers", self.told, "at least one released answer")
        for one in self.told:
            sizes = tuple(part.coordinates for part in one.planned.parts(self.schema, self.neighbors))
            if tuple(map(len, one.noisy)) != sizes:
                raise InvalidParameterError("an answer", one.noisy, f"of {sizes} numbers, as its question has parts")

    @cached_property
    def costs(self) -> tuple[Amounts, ...]:
        """What each answer was charged, exactly."""
        return tuple(cost_of(one.planned, self.schema, self.neighbors) for one in self.told)

    def cost_of(self, places: Iterable[int]) -> Amounts:
        """What the answers at these places were charged together; each of them once."""
        return reduce(add, (self.costs[place] for place in sorted(set(places))), Amounts())

    @property
    def events(self) -> Iterable[Mapping[Event, int]]:
        """What the accountants see of each answer."""
        return (one.planned.events(self.schema, self.neighbors) for one in self.told)
