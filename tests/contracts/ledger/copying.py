"""Copies a process (fork) that has a ledger open or in use; itself run in a process with no threads."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from dpengine.errors import LedgerError
from dpengine.ledger import Account, Ledger
from tests.contracts.ledger.crashing import EACH
from tests.examples.ledgers import asking


def copied(url: str, marker: Path, *, in_use: bool) -> tuple[list[str], str]:
    """Which of the ledger's files a copy found open, and what came of its own charge; its parent charges, too."""
    (account,) = Ledger.open(url, marker=marker).accounts()
    account.charge("before", asking(EACH))
    with account.store.reading() if in_use else nullcontext():
        with account.store.reading() if in_use else nullcontext():
            """One more connection, which is idle when the process is copied."""
        held, said = told_by_a_copy(account)
    account.charge("after", asking(EACH))
    return held, said


def told_by_a_copy(account: Account) -> tuple[list[str], str]:
    """What the copy finds and says."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        told = json.dumps([held_open([*Path("/proc/self/fd").iterdir()]), charged(account)])
        os.write(writing, told.encode())
        os._exit(0)
    os.waitpid(child, 0)
    held, said = json.loads(os.read(reading, 65_536))
    for end in (reading, writing):
        os.close(end)
    return held, said


def held_open(descriptors: Sequence[Path]) -> list[str]:
    """The names of the ledger's files among them."""
    names = {one.readlink().name for one in descriptors if one.is_symlink()}
    return sorted(name for name in names if name.startswith("budget.db") and not name.endswith(".id"))


def charged(account: Account) -> str:
    """That a charge went through, or why not."""
    try:
        account.charge("copy", asking(EACH))
    except LedgerError as refused:
        return str(refused)
    return "charged"
