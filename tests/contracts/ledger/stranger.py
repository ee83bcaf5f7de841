"""A process without rights that looks at ledgers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from dpengine.data import Table
from dpengine.errors import LedgerError
from dpengine.ledger import Ledger
from tests.examples.ledgers import asking, people
from tests.servers.databases import unprivileged


def charged(places: Sequence[tuple[str, Path]]) -> list[str]:
    """What each ledger, by its URL and marker, says to a charge; the process keeps no rights."""
    table, stranger = people(), unprivileged()
    if stranger is not None:
        os.setuid(stranger.pw_uid)
    return [_charged(table, url, marker) for url, marker in places]


def _charged(table: Table, url: str, marker: Path) -> str:
    try:
        account = Ledger.open(url, marker=marker).account_of(table)
        if account is None:
            return "no account"
        account.charge("r", asking(0.1))
    except LedgerError as error:
        return str(error)
    return "charged"
