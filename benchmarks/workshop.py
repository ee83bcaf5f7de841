"""A workshop of fifty phones on one server with two cores: how soon everybody sees what one of them did, and its cost.

`python -m benchmarks.workshop [phones]` opens a room on the patients that ship with the program, lets so many phones,
50 unless told otherwise, join it over Streamlit's own websocket, and then measures

- nothing: everybody waits in the step in which questions are asked, and looks twice a second by itself;
- one question at a time, every few seconds by another phone: from its press to the message with the new budget, for
  each phone (what the browser takes to paint comes on top: 10 to 20 ms, see benchmarks/dial_speed.py);
- the host's next step: from the change to the new page, for each phone;
- all phones at once: from the first press until each has its answer or its refusal; then the ledger is read to see
  that the budget was spent to the last question, and charged once for each.

Processor time is that of the server's whole process, held to two cores, as a share of these two.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.command_line import size_asked_for
from benchmarks.limits import Figure, printed
from benchmarks.phones import Phone, phone
from benchmarks.server_cost import megabytes, processor_milliseconds
from dpengine.data import sample_schema
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery
from dpengine.scenario import Scenario
from dpengine.workshop import SPEND, Room, Rooms, asking, people
from tests.browser import beside
from tests.servers.server import SERVED, Server

EACH = 0.1
LOBBY, ASK, NEXT_STEP, ANSWERED = b"You are in", "room_ask", b"Four questions", (b"Paid: ", b"Refused, for everybody")
NEWS, NEXT_PAGE, AT_ONCE, SHARE, MEGABYTES, CORES = 1000.0, 1500.0, 5000.0, 60.0, 1.0, 2
_listening: set[asyncio.Task[None]] = set()


@dataclass(frozen=True, kw_only=True)
class Size:
    """So many phones, questions asked one at a time, and seconds between and before them.

    Of the questions asked at once the budget pays for `allowed_at_once`.
    """

    phones: int = 50
    questions: int = 20
    allowed_at_once: int = 30
    quiet_seconds: float = 2.5
    idle_seconds: float = 20.0

    @property
    def paid(self) -> int:
        """How many questions the budget pays for."""
        return self.questions + self.allowed_at_once


USUAL = Size()
SMALLEST = Size(phones=2, questions=1, allowed_at_once=1, quiet_seconds=0.1, idle_seconds=0.1)


@dataclass(frozen=True, kw_only=True)
class Hall:
    """The server, the room, and everybody in it."""

    size: Size
    server: Server
    rooms: Rooms
    room: Room
    phones: list[Phone]

    def now(self) -> Room:
        """The room as it stands."""
        return self.rooms.room(self.room.id)

    def step_on(self) -> Room:
        """The host presses next."""
        now = self.now()
        following = now.after()
        return now if following is None else self.rooms.go(now, following)


def opened(server: Server, size: Size) -> tuple[Rooms, Room]:
    """A room whose budget ends in the middle of the last measurement."""
    schema = sample_schema("patients")
    question = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=EACH))
    budget = Guarantee(epsilon=EACH * size.paid, delta=1e-6)
    plan = Scenario(
        table_name=schema.name, schema=schema, neighbors=Neighbors.ADD_REMOVE, budget=budget, queries=(question,)
    )
    return beside.opened(server, plan, title="Many phones", steps=(SPEND, "check"))


async def hall(server: Server, size: Size) -> tuple[Hall, float]:
    """Everybody has joined and sees the questions; and the megabytes that each phone has cost the server."""
    rooms, room = opened(server, size)
    keys = [people.join(rooms, room, f"bird {number}")[1] for number in range(size.phones + 1)]
    waiting = await phone(server, f"me={keys[-1]}")
    _listening.add(asyncio.create_task(waiting.listen()))
    await waiting.open("room")
    await waiting.until(LOBBY)
    before = megabytes(server.pid)
    phones = [await phone(server, f"me={key}") for key in keys[:-1]]
    for one in phones:
        _listening.add(asyncio.create_task(one.listen()))
        await one.open("room")
    for one in phones:
        await one.until(LOBBY)
    found = Hall(size=size, server=server, rooms=rooms, room=room, phones=phones)
    found.step_on()
    for one in phones:
        await one.until_button(ASK)
    await asyncio.gather(*(one.until(b"left") for one in phones))
    each = (megabytes(server.pid) - before) / size.phones
    await waiting.connection.close()
    return found, each


async def seconds_to_all(found: Hall) -> list[float]:
    """One phone asks; milliseconds until each phone has the new budget."""
    number = len(asking.asks(found.rooms, found.now()))
    left = f"{EACH * (found.size.paid - number - 1):.3g}"
    pressed = await found.phones[number % len(found.phones)].press(ASK)
    return [1000 * (await one.until(left.encode(), after=pressed) - pressed) for one in found.phones]


async def all_at_once(found: Hall) -> list[float]:
    """Everybody asks in the same moment; milliseconds until each has the answer or the refusal."""
    for one in found.phones:
        one.forget()
    pressed = await asyncio.gather(*(one.press(ASK) for one in found.phones))
    begin = min(pressed)
    return [1000 * (await one.until(*ANSWERED, after=begin) - begin) for one in found.phones]


def checked(found: Hall) -> None:
    """RuntimeError unless every press was charged once or refused, and the budget spent to the last question."""
    asked = asking.asks(found.rooms, found.now())
    account = found.rooms.ledger.account(found.room.account)
    answered = sum(one.state == "answered" for one in asked)
    expected = min(len(asked), found.size.paid)
    if not answered == expected == len(account.releases()) == len(account.charges()):
        raise RuntimeError(f"{len(asked)} were asked, {answered} answered, {len(account.charges())} charged.")
    failed = [one.failed for one in found.phones if one.failed]
    if failed:
        raise RuntimeError(failed[0][0])


async def measured(size: Size) -> list[Figure]:
    """Everything, one after another."""
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), environment=SERVED) as server:
        os.sched_setaffinity(server.pid, range(min(CORES, os.cpu_count() or 1)))
        found, each = await hall(server, size)
        idle = await busy(server, asyncio.sleep(size.idle_seconds))
        updates: list[float] = []

        async def questions() -> None:
            for _ in range(size.questions):
                updates.extend(await seconds_to_all(found))
                await asyncio.sleep(size.quiet_seconds)

        working = await busy(server, questions())
        at_once = await all_at_once(found)
        checked(found)
        await asyncio.sleep(size.quiet_seconds)
        moved = time.perf_counter()
        found.step_on()
        steps = [1000 * (await one.until(NEXT_STEP, after=moved) - moved) for one in found.phones]
        for one in found.phones:
            await one.connection.close()
    return [
        Figure(name="a phone's memory on the server", values=[each], unit="MB", limit=MEGABYTES),
        Figure(name="everybody waits: processor, of two cores", values=[idle], unit="%", limit=SHARE),
        Figure(name="questions asked: processor, of two cores", values=[working], unit="%", limit=SHARE),
        Figure(name="a press to everybody's new budget", values=updates, limit=NEWS),
        Figure(name="the host's next step to everybody's page", values=steps, limit=NEXT_PAGE),
        Figure(name=f"{size.phones} presses at once: answer or refusal", values=at_once, limit=AT_ONCE),
    ]


async def busy(server: Server, work: Awaitable[object]) -> float:
    """How much of two cores the server used while something went on, of 100."""
    spent, begin = processor_milliseconds(server.pid), time.perf_counter()
    await work
    return (processor_milliseconds(server.pid) - spent) / (10 * CORES * (time.perf_counter() - begin))


def main(arguments: Sequence[str]) -> int:
    """Print a table; 0 when each figure is within its limit."""
    size = size_asked_for(arguments, usual=USUAL, smallest=SMALLEST, counted="phones")
    print(f"{size.phones} phones in one room, on one server with {CORES} cores")
    return printed(asyncio.run(measured(size)), judged=size is not SMALLEST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
