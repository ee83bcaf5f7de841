"""Every benchmark that needs a browser runs at its smallest size."""

from __future__ import annotations

import pytest

from tests.running import benchmarked


@pytest.mark.usefixtures("browser")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", benchmarked.IN_A_BROWSER)
def test_a_benchmark_still_runs(name: str) -> None:
    assert benchmarked.exit_code(name) == 0
