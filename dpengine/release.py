"""The only door through which an answer about real rows leaves.

Charged durably, read once, drawn exactly, stored, and only then shown: whatever happens in between, nobody sees a
second draw, and the charge stays.
"""

from __future__ import annotations

import logging
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from types import ModuleType
from typing import Any

from sqlalchemy import Connection

from dpengine import calibration
from dpengine.data import Schema, Table, require_aggregate
from dpengine.errors import EngineError, MaskedError, RefusedQueryError, ReleaseFailedError, named
from dpengine.ledger import Account, Amounts, Entry, Release
from dpengine.mechanisms import ReleasedMechanism, exact_noise
from dpengine.mechanisms.released import kind_of
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors
from dpengine.queries import AnyPart, Part

__all__ = ["Release", "release", "require_releasable"]

_ROUNDING = Fraction(1, 2**50)
_FAILED = (
    "A question failed on the rows of this table, and that may tell what is in them. The table takes no further "
    "question until its curator opens it anew. Nothing was charged."
)
_AWAY = "The rows of this table cannot be reached now: try again, or open the table anew. Nothing was charged."
_TOO_REVEALING = "The noise of this question would reveal more than it is charged for. Nothing was released or charged."


@named
def release(
    planned_query: PlannedQuery,
    table: Table,
    account: Account,
    *,
    request_id: str,
    most: Amounts | None = None,
    require: Callable[[Connection], object] | None = None,
) -> Release:
    """A noisy answer, charged to the account; the same request id gives the same answer again, free.

    `most` is a smaller total than the account's, which this charge may not bring it beyond; `require` is called in the
    transaction of the charge, and raises where that is not to be made any more.

    Raises before any charge: AccountMismatchError, RefusedQueryError, RequestReusedError, and BudgetExceededError,
    which is decided before a row is read. Raises after it: LedgerError, before a row is read, where the ledger's marker
    could not be written, and ReleaseFailedError; the same request may then be tried again, with the table opened anew
    where its rows may have been the cause: until then it takes no question.
    """
    account.require_table(table)
    if not account.is_charged(request_id):
        _require_rows(table)
    require_releasable(planned_query, table.schema, account.neighbors)
    entry = account.charge(request_id, planned_query, table.schema, most=most, require=require)
    if entry.noisy is None:
        entry = _answered(entry, table, account)
    return Release.of(entry)


def _require_rows(table: Table) -> None:
    """Refuse before a charge what could not be read after it, as far as no row decides that."""
    if table.failed:
        raise RefusedQueryError(_FAILED)
    try:
        table.require_engine()
    except EngineError:
        raise RefusedQueryError(_AWAY) from None


def require_releasable(planned: PlannedQuery, schema: Schema, neighbors: Neighbors) -> None:
    """Refuse what a table or the sampler could not answer, and noise that would reveal more than it is charged.

    Raises RefusedQueryError; looks at no row, so that a plan may ask too.
    """
    parts, mechanisms = planned.parts(schema, neighbors), planned.mechanisms(schema, neighbors)
    shares, deltas = planned.shares(schema, neighbors), planned.delta_shares(schema, neighbors)
    for part, mechanism, share, delta in zip(parts, mechanisms, shares, deltas, strict=True):
        require_aggregate(part.aggregate, schema)
        _require_drawable(mechanism, part)
        if not _covered(mechanism, part, share, delta):
            raise RefusedQueryError(_TOO_REVEALING)


def _require_drawable(mechanism: ReleasedMechanism, part: AnyPart) -> None:
    """Noise beyond 64 bits would be charged, and then say nothing."""
    if isinstance(part, Part) and not exact_noise.drawable(mechanism):
        raise RefusedQueryError(
            f"The noise of the {part.name} would not fit in the 64-bit numbers that it is drawn in: one person can "
            f"change it by {math.ceil(part.grid_sensitivity.l1):,} steps of its grid. Ask at a larger epsilon, or "
            "declare narrower bounds or fewer rows for each person. Nothing was charged."
        )


def _covered(mechanism: ReleasedMechanism, part: AnyPart, share: Fraction, delta: Fraction) -> bool:
    """Whether noise reveals no more than its share, by our own exact arithmetic and by opendp's map of the sampler."""
    kind = kind_of(mechanism)
    charged = share if kind.measured_in == "epsilon" else kind.rho(mechanism, share)
    return calibration.covers(part, mechanism, share, delta) and _mapped_within(mechanism, charged)


def _mapped_within(mechanism: ReleasedMechanism, charged: Fraction) -> bool:
    """Whether opendp's map of the very measurement that will draw agrees; it rounds up."""
    mapped = exact_noise.privacy_map(mechanism)
    return math.isfinite(mapped) and Fraction(mapped) <= charged * (1 + _ROUNDING)


def _answered(entry: Entry, table: Table, account: Account) -> Entry:
    """The stored answer, or one error if anything failed: what failed may depend on the rows, so nothing is kept."""
    reading_rows = False
    try:
        noisy = _drawn(entry, table)
        with _step("storing the answer"):
            return account.store_answer(entry.request_id, noisy)
    except MaskedError:
        reading_rows = True
    except Exception:  # noqa: BLE001, S110  one message for every failure, whatever it is
        pass
    raise ReleaseFailedError(reading_rows=reading_rows)


def _drawn(entry: Entry, table: Table) -> list[list[int]]:
    parts = entry.planned_query.parts(entry.schema, entry.neighbors)
    mechanisms = entry.planned_query.mechanisms(entry.schema, entry.neighbors)
    with _step("reading the rows"):
        exact = [part.exact(table.run(part.aggregate)) for part in parts]
    with _step("drawing the noise"):
        return [exact_noise.answer(mechanism, one) for mechanism, one in zip(mechanisms, exact, strict=True)]


@contextmanager
def _step(name: str) -> Iterator[None]:
    """A clue for whoever runs the server: where a release failed, and nothing of why, which may depend on the rows."""
    try:
        yield
    except Exception:
        logging.getLogger(__name__).error("A release failed while %s.", name)  # noqa: TRY400  the error is not told
        raise


class _Door(ModuleType):
    """The module, called as its one function: `from dpengine import release` gives the module."""

    def __call__(self, *values: Any, **others: Any) -> Release:
        return release(*values, **others)


sys.modules[__name__].__class__ = _Door
