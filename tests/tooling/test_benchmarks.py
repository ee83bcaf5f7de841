"""Every benchmark that needs no server runs at its smallest size; those that need one are in tests/browser."""

from __future__ import annotations

import re

import pytest

from tests.running import benchmarked


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", benchmarked.BY_ITSELF)
def test_a_benchmark_still_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert benchmarked.exit_code(name, monkeypatch) == 0


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
