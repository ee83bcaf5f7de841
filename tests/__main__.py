"""Runs every check of the project: `python -m tests`.

    python -m tests                     layout, lint, types, import layers, all tests with the browser
    python -m tests --fast              the same without the browser
    python -m tests -m slow             only pytest, with what is left of the line handed to it
    python -m tests --screens [PAGE]    a picture of every page (or of those named) in screens/
    python -m tests --faults [NAME]     plant each fault of the lists (or those named) and see which test catches it
    python -m tests --proxies           nginx and HAProxy before one server and two, tried in Chromium, with figures

With CI set, a skip is a failure.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.conftest import IN_CI
from tests.faults import measuring
from tests.running import budgets, checks, proxies, screens
from tests.running.checks import Outcome
from tests.servers import chromium


def main() -> int:
    """Run what the command line asks for; 0 when nothing failed."""
    options, for_pytest = _command_line()
    if options.screens is not None:
        return screens.write(options.screens, whole=options.whole)
    if options.proxies:
        return proxies.main()
    if options.faults is not None:
        return measuring.main(options.faults)
    static = [] if for_pytest else [checks.run(check) for check in checks.static_checks()]
    outcomes = [*static, *_browser(fast=options.fast)]
    with tempfile.TemporaryDirectory() as folder:
        seconds = Path(folder) / "seconds"
        check = checks.pytest_check(for_pytest, browser=not options.fast)
        outcomes.append(checks.run(check, **{budgets.VARIABLE: str(seconds)}))
        by_family = json.loads(seconds.read_text(encoding="utf-8")) if seconds.exists() else {}
    used = {budgets.STATIC: sum(one.seconds for one in static)} | by_family
    print(f"\n{budgets.table(used, budgets.GUIDE.read_text(encoding='utf-8'))}")
    print(checks.summary(outcomes))
    return int(not all(outcome.passed for outcome in outcomes))


def _browser(*, fast: bool) -> Sequence[Outcome]:
    """Find or install Chromium before the tests need it; without it, tests skip, which fails in CI."""
    if fast:
        print("\nSkipped: the tests in tests/browser, because of --fast.")
        return [Outcome(name="browser tests were left out", passed=False, seconds=0.0)] if IN_CI else []
    path, sentence = chromium.found_or_installed()
    print(f"\n{sentence}", flush=True)
    return [Outcome(name="no Chromium", passed=False, seconds=0.0)] if IN_CI and path is None else []


def _command_line() -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(
        prog="python -m tests",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--fast", action="store_true", help="leave out the browser")
    parser.add_argument("--screens", nargs="*", metavar="PAGE", help="write pictures of the pages instead of checking")
    parser.add_argument("--faults", nargs="*", metavar="NAME", help="plant faults and see which test catches each")
    parser.add_argument("--proxies", action="store_true", help="try the proxies of docs/deploy instead of checking")
    parser.add_argument(
        "--whole", action="store_true", help="with --screens: the whole page, not only its first screen"
    )
    return parser.parse_known_args()


if __name__ == "__main__":
    sys.exit(main())
