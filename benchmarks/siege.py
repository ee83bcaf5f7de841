"""Twenty attackers as fast as they can, while three hundred people use the same server: how long those wait.

`python -m benchmarks.siege [sessions]` opens so many sessions on a lesson with a dial, 300 unless told otherwise, each
from an address of its own, as a proxy that the settings name would pass it on. Each turns its dial at a moment of its
own within half a minute, first in peace. Then twenty more addresses ask for the same page, and for the next one as
soon as it has come; every other attacker does not even wait for that. Then twenty stay on the dearest page and ask for
it again fifty times a second, whatever comes; at last the same from one address. A turn of those who were there is
timed from the message to the end of the script's run, and so is the first page of people who come meanwhile.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from pathlib import Path
from time import perf_counter

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets import WebSocketException

from benchmarks.command_line import size_asked_for
from benchmarks.limits import Figure, printed
from benchmarks.load import Dial, Person, Size, person, turns
from dpengine.mechanisms.listed import clamped_noisy_count
from pages.learn.definition.definition import CASES
from pages.learn.definition.definition_tables import at_most_times
from tests.servers.server import Server

Attack = Callable[[str, int, "Synchronized[int]"], Awaitable[None]]
PAGE, PROXY = "definition", {"EPSILON_EXPLORER_PROXIES": "127.0.0.1"}
A_TURN = 1000.0
PEOPLE, ATTACKERS, NEWCOMERS = "10.1", "10.2", "10.3"
"""Where each kind of them comes from: the first half of an address."""


@dataclass(frozen=True, kw_only=True)
class Siege(Size):
    """So many people who turn their dials, and what comes upon them."""

    attackers: int = 20
    newcomers: int = 20


def typed(widget: str, epsilon: float) -> WidgetState:
    """What a browser says of the number box beside the lesson's dial."""
    return WidgetState(id=widget, double_value=epsilon)


def title(epsilon: float) -> bytes:
    """What the lesson finds at an epsilon."""
    count = clamped_noisy_count(epsilon=epsilon, answer=CASES)
    return f"With you, answers are at most {at_most_times(count.laws.ratio_range[1])} times as likely".encode()


DIAL = Dial(key="definition_promise_epsilon_box", turned=typed, answer=title)
USUAL = Siege(sessions=300, turns=2, every_seconds=30.0)
SMALLEST = Siege(sessions=2, turns=1, every_seconds=0.1, attackers=2, newcomers=1)


def address(kind: str, number: int) -> str:
    """One of theirs."""
    return f"{kind}.{number // 250}.{number % 250 + 1}"


@contextmanager
def besieged(server: Server, attackers: int, attack: Attack) -> Iterator[Synchronized[int]]:
    """Attackers in a process of their own, until the end of this; how many pages they have asked for."""
    spawning = multiprocessing.get_context("spawn")
    asked, begun = spawning.Value("q", 0), spawning.Event()
    them = spawning.Process(target=all_at_once, args=(attack, server.url, attackers, asked, begun), daemon=True)
    them.start()
    begun.wait()
    try:
        yield asked
    finally:
        them.terminate()
        them.join()


def all_at_once(attack: Attack, url: str, attackers: int, asked: Synchronized[int], begun: Event) -> None:
    """Every one of them at once, without an end."""

    async def all_of_them() -> None:
        begun.set()
        await asyncio.gather(*(attack(url, number, asked) for number in range(attackers)))

    asyncio.run(all_of_them())


async def reload_for_ever(url: str, number: int, asked: Synchronized[int]) -> None:
    """Ask for a page, and once it is there, or at once, leave and come anew."""
    question = BackMsg()
    question.rerun_script.page_name = PAGE
    while True:
        try:
            one = await person(url, DIAL, address(ATTACKERS, number))
            with asked.get_lock():
                asked.value += 1
            await (one.run(question) if number % 2 else one.connection.send(question.SerializeToString()))
            one.connection.transport.abort()
        except (OSError, WebSocketException, TimeoutError):
            await asyncio.sleep(0)


async def press_for_ever(url: str, number: int, asked: Synchronized[int], *, together: bool = False) -> None:
    """Stay on the dearest page and ask for it again and again, whether it has come or not."""
    question = BackMsg()
    question.rerun_script.page_name = "tradeoff"
    while True:
        try:
            one = await person(url, DIAL, address(ATTACKERS, 0 if together else number))
            await one.run(question)
            async with asyncio.TaskGroup() as both:
                both.create_task(_listen(one))
                both.create_task(_press(one, question, asked))
        except* (OSError, WebSocketException, TimeoutError):
            await asyncio.sleep(0)


async def _listen(one: Person) -> None:
    while True:
        await one.connection.recv()


async def _press(one: Person, question: BackMsg, asked: Synchronized[int]) -> None:
    while True:
        await one.connection.send(question.SerializeToString())
        with asked.get_lock():
            asked.value += 1
        await asyncio.sleep(0.02)


ATTACKS: Mapping[str, Attack] = {
    "reload": reload_for_ever,
    "press": press_for_ever,
    "press at one address": partial(press_for_ever, together=True),
}


async def turned(everyone: Sequence[Person], size: Siege, seed: int) -> list[float]:
    """Milliseconds of all their turns; another seed turns to other places, as a dial that stands there says nothing."""
    for one in everyone:
        one.milliseconds.clear()
    rng = np.random.default_rng(seed)
    await asyncio.gather(*(turns(one, size, rng) for one in everyone))
    return [time for one in everyone for time in one.milliseconds]


async def opened(server: Server, kind: str, count: int) -> tuple[list[Person], list[float]]:
    """People who come one after another, and the milliseconds until each sees the page."""
    people, times = list[Person](), list[float]()
    for number in range(count):
        begin = perf_counter()
        people.append(await person(server.url, DIAL, address(kind, number)))
        await people[-1].open(PAGE)
        times.append(1000 * (perf_counter() - begin))
    return people, times


async def measured(server: Server, size: Siege) -> AsyncIterator[Figure]:
    """Everybody's times, in peace and besieged in each way."""
    everyone, at_first = await opened(server, PEOPLE, size.sessions)
    yield Figure(name="in peace: a turn", values=await turned(everyone, size, 1), limit=A_TURN)
    yield Figure(name="in peace: a first page", values=at_first)
    for place, (name, attack) in enumerate(ATTACKS.items()):
        who = f"{size.attackers} who {name}"
        with besieged(server, size.attackers, attack) as asked:
            before, begin = asked.value, perf_counter()
            pressed, (newcomers, meanwhile) = await asyncio.gather(
                turned(everyone, size, 2 + place), opened(server, f"{NEWCOMERS}{place}", size.newcomers)
            )
            rate = (asked.value - before) / (perf_counter() - begin)
        everyone += newcomers
        yield Figure(name=f"{who}: a turn", values=pressed, limit=A_TURN)
        yield Figure(name=f"{who}: a newcomer's first page", values=meanwhile)
        yield Figure(name=f"{who}: so often each second", values=[rate], unit="number")
    for one in everyone:
        await one.connection.close()


def figures(size: Siege) -> Iterator[Figure]:
    """On a server of their own."""
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), environment=PROXY) as server:
        yield from asyncio.run(_all(measured(server, size)))


async def _all(figures: AsyncIterator[Figure]) -> list[Figure]:
    return [one async for one in figures]


def main(arguments: Sequence[str]) -> int:
    """Print a table; 0 when each figure is within its limit."""
    size = size_asked_for(arguments, usual=USUAL, smallest=SMALLEST, counted="sessions")
    print(f"{size.sessions} people, each turning a dial every {size.every_seconds:g} s, and {size.attackers} attackers")
    return printed(figures(size), judged=size is not SMALLEST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
