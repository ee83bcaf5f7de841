"""Workers that hammer one account while some of them are killed; started from a process with no threads.

Two workers each ask the same requests, so that every one is asked twice; a killed worker is replaced by one that asks
all over again. Each acknowledged answer is a line in the folder, written once the answer was given.
"""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

from dpengine.data import Table
from dpengine.errors import BudgetExceededError, ReleaseFailedError
from dpengine.ledger import Account, Ledger
from dpengine.release import release
from tests.examples.ledgers import asking, people

EACH = 0.01
EVERY = 10
"""Of so many requests one goes through the whole release, the others charge and store what they drew."""


def work(account: Account, table: Table, requests: list[str], told: int) -> None:
    """Ask each request, and write down what came back."""
    for number, request_id in enumerate(requests):
        try:
            noisy = _answer(account, table, request_id, whole=number % EVERY == 0)
        except BudgetExceededError:
            noisy = None
        except ReleaseFailedError:
            continue
        os.write(told, f"{request_id} {noisy}\n".encode())


def _answer(account: Account, table: Table, request_id: str, *, whole: bool) -> int:
    if whole:
        return release(asking(EACH), table, account, request_id=request_id).noisy[0][0]
    entry = account.charge(request_id, asking(EACH))
    if entry.noisy is None:
        entry = account.store_answer(request_id, [[random.SystemRandom().randrange(2**40)]])
    return (entry.noisy or ((0,),))[0][0]


def begin(url: str, marker: Path, folder: Path, worker: int, requests: int) -> int:
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
            work(account, table, [f"{worker // 2}-{number}" for number in range(requests)], told)
            status = 0
    finally:
        os._exit(status)


def hammer(url: str, marker: Path, folder: Path, workers: int, requests: int, kills: int, seed: int) -> tuple[int, int]:
    """All workers, the kills at random moments, and the end of everybody; how many were killed, and how many failed."""
    chance = random.Random(seed)
    alive = {begin(url, marker, folder, worker, requests): worker for worker in range(workers)}
    killed = failed = 0
    while alive:
        awaited = -1
        if killed < kills:
            time.sleep(chance.uniform(0.02, 0.25))
            awaited = chance.choice(list(alive))
            os.kill(awaited, signal.SIGKILL)
        ended, status = os.waitpid(awaited, 0)
        worker = alive.pop(ended)
        if os.WIFSIGNALED(status):
            killed += 1
            alive[begin(url, marker, folder, worker, requests)] = worker
        failed += os.WIFEXITED(status) and os.WEXITSTATUS(status) != 0
    return killed, failed
