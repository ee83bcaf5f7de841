"""The benchmarks of the folder, each run at its smallest size: that it still runs is tested, its times are not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

from tests.servers.server import ROOT

SCRIPTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "benchmarks").glob("*.py"))}
ALL = [name for name, script in SCRIPTS.items() if "__main__" in script]
IN_A_BROWSER = [name for name in ALL if "sync_playwright" in SCRIPTS[name]]
WITHOUT_A_BROWSER = [name for name in ALL if name not in IN_A_BROWSER]


def exit_code(name: str) -> int:
    """That of `python -m benchmarks.<name> --smallest`, or its error.

    In a thread of its own, since an open browser keeps the loop of this one.
    """
    main = import_module(f"benchmarks.{name}").main
    with ThreadPoolExecutor(1) as thread:
        return int(thread.submit(main, ["--smallest"]).result())
