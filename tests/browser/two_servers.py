"""Two dashboards on one ledger in PostgreSQL."""

from __future__ import annotations

from dataclasses import dataclass

from tests.servers.ledger_places import ServerPlace
from tests.servers.server import Server


@dataclass(frozen=True, kw_only=True)
class TwoServers:
    """They share nothing but where their ledger is."""

    place: ServerPlace
    servers: tuple[Server, Server]
