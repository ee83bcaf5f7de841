"""A small file, beside the ledger or the configuration, that remembers which ledger this program charges.

Without it a deleted ledger would look like a first start, and every budget would be full again.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from dpengine.errors import LedgerError
from dpengine.ledger.database import Database


def remembered_id(marker: Path) -> str | None:
    """The id of the ledger that was used before; None at the first start."""
    try:
        known = marker.read_text(encoding="ascii").strip()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeError):
        known = ""
    if not known:
        raise LedgerError(f"The marker {marker} cannot be read. Restore it from a backup together with the ledger.")
    return known


def require_present(database: Database, marker: Path) -> None:
    """Refuse to start anew where a ledger is remembered and its file or its tables are gone."""
    if not database.is_there():
        raise LedgerError(
            f"The ledger {database.place}, which this program charged before, is gone. {_way_back(database, marker)}"
        )


def require_same(database: Database, marker: Path, *, remembered: str, found: str) -> None:
    """Refuse another ledger than the one remembered."""
    if remembered != found:
        raise LedgerError(
            f"{database.place} is not the ledger that this program charged before. {_way_back(database, marker)}"
        )


def remember(marker: Path, ledger_id: str) -> None:
    """Write the marker in one step, so that a crash leaves either none or a whole one."""
    draft = marker.with_name(f"{marker.name}.{secrets.token_hex(8)}.new")
    try:
        marker.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("w", encoding="ascii") as file:
            file.write(ledger_id + "\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(marker)
    except OSError:
        raise LedgerError(f"The marker {marker} cannot be written. Check the permissions of its folder.") from None


def _way_back(database: Database, marker: Path) -> str:
    return (
        f"Restore it from {database.way_back}; what was spent is written nowhere else. To start anew on purpose, "
        f"forgetting all of it, delete {marker}."
    )
