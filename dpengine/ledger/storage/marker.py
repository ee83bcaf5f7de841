"""A small file, beside the ledger or the configuration, that remembers which ledger this program charges, and how far.

Without it a deleted ledger would look like a first start, and every budget would be full again; without the mark in it
(see high_water.py) so would one that lost its last charges.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from dpengine.errors import LedgerError
from dpengine.ledger.storage import chain, high_water
from dpengine.ledger.storage.chain import Link
from dpengine.ledger.storage.database import Database
from dpengine.ledger.storage.store import Store

_FORGOTTEN = (
    "The ledger, which ends at entry {newest}, lacks entry {mark}, which the marker remembers. It is unknown "
    "which accounts the missing charges belong to, so they cannot be counted as spent: every budget gets back what "
    "they took, and people in those tables are protected less than the pages say. Ask nothing more of those tables, or "
    "note it beside their answers. To go on all the same, add --forget-lost-charges."
)
_NOBODY_ELSE = 0o770
"""Whoever may read a marker may keep it open, and charges wait for it."""


def remembered_id(marker: Path) -> str | None:
    """The id of the ledger that was used before; None at the first start."""
    try:
        known = marker.read_bytes()[: high_water.SECTOR].decode("ascii").strip()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeError):
        known = ""
    if not known:
        raise LedgerError(high_water.UNREADABLE.format(marker=marker))
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


def marked(store: Store, marker: Path) -> Store:
    """The same ledger, never used below the mark of its marker, which is written where there is none yet.

    A marker from before there were marks gets the present one. Whoever writes it is the ledger's only writer meanwhile.
    """
    with store.writing() as connection:
        remembered = remembered_id(marker)
        require_same(store.database, marker, remembered=remembered or store.ledger_id, found=store.ledger_id)
        if remembered is None or _mark(marker) == high_water.NOTHING:
            _remember(marker, high_water.first_content(store.ledger_id, chain.newest(connection)))
    return replace(store, marker=marker.absolute())


def accept_loss(store: Store, marker: Path, *, forget: bool) -> str:
    """Lower the mark to where the ledger ends now, for an administrator who said so; what was done, in a sentence.

    What is missing was charged to accounts that nobody can name any more, so that it cannot be counted as spent.
    Raises LedgerError where something is missing and `forget` does not say that its charges may be forgotten.
    """
    remembered = remembered_id(marker)
    if remembered is None:
        raise LedgerError(f"There is no marker {marker}.")
    require_same(store.database, marker, remembered=remembered, found=store.ledger_id)
    with store.writing() as connection:
        newest, mark = chain.newest(connection), _mark(marker)
        if not mark.id or chain.head_at(connection, mark.id) == mark.head:
            return "Nothing is missing: the ledger holds every entry that the marker remembers."
        if not forget:
            raise LedgerError(_FORGOTTEN.format(newest=newest.id, mark=mark.id))
        accepted = f"{store.now()} accepted {newest.id} {newest.head} instead of {mark.id} {mark.head}\n"
        earlier = marker.read_bytes()[high_water.END :]
        _remember(marker, high_water.first_content(store.ledger_id, newest) + earlier + accepted.encode())
    return f"The ledger goes on from entry {newest.id}. The marker keeps a line about what is missing."


def _mark(marker: Path) -> Link:
    with high_water.opened(marker) as mark:
        return mark.link


def _remember(marker: Path, content: bytes) -> None:
    """Write the marker in one step, so that a crash leaves either the one before or a whole one; whose it is stays."""
    marker = _led_to(marker)
    draft = marker.with_name(f"{marker.name}.{secrets.token_hex(8)}.new")
    try:
        marker.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        _give_to_the_same(marker, draft)
        draft.replace(marker)
        _keep_name(marker.parent)
    except OSError:
        raise LedgerError(f"The marker {marker} cannot be written. Check the permissions of its folder.") from None


def _led_to(marker: Path) -> Path:
    """The marker itself where it is a link, which stays one; LedgerError where the folder it leads to is not there."""
    if not marker.is_symlink():
        return marker
    end = Path(os.path.realpath(marker))
    if not end.parent.is_dir():
        raise LedgerError(
            f"The marker {marker} is a link into {end.parent}, which is not there. Mount that disk first."
        )
    return end


def _give_to_the_same(marker: Path, draft: Path) -> None:
    """An administrator may write it, and the server, whose it is, has to write into it again."""
    if marker.exists():
        draft.chmod(marker.stat().st_mode & _NOBODY_ELSE)
    if marker.exists() and hasattr(os, "chown"):
        before = marker.stat()
        with suppress(PermissionError):
            os.chown(draft, before.st_uid, before.st_gid)


def _keep_name(folder: Path) -> None:
    """Let a file's new name reach the disk, where a system can be asked to."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _way_back(database: Database, marker: Path) -> str:
    return (
        f"Restore it from {database.way_back}; what was spent is written nowhere else. To start anew on purpose, "
        f"forgetting all of it, delete {marker}."
    )
