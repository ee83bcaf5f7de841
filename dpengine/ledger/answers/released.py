"""A released answer: noisy integers with everything that says what they mean. No row is needed to read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from dpengine.data import Schema
from dpengine.errors import LedgerError
from dpengine.ledger.answers.estimate import Estimate
from dpengine.ledger.answers.intervals import Bound
from dpengine.ledger.entries.entry import Entry
from dpengine.ledger.storage.amounts import Charge
from dpengine.mechanisms import ReleasedMechanism
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors
from dpengine.queries import AnyPart, Query, Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What left the table: `noisy` holds one tuple of grid integers a part; the rest follows from public facts.

    `account` tells the accounts of all ledgers apart, `head` is the ledger's hash right after the answer was stored.
    """

    planned_query: PlannedQuery
    schema: Schema = field(repr=False)
    neighbors: Neighbors
    charge: Charge
    account: str
    request_id: str
    time: datetime
    noisy: tuple[tuple[int, ...], ...]
    head: str = ""

    @classmethod
    def of(cls, entry: Entry) -> Release:
        """The answer of an entry that has one."""
        if entry.noisy is None:
            raise LedgerError("This question was charged, but not yet answered.")
        return cls(
            planned_query=entry.planned_query,
            schema=entry.schema,
            neighbors=entry.neighbors,
            charge=entry.charge,
            account=entry.account,
            request_id=entry.request_id,
            time=entry.time,
            noisy=entry.noisy,
            head=entry.head or "",
        )

    @property
    def query(self) -> Query:
        """What was asked, whatever it cost."""
        return self.planned_query.query

    @property
    def parts(self) -> tuple[AnyPart, ...]:
        return self.planned_query.parts(self.schema, self.neighbors)

    @property
    def mechanisms(self) -> tuple[ReleasedMechanism, ...]:
        """What drew the noise of each part."""
        return self.planned_query.mechanisms(self.schema, self.neighbors)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The noisy parts, in the unit of the answer."""
        return tuple(part.reading(integers) for part, integers in zip(self.parts, self.noisy, strict=True))

    @property
    def estimate(self) -> Estimate:
        """The numbers with the laws of their noise, apart from how they came to be."""
        return Estimate(
            query=self.query,
            schema=self.schema,
            neighbors=self.neighbors,
            readings=self.readings,
            noises=self.mechanisms,
        )

    def tidied(self, *, rounded: bool = False, clamped: bool = False) -> Estimate:
        """The answer rounded, and kept where public facts say it lies: free, and covered as often as before."""
        return self.estimate.tidied(rounded=rounded, clamped=clamped)

    @property
    def values(self) -> NDArray[np.float64]:
        """The answer as an array, with one number a label."""
        return self.estimate.values

    @property
    def answer(self) -> Bound | str:
        """One number, an array with one number a label, or the name of what was chosen."""
        return self.estimate.answer

    @property
    def is_choice(self) -> bool:
        """Whether the answer was chosen among candidates rather than made noisy."""
        return self.estimate.is_choice

    @property
    def answer_is_number(self) -> bool:
        """Whether the answer is one number rather than one for each cell."""
        return self.estimate.answer_is_number

    @property
    def can_only_count(self) -> bool:
        """Whether the exact answer is made of whole counts, which are never negative; a released one may be."""
        return self.estimate.can_only_count

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the numbers; one empty name for a single number."""
        return self.estimate.labels

    @property
    def unit(self) -> str:
        """The unit of the answer."""
        return self.estimate.unit

    def interval(self, confidence: float, *, simultaneous: bool = False) -> tuple[Bound, Bound]:
        """Lower and upper end of where the exact answer lies with this confidence; from released numbers alone.

        One number, or one array a side; `simultaneous` covers all numbers at once, at the same confidence. Raises
        UnsupportedEventError for a choice, of which nothing but its rank is known: `half_width` tells that.
        """
        return self.estimate.interval(confidence, simultaneous=simultaneous)

    def half_width(self, confidence: float, *, simultaneous: bool = False) -> float:
        """How far the exact numbers may lie from the released ones, where each has a noise of its own.

        Of a choice: by how many rows its rank or its count may fall short of the best candidate's.
        """
        return self.estimate.half_width(confidence, simultaneous=simultaneous)
