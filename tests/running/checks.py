"""The checks, in order: what runs, how long it took, and how it ended."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tests.servers.server import ROOT

CHECKED_FOLDERS = ("dpengine", "pages", "tests", "benchmarks", "app.py")
CORES, WORKERS = "2", "3"
"""Those of the browser wait now and then, so there is one worker more than cores."""
_PYTHON = {"PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "", "OPENBLAS_NUM_THREADS": "1"}
"""Its words come at once, and what it has compiled is kept: the tests start it a hundred times. Each worker computes
with one thread, since threads of several on two cores would mostly wait for each other.
"""
_LINT_IMPORTS = "from importlinter.cli import lint_imports_command as check; check(['--no-logo', '--no-cache'])"
_CLOSING_LINE = re.compile(r"\d+ (passed|failed|skipped|error|errors|deselected)\b.* in [\d.]+s|no tests ran in")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One command that must end with exit code 0."""

    name: str
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a check ended; `closing_line` is pytest's last word, where pytest ran."""

    name: str
    passed: bool
    seconds: float
    closing_line: str = ""


def static_checks() -> list[Check]:
    """Layout, lint, types and import layers."""
    folders = [name for name in CHECKED_FOLDERS if (ROOT / name).exists()]
    return [
        Check(name="ruff format", command=_python("-m", "ruff", "format", "--check", ".")),
        Check(name="ruff check", command=_python("-m", "ruff", "check", ".")),
        Check(name="mypy --strict", command=_python("-m", "mypy", "--num-workers", CORES, *folders)),
        Check(name="import layers", command=_python("-c", _LINT_IMPORTS)),
    ]


def pytest_check(arguments: Sequence[str], *, browser: bool) -> Check:
    """All tests, or those that the arguments ask for; without the browser, those that need none."""
    without_browser = () if browser else ("--ignore=tests/browser",)
    return Check(
        name="pytest",
        command=_python("-m", "pytest", "-q", "-rfEs", "--durations=5", "-n", WORKERS, *without_browser, *arguments),
    )


def run(check: Check, **environment: str) -> Outcome:
    """Run one check, its environment added to ours, and pass its output on as it comes."""
    print(f"\n=== {check.name}", flush=True)
    began = time.monotonic()
    with subprocess.Popen(
        check.command,
        cwd=ROOT,
        env=os.environ | _PYTHON | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as process:
        closing_line = _pass_on(process)
    seconds = time.monotonic() - began
    return Outcome(name=check.name, passed=process.returncode == 0, seconds=seconds, closing_line=closing_line)


def summary(outcomes: Sequence[Outcome]) -> str:
    """One line a check, and pytest's own closing line last."""
    rows = [f"{'passed' if one.passed else 'FAILED':<8}{one.seconds:>8.1f} s   {one.name}" for one in outcomes]
    closing_lines = [one.closing_line for one in outcomes if one.closing_line]
    failed = sum(not one.passed for one in outcomes)
    verdict = f"Checks: {len(outcomes) - failed} passed, {failed} failed"
    return "\n".join(["\n=== summary", *rows, verdict, *closing_lines])


def _pass_on(process: subprocess.Popen[str]) -> str:
    closing_line = ""
    for line in process.stdout or ():
        print(line, end="", flush=True)
        if _CLOSING_LINE.search(line):
            closing_line = line.strip()
    return closing_line


def _python(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, *arguments)
