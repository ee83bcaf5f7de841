"""How long a message of a browser may be, and how many connections this process may hold."""

from __future__ import annotations

import sys

import uvicorn

LONGEST_MESSAGE = 2 << 20
"""Bytes. Streamlit would take what it may send, a hundred megabytes, and reading one such message stops everybody else;
files come another way.
"""


def hear_no_longer_message(server: uvicorn.Server | None) -> None:
    """Before the first connection comes; who sends a longer one is cut off."""
    if server is not None:
        server.config.ws_max_size = LONGEST_MESSAGE


def hold_as_many_as_allowed() -> None:
    """An open page takes four descriptors, and systems begin with a thousand where far more are allowed."""
    if sys.platform == "win32":
        return
    from resource import RLIMIT_NOFILE, getrlimit, setrlimit  # noqa: PLC0415  (Windows has none)

    _, most = getrlimit(RLIMIT_NOFILE)
    setrlimit(RLIMIT_NOFILE, (most, most))
