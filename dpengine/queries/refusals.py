"""What every question refuses before it names its parts: what is not a schema or a relation, and what has no answer."""

from __future__ import annotations

from typing import TypeVar

from dpengine.data import Condition, Schema, require_aggregate, require_condition, require_condition_itself
from dpengine.errors import require_kind
from dpengine.privacy import Neighbors
from dpengine.queries.part import AnyPart

_Asked = TypeVar("_Asked", bound=AnyPart)


def require_where(where: object) -> None:
    """Refuse, as soon as a question is written, what is no condition; None stands for every row."""
    if where is not None:
        require_condition_itself("where", where)


def require_terms(schema: Schema, neighbors: Neighbors, *conditions: Condition | None) -> None:
    """Refuse anything but a schema, a neighbor relation and conditions that the schema can answer."""
    require_kind("schema", schema, Schema)
    require_kind("neighbors", neighbors, Neighbors)
    for condition in conditions:
        require_condition(condition, schema)


def answerable(schema: Schema, *parts: _Asked) -> tuple[_Asked, ...]:
    """The parts, each of which a table with this schema will answer: none is refused after it was planned."""
    for part in parts:
        require_aggregate(part.aggregate, schema)
    return parts
