"""The only door through which an answer about real rows leaves.

Charged durably, read once, drawn exactly, stored, and only then shown: whatever happens in between, nobody sees a
second draw, and the charge stays.
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpengine.data import Schema, Table, require_aggregate
from dpengine.errors import RefusedQueryError, ReleaseFailedError
from dpengine.ledger import Account, Entry, Release
from dpengine.mechanisms import DiscreteLaplaceMechanism, exact_noise
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors

__all__ = ["Release", "release"]

_ROUNDING = Fraction(1, 2**50)
_LARGEST_NOISE = 2**62
_FARTHEST = 45
"""Scales from 0: noise is farther away once in e^45 draws, and then the sampler saturates."""


def release(planned_query: PlannedQuery, table: Table, account: Account, *, request_id: str) -> Release:
    """A noisy answer, charged to the account; the same request id gives the same answer again, free.

    Raises before any charge: AccountMismatchError, RefusedQueryError, RequestReusedError, and BudgetExceededError,
    which is decided before a row is read. Raises after it: ReleaseFailedError alone; the same request may then be
    tried again.
    """
    account.require_table(table)
    _require_releasable(planned_query, table.schema, account.neighbors)
    entry = account.charge(request_id, planned_query, table.schema)
    if entry.noisy is None:
        answered = _answered(entry, table, account)
        if answered is None:
            raise ReleaseFailedError
        entry = answered
    return Release.of(entry)


def _require_releasable(planned: PlannedQuery, schema: Schema, neighbors: Neighbors) -> None:
    """Refuse what a table or the sampler could not answer, and noise that would reveal more than it is charged."""
    parts, shares = planned.parts(schema, neighbors), planned.shares(schema, neighbors)
    for part, share, mechanism in zip(parts, shares, planned.mechanisms(schema, neighbors), strict=True):
        require_aggregate(part.aggregate, schema)
        if isinstance(mechanism, DiscreteLaplaceMechanism):
            _require_drawable(mechanism, part.name)
            _require_covered(mechanism, sensitivity=int(part.grid_sensitivity.l1), share=share)


def _require_drawable(mechanism: DiscreteLaplaceMechanism, part: str) -> None:
    """Noise beyond 64 bits would be charged and then come back as the largest number there is."""
    if mechanism.l1_sensitivity > _LARGEST_NOISE or mechanism.scale * _FARTHEST > _LARGEST_NOISE:
        raise RefusedQueryError(
            f"The noise of the {part} would not fit in the 64-bit numbers that it is drawn in: one person can move "
            f"it by {mechanism.l1_sensitivity:,} steps of its grid. Ask at a larger epsilon, or declare narrower "
            "bounds or fewer rows for each person. Nothing was charged."
        )


def _require_covered(mechanism: DiscreteLaplaceMechanism, *, sensitivity: int, share: Fraction) -> None:
    """By exact arithmetic, and by opendp's own map of the very measurement that will draw (which it rounds up)."""
    exact = mechanism.exact_epsilon <= share and mechanism.l1_sensitivity == sensitivity
    mapped = exact_noise.privacy_map(mechanism)
    if not exact or not math.isfinite(mapped) or Fraction(mapped) > share * (1 + _ROUNDING):
        raise RefusedQueryError(
            "The noise of this question would reveal more than it is charged for. Nothing was charged."
        )


def _answered(entry: Entry, table: Table, account: Account) -> Entry | None:
    """The stored answer, or None if anything failed: what failed may depend on the rows, so nothing of it is kept."""
    try:
        return account.store_answer(entry.request_id, _drawn(entry, table))
    except Exception:  # noqa: BLE001  one message for every failure, whatever it is
        return None


def _drawn(entry: Entry, table: Table) -> list[list[int]]:
    parts = entry.planned_query.parts(entry.schema, entry.neighbors)
    mechanisms = entry.planned_query.mechanisms(entry.schema, entry.neighbors)
    return [
        exact_noise.draw(mechanism, table.run(part.aggregate)).tolist()
        for part, mechanism in zip(parts, mechanisms, strict=True)
    ]
