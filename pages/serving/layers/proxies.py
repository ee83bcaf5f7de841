"""Which proxies are believed when they say whose connection they pass on: those that the settings name, no others.

uvicorn would believe whatever comes through any proxy on this machine, also one that passes on what a visitor wrote.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator

import uvicorn
from starlette.middleware import Middleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

VARIABLE = "EPSILON_EXPLORER_PROXIES"


def middleware() -> Middleware:
    """Takes the last address of X-Forwarded-For that is none of the named proxies', where one of them passed it on."""
    return Middleware(ProxyHeadersMiddleware, trusted_hosts=list(named(os.environ.get(VARIABLE, ""))))


def named(text: str) -> Iterator[str]:
    """Addresses and networks, with commas between them; SystemExit with a sentence for anything else.

    >>> list(named("127.0.0.1, 10.0.0.0/8"))
    ['127.0.0.1/32', '::ffff:127.0.0.1/128', '10.0.0.0/8', '::ffff:10.0.0.0/104']
    """
    for one in filter(None, map(str.strip, text.split(","))):
        try:
            network = ipaddress.ip_network(one, strict=False)
        except ValueError:
            raise SystemExit(f"{VARIABLE} names {one!r}, which is neither an address nor a network.") from None
        yield str(network)
        if network.version == 4:
            yield f"::ffff:{network.network_address}/{96 + network.prefixlen}"


def believe_no_others(server: uvicorn.Server | None) -> None:
    """Take away what uvicorn itself believes, before the first connection comes."""
    if server is not None and isinstance(server.config.loaded_app, ProxyHeadersMiddleware):
        server.config.loaded_app = server.config.loaded_app.app
