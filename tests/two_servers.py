"""Two dashboards on one ledger in PostgreSQL."""

from __future__ import annotations

from dataclasses import dataclass

from tests.ledger_places import ServerPlace
from tests.server import Server


@dataclass(frozen=True, kw_only=True)
class TwoServers:
    """They share nothing but where their ledger is."""

    place: ServerPlace
    servers: tuple[Server, Server]
