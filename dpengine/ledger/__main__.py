"""Looks after the ledger: `python -m dpengine.ledger --help`."""

import sys

from dpengine.ledger.commands import main

if __name__ == "__main__":
    sys.exit(main())
