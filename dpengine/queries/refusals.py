"""What every question refuses before it names its parts: what is not a schema or a relation, and what has no answer."""

from __future__ import annotations

from typing import TypeVar

from dpengine.data import Condition, NumberColumn, Schema, require_aggregate, require_condition
from dpengine.errors import RefusedQueryError, require_kind
from dpengine.privacy import Neighbors
from dpengine.queries.part import AnyPart

_Asked = TypeVar("_Asked", bound=AnyPart)
NARROWEST, WIDEST = 1e-140, 1e140


def require_terms(schema: Schema, neighbors: Neighbors, *conditions: Condition | None) -> None:
    """Refuse anything but a schema, a neighbor relation and conditions that the schema can answer."""
    require_kind("schema", schema, Schema)
    require_kind("neighbors", neighbors, Neighbors)
    for condition in conditions:
        require_condition(condition, schema)


def require_squares(column: NumberColumn) -> None:
    """Refuse a range whose square would leave the floating point numbers, or vanish among them."""
    if not NARROWEST <= column.upper - column.lower <= WIDEST:
        raise RefusedQueryError(
            f"The range of {column.name!r} is {column.upper - column.lower:g}, whose square is too large or too small "
            f"for a number here; ranges from {NARROWEST:g} to {WIDEST:g} can be squared. Declare it in another unit."
        )


def answerable(schema: Schema, *parts: _Asked) -> tuple[_Asked, ...]:
    """The parts, each of which a table with this schema will answer: none is refused after it was planned."""
    for part in parts:
        require_aggregate(part.aggregate, schema)
    return parts
