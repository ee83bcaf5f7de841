"""A released answer: noisy integers with everything that says what they mean. No row is needed to read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from dpengine.data import BinCounts, CategoryCounts, PeopleCount, RowCount, Schema
from dpengine.errors import LedgerError, UnsupportedEventError, require_between
from dpengine.ledger.amounts import Charge
from dpengine.ledger.entry import Entry
from dpengine.ledger.intervals import Bound, Mechanism, half_width_of, of_one_part, of_ratio
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors
from dpengine.queries import Part, Reading

_COUNTS = (RowCount, PeopleCount, CategoryCounts, BinCounts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What left the table: `noisy` holds one tuple of grid integers a part; the rest follows from public facts."""

    planned_query: PlannedQuery
    schema: Schema = field(repr=False)
    neighbors: Neighbors
    charge: Charge
    request_id: str
    time: datetime
    noisy: tuple[tuple[int, ...], ...]

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
            request_id=entry.request_id,
            time=entry.time,
            noisy=entry.noisy,
        )

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.planned_query.parts(self.schema, self.neighbors)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The noisy parts, in the unit of the answer."""
        return tuple(part.reading(integers) for part, integers in zip(self.parts, self.noisy, strict=True))

    @property
    def values(self) -> NDArray[np.float64]:
        """The answer as an array, with one number a label."""
        return self.planned_query.query.combine(self.readings)

    @property
    def answer(self) -> Bound:
        """One number, or an array with one number a label."""
        return float(self.values[0]) if self.answer_is_number else self.values

    @property
    def answer_is_number(self) -> bool:
        """Whether the answer is one number rather than one for each cell."""
        return len(self.labels) == 1

    @property
    def can_only_count(self) -> bool:
        """Whether the exact answer is made of whole counts, which are never negative; a released one may be."""
        return isinstance(self.parts[0].aggregate, _COUNTS) and self.parts[0].step == 1

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the numbers; one empty name for a single number."""
        return self.parts[0].labels

    @property
    def unit(self) -> str:
        """The unit of the answer."""
        return self.planned_query.query.unit(self.schema)

    def interval(self, confidence: float, *, simultaneous: bool = False) -> tuple[Bound, Bound]:
        """Lower and upper end of where the exact answer lies with this confidence; from released numbers alone.

        One number, or one array a side; `simultaneous` covers all numbers at once, at the same confidence.
        """
        require_between("confidence", confidence, 0.0, 1.0, open_at="both")
        if len(self.noisy) == 1:
            return of_one_part(self.readings[0], self.half_width(confidence, simultaneous=simultaneous))
        return of_ratio(self.readings, self._mechanisms, confidence=confidence)

    def half_width(self, confidence: float, *, simultaneous: bool = False) -> float:
        """How far the exact numbers may lie from the released ones, where each has a noise of its own."""
        require_between("confidence", confidence, 0.0, 1.0, open_at="both")
        if len(self.noisy) != 1:
            raise UnsupportedEventError(self.planned_query.query, "A half-width, the same to both sides,")
        part, mechanism = self.parts[0], self._mechanisms[0]
        return half_width_of(part, mechanism, confidence=confidence, simultaneous=simultaneous)

    @property
    def _mechanisms(self) -> tuple[Mechanism, ...]:
        return self.planned_query.mechanisms(self.schema, self.neighbors)
