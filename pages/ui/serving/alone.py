"""Whether the settings let only this machine in."""

from __future__ import annotations

import os

import streamlit as st

SERVED = "EPSILON_EXPLORER_SERVED"
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_OPENS_UP: tuple[tuple[str, object], ...] = (
    ("server.enableCORS", True),
    ("server.corsAllowedOrigins", []),
    ("server.allowedHosts", []),
    ("browser.serverAddress", "localhost"),
    ("server.baseUrlPath", ""),
)


def set_up_for_one() -> bool:
    """Whether Streamlit's own door is the loopback address, and no other host, origin or proxy may use it."""
    closed = all(_unset(name, usual) for name, usual in _OPENS_UP)
    return on_loopback() and closed and not os.environ.get(SERVED)


def on_loopback() -> bool:
    """Whether Streamlit itself listens to this machine alone."""
    return str(st.get_option("server.address") or "") in LOOPBACK


def _unset(name: str, usual: object) -> bool:
    return bool(st.get_option(name) == usual)
