"""A process without rights that looks at ledgers: `python -m tests.ledger_stranger URL MARKER [URL MARKER ...]`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dpengine.data import Table
from dpengine.errors import LedgerError
from dpengine.ledger import Ledger
from tests.databases import unprivileged
from tests.ledgers import asking, people


def main(*places: str) -> None:
    """Print what each ledger says to a charge, on one line each."""
    table, stranger = people(), unprivileged()
    if stranger is not None:
        os.setuid(stranger.pw_uid)
    for url, marker in zip(places[::2], places[1::2], strict=True):
        print(" ".join(_charged(table, url, marker).split()))


def _charged(table: Table, url: str, marker: str) -> str:
    try:
        account = Ledger.open(url, marker=Path(marker)).account_of(table)
        if account is None:
            return "no account"
        account.charge("r", asking(0.1))
    except LedgerError as error:
        return str(error)
    return "charged"


if __name__ == "__main__":
    main(*sys.argv[1:])
