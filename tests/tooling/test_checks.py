"""The runner of the checks: nothing is hidden, and one failure stops nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.running import checks
from tests.running.cases import each
from tests.running.checks import Check, Outcome
from tests.servers import chromium
from tests.servers.server import ROOT


def test_a_failed_check_is_reported_and_the_next_one_runs(capsys: pytest.CaptureFixture[str]) -> None:
    broken = Check(name="broken", command=(sys.executable, "-c", "print('says why'); raise SystemExit(3)"))
    sound = Check(name="sound", command=(sys.executable, "-c", ""))
    outcomes = [checks.run(check) for check in (broken, sound)]
    assert [outcome.passed for outcome in outcomes] == [False, True]
    assert "says why" in capsys.readouterr().out


def test_the_summary_ends_with_the_closing_line_of_pytest() -> None:
    lint = Outcome(name="lint", passed=False, seconds=1.0)
    tests = Outcome(name="pytest", passed=True, seconds=2.0, closing_line="3 passed in 1.9s")
    lines = checks.summary([lint, tests]).splitlines()
    assert any(line.startswith("FAILED") and line.endswith("lint") for line in lines)
    assert lines[-2:] == ["Checks: 1 passed, 1 failed", "3 passed in 1.9s"]


@each("line", ["12 passed in 3.21s", "1 failed, 2 passed, 3 skipped in 61.02s (0:01:01)"])
def test_the_closing_line_of_pytest_is_found(line: str) -> None:
    printed = Check(name="pytest", command=(sys.executable, "-c", f"print('100 tests passed'); print('{line}')"))
    assert checks.run(printed).closing_line == line


SKIPPING = ["pytest.skip('not today')", "pytest.importorskip('no_such_module')"]


@pytest.mark.parametrize("in_ci", [True, False])
def test_a_skip_fails_in_ci_alone(tmp_path: Path, in_ci: bool) -> None:
    for number, skip in enumerate(SKIPPING):
        skip_file = skip.replace("today')", "today', allow_module_level=True)")
        for name, body in {
            "inside": f"def test_it():\n    {skip}\n",
            "whole": f"{skip_file}\ndef test_it():\n    pass\n",
        }.items():
            (tmp_path / f"test_{name}_{number}.py").write_text(f"import pytest\n{body}", encoding="utf-8")
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n", encoding="utf-8")
    done = pytest_in(tmp_path, "--continue-on-collection-errors", CI="true" if in_ci else "")
    assert (done.returncode == 0) == (not in_ci), done.stdout
    assert ("2 failed, 2 errors" if in_ci else "4 skipped") in done.stdout, done.stdout
    assert done.stdout.count("not today") >= 2
    assert done.stdout.count("no_such_module") >= 2


def pytest_in(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A run of its own in a folder, with no more plugins than it needs: each costs as much as all of its tests."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-rs",
        "-p",
        "no:cacheprovider",
        "-p",
        "xdist.plugin",
        "--rootdir",
        str(folder),
        str(folder),
        *arguments,
    ]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    settings = {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment}
    return subprocess.run(
        command, cwd=folder, env=inherited | settings, capture_output=True, encoding="utf-8", check=False, timeout=120
    )


class Machine:
    """A machine without Chromium, on which some ways of installing one work."""

    def __init__(self, *working: str) -> None:
        self.working, self.tried, self.has_chromium = working, list[str](), False

    def install(self, name: str) -> bool:
        self.tried.append(name)
        self.has_chromium = name in self.working
        return self.has_chromium


@pytest.mark.parametrize(
    ("working", "tried", "says"),
    [
        (("apt-get", "Playwright"), ["apt-get"], "so apt-get installed"),
        (("Playwright",), ["apt-get", "Playwright"], "so Playwright installed"),
        ((), ["apt-get", "Playwright"], "none could be installed"),
    ],
)
def test_chromium_is_installed_the_first_way_that_works(
    monkeypatch: pytest.MonkeyPatch, working: tuple[str, ...], tried: list[str], says: str
) -> None:
    machine = Machine(*working)
    monkeypatch.setattr(chromium, "installed", lambda: "a-chromium" if machine.has_chromium else None)
    ways = tuple((name, lambda name=name: machine.install(name)) for name in ("apt-get", "Playwright"))
    monkeypatch.setattr(chromium, "_WAYS", ways)
    path, sentence = chromium.found_or_installed()
    assert machine.tried == tried
    assert (path is not None) == bool(working)
    assert says in sentence
