"""How each noisy part of an answer was made: its mechanism, its scale, how far one person moves it, what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from dpengine.data import Schema
from dpengine.formatting import Measure, amount, at_most, error_in, measure_of_parts
from dpengine.mechanisms.released import kind_of
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors
from dpengine.privacy.amounts import NANO


@dataclass(frozen=True, slots=True, kw_only=True)
class PartNoise:
    """The noise of one part; `scale` and `moved` are in its unit, `kind` says what the scale is.

    `measure` is that of an answer that is a share and has this part alone; all other parts go without a unit.
    """

    part: str
    mechanism: str
    kind: str
    scale: float
    moved: float
    epsilon: Decimal
    measure: Measure

    @property
    def scale_in_words(self) -> str:
        """The scale as people read it."""
        return error_in(self.measure, self.scale, partial(amount, digits=4))

    @property
    def moved_in_words(self) -> str:
        """How far one person moves the part, rounded up."""
        return error_in(self.measure, self.moved, partial(at_most, digits=4))

    @property
    def in_words(self) -> str:
        """For one cell of a table, with all the digits of the scale."""
        return f"{self.part}: {self.mechanism}, {self.kind} {self.scale!r}"


def noise_of(planned: PlannedQuery, schema: Schema, neighbors: Neighbors) -> tuple[PartNoise, ...]:
    """The noise of every part of a question."""
    parts, mechanisms = planned.parts(schema, neighbors), planned.mechanisms(schema, neighbors)
    shares = planned.shares(schema, neighbors)
    measure = measure_of_parts(parts, planned.query, schema)
    return tuple(
        PartNoise(
            part=part.name,
            mechanism=kind.in_words(mechanism),
            kind=kind.size_is,
            scale=float(kind.scale(mechanism) * part.step),
            moved=float(part.sensitivity.linf if kind.chooses else part.sensitivity.l1),
            epsilon=Decimal(int(epsilon * NANO)) / NANO,
            measure=measure,
        )
        for part, mechanism, kind, epsilon in zip(parts, mechanisms, map(kind_of, mechanisms), shares, strict=True)
    )
