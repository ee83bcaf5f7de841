"""Starts processes and lets each of them die at one point of a release; itself run in a process with no threads."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dpengine import release as door
from dpengine.data import Table
from dpengine.ledger import Account, Ledger
from dpengine.ledger.accounts import rows
from dpengine.mechanisms import exact_noise
from tests.examples.ledgers import asking, people

EACH = 0.1


def die(*_: Any, **__: Any) -> None:
    """End at once, with no word to anybody."""
    os.kill(os.getpid(), signal.SIGKILL)


def _instead(owner: Any, name: str) -> None:
    setattr(owner, name, die)


def _right_after(owner: Any, name: str) -> None:
    healthy = getattr(owner, name)

    def last(*arguments: Any, **options: Any) -> None:
        healthy(*arguments, **options)
        die()

    setattr(owner, name, last)


POINTS: Mapping[str, Callable[[], None]] = {
    "before the charge": lambda: _instead(Account, "charge"),
    "charged but not committed": lambda: _right_after(rows, "add_charge"),
    "committed before a row is read": lambda: _instead(Table, "run"),
    "rows read": lambda: _right_after(Table, "run"),
    "drawn": lambda: _right_after(exact_noise, "answer"),
    "stored but not committed": lambda: _right_after(rows, "add_answer"),
    "answer committed": lambda: _right_after(Account, "store_answer"),
    "before showing": lambda: _right_after(door, "release"),
}
"""The eight points of the protocol."""


def left_by_a_kill(url: str, marker: Path, charged: Sequence[str]) -> int:
    """By which signal a process ended that answered what it had charged before it charged the next, and no more."""
    child = os.fork()
    if child == 0:
        (account,) = Ledger.open(url, marker=marker).accounts()
        for request_id in charged:
            account.charge(request_id, asking(EACH))
            if request_id != charged[-1]:
                account.store_answer(request_id, [[7]])
        die()
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def ended(url: str, marker: Path, points: tuple[str, ...]) -> list[int]:
    """By which signal one process a point ended, one after the other; 0 where it lived."""
    table, signals = people(), []
    for point in points:
        child = os.fork()
        if child == 0:
            POINTS[point]()
            account = Ledger.open(url, marker=marker).account_of(table)
            if account is not None:
                door.release(asking(EACH), table, account, request_id=point)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        signals.append(os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0)
    return signals
