"""What an administrator does with a ledger from a command line, while the dashboard goes on using it.

    verify         recompute the chain of hashes, and print the newest
    head           print the newest hash, the one that reports show
    accounts       list every account with its budget and what is left
    backup FILE    copy the whole ledger into a new file that only you may read
    export FILE    write accounts, charges and answers as JSON, without the secret
    accept-loss MARKER
                   go on with a ledger that ends below the mark in this marker, as a damaged or restored one does

It ends with 0, with 1 where the ledger is not as it should be, and with 2 at a command that makes no sense.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from dpengine.errors import DPEngineError, LedgerError
from dpengine.ledger.accounts.account import Account
from dpengine.ledger.ledger import Ledger
from dpengine.ledger.storage.amounts import RULE_NAMES
from dpengine.ledger.storage.database import create_private
from dpengine.ledger.storage.databases import database_of
from dpengine.ledger.storage.ledger_place import AT_HOME, FILE, URL_VARIABLE, url_in_use
from dpengine.ledger.storage.marker import accept_loss


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; the exit code."""
    asked = _asked(arguments)
    try:
        ledger = _present(asked.ledger)
        print(_COMMANDS[asked.command](ledger, asked))  # noqa: T201  a command prints its result
        ledger.close()
    except DPEngineError as error:
        print(error, file=sys.stderr)  # noqa: T201  and what went wrong
        return 1
    return 0


def _present(url: str) -> Ledger:
    ledger = Ledger.found(url)
    if ledger is None:
        raise LedgerError(f"There is no ledger in {database_of(url, patience=0.0).place}.")
    return ledger


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m dpengine.ledger", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=tuple(_COMMANDS), metavar="command")
    parser.add_argument("file", nargs="?", type=Path, help="the new file of backup or export; accept-loss's marker")
    parser.add_argument(
        "--forget-lost-charges",
        action="store_true",
        help="for accept-loss: budgets get back what the lost charges took",
    )
    parser.add_argument(
        "--ledger",
        metavar="URL",
        default=url_in_use(),
        help=f"else what {URL_VARIABLE} names, else {FILE} here, else in ~/{AT_HOME}",
    )
    asked = parser.parse_args(arguments)
    if (asked.file is None) != (asked.command not in _WITH_FILES):
        parser.error(f"{asked.command} {'needs a' if asked.file is None else 'takes no'} file.")
    return asked


def _verify(ledger: Ledger, _: argparse.Namespace) -> str:
    ledger.verify()
    return f"The ledger is whole. Its head is {ledger.head}."


def _head(ledger: Ledger, _: argparse.Namespace) -> str:
    return ledger.head


def _accounts(ledger: Ledger, _: argparse.Namespace) -> str:
    return "\n".join(_line(account) for account in ledger.accounts()) or "The ledger has no account yet."


def _line(account: Account) -> str:
    granted, spent = account.balance()
    left = spent.left_of(granted).in_words(account.rule)
    name = json.dumps(account.table_name) + (" (practice)" if account.practice else "")
    return f"{account.id}  {name}  {RULE_NAMES[account.rule]} rule  {left} left of {granted.in_words(account.rule)}"


def _backup(ledger: Ledger, asked: argparse.Namespace) -> str:
    ledger.back_up(asked.file)
    return f"Written to {asked.file}, which holds the ledger's secret: keep it where only you may read it."


def _export(ledger: Ledger, asked: argparse.Namespace) -> str:
    try:
        everything = json.dumps(ledger.everything(), indent=1, default=datetime.isoformat)
    except (ValueError, LookupError, TypeError):
        raise LedgerError("The ledger was altered: an entry cannot be read. Restore it from a backup.") from None
    create_private(asked.file)
    try:
        asked.file.write_text(everything, encoding="utf-8")
    except OSError:
        asked.file.unlink(missing_ok=True)
        raise LedgerError(f"{asked.file} cannot be written. Check the space on its disk.") from None
    return f"Written to {asked.file}."


def _accept_loss(ledger: Ledger, asked: argparse.Namespace) -> str:
    return accept_loss(ledger.store, asked.file, forget=asked.forget_lost_charges)


_COMMANDS: Mapping[str, Callable[[Ledger, argparse.Namespace], str]] = {
    "verify": _verify,
    "head": _head,
    "accounts": _accounts,
    "backup": _backup,
    "export": _export,
    "accept-loss": _accept_loss,
}
_WITH_FILES = ("backup", "export", "accept-loss")
