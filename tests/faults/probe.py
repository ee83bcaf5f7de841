"""What a probed function calls: notes which test came by. Copied into the engine of a temporary checkout only.

In the tests' own process pytest names the test; a server or another child reads its name from a file.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

FOLDER, TEST, PROCESS = "FAULTS_REACHED", "FAULTS_TEST", "FAULTS_PROCESS"
"""The environment of a run: where probes write, the file that names the present test, the process that runs it."""
_AGE = 0.02
_noted: set[tuple[str, str]] = set()
_last = {"read": 0.0}
_names = {"present": ""}


def seen(faults: Iterable[str]) -> None:
    """Note once for each test that it has reached these faults."""
    test = _present_test()
    for fault in faults:
        if (fault, test) not in _noted:
            _noted.add((fault, test))
            note("reached", fault, test)


def note(kind: str, *words: object) -> None:
    """Write one line into this process's own file of a kind."""
    if folder := os.environ.get(FOLDER):
        with (Path(folder) / f"{kind}-{os.getpid()}.tsv").open("a", encoding="utf-8") as file:
            file.write("\t".join(map(str, words)) + "\n")


def _present_test() -> str:
    if os.environ.get(PROCESS) == str(os.getpid()):
        return os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
    if time.monotonic() - _last["read"] > _AGE and (name := os.environ.get(TEST)):
        _last["read"] = time.monotonic()
        _names["present"] = Path(name).read_text(encoding="utf-8") if Path(name).exists() else ""
    return _names["present"]
