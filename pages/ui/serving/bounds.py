"""How long a message of a browser may be, and how many connections this process may hold."""

from __future__ import annotations

import sys
from contextlib import suppress

import uvicorn

LONGEST_MESSAGE = 2 << 20
"""Bytes. Streamlit would take what it may send, a hundred megabytes, and reading one such message stops everybody else;
files come another way.
"""
OPEN_FILES = 4096
"""An open page takes four: room for 600, and for what the process needs besides. Many systems begin with 1024."""


def hear_no_longer_message(server: uvicorn.Server | None) -> None:
    """Before the first connection comes; who sends a longer one is cut off."""
    if server is not None:
        server.config.ws_max_size = LONGEST_MESSAGE


def hold_as_many_as_promised() -> None:
    """Raise the limit of open files where the system begins lower and allows it; one that is higher already stays."""
    if sys.platform == "win32":
        return
    from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit, setrlimit  # noqa: PLC0415  (Windows has none)

    now, most = getrlimit(RLIMIT_NOFILE)
    wanted = OPEN_FILES if most == RLIM_INFINITY else min(OPEN_FILES, most)
    if now != RLIM_INFINITY and now < wanted:
        with suppress(OSError, ValueError):  # a server that may hold fewer serves fewer
            setrlimit(RLIMIT_NOFILE, (wanted, most))
