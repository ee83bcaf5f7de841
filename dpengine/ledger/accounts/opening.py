"""What an account is opened with."""

from __future__ import annotations

from dataclasses import dataclass, field

from dpengine.data import Schema
from dpengine.ledger.entries.terms import Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A table, known by its fingerprint, and what its account promises; `predecessor` is the account that it continues.

    The schema is what was declared of the table, all of it public.
    """

    fingerprint: str = field(repr=False)
    schema: Schema
    terms: Terms
    predecessor: int | None = None
