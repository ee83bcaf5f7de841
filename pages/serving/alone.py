"""Whether the settings let only this machine in."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

import streamlit as st

SERVED = "EPSILON_EXPLORER_SERVED"
_USUAL_PORT = 80
"""Where browsers go that are told no port."""
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


def is_own_name(host: str) -> bool:
    """Whether a Host header names this machine, as only who sits here can reach it, or a tunnel or proxy from here."""
    try:
        place = urlsplit(f"//{host}")
        return place.hostname in LOOPBACK and place.username is None and host == place.netloc
    except ValueError:
        return False


def is_served_port(host: str) -> bool:
    """Whether a Host header names the port that is served: another one is a tunnel's end, and anybody may sit there."""
    return bool((urlsplit(f"//{host}").port or _USUAL_PORT) == st.get_option("server.port"))


def is_own_page(origin: str, host: str) -> bool:
    """Whether an Origin header says that a page of this very server asks."""
    return origin.casefold() in {f"{scheme}://{host}".casefold() for scheme in ("http", "https")}


def _unset(name: str, usual: object) -> bool:
    return bool(st.get_option(name) == usual)
