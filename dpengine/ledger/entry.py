"""One line of the ledger: a question, what it was charged, and its noisy answer once there is one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from dpengine.data import Schema
from dpengine.errors import InvalidParameterError, RefusedQueryError
from dpengine.ledger.amounts import Amounts, Charge
from dpengine.ledger.terms import Terms
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors
from dpengine.scenario import from_plain, to_plain

LONGEST_REQUEST_ID = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A question as the ledger stores it: two texts and one hash that tells it from any other."""

    request_id: str
    planned: str
    schema: str

    def __post_init__(self) -> None:
        name = self.request_id
        if not isinstance(name, str) or not name or len(name) > LONGEST_REQUEST_ID or not name.isprintable():
            raise InvalidParameterError("request_id", name, f"printable text of 1 to {LONGEST_REQUEST_ID} characters")

    @classmethod
    def of(cls, request_id: str, planned: PlannedQuery, schema: Schema) -> Request:
        """The stored form; a question of a kind that cannot be stored is refused."""
        try:
            return cls(request_id=request_id, planned=_text(planned), schema=_text(schema))
        except TypeError:
            raise RefusedQueryError(
                "This kind of question cannot be released: the ledger could not store it."
            ) from None

    @property
    def digest(self) -> str:
        """Equal for equal questions of equal schemas, whatever the id."""
        return hashlib.sha256(f"{self.planned}\n{self.schema}".encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A charge as it stands; `noisy` holds one tuple of grid integers a part, or None while unanswered."""

    planned_query: PlannedQuery
    schema: Schema = field(repr=False)
    neighbors: Neighbors
    charge: Charge
    request_id: str
    time: datetime
    noisy: tuple[tuple[int, ...], ...] | None

    @classmethod
    def of(cls, row: Row[Any], terms: Terms) -> Entry:
        """The entry of a stored row."""
        return cls(
            planned_query=from_plain(json.loads(row.planned)),
            schema=from_plain(json.loads(row.table_schema)),
            neighbors=terms.neighbors,
            charge=Charge(rule=terms.rule, amounts=Amounts(epsilon=row.epsilon, delta=row.delta, rho=row.rho)),
            request_id=row.request_id,
            time=datetime.fromisoformat(row.charged),
            noisy=None if row.noisy is None else tuple(tuple(part) for part in json.loads(row.noisy)),
        )


def noisy_text(noisy: Sequence[Sequence[int]]) -> str:
    """Released integers as text, exactly."""
    return json.dumps([[int(value) for value in part] for part in noisy])


def _text(value: object) -> str:
    return json.dumps(_whole_numbers(to_plain(value)), separators=(",", ":"), sort_keys=True, allow_nan=False)


def _whole_numbers(plain: Any) -> Any:
    """1.0 and 1 are equal, so they are written alike."""
    if isinstance(plain, dict):
        return {name: _whole_numbers(item) for name, item in plain.items()}
    if isinstance(plain, list):
        return [_whole_numbers(item) for item in plain]
    return int(plain) if isinstance(plain, float) and plain.is_integer() else plain
