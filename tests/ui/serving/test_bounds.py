"""What the process may hold: as many open files as are promised, as far as its system allows it."""

from __future__ import annotations

import subprocess
import sys

from pages.ui.serving.bounds import OPEN_FILES
from pages.ui.serving.crowds import MOST
from tests.running.cases import each
from tests.servers.server import ROOT

ASKED = """
import resource, sys
from pages.ui.serving import bounds
now, most = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (now, most))
bounds.hold_as_many_as_promised()
print(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@each(
    ("begins", "held"),
    [((512, 8192), (OPEN_FILES, 8192)), ((512, 2048), (2048, 2048)), ((8000, 8192), (8000, 8192))],
)
def test_the_limit_rises_to_what_is_promised_and_never_falls(begins: tuple[int, int], held: tuple[int, int]) -> None:
    """In a process of its own, since a hard limit that was lowered stays low."""
    line = [sys.executable, "-c", ASKED, *map(str, begins)]
    told = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert tuple(map(int, told.split())) == held


def test_it_is_room_for_everybody_who_is_let_in() -> None:
    assert 4 * MOST < OPEN_FILES
