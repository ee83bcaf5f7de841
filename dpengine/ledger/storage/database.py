"""What a ledger asks of the database that holds it; SQLite and PostgreSQL each answer in a file of their own."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from sqlalchemy import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError

from dpengine.errors import LedgerError

_NO_URL = (
    'A ledger is named by a URL, "sqlite:///budget.db" for the file budget.db. What is named here is none, so no '
    "ledger is in use and nothing is released."
)

_LOOK_AGAIN_SECONDS = 0.0005

IN_USE = "Another program has been using the ledger for too long. Nothing was changed; try again."
DISK_IS_FULL = "The disk is full, so nothing can be charged."
RULES_WOULD_BREAK = "The ledger refused a change that would break its own rules. Nothing was changed."


def sentence_of(code: str, sentences: Mapping[str, str], *, called: str) -> str:
    """What people are told of a driver's error: the first of these sentences with which its code begins."""
    unknown = f"The ledger could not be used ({called}). Nothing was changed."
    return next((sentence for beginning, sentence in sentences.items() if code.startswith(beginning)), unknown)


class Database(Protocol):
    """Two kinds of transaction, and what only this kind of database says; every error it raises is a LedgerError."""

    @property
    def place(self) -> str:
        """Where the ledger is, for people: no password in it."""

    @property
    def marker(self) -> Path:
        """The file that remembers the ledger where nobody names another one."""

    @property
    def way_back(self) -> str:
        """How a lost ledger is restored, as part of a sentence."""

    def is_there(self) -> bool:
        """Whether a ledger, or what may be one, is in its place."""

    def reserve(self) -> None:
        """Make a place for a new ledger; one that is there stays as it is."""

    def reading(self) -> AbstractContextManager[Connection]:
        """One consistent look at the ledger."""

    def writing(self) -> AbstractContextManager[Connection]:
        """The only writer, until the commit at the end; nothing is kept of it if anything is raised."""

    def require_own(self, connection: Connection) -> None:
        """Refuse a place that is somebody else's, before anything there is read."""

    def table_names(self, connection: Connection) -> frozenset[str]:
        """What is in its place, be it a ledger or not."""

    def build(self, connection: Connection) -> None:
        """All tables and triggers, within the caller's transaction."""

    def require_sound(self, connection: Connection) -> None:
        """Refuse a database that cannot be written, and one that is damaged."""

    def back_up(self, to: Path) -> None:
        """A copy of the whole ledger in a new file, made by the database's own means while others go on writing."""

    def close(self) -> None:
        """Let go of every connection; the next transaction opens another one."""


def within(patience: float, happens: Callable[[], bool]) -> bool:
    """Try until it happens, and say whether it did; `patience` in seconds. It is tried once in any case."""
    until = time.monotonic() + patience
    while not happens():
        if time.monotonic() > until:
            return False
        time.sleep(_LOOK_AGAIN_SECONDS)
    return True


def create_private(path: Path) -> None:
    """An empty file that only this user may read, for what others should not; raises LedgerError if one is there."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise LedgerError(f"{path} exists already; name a new file.") from None
    except OSError:
        raise LedgerError(f"{path} cannot be written. Check the permissions of its folder.") from None


def address_of(url: str) -> URL:
    """A ledger's URL in parts; raises LedgerError at what is none."""
    if "\0" in url:
        raise LedgerError("A ledger's URL has no zero characters.")
    try:
        return make_url(url)
    except (ArgumentError, ValueError):  # a ValueError quotes what it took for the port, and that may be a password
        raise LedgerError(_NO_URL) from None
