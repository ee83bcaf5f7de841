"""This machine's browser, started at the dashboard by a page of its own: programs here read its place, not the token.

Every account of a Unix machine may read with which words a program was started. So those words name a file that only
this account opens; it leads on to the address, and is gone soon.
"""

from __future__ import annotations

import contextlib
import os
import platform
import secrets
import sys
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from threading import Timer

import streamlit as st
from streamlit import cli_util

from pages.serving import alone, curator_token
from pages.serving.network import announcement

_NAME, _BYTES = "epsilon-explorer-{}.html", 8
_PAGE = (
    '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Epsilon Explorer</title>'
    '<meta http-equiv="refresh" content="0; url={address}"><a href="{address}">Epsilon Explorer</a>\n'
)


@contextmanager
def started() -> Iterator[None]:
    """As `streamlit run` does for a plain script, unless told that nobody sits here; what it needs goes with it."""
    token = curator_token.of_this_server()
    if st.get_option("server.headless"):
        yield
    elif not (alone.set_up_for_one() and token.secret):
        _open(announcement.own())
        yield
    elif _named_by_a_file():
        with _leading_on() as page:
            _open(page.as_uri() if page else announcement.own())
            yield
    else:
        _open(announcement.own(token.once()))
        yield


def _named_by_a_file() -> bool:
    """Where others read with which words a program was started, and the browser opens the files of this system.

    macOS hands an address over by what osascript reads; the browser of Windows below which a Linux runs sees no file.
    """
    return sys.platform not in {"darwin", "win32"} and "microsoft" not in platform.release().lower()


@contextmanager
def _leading_on() -> Iterator[Path | None]:
    """A page that leads on to the curator's address, for as long as that opens; None where it cannot be written.

    It lies in plain sight of this account's home: a browser in a box of its own (snap) opens nothing hidden.
    """
    _forgotten()
    page = Path.home().absolute() / _NAME.format(secrets.token_hex(_BYTES))
    try:
        with open(page, "x", encoding="utf-8", opener=_for_nobody_else) as file:
            file.write(_PAGE.format(address=escape(announcement.own(curator_token.of_this_server().once()))))
    except OSError:
        _gone(page)
        yield None
        return
    timer = Timer(curator_token.ONCE_SECONDS, _gone, [page])
    timer.daemon = True
    timer.start()
    try:
        yield page
    finally:
        timer.cancel()
        _gone(page)


def _for_nobody_else(path: str, flags: int) -> int:
    return os.open(path, flags, mode=0o600)


def _forgotten() -> None:
    """Pages that a killed server has left: their tokens open nothing any more."""
    for page in Path.home().glob(_NAME.format("[0-9a-f]" * 2 * _BYTES)):
        with contextlib.suppress(OSError):
            if time.time() - page.stat().st_mtime > curator_token.ONCE_SECONDS:
                _gone(page)


def _gone(page: Path) -> None:
    with contextlib.suppress(OSError):
        page.unlink()


def _open(address: str) -> None:
    """In this machine's browser."""
    if sys.platform == "darwin":
        webbrowser.open(address)
    else:
        cli_util.open_browser(address)
