"""A file behind a button, between its address and the browser that fetches it, while others use the server."""

from __future__ import annotations

import pytest
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from pages.serving.patches import downloads

OTHERS = 50


@pytest.fixture
def storage() -> MemoryMediaFileStorage:
    return MemoryMediaFileStorage("/media")


def pressed(storage: MemoryMediaFileStorage) -> tuple[MediaFileManager, str]:
    """Who looks after the files, and the name of the one that a press has written."""
    files = MediaFileManager(storage)
    button = files.add_deferred(lambda: "a brief", "text/plain", "1.(0)", "brief.txt")
    return files, files.execute_deferred(button).rsplit("/", 1)[-1]


def test_a_file_is_there_for_as_long_as_a_browser_needs(
    storage: MemoryMediaFileStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(media_file_manager, "MediaFileMetadata", downloads.Lasting)
    now = 1000.0
    monkeypatch.setattr(downloads, "monotonic", lambda: now)
    files, name = pressed(storage)
    for _ in range(OTHERS):
        files.remove_orphaned_files()
        now += downloads.KEPT / OTHERS / 2
    assert storage.get_file(name).content == b"a brief"
    now += downloads.KEPT
    files.remove_orphaned_files()
    with pytest.raises(MediaFileStorageError):
        storage.get_file(name)


def test_the_control_streamlit_alone_deletes_it_when_two_runs_of_others_have_ended(
    storage: MemoryMediaFileStorage,
) -> None:
    files, name = pressed(storage)
    files.remove_orphaned_files()
    files.remove_orphaned_files()
    with pytest.raises(MediaFileStorageError):
        storage.get_file(name)
