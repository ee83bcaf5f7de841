"""Private folders: closed to others, deleted at the end, and after a crash by the next process."""

import signal
import subprocess
import sys

import pytest

from dpengine.data.engines import scratch as scratch_module
from dpengine.data.engines.scratch import Scratch, remove_leftovers
from dpengine.data.files.child_process import _CHILD
from dpengine.errors import EngineError

_CRASHES = f"""
import runpy, sys
from pathlib import Path
runpy.run_path({str(_CHILD)!r})["_open_rooms"]([])
from dpengine.data.engines.scratch import Scratch
held = [Scratch(Path(room)) for room in sys.argv[1:]]
for scratch in held:
    (scratch.folder / "cells").write_text("private")
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def room(tmp_path):
    return tmp_path / "room"


def folders(room):
    return [path for path in room.iterdir() if path.is_dir()]


def test_a_folder_is_private_and_gone_after_close(room):
    scratch = Scratch(room)
    (scratch.folder / "cells").write_text("private")
    assert scratch.folder.stat().st_mode & 0o077 == 0
    assert room.stat().st_mode & 0o077 == 0
    assert scratch.bytes_used == 7
    scratch.close()
    assert folders(room) == []
    assert sorted(path.name for path in room.iterdir()) == [".held"]


def test_a_folder_that_nobody_closed_is_gone_with_its_owner(room):
    scratch = Scratch(room)
    folder = scratch.folder
    assert folder.exists()
    del scratch
    assert not folder.exists()


def test_what_a_living_process_uses_stays_and_what_a_killed_one_left_is_deleted_at_the_next_start(room, tmp_path):
    rooms = (room, tmp_path / "another")
    with subprocess.Popen(
        [sys.executable, "-c", _CRASHES, *map(str, rooms)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        used = [folder for one in rooms for folder in folders(one)]
        Scratch(room).close()
        assert remove_leftovers(rooms[1]) == 0
        assert [(folder / "cells").read_text() for folder in used] == ["private"] * 2
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert [(folder / "cells").exists() for folder in used] == [True] * 2, "the control: nothing else deletes it"
    scratch = Scratch(room)
    assert folders(room) == [scratch.folder]
    scratch.close()
    assert remove_leftovers(rooms[1]) == 1
    assert folders(rooms[1]) == []


def test_a_room_that_others_may_enter_is_refused(room, tmp_path):
    room.mkdir()
    room.chmod(0o777)
    with pytest.raises(EngineError, match="open to others"):
        Scratch(room)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    link = tmp_path / "link"
    link.symlink_to(elsewhere)
    with pytest.raises(EngineError, match="open to others"):
        Scratch(link)


def test_where_a_system_knows_no_locks_folders_are_deleted_when_closed(room, monkeypatch):
    monkeypatch.setattr(scratch_module, "fcntl", None)
    first, second = Scratch(room), Scratch(room)
    assert len(folders(room)) == 2
    first.close()
    assert folders(room) == [second.folder]
    second.close()
    assert folders(room) == []
