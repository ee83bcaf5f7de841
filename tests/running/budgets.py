"""What each family of tests may take, as the test guide says, and what it took in this run."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.servers.server import ROOT

GUIDE = ROOT / "tests" / "README.md"
VARIABLE = "TESTS_SECONDS"
"""The environment's name for the file in which pytest leaves what each family took."""
STATIC, ENGINE, STATISTICAL, DATABASES, APPTEST, BROWSER = (
    *("static checks", "engine", "statistical"),
    *("databases and Spark", "AppTest", "browser"),
)
_FOLDERS = {
    "tests/browser/": BROWSER,
    "tests/ui/": APPTEST,
    "tests/statistical/": STATISTICAL,
    "tests/contracts/ledger/": DATABASES,
}
_STARTED = re.compile("^tests/(unit|contracts)/.*(spark|postgres)")
_ROW = re.compile(r"^\| ([^|]+?) \|.*\| (\d+) s \|$", re.MULTILINE)


def family(nodeid: str) -> str:
    """The family that pays for a test."""
    others = DATABASES if _STARTED.search(nodeid) else ENGINE
    return next((name for folder, name in _FOLDERS.items() if nodeid.startswith(folder)), others)


def budgets(guide: str) -> dict[str, float]:
    """Seconds for each family, from the guide's table."""
    return {name: float(seconds) for name, seconds in _ROW.findall(guide)}


class Clock:
    """A plugin of pytest that adds up what each family took, over all workers, and leaves it in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seconds: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add one part of a test: its setup, its call or its end."""
        self._seconds[family(report.nodeid)] += report.duration  # type: ignore[assignment]

    def pytest_sessionfinish(self) -> None:
        """Leave the sums where the runner looks for them."""
        self._path.write_text(json.dumps(self._seconds), encoding="utf-8")


def clock(config: pytest.Config) -> None:
    """Have a run of pytest timed, where the runner asks for it; its workers report to it."""
    path = os.environ.pop(VARIABLE, None)
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Clock(Path(path)))


def table(used: Mapping[str, float], guide: str) -> str:
    """What each family of this run took, beside what it may take."""
    allowed = budgets(guide)
    rows = [
        f"  {name:<22}{seconds:>8.0f} s of {allowed[name]:>4.0f} s{'   over' if seconds > allowed[name] else ''}"
        for name, seconds in used.items()
    ]
    return "\n".join(["Seconds by family, all workers together, beside its budget (tests/README.md):", *rows])
