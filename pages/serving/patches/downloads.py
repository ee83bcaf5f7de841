"""A file behind a button: there for as long as a browser needs to fetch it, at an address that nobody can work out."""

from __future__ import annotations

import hashlib
import secrets
from time import monotonic

from streamlit.runtime import media_file_manager, memory_media_file_storage
from streamlit.runtime.media_file_manager import MediaFileMetadata

_SECRET = secrets.token_bytes(32)
KEPT = 20.0
"""Seconds after no page holds it any more, which is at once: Streamlit deletes it with the next but one run."""


class Lasting(MediaFileMetadata):
    """What Streamlit knows of a file; marked for deletion once the time is over, whoever else's runs end meanwhile."""

    _until: float | None = None

    @property
    def is_marked_for_delete(self) -> bool:
        """Whether the next look may delete it."""
        return self._until is not None and monotonic() >= self._until

    def mark_for_delete(self) -> None:
        """Begin the time, once."""
        if self._until is None:
            self._until = monotonic() + KEPT


def last() -> None:
    """From now on, for every file of this process."""
    media_file_manager.MediaFileMetadata = Lasting  # type: ignore[misc]
    memory_media_file_storage._calculate_file_id = _address_of  # noqa: SLF001


def _address_of(data: bytes, mimetype: str, filename: str | None = None) -> str:
    """Streamlit's own is a hash of the content: whoever guesses a file could ask the server whether it is there."""
    said = hashlib.blake2b(key=_SECRET, digest_size=28)
    for part in (mimetype.encode(), (filename or "").encode(), data):
        said.update(len(part).to_bytes(8, "big") + part)
    return said.hexdigest()
