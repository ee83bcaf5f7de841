"""One question as those see it that add up: its events for the accountants, its whole amounts for the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from dpengine.data import Schema
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import Amounts, cost_of
from dpengine.privacy import Event, Neighbors

_MOST_KEPT = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSpending:
    """What one question runs, and what it is charged under both rules."""

    events: Mapping[Event, int]
    amounts: Amounts


@lru_cache(maxsize=_MOST_KEPT)
def step_of(planned: PlannedQuery, schema: Schema, neighbors: Neighbors) -> QuestionSpending:
    """The step of a planned question; no row is read."""
    return QuestionSpending(events=planned.events(schema, neighbors), amounts=cost_of(planned, schema, neighbors))
