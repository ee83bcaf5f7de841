"""A plan about a table that is declared otherwise now: what still holds comes along, what does not says why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dpengine.accuracy import error_unit
from dpengine.data import Schema, require_aggregate
from dpengine.errors import DPEngineError
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors
from dpengine.queries import Query, require_undeclared
from dpengine.scenario.scenario import Scenario
from dpengine.scenario.targets import MOST_QUERIES


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A question that no longer holds, by its number among those asked from 1, and the reason in a sentence."""

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


def redeclared(plan: Scenario, schema: Schema, neighbors: Neighbors, *, before: Sequence[Lost] = ()) -> Redeclared:
    """The same questions about the table as it is declared now, with the errors that were accepted of them.

    Behind them those lost `before`, which may hold again; no more in all than a plan may have. How many rows there are
    is said with a declaration, and was said of the one before.
    """
    asked = (*plan.queries, *(one.planned for one in before))[:MOST_QUERIES]
    lost = tuple(_lost(asked, schema, neighbors))
    numbers = {one.number for one in lost}
    kept = [place for place in range(len(asked)) if place + 1 not in numbers]
    came_from = tuple(place if _stays(place, plan, schema) else None for place in kept)
    targets = plan.targets.followed(came_from)
    if schema != plan.schema:
        targets = replace(targets, rows=None, people=None)
    queries = tuple(asked[place] for place in kept)
    new = replace(plan, table_name=schema.name, schema=schema, neighbors=neighbors, queries=queries, targets=targets)
    return Redeclared(plan=new, lost=lost, came_from=came_from)


def _stays(place: int, plan: Scenario, schema: Schema) -> bool:
    """Whether the plan has a question in this place whose answer has the unit that it had."""
    return place < len(plan.queries) and _same_unit(plan.queries[place].query, plan.schema, schema)


def _same_unit(query: Query, before: Schema, now: Schema) -> bool:
    """Of the answer, and of its error, which for a choice is another one."""
    return query.unit(before) == query.unit(now) and error_unit(query, before) == error_unit(query, now)


def _lost(asked: Sequence[PlannedQuery], schema: Schema, neighbors: Neighbors) -> Iterator[Lost]:
    for number, planned in enumerate(asked, start=1):
        try:
            for part in planned.parts(schema, neighbors):
                require_aggregate(part.aggregate, schema)
            planned.mechanisms(schema, neighbors)
            require_undeclared(planned.query, schema, neighbors)
        except DPEngineError as refused:
            yield Lost(number=number, planned=planned, reason=str(refused))
