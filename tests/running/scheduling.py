"""Which tests stay together in one worker, and which begin first.

A file stays together, so that what it prepares is prepared once; each database has one worker, so that it is started
once, and the browser has two: one for what one person does, one for what many do at once. What lasts longest begins
first, so that no worker is left alone with it at the end.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

BROWSER, ROOMS, SPARK, POSTGRESQL = "browser", "browser of rooms", "spark", "postgresql"
LONGEST_FIRST = (
    BROWSER,
    ROOMS,
    "tests/statistical/test_audit.py",
    SPARK,
    POSTGRESQL,
    "tests/contracts/test_queries.py",
    "tests/contracts/engines/test_hostile_files.py",
    "tests/contracts/engines/test_engines.py",
)
_SHARED = (
    ("tests/browser/workshop/", ROOMS),
    ("tests/browser/serving/", ROOMS),
    ("tests/browser/test_benchmarks", ROOMS),
    ("tests/browser/", BROWSER),
    ("spark", SPARK),
    ("postgres", POSTGRESQL),
    ("tests/contracts/ledger/", POSTGRESQL),
    ("tests/contracts/charts/", "charts"),
)
"""Part of a test's address -> what it shares with others: the first that fits."""


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist ships no types
    """Hands a worker all tests of a group at once, in the order in which they were collected.

    In place of `--dist loadgroup`, whose marks do nothing under pytest 9.2: pytest-xdist issue 1386.
    """

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)


def group(nodeid: str) -> str:
    """What a test stays together with: what it shares, or else its file."""
    return next((shared for part, shared in _SHARED if part in nodeid), nodeid.split("::", maxsplit=1)[0])


def turn(nodeid: str) -> int:
    """A test's place in the order: the groups that last longest first, all others after them as they come."""
    found = group(nodeid)
    return LONGEST_FIRST.index(found) if found in LONGEST_FIRST else len(LONGEST_FIRST)
