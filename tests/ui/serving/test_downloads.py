"""A file behind a button, between its address and the browser that fetches it, while others use the server."""

from __future__ import annotations

import pytest
from streamlit.runtime import media_file_manager, memory_media_file_storage
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileKind, MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage, _calculate_file_id

from pages.serving.patches import downloads

OTHERS = 50
_LONG = b"a" * 2**20
ALIKE = [
    (b"a", "text/csv", MediaFileKind.DOWNLOADABLE, "b"),
    (b"ba", "text/csv", MediaFileKind.DOWNLOADABLE, ""),
    (b"a", "text/csvb", MediaFileKind.DOWNLOADABLE, ""),
    (_LONG + b"b" + _LONG, "text/csv", MediaFileKind.DOWNLOADABLE, "b"),
    (_LONG[:-9] + b"b" + _LONG + _LONG[:9], "text/csv", MediaFileKind.DOWNLOADABLE, "b"),
]
"""Files that differ, two of them in a place that Streamlit's own address passes over."""


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


def test_nobody_works_out_the_address_of_a_file_from_what_is_in_it(
    storage: MemoryMediaFileStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who knows all of a table but one person could ask for the file of each answer that there may be."""
    guess = _calculate_file_id(b"a brief", "text/plain", "brief.txt")
    assert storage.load_and_get_id(b"a brief", "text/plain", MediaFileKind.DOWNLOADABLE, "brief.txt") == guess
    with monkeypatch.context() as patch:
        patch.setattr(media_file_manager, "MediaFileMetadata", media_file_manager.MediaFileMetadata)
        patch.setattr(memory_media_file_storage, "_calculate_file_id", _calculate_file_id)
        downloads.last()
        _, name = pressed(other := MemoryMediaFileStorage("/media"))
        assert other.get_file(name).content == b"a brief", "the control"
        with pytest.raises(MediaFileStorageError):
            other.get_file(f"{guess}.txt")
        again = other.load_and_get_id(b"a brief", "text/plain", MediaFileKind.DOWNLOADABLE, "brief.txt")
        assert name.split(".")[0] == again, "One address for one file, while the server runs."
        assert len({other.load_and_get_id(*file) for file in ALIKE}) == len(ALIKE)
        patch.setattr(downloads, "_SECRET", b"of another process")
        elsewhere = MemoryMediaFileStorage("/media")
        assert elsewhere.load_and_get_id(b"a brief", "text/plain", MediaFileKind.DOWNLOADABLE, "brief.txt") != again


def test_the_control_streamlit_alone_deletes_it_when_two_runs_of_others_have_ended(
    storage: MemoryMediaFileStorage,
) -> None:
    files, name = pressed(storage)
    files.remove_orphaned_files()
    files.remove_orphaned_files()
    with pytest.raises(MediaFileStorageError):
        storage.get_file(name)
