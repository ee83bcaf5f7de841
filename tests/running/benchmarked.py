"""The benchmarks of the folder, each run at its smallest size: that it still runs is tested, its times are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tests.servers.server import APP, ROOT, Server

SCRIPTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "benchmarks").glob("*.py"))}
ALL = [name for name, script in SCRIPTS.items() if "__main__" in script]
ON_A_SERVER = [name for name in ALL if "Server(" in SCRIPTS[name]]
BY_ITSELF = [name for name in ALL if name not in ON_A_SERVER]


class Servers:
    """One server of each app for all benchmarks that start one: its start is most of what they take."""

    def __init__(self, dashboard: Server, folder: Path, stack: ExitStack) -> None:
        self._dashboard, self._folder, self._stack = dashboard, folder, stack
        self._running = cache(self._started)

    def __call__(
        self, folder: Path, *, app: Path = APP, warm: bool = True, environment: Mapping[str, str] | None = None
    ) -> AbstractContextManager[Server]:
        """In place of `Server`; what is in its folder, what it is told, and whether it is warm, is left to it."""
        assert folder.exists()
        assert isinstance(warm, bool)
        assert environment is None or environment
        return nullcontext(self._running(app))

    def _started(self, app: Path) -> Server:
        if app == APP:
            return self._dashboard
        own = self._folder / app.stem
        own.mkdir()
        return self._stack.enter_context(Server(own, app=app))


@contextmanager
def servers(dashboard: Server, folder: Path) -> Iterator[Servers]:
    """The dashboard that runs already, and others until the end."""
    with ExitStack() as stack:
        yield Servers(dashboard, folder, stack)


def exit_code(name: str, monkeypatch: pytest.MonkeyPatch, started: Servers | None = None) -> int:
    """That of `python -m benchmarks.<name> --smallest`, or its error.

    In a thread of its own, since an open browser keeps the loop of this one.
    """
    module = import_module(f"benchmarks.{name}")
    if started:
        monkeypatch.setattr(module, "Server", started)
    with ThreadPoolExecutor(1) as thread:
        return int(thread.submit(module.main, ["--smallest"]).result())
