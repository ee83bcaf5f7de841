"""A plan about a table that is declared otherwise now: what still holds comes along, what does not says why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dpengine.accuracy import error_unit
from dpengine.data import Schema, require_aggregate
from dpengine.errors import DPEngineError
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors
from dpengine.queries import Query, require_undeclared
from dpengine.scenario.scenario import Scenario


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A question that no longer holds, by its number in the plan from 1, and the reason in a sentence."""

    number: int
    planned: PlannedQuery
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Redeclared:
    """The plan with the questions that still hold, and the others.

    `came_from` says where each question of the plan stood before; None where its answer has another unit now, so that
    no number said about it holds any longer.
    """

    plan: Scenario
    lost: tuple[Lost, ...]
    came_from: tuple[int | None, ...]


def redeclared(plan: Scenario, schema: Schema, neighbors: Neighbors) -> Redeclared:
    """The same questions about the table as it is declared now, with the errors that were accepted of them.

    How many rows there are is said with a declaration, and was said of the one before.
    """
    lost = tuple(_lost(plan, schema, neighbors))
    numbers = {one.number for one in lost}
    kept = [place for place in range(len(plan.queries)) if place + 1 not in numbers]
    queries = tuple(plan.queries[place] for place in kept)
    came_from = tuple(place if _same_unit(plan.queries[place].query, plan.schema, schema) else None for place in kept)
    targets = plan.targets.followed(came_from)
    if schema != plan.schema:
        targets = replace(targets, rows=None, people=None)
    new = replace(plan, table_name=schema.name, schema=schema, neighbors=neighbors, queries=queries, targets=targets)
    return Redeclared(plan=new, lost=lost, came_from=came_from)


def _same_unit(query: Query, before: Schema, now: Schema) -> bool:
    """Of the answer, and of its error, which for a choice is another one."""
    return query.unit(before) == query.unit(now) and error_unit(query, before) == error_unit(query, now)


def _lost(plan: Scenario, schema: Schema, neighbors: Neighbors) -> Iterator[Lost]:
    for number, planned in enumerate(plan.queries, start=1):
        try:
            for part in planned.parts(schema, neighbors):
                require_aggregate(part.aggregate, schema)
            planned.mechanisms(schema, neighbors)
            require_undeclared(planned.query, schema, neighbors)
        except DPEngineError as refused:
            yield Lost(number=number, planned=planned, reason=str(refused))
