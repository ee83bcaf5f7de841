"""A small file, beside the ledger or the configuration, that remembers which ledger this program charges.

Without it a deleted ledger would look like a first start, and every budget would be full again.
"""

from __future__ import annotations

import os
from pathlib import Path

from dpengine.errors import LedgerError


def beside(path: Path) -> Path:
    """The marker of a ledger for which no other was named.

    >>> print(beside(Path("budget.db")))
    budget.db.id
    """
    return path.with_name(f"{path.name}.id")


def remembered_id(marker: Path) -> str | None:
    """The id of the ledger that was used before; None at the first start."""
    if not marker.exists():
        return None
    try:
        known = marker.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError):
        known = ""
    if not known:
        raise LedgerError(f"The marker {marker} cannot be read. Restore it from a backup together with the ledger.")
    return known


def require_present(path: Path, marker: Path) -> None:
    """Refuse to start anew where a ledger is remembered and its file is gone."""
    if not path.exists():
        raise LedgerError(f"The ledger {path}, which this program charged before, is gone. {_way_back(marker)}")


def require_same(path: Path, marker: Path, *, remembered: str, found: str) -> None:
    """Refuse another ledger than the one remembered."""
    if remembered != found:
        raise LedgerError(f"{path} is not the ledger that this program charged before. {_way_back(marker)}")


def remember(marker: Path, ledger_id: str) -> None:
    """Write the marker in one step, so that a crash leaves either none or a whole one."""
    draft = marker.with_name(f"{marker.name}.{os.getpid()}.new")
    try:
        marker.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("w", encoding="ascii") as file:
            file.write(ledger_id + "\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(marker)
    except OSError:
        raise LedgerError(f"The marker {marker} cannot be written. Check the permissions of its folder.") from None


def _way_back(marker: Path) -> str:
    return (
        "Restore it from a backup made with SQLite's backup command (a plain copy needs its -wal file beside it); "
        f"what was spent is written nowhere else. To start anew on purpose, forgetting all of it, delete {marker}."
    )
