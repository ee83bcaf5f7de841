"""One line of the ledger: a question, what it was charged, and its noisy answer once there is one."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from dpengine.data import Schema
from dpengine.errors import InvalidParameterError, RefusedQueryError, ScenarioError
from dpengine.ledger.entries.terms import Terms
from dpengine.ledger.storage.amounts import Amounts, Charge
from dpengine.ledger.storage.prepared import Columns
from dpengine.plan import PlannedQuery
from dpengine.plan.remembered import remembered
from dpengine.privacy import Neighbors
from dpengine.scenario import from_plain, require_texts, to_plain

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
            return cls(request_id=request_id, planned=text_of(planned), schema=text_of(schema))
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
    """A charge as it stands; `noisy` holds one tuple of grid integers a part, or None while unanswered.

    `account` tells the accounts of all ledgers apart. `head` is the ledger's hash right after the answer was stored.
    """

    planned_query: PlannedQuery
    schema: Schema = field(repr=False)
    neighbors: Neighbors
    charge: Charge
    account: str
    request_id: str
    time: datetime
    noisy: tuple[tuple[int, ...], ...] | None
    head: str | None = None

    @classmethod
    def of(cls, row: Columns, terms: Terms, *, account: str) -> Entry:
        """The entry of a stored row; one without the columns of an answer was only just charged."""
        noisy = row.get("noisy")
        amounts = Amounts(epsilon=row["epsilon"], delta=row["delta"], rho=row["rho"])
        return cls(
            planned_query=_value_of(row["planned"]),
            schema=_value_of(row["table_schema"]),
            neighbors=terms.neighbors,
            charge=Charge(rule=terms.rule, amounts=amounts),
            account=account,
            request_id=row["request_id"],
            time=datetime.fromisoformat(row["charged"]),
            noisy=None if noisy is None else tuple(tuple(part) for part in json.loads(noisy)),
            head=row.get("answer_head"),
        )


def noisy_text(noisy: Sequence[Sequence[int]]) -> str:
    """Released integers as text, exactly."""
    return json.dumps([[int(value) for value in part] for part in noisy])


@remembered
def text_of(value: object) -> str:
    """A public value as the ledger stores it: equal values have equal texts.

    Raises TypeError for a value that is not read back as it was: nothing that is written is ever mended.
    """
    plain = _whole_numbers(to_plain(value))
    text = json.dumps(plain, separators=(",", ":"), sort_keys=True, allow_nan=False)
    try:
        require_texts(plain, longest=math.inf)
        if _value_of(text) == value:
            return text
    except ScenarioError:
        pass
    raise TypeError(f"The ledger could not store {type(value).__name__} so that it is read back.")


@lru_cache(maxsize=8192)
def _value_of(text: str) -> Any:
    """What a stored text stands for; all of it frozen, so that equal texts may share one value."""
    return from_plain(json.loads(text))


def _whole_numbers(plain: Any) -> Any:
    """1.0 and 1 are equal, so they are written alike."""
    if isinstance(plain, dict):
        return {name: _whole_numbers(item) for name, item in plain.items()}
    if isinstance(plain, list):
        return [_whole_numbers(item) for item in plain]
    return int(plain) if isinstance(plain, float) and plain.is_integer() else plain
