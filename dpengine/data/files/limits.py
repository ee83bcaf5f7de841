"""How large a table may be; every refusal names the limit and the value."""

from __future__ import annotations

from dpengine.errors import IntakeError

UPLOAD_MEGABYTES = 100
DECODED_BYTES = 256 * 1024**2
LINE_BYTES = 1024**2
ROWS = 2_000_000
COLUMNS = 200
EXACT = 2.0**53
"""Below it floating-point numbers hold every whole number; from here on several are the same."""
SECONDS = 20
"""How long a file may take to parse."""
MEMORY_BYTES = 1024**3
"""The address space of the process that parses a file: about a quarter of it is the libraries', and never filled."""


def require_at_most(what: str, value: int, limit: int, unit: str = "") -> None:
    """Refuse a table of which something is larger than its limit; `what` begins the sentence.

    >>> require_at_most("The table", 3, 2, "columns")
    Traceback (most recent call last):
    dpengine.errors.IntakeError: The table has 3 columns; at most 2 are read.
    """
    if value > limit:
        raise IntakeError(f"{what} has {value:,} {unit}; at most {limit:,} are read.")
