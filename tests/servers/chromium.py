"""Finds a Chromium that runs, or installs one, and says in one sentence what it did."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""A shell without a window, where there is one, costs a fifth less than the browser that it was made from."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def installed() -> str | None:
    """The path of a Chromium that runs: one of this machine first, then Playwright's own.

    Playwright is started and ended to ask for its own: call this before starting it.
    """
    on_path = (shutil.which(name) for name in NAMES)
    return next((path for path in on_path if path and _runs(path)), None) or _of_playwright()


def found_or_installed() -> tuple[str | None, str]:
    """The path of a Chromium, and the sentence that says where it came from."""
    if path := installed():
        return path, f"Chromium: found {path}."
    for name, install in _WAYS:
        if install() and (path := installed()):
            return path, f"Chromium: none was found, so {name} installed {path}."
    return None, "Chromium: none was found, and none could be installed; install chromium or google-chrome."


def _from_debian() -> bool:
    if not _may_use_apt():
        return False
    install = ["apt-get", "install", "-y", "--no-install-recommends"]
    _succeeds(["apt-get", "update"], show=True)
    there = _succeeds([*install, "chromium"], show=True)
    _succeeds([*install, "chromium-headless-shell"], show=True)
    return there


def _from_playwright() -> bool:
    with_libraries = ["--with-deps"] if _may_use_apt() else []
    return _succeeds([sys.executable, "-m", "playwright", "install", *with_libraries, "chromium"], show=True)


_WAYS: tuple[tuple[str, Callable[[], bool]], ...] = (("apt-get", _from_debian), ("Playwright", _from_playwright))


def _may_use_apt() -> bool:
    return shutil.which("apt-get") is not None and hasattr(os, "geteuid") and os.geteuid() == 0


@cache
def _of_playwright() -> str | None:
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() and _runs(path) else None


@cache
def _runs(path: str) -> bool:
    """Tell a browser from a launcher that only says where to get one."""
    return _succeeds([path, "--version"])


def _succeeds(command: Sequence[str], *, show: bool = False) -> bool:
    output = None if show else subprocess.DEVNULL
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment, timeout=600, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
