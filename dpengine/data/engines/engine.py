"""What every engine of rows owes, and what opening a table leaves behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import ibis

from dpengine.data.aggregates.stored_rows import StoredRows
from dpengine.data.engines.intake_report import IntakeReport


class Engine(Protocol):
    """Turns expressions into exact integers; its own errors never leave it, because they quote cells.

    Several threads may ask at once.
    """

    def integers(self, expression: ibis.Table) -> list[dict[str, int]]:
        """The result as exact integers of any size, one mapping from column to value for each row.

        Raises EngineError, also where `interrupt` stopped it.
        """

    def interrupt(self) -> None:
        """Stop what is being computed; the engine answers later questions as before."""

    def close(self) -> None:
        """Free the memory; the engine answers nothing afterwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """Rows that an engine can answer about.

    `rows` are disjoint portions, no person in two of them, so that totals add up and memory holds one at a time;
    `identity` stays the same for the same table, however often it is opened; `report` counts what happened to cells.
    """

    engine: Engine
    rows: tuple[StoredRows, ...]
    identity: bytes = field(repr=False)
    report: Callable[[], IntakeReport] = field(repr=False)
