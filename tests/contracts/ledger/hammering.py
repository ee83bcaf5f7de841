"""Workers that hammer one account while some of them are killed; started from a process with no threads.

Two workers each ask the same requests, so that every one is asked twice; a killed worker is replaced by one that asks
all over again. Each acknowledged answer is a line in the folder, written once the answer was given. A kill has its
place among the requests, and a moment after it, and no time since the start: on a fast machine as many die as on a busy
one.
"""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

from dpengine.data import Table
from dpengine.errors import BudgetExceededError, ReleaseFailedError
from dpengine.ledger import Account, Ledger
from dpengine.release import release
from tests.examples.ledgers import asking, people

EACH = 0.01
EVERY = 10
"""Of so many requests one goes through the whole release, the others charge and store what they drew."""


EARLY = 40
"""A worker that is killed asks no more requests than these, and its successor begins again."""

LATEST = 0.02
"""Seconds after a request was begun within which its worker is killed."""


def work(account: Account, table: Table, requests: list[str], told: int, last: tuple[int, float] | None) -> None:
    """Ask each request, and write down what came back; after so many, and seconds more, be killed."""
    for number, request_id in enumerate(requests):
        if last and last[0] == number:
            signal.setitimer(signal.ITIMER_REAL, last[1])
        try:
            noisy = _answer(account, table, request_id, whole=number % EVERY == 0)
        except BudgetExceededError:
            noisy = None
        except ReleaseFailedError:
            continue
        os.write(told, f"{request_id} {noisy}\n".encode())
    if last:
        os.kill(os.getpid(), signal.SIGKILL)


def _answer(account: Account, table: Table, request_id: str, *, whole: bool) -> int:
    if whole:
        return release(asking(EACH), table, account, request_id=request_id).noisy[0][0]
    entry = account.charge(request_id, asking(EACH))
    if entry.noisy is None:
        entry = account.store_answer(request_id, [[random.SystemRandom().randrange(2**40)]])
    return (entry.noisy or ((0,),))[0][0]


def begin(
    url: str, marker: Path, folder: Path, worker: int, requests: int, last: tuple[int, float] | None = None
) -> int:
    """One more process; its number."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        told = os.open(folder / f"told {os.getpid()}", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        table = people()
        account = Ledger.open(url, marker=marker).account_of(table)
        if account is not None:
            work(account, table, [f"{worker // 2}-{number}" for number in range(requests)], told, last)
            status = 0
    finally:
        os._exit(status)


def hammer(url: str, marker: Path, folder: Path, workers: int, requests: int, kills: int, seed: int) -> tuple[int, int]:
    """All workers, the kills at random moments, and the end of everybody; how many were killed, and how many failed."""
    chance = random.Random(seed)
    moments = [(chance.randrange(min(requests, EARLY)), chance.uniform(0.0001, LATEST)) for _ in range(kills)]

    def one(worker: int) -> int:
        return begin(url, marker, folder, worker, requests, moments.pop() if moments else None)

    alive = {one(worker): worker for worker in range(workers)}
    killed = failed = 0
    while alive:
        ended, status = os.waitpid(-1, 0)
        worker = alive.pop(ended)
        if os.WIFSIGNALED(status):
            killed += 1
            alive[one(worker)] = worker
        failed += os.WIFEXITED(status) and os.WEXITSTATUS(status) != 0
    return killed, failed
