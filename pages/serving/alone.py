"""Whether the settings let only this machine in."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
from urllib.parse import urlsplit

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
    """Whether Streamlit's own door is one loopback address, and no other host, origin or proxy may use it."""
    closed = all(_unset(name, usual) for name, usual in _OPENS_UP) and not _unset("server.address", "localhost")
    return on_loopback() and closed and not os.environ.get(SERVED)


def on_loopback() -> bool:
    """Whether Streamlit itself listens to this machine alone."""
    return str(st.get_option("server.address") or "") in LOOPBACK


def require_an_address() -> None:
    """Refuse to start where a name is listened to that leads to this machine: other accounts answer to it as well.

    `localhost` is 127.0.0.1 and ::1; Streamlit listens at one of them, and whoever listens at the other comes first.
    """
    named = str(st.get_option("server.address") or "")
    with contextlib.suppress(OSError):
        found = {str(place[0]) for *_, place in socket.getaddrinfo(named, None)} if named else set()
        if named not in found and any(ipaddress.ip_address(one.partition("%")[0]).is_loopback for one in found):
            raise SystemExit(
                f"server.address is {named!r}, a name of this machine at which another account may listen, too. "
                "Say 127.0.0.1."
            )


def is_own_name(host: str) -> bool:
    """Whether a Host header names the address that is listened to.

    `localhost` may lead to ::1 first, where any account of this machine can listen beside 127.0.0.1: a page of its own
    there would be a page of ours.
    """
    return is_this_machine(host) and urlsplit(f"//{host}").hostname == st.get_option("server.address")


def is_this_machine(host: str) -> bool:
    """Whether a Host header is one of the names by which every machine calls itself, at any port."""
    try:
        place = urlsplit(f"//{host}")
        return place.hostname in LOOPBACK and place.username is None and host == place.netloc and place.port != 0
    except ValueError:
        return False


def is_own_page(origin: str, host: str) -> bool:
    """Whether an Origin header says that a page of this very server asks."""
    return origin.casefold() in {f"{scheme}://{host}".casefold() for scheme in ("http", "https")}


def is_named_page(origin: str) -> bool:
    """Whether the settings name where a page asks from: behind a proxy that does not say what it was asked for."""
    named = [str(one) for one in st.get_option("server.corsAllowedOrigins") or ()]
    if not _unset("browser.serverAddress", "localhost"):
        named.append(str(st.get_option("browser.serverAddress")))
    asked = _host_of(origin)
    return bool(asked) and asked in map(_host_of, named)


def _host_of(place: str) -> str:
    with contextlib.suppress(ValueError):
        return urlsplit(place if "//" in place else f"//{place}").hostname or ""
    return ""


def _unset(name: str, usual: object) -> bool:
    return bool(st.get_option(name) == usual)
