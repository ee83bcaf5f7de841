"""nginx and HAProxy with the files that docs/deploy ships: own process, own ports, own address towards the servers."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.servers.server import ROOT, STOP_SECONDS, Certificate, answers, free_port

DEPLOY = ROOT / "docs" / "deploy"
ADDRESS = "127.0.0.3"
"""From which it comes to the servers, as from a machine of its own: what EPSILON_EXPLORER_PROXIES names."""
SHIPPED_SERVERS = ("172.31.85.11:8501", "172.31.85.12:8501")
START_SECONDS = 30
_PLACES = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin"))
"""Debian keeps both where only root looks."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One proxy program: its shipped file, that file as this machine needs it, and the command that runs it."""

    program: str
    shipped: str
    adapted: Callable[[str, Place], str]
    arguments: Sequence[str]

    def found(self) -> str | None:
        """The program's path; None where it is not installed."""
        return shutil.which(self.program, path=_PLACES)

    def configuration(self, place: Place) -> str:
        """The shipped file with this machine's ports and certificate, and nothing else changed."""
        return self.adapted((DEPLOY / self.shipped).read_text(encoding="utf-8"), place)


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a proxy stands: its folder, its two ports, its certificate, and the ports of the servers behind it."""

    folder: Path
    encrypted: int
    plain: int
    certificate: Certificate
    servers: Sequence[int]


def replaced(text: str, changes: Mapping[str, str]) -> str:
    """The text with each of these changed wherever it stands; ValueError where it stands nowhere."""
    for before, after in changes.items():
        if before not in text:
            raise ValueError(f"{before!r} stands nowhere in a file of {DEPLOY.name}.")
        text = text.replace(before, after)
    return text


def _nginx(text: str, place: Place) -> str:
    """Where there is one server, its address stands in place of the other's, too. It logs where its words are."""
    first, *others = place.servers
    for shipped, port in zip(SHIPPED_SERVERS, (first, *(others or [first])), strict=True):
        text = replaced(text, {shipped: f"127.0.0.1:{port}", re.escape(shipped): re.escape(f"127.0.0.1:{port}")})
    changes = {
        "listen 80;": f"listen 127.0.0.1:{place.plain};",
        "listen 443 ssl;": f"listen 127.0.0.1:{place.encrypted} ssl;",
        "/etc/ssl/explorer/certificate.pem": str(place.certificate.file),
        "/etc/ssl/explorer/key.pem": str(place.certificate.key),
        "/var/log/nginx/error.log": "stderr",
        "proxy_http_version": f"proxy_bind {ADDRESS}; proxy_http_version",
    }
    kept = "".join(f"{what}_temp_path {what};\n" for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;\n" if os.geteuid() == 0 else ""
    head = f"{user}daemon off;\nworker_processes 1;\npid nginx.pid;\nerror_log stderr;\nevents {{}}\n"
    return f"{head}http {{\naccess_log nginx.log;\n{kept}{replaced(text, changes)}}}\n"


def _haproxy(text: str, place: Place) -> str:
    """Where there is one server, the other's line is left out."""
    both = place.folder / "explorer.pem"
    both.write_bytes(place.certificate.file.read_bytes() + place.certificate.key.read_bytes())
    spare = SHIPPED_SERVERS[len(place.servers) :]
    text = "".join(line for line in text.splitlines(keepends=True) if not any(one in line for one in spare))
    changes = {
        "bind :80\n": f"bind 127.0.0.1:{place.plain}\n",
        "bind :443 ssl": f"bind 127.0.0.1:{place.encrypted} ssl",
        "/etc/haproxy/explorer.pem": str(both),
    }
    for shipped, port in zip(SHIPPED_SERVERS, place.servers, strict=False):
        changes[shipped] = f"127.0.0.1:{port} source {ADDRESS}"
    return replaced(text, changes)


NGINX = Kind(
    program="nginx", shipped="nginx.conf", adapted=_nginx, arguments=("-e", "stderr", "-p", "{folder}", "-c", "{file}")
)
HAPROXY = Kind(program="haproxy", shipped="haproxy.cfg", adapted=_haproxy, arguments=("-db", "-f", "{file}"))
KINDS = (NGINX, HAPROXY)


class Proxy:
    """One that runs before these servers, until it is left; what it says is in its folder."""

    def __init__(self, kind: Kind, folder: Path, certificate: Certificate, servers: Sequence[int]) -> None:
        self.kind, self.certificate = kind, certificate
        self._place = Place(
            folder=folder, encrypted=free_port(), plain=free_port(), certificate=certificate, servers=servers
        )
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self._place.encrypted}"

    @property
    def plain_url(self) -> str:
        return f"http://127.0.0.1:{self._place.plain}"

    def log(self) -> str:
        """Everything that it has said."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def __enter__(self) -> Self:
        """Start, and return once the dashboard answers through it; RuntimeError with its own words where none does."""
        folder = self._place.folder
        file = folder / self.kind.shipped
        file.write_text(self.kind.configuration(self._place), encoding="utf-8")
        words = [word.format(folder=folder, file=file) for word in self.kind.arguments]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [str(self.kind.found()), *words], stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        deadline = time.monotonic() + START_SECONDS
        while not answers(f"{self.url}/_stcore/health", trusted=self.certificate):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self._stop()
                raise RuntimeError(f"{self.kind.program} did not start. It said:\n{self.log()}")
            time.sleep(0.1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    @property
    def _log(self) -> Path:
        return self._place.folder / f"{self.kind.program}.log"

    def _stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
