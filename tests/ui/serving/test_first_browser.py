"""With which words this machine's browser is started: with none that make their reader curator."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit import cli_util, config

from pages.serving import curator_token, first_browser
from pages.serving.network import announcement

TOKEN = re.compile(r"url=http://[^\"]*\?token=([\w-]+)")


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """What a browser would be started with, by somebody who lives in a folder of their own on Linux."""
    heard: list[str] = []
    monkeypatch.setattr(cli_util, "open_browser", heard.append)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "release", lambda: "6.1.0-generic")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    before = bool(config.get_option("server.headless"))
    config.set_option("server.headless", False)
    yield heard
    config.set_option("server.headless", before)


def test_the_words_name_a_page_that_this_account_alone_opens_and_that_goes(words: list[str], tmp_path: Path) -> None:
    left, mine = (tmp_path / f"epsilon-explorer-{name}.html" for name in ("0123456789abcdef", "report-2025"))
    for file in (left, mine):
        file.write_text("from before", encoding="utf-8")
        os.utime(file, (0, 0))
    with first_browser.started():
        (page,) = {*tmp_path.glob("*.html")} - {mine}
        assert words == [page.as_uri()]
        assert page.stat().st_mode & 0o077 == 0
        token = TOKEN.findall(page.read_text(encoding="utf-8"))[0]
        assert token not in words[0]
        assert curator_token.of_this_server().opens_once(token), "The control: it opens."
    assert [*tmp_path.glob("*.html")] == [mine]


def test_where_no_page_can_be_written_nothing_is_given_away(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "nowhere")
    with first_browser.started():
        assert words == [announcement.own()]


def test_a_browser_that_sees_no_file_of_this_system_gets_the_address(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "release", lambda: "5.15.90.1-microsoft-standard-WSL2")
    with first_browser.started():
        assert words[0].startswith(f"{announcement.own()}/?token=")


def test_nobody_is_started_where_nobody_sits(words: list[str]) -> None:
    config.set_option("server.headless", True)
    with first_browser.started():
        assert not words
