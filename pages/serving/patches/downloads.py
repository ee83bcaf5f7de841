"""A file behind a button is there for as long as a browser needs to fetch it, however many others use the server."""

from __future__ import annotations

from time import monotonic

from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileMetadata

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
