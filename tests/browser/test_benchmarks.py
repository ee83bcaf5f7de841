"""Every benchmark that needs a server runs at its smallest size, on the one that other tests have started."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser import beside
from tests.running import benchmarked
from tests.servers.server import Server


@pytest.fixture(scope="module")
def servers(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[benchmarked.Servers]:
    with benchmarked.servers(beside.emptied(server), tmp_path_factory.mktemp("benchmarks")) as running:
        yield running


@pytest.mark.usefixtures("browser")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", benchmarked.ON_A_SERVER)
def test_a_benchmark_still_runs(name: str, servers: benchmarked.Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    assert benchmarked.exit_code(name, monkeypatch, servers) == 0
