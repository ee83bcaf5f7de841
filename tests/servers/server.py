"""A dashboard of its own for tests, pictures and benchmarks: own port, own ledger, own settings."""

from __future__ import annotations

import os
import re
import secrets
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from pages.serving import curator_token
from pages.serving.layers import opened

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = ("start", "explore", "attack", "learn", "judge", "workshop")
"""The folders of pages/ that hold pages; what pages are made of lies in the others."""
APP = ROOT / "app.py"
LEDGER_VARIABLE, MARKER_VARIABLE = "EPSILON_EXPLORER_LEDGER", "EPSILON_EXPLORER_MARKER"
SHARED = ("--share=127.0.0.1",)
"""Words after `--`, by which others come to this machine without leaving it."""
SERVED = {"EPSILON_EXPLORER_SERVED": "yes"}
"""The environment of a server that is served to others: whoever comes is an analyst, this machine's browser too."""
KEY = "every-dashboard-of-the-tests-0123456789"
"""With which each of them is opened at this machine: strong, so that a browser is known by all."""
HERE = f"{opened.COOKIE}={opened.signed_by(curator_token.CuratorToken.of(KEY))}"
"""The cookie of a browser that was."""
START_SECONDS, STOP_SECONDS = 90, 15
NEVER_CALLED_FROM = range(15_000, 32_000)
"""Below what Linux (32768), macOS and Windows (49152) give to connections that go out."""


def page_files(root: Path = ROOT) -> list[Path]:
    """The files of all pages."""
    return [path for section in SECTIONS for path in sorted(root.glob(f"pages/{section}/*/page.py"))]


def own_ledger(folder: Path) -> dict[str, str]:
    """The environment that keeps a budget in this folder."""
    return {LEDGER_VARIABLE: f"sqlite:///{folder / 'budget.db'}", MARKER_VARIABLE: str(folder / "ledger.id")}


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """The two files that `server.sslCertFile` and `server.sslKeyFile` name."""

    file: Path
    key: Path


class Server:
    """`streamlit run app.py` on a free port of this machine; the ledger in `folder` outlives a restart.

    `environment` is added to that of the process: what else a person may set, such as `SERVED`. One that is not `warm`
    has never run the app when it has started. `words` stand after `--`, such as `--share`. One that is not `headless`
    opens this machine's browser; one with a `certificate` speaks HTTPS. `command` starts an installed copy instead.
    """

    def __init__(
        self,
        folder: Path,
        *,
        app: Path = APP,
        environment: Mapping[str, str] | None = None,
        warm: bool = True,
        words: Sequence[str] = (),
        headless: bool = True,
        certificate: Certificate | None = None,
        command: Path | None = None,
    ) -> None:
        self.folder, self.app, self.port, self.warm = folder, app, free_port(), warm
        self.words, self.headless, self.certificate = words, headless, certificate
        self._own = dict(environment or {})
        self._begins = [sys.executable, "-m", "streamlit", "run", str(app)] if command is None else [str(command)]
        self._stands = ROOT if command is None else folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"{'https' if self.certificate else 'http'}://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The server's process, while it runs."""
        return self._running().pid

    @property
    def is_running(self) -> bool:
        """Whether it was started and not stopped again."""
        return self._process is not None

    @property
    def ledger_path(self) -> Path:
        return self.folder / "budget.db"

    @property
    def marker_path(self) -> Path:
        return self.folder / "ledger.id"

    def address(self, page: str = "") -> str:
        """The deep link of a page: `address("tradeoff")`."""
        return f"{self.url}/{page}"

    def for_others(self, page: str = "") -> str:
        """The same through the network's door, by which nobody is curator; it has to be shared."""
        *_, door = re.findall(r"Participants open +(\S+)", self.log())
        return f"{door}/{page}"

    def log(self) -> str:
        """Everything that the server has printed since its first start."""
        return self._log_path.read_text(encoding="utf-8", errors="replace")

    def start(self) -> None:
        """Start, and return once it answers and, if it is to be warm, app.py has run once."""
        with self._log_path.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._begins, *_options(self._settings()), "--", *self.words],
                cwd=self._stands,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._wait_until_it_answers()

    def stop(self, *, kill: bool = False, by: signal.Signals = signal.SIGTERM) -> int:
        """End this process and no other, and say its exit code; `kill` gives it no time to say goodbye."""
        process, self._process = self._running(), None
        process.send_signal(signal.SIGKILL if kill else by)
        try:
            return process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    def restart(self, *, kill: bool = False) -> None:
        """Stop and start on the same port with the same ledger."""
        self.stop(kill=kill)
        self.start()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.is_running:
            self.stop()

    @property
    def _log_path(self) -> Path:
        return self.folder / "server.log"

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise RuntimeError("The server is not running; call start() first.")
        return self._process

    def _environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(_OTHERS_SETTINGS)}
        return inherited | own_ledger(self.folder) | {curator_token.VARIABLE: KEY} | self._own

    def _settings(self) -> dict[str, object]:
        own: dict[str, object] = {"port": self.port, "headless": str(self.headless).lower()}
        certificate = self.certificate
        return own | ({"sslCertFile": certificate.file, "sslKeyFile": certificate.key} if certificate else {})

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not answers(f"{self.url}/_stcore/health", trusted=self.certificate):
            if self._running().poll() is not None or time.monotonic() > deadline:
                self.stop(kill=True)
                raise RuntimeError(f"The server did not start. It said:\n{self.log()}")
            time.sleep(0.1)
        if self.warm:
            answers(f"{self.url}/_stcore/script-health-check", trusted=self.certificate)


_OTHERS_SETTINGS = ("STREAMLIT_", "EPSILON_EXPLORER_")


def _options(own: Mapping[str, object]) -> list[str]:
    settings = {"address": "127.0.0.1", "scriptHealthCheckEnabled": "true", **own}
    return [f"--server.{name}={value}" for name, value in settings.items()]


def free_port() -> int:
    """A port of this machine that is free now, like the next one, where the network's door opens.

    A server that is started again finds both as it left them: no system gives such a port to whoever calls out.
    """
    while True:
        port = secrets.choice(NEVER_CALLED_FROM)
        with (
            suppress(OSError),
            socket.create_server(("127.0.0.1", port)),
            socket.create_server(("127.0.0.1", port + 1)),
        ):
            return port


def answers(address: str, *, trusted: Certificate | None = None) -> bool:
    """Whether there is a page at this address, asked without any proxy; with HTTPS, whether it has that certificate."""
    known = ssl.create_default_context(cafile=trusted.file) if trusted else None
    ways = urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=known)
    try:
        with urllib.request.build_opener(*ways).open(address, timeout=START_SECONDS) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
