"""Declarations that differ and have one fingerprint; found by trying some millions of free texts."""

from dpengine.data import NumberColumn, PrivacyUnit, Schema, TextColumn
from dpengine.privacy import Neighbors
from dpengine.scenario import Declarations


def forged(rows: int | None, mark: int) -> Declarations:
    """Those of (20, 711_703), where a person has twenty rows, and of (None, 561_661), where every row is a person."""
    columns = (
        TextColumn(name="pid"),
        NumberColumn(name="cost", lower=0.0, upper=1000.0, unit="dollars"),
        NumberColumn(name="stay", lower=0.0, upper=60.0, unit=f"days (v {mark})"),
    )
    unit = PrivacyUnit(identifier="pid", rows=rows) if rows else PrivacyUnit()
    return Declarations(schema=Schema(name="visits", columns=columns, unit=unit), neighbors=Neighbors.ADD_REMOVE)
