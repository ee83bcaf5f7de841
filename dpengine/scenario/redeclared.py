"""A plan about a table that is declared otherwise now: what still holds comes along, what does not says why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dpengine.data import Schema, require_aggregate
from dpengine.errors import DPEngineError
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors
from dpengine.scenario.scenario import Scenario
from dpengine.scenario.targets import MOST_QUERIES, PlanTargets


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A question that no longer holds, by its number among those asked from 1, and the reason in a sentence."""

    number: int
    planned: PlannedQuery
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Redeclared:
    """The plan with the questions that still hold, and the others."""

    plan: Scenario
    lost: tuple[Lost, ...]


def redeclared(plan: Scenario, schema: Schema, neighbors: Neighbors, *, before: Sequence[Lost] = ()) -> Redeclared:
    """The same questions about the table as it is declared now; what was aimed at was about the table before.

    Behind them those lost `before`, which may hold again; no more in all than a plan may have.
    """
    asked = (*plan.queries, *(one.planned for one in before))[:MOST_QUERIES]
    lost = tuple(_lost(asked, schema, neighbors))
    numbers = {one.number for one in lost}
    queries = tuple(one for number, one in enumerate(asked, start=1) if number not in numbers)
    new = replace(
        plan, table_name=schema.name, schema=schema, neighbors=neighbors, queries=queries, targets=PlanTargets()
    )
    return Redeclared(plan=new, lost=lost)


def _lost(asked: Sequence[PlannedQuery], schema: Schema, neighbors: Neighbors) -> Iterator[Lost]:
    for number, planned in enumerate(asked, start=1):
        try:
            for part in planned.parts(schema, neighbors):
                require_aggregate(part.aggregate, schema)
            planned.mechanisms(schema, neighbors)
        except DPEngineError as refused:
            yield Lost(number=number, planned=planned, reason=str(refused))
