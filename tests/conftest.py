"""What every test shares: derandomized examples, no skips in CI, and who runs what."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator

import pytest
from hypothesis import settings

from tests.running import budgets, reading, scratch
from tests.running.scheduling import Scheduling, turn
from tests.servers.databases import Databases

IN_CI = os.environ.get("CI", "").casefold() not in ("", "0", "false")

settings.register_profile("here", deadline=None, max_examples=25)
settings.register_profile("ci", settings.get_profile("here"), derandomize=True, print_blob=True)
settings.load_profile("ci" if IN_CI else "here")


def pytest_configure(config: pytest.Config) -> None:
    """Time the families, where the runner asks for it, and keep what tests write out of everybody's way."""
    budgets.clock(config)
    scratch.begin(config)


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    """PostgreSQL and Spark, each started by the first test that needs it."""
    started = Databases(tmp_path_factory.mktemp("databases"))
    yield started
    started.stop()


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Look for no garbage while thousands of tests are made, nor ever again among them: a quarter of the time.

    Later it is looked for a hundred times less often than usual, which is a twentieth.
    """
    gc.disable()
    reading.import_libraries(session.config)
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(100_000, 50, 100)
        gc.enable()


def pytest_unconfigure() -> None:
    """What libraries keep is let go of at the very end after all."""
    gc.unfreeze()


@pytest.hookimpl(specname="pytest_collection_modifyitems", tryfirst=True)
def pytest_collected_in_any_order(items: list[pytest.Item]) -> None:
    """Have all workers agree on the order of the files again, wherever each began to read."""
    items.sort(key=lambda item: item.path)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what lasts longest, after all other plugins have had their say."""
    items.sort(key=lambda item: turn(item.nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Scheduling:
    """Keep together what shares a file, a browser or a database, in the order of the line above."""
    config.option.loadscopereorder = False
    return Scheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip into a failure in CI, where nothing may go unseen."""
    report = yield
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome, report.longrepr = "failed", f"Skipped in CI, where a skip is a failure: {_reason(report)}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn a skipped file into a failure in CI, where nothing may go unseen; begin with another one in each worker."""
    report = yield
    if isinstance(collector, pytest.Directory):
        report.result = reading.begun_elsewhere(report.result, collector.config)
    if IN_CI and report.skipped:
        report.outcome, report.longrepr = "failed", f"Skipped in CI, where a skip is a failure: {_reason(report)}"
    return report


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name bytes by their length: a gzip file holds the time, and two workers would not agree on its name."""
    return f"{argname}_of_{len(val)}_bytes" if isinstance(val, bytes) else None


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    return report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
