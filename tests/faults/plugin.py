"""A plugin of pytest for runs with probes or with a fault: which tests, in which order, what was reached, what failed.

`FAULTS_CHOSEN` names a file with the addresses of the tests to run, in their order; `FAULTS_REACHED` is a folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults import probe

CHOSEN = "FAULTS_CHOSEN"
_LIST_OF_FAULTS = "test_fault_lists.py"


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Keep the chosen tests, in the order in which they are named; never the test of the lists themselves."""
    yield
    listed = os.environ.get(CHOSEN)
    names = Path(listed).read_text(encoding="utf-8").split("\n") if listed else []
    order = {name: place for place, name in enumerate(names)}
    kept = [one for one in items if _LIST_OF_FAULTS not in one.nodeid and (not listed or one.nodeid in order)]
    config.hook.pytest_deselected(items=[one for one in items if one not in set(kept)])
    items[:] = sorted(kept, key=lambda one: order[one.nodeid]) if listed else kept


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Say for probes, here and in the servers that tests start, which test runs."""
    if folder := os.environ.get(probe.FOLDER):
        present = Path(folder) / f"present-{os.getpid()}"
        os.environ |= {probe.PROCESS: str(os.getpid()), probe.TEST: str(present)}
        present.write_text(item.nodeid, encoding="utf-8")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note how long each part of a test took, and which failed; the worker that ran it notes it, nobody twice."""
    if not hasattr(report, "node"):
        probe.note("took", report.nodeid, f"{report.duration:.3f}")
        if report.failed:
            probe.note("failed", report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Note a file that cannot even be collected."""
    if report.failed:
        probe.note("failed", report.nodeid)
