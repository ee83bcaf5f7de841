"""Every benchmark that needs no browser runs at its smallest size; those that need one are in tests/browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from pathlib import Path

import pytest

from tests.running import benchmarked
from tests.servers.server import APP, Server


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all benchmarks that start one: its start is most of what they take."""
    with Server(tmp_path_factory.mktemp("dashboard")) as server:
        yield server


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", benchmarked.WITHOUT_A_BROWSER)
def test_a_benchmark_still_runs(name: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    module = import_module(f"benchmarks.{name}")
    if "Server" in vars(module):
        shared: Server = request.getfixturevalue("dashboard")

        def started(folder: Path, *, app: Path = APP) -> AbstractContextManager[Server]:
            return nullcontext(shared) if app == APP else Server(folder, app=app)

        monkeypatch.setattr(module, "Server", started)
    assert benchmarked.exit_code(name) == 0


def test_each_hears_its_command_line_and_is_found() -> None:
    """What is no benchmark serves one: a new one whose last lines are not these would otherwise never be run."""
    last_lines = 'if __name__ == "__main__":\n    sys.exit(main(sys.argv[1:]))\n'
    others = [name for name in benchmarked.SCRIPTS if name not in benchmarked.ALL]
    assert [name for name in benchmarked.ALL if not benchmarked.SCRIPTS[name].endswith(last_lines)] == []
    assert [name for name in others if not any(serves(name, script) for script in benchmarked.SCRIPTS.values())] == []


def serves(name: str, script: str) -> bool:
    return (
        re.search(rf"^from benchmarks(\.{name} import| import .*\b{name}\b)|{name}\.py", script, re.MULTILINE)
        is not None
    )
