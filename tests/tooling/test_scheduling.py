"""Who runs what: groups stay in one worker, whatever lasts longest begins first."""

from pathlib import Path

import pytest

from tests.running.scheduling import BROWSER, LONGEST_FIRST, POSTGRESQL, ROOMS, SPARK, group, turn
from tests.servers.server import ROOT
from tests.tooling.test_checks import pytest_in

TESTS = 8
NAMING_ITS_WORKER = """
import os, pathlib, pytest

@pytest.mark.parametrize("number", range(8))
def test_it(number):
    path = pathlib.Path(__file__).with_name(f"{name}-{{number}}.worker")
    path.write_text(os.environ["PYTEST_XDIST_WORKER"])
"""


def test_a_test_stays_with_its_browser_its_database_or_its_file() -> None:
    for nodeid, expected in [
        ("tests/browser/serving/test_two_servers.py::test_they_share_one_budget", ROOMS),
        ("tests/browser/test_tour.py::test_it", BROWSER),
        ("tests/contracts/engines/test_engines.py::test_all[spark-rows]", SPARK),
        ("tests/contracts/engines/test_engines.py::test_all[postgresql-rows]", POSTGRESQL),
        ("tests/contracts/engines/test_engines.py::test_all[parquet-rows]", "tests/contracts/engines/test_engines.py"),
        ("tests/contracts/ledger/test_servers.py::test_restarted", POSTGRESQL),
        ("tests/unit/test_plan.py::TestShares::test_sum", "tests/unit/test_plan.py"),
    ]:
        assert group(nodeid) == expected, (nodeid, expected)


def test_what_lasts_longest_comes_first_and_is_there() -> None:
    assert turn("tests/browser/test_tour.py::test_it") == 0
    assert turn("tests/unit/test_plan.py::test_it") == len(LONGEST_FIRST)
    files = [name for name in LONGEST_FIRST if name.endswith(".py")]
    assert files
    assert all((ROOT / name).is_file() for name in files)


@pytest.mark.slow
def test_two_workers_keep_together_what_belongs_together(tmp_path: Path) -> None:
    """Each test leaves a file that says who ran it; the control is that there were two workers."""
    for name in ("spark_here", "spark_there", "other"):
        (tmp_path / f"test_{name}.py").write_text(NAMING_ITS_WORKER.format(name=name), encoding="utf-8")
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n", encoding="utf-8")
    done = pytest_in(tmp_path, "-n", "2")
    assert done.returncode == 0, done.stdout
    workers = {path.stem: path.read_text() for path in tmp_path.glob("*.worker")}
    assert len(workers) == 3 * TESTS
    assert len(set(workers.values())) == 2
    assert len({worker for name, worker in workers.items() if name.startswith("spark")}) == 1
