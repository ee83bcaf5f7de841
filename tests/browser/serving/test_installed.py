"""What `pip install .` leaves behind: a command that serves the dashboard from any folder, without the repository."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pages.plan.accounts import SOURCES
from tests.servers.browsing import settled
from tests.servers.server import ROOT, Server

COMMAND = "epsilon-explorer"


def run(*words: object) -> None:
    """A step of an installation; it says nothing unless it fails."""
    done = subprocess.run([str(word) for word in words], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment of its own, which lends the packages below from this one."""
    folder = tmp_path_factory.mktemp("installed")
    run("git", "-c", "safe.directory=*", "clone", "-q", ROOT, folder / "source")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "own")
    packages = folder / "own" / Path(sysconfig.get_path("purelib")).relative_to(sys.prefix)
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    build = ("--no-deps", "--no-build-isolation", "--no-compile", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "--python", folder / "own/bin/python", "install", *build, folder / "source")
    return folder / "own" / "bin"


def test_the_command_serves_from_any_folder(installed: Path, tmp_path: Path, browser_page: Page) -> None:
    with Server(tmp_path, command=installed / COMMAND, words=["--share"]) as server:
        for address in (server.address(), server.address("tradeoff"), server.address("guessing")):
            browser_page.goto(address)
            settled(browser_page)
            expect(browser_page.get_by_role("heading", level=1)).to_be_visible()
        assert "Participants open" in server.log()
        assert str(ROOT) not in server.log()


def test_an_installed_copy_is_told_from_the_repository(installed: Path) -> None:
    """By a file that lies in one alone: the ledger of what the next version replaces lies elsewhere."""
    assert (ROOT / SOURCES).exists()
    (app,) = installed.parent.rglob("epsilon_explorer/app.py")
    assert not (app.parent / SOURCES).exists()


def test_what_is_said_to_the_command_reaches_the_dashboard(installed: Path, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="means every address at once"):
        Server(tmp_path, command=installed / COMMAND, words=["--share=0.0.0.0"]).start()
