"""Every benchmark that needs a browser runs at its smallest size."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.running import benchmarked


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[benchmarked.Servers]:
    with benchmarked.servers(tmp_path_factory.mktemp("benchmarks")) as running:
        yield running


@pytest.mark.usefixtures("browser")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", benchmarked.IN_A_BROWSER)
def test_a_benchmark_still_runs(name: str, servers: benchmarked.Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    assert benchmarked.exit_code(name, servers, monkeypatch) == 0
