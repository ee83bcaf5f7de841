"""A process without rights that looks at a ledger: `python -m tests.ledger_stranger URL MARKER`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dpengine.errors import LedgerError
from dpengine.ledger import Ledger
from tests.databases import unprivileged
from tests.ledgers import asking, people


def main(url: str, marker: str) -> None:
    """Print what the ledger says to a charge."""
    table, stranger = people(), unprivileged()
    if stranger is not None:
        os.setuid(stranger.pw_uid)
    try:
        account = Ledger.open(url, marker=Path(marker)).account_of(table)
        if account is not None:
            account.charge("r", asking(0.1))
            print("charged")
    except LedgerError as error:
        print(error)


if __name__ == "__main__":
    main(*sys.argv[1:])
