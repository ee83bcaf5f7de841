"""DP Wizard beside us: started from an environment of its own, taken to the slider of its epsilon."""

from __future__ import annotations

import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from tests.servers.server import free_port

START_SECONDS, ROWS, ROWS_EACH, BOUNDS = 120, "1000", "10", ("0", "100")
SLIDER, PREVIEW = ".irs--shiny .irs-line", ".shiny-plot-output img, .shiny-image-output img"
IDLE = """() => !document.documentElement.classList.contains('shiny-busy')
    && [...document.querySelectorAll('.recalculating')].every(output => output.offsetParent === null)"""


@dataclass(frozen=True, kw_only=True)
class Running:
    """A started server with its demonstration table."""

    url: str
    pid: int


@contextmanager
def running(environment: Path) -> Iterator[Running]:
    """A server on a port of its own, which ends with the block."""
    port = free_port()
    command = [str(environment / "bin" / "dp-wizard"), "--demo", "--no_browser", "--port", str(port)]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            found = Running(url=f"http://127.0.0.1:{port}", pid=process.pid)
            _wait_for(port)
            yield found
        finally:
            process.terminate()
            process.wait(START_SECONDS)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with socket.socket() as asking:
            if asking.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError("DP Wizard did not start.")


def to_its_slider(page: Page) -> None:
    """Fill in the first page as its tutorial says, choose a column and its bounds, and wait for the preview."""
    page.locator("#max_rows").fill(ROWS)
    page.locator("#contributions").fill(ROWS_EACH)
    page.locator("#go_to_analysis").click()
    page.locator("#columns_selectize-selectized").click()
    page.locator(".selectize-dropdown-content [data-selectable]").first.click()
    for end, bound in zip(("lower", "upper"), BOUNDS, strict=True):
        page.locator(f"[id$=-{end}_bound]").fill(bound)
        page.locator(f"[id$=-{end}_bound]").press("Tab")
    page.locator(PREVIEW).first.wait_for()
    page.locator(SLIDER).first.scroll_into_view_if_needed()
