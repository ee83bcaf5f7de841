"""The reference values that lie beside this file, one mapping per row; a missing file is an error, never a skip."""

from __future__ import annotations

import csv
from pathlib import Path

FOLDER = Path(__file__).parent


def rows(name: str, **wanted: str) -> list[dict[str, str]]:
    """The rows of one file in which the named columns have the given text."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        found = [row for row in csv.DictReader(file) if all(row[column] == text for column, text in wanted.items())]
    if not found:
        raise LookupError(f"{name}.csv has no row with {wanted}.")
    return found


def number(row: dict[str, str], column: str) -> float:
    return float(row[column])
