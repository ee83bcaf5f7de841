"""What every accountant owes, and how runs are counted.

Counts are arrays: column j of every array is one collection of runs. One column is a single question, a thousand are
a curve or a plan that is consumed step by step; every accountant composes in one place for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

from dpengine.losses.arrays import Array
from dpengine.privacy import Event

Counts = Mapping[Event, Array]
DeltaGoes = Literal["questions", "shared", "once"]


class Accountant(Protocol):
    """Adds up what runs cost, for runs fixed in advance (they may be adaptive, their amounts of noise may not)."""

    @property
    def name(self) -> str:
        """The key by which it is asked for."""

    @property
    def label(self) -> str:
        """The name that people read."""

    @property
    def sound(self) -> bool:
        """Whether its number is always a true guarantee."""

    @property
    def delta_goes(self) -> DeltaGoes:
        """To the questions' own noise; shared among them and a theorem; or once, at the end, of all losses together."""

    @property
    def asked_at_most(self) -> tuple[int, int] | None:
        """How many places a curve asks it at, and the same times the number of kinds of events; None for all places."""

    @property
    def never_above(self) -> tuple[str, ...]:
        """Cheap rules that it is never above."""

    def epsilon(self, counts: Counts, *, delta: float) -> Array:
        """Epsilon at delta of every column; math.inf where nothing holds. Raises UnsupportedEventError."""
