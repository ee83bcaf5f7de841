"""What a room owes to those in it, on either database: found by its code, moved by one hand, gone on its day."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from dpengine.errors import AccountMismatchError, InvalidParameterError, RoomError
from dpengine.privacy import Guarantee
from dpengine.queries import SumQuery
from dpengine.workshop import CHECK, CHOOSE, GUESS, LOBBY, PHASES, SPEND, STEPS, Rooms, asking, codes, people, sayings
from dpengine.workshop.room import MOST_PEOPLE
from pages.room import sweeping
from tests.contracts.workshop.conftest import EACH, OpenStage, Stage, on_one_database, planned, setting
from tests.examples.ledgers import opened
from tests.examples.ledgers import people as people_table
from tests.running.cases import each
from tests.servers.ledger_places import Place


class Clock:
    """A laptop's clock that can be set, and knows how often it was looked at."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 22, 9, tzinfo=UTC)
        self.looks = 0

    def __call__(self) -> datetime:
        self.looks += 1
        return self.now


def soon(holds: Callable[[], bool]) -> None:
    """Wait until it holds."""
    deadline = time.monotonic() + 10.0
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_code_opens_its_room_however_it_is_typed(stage: Stage) -> None:
    code = stage.room.code
    for typed in (code, code.lower(), stage.room.spaced_code, f" {code[:2]} {code[2:]} "):
        assert stage.rooms.by_code(typed) == stage.room
    assert re.fullmatch(rf"[{codes.LETTERS}]{{8}}", code)
    assert stage.rooms.by_screen(stage.room.screen) == stage.room


@on_one_database
def test_a_wrong_code_opens_none_and_says_so(stage: Stage) -> None:
    for typed in ("", "ABCD", "ABCD-2346-", "'; DROP TABLE", "0000-0000", "A" * 10_000, "ÄBCD2345"):
        with pytest.raises(RoomError, match=r"letter by letter\. Rooms are deleted on their last day"):
            stage.rooms.by_code(typed)
        with pytest.raises(RoomError):
            stage.rooms.by_screen(typed)


def test_a_room_is_the_same_for_another_server(stage: Stage) -> None:
    elsewhere = Rooms.of(stage.place.open())
    assert elsewhere.room(stage.room.id) == stage.room
    assert elsewhere.all() == (stage.room,)


@on_one_database
def test_every_phase_is_walked_forth_and_back(stage: Stage) -> None:
    room, seen = stage.room, []
    while (following := room.after()) is not None:
        room = stage.rooms.go(room, following)
        seen.append((room.step, room.phase))
    assert seen == [(step, phase) for step in STEPS for phase in range(PHASES[step])]
    for step, phase in [*reversed(seen[:-1]), ("", 0)]:
        back = room.before()
        assert back is not None
        room = stage.rooms.go(room, back)
        assert (room.step, room.phase) == (step, phase)
    assert room.before() is None
    assert room.place == LOBBY


def test_of_two_hands_that_press_next_one_counts(stage: Stage) -> None:
    following = stage.room.after()
    assert following is not None
    first = stage.rooms.go(stage.room, following)
    second = stage.rooms.go(stage.room, following)
    assert first.step == second.step == GUESS
    assert second.version == first.version == stage.room.version + 1


@on_one_database
def test_steps_may_be_left_out(open_stage: OpenStage) -> None:
    stage = open_stage(steps=(CHECK, SPEND))
    assert stage.at(CHECK, 1).after() == replace(stage.at(CHECK, 1), place=1, phase=0)
    assert stage.at(SPEND).after() is None


@each(
    ("wrong", "said"),
    [
        ({"steps": ()}, "steps must be at least one"),
        ({"steps": (GUESS, GUESS)}, "each once"),
        ({"steps": ("dance",)}, "step must be one of"),
        ({"cap": 0.0}, "cap for each person must be a finite number above 0"),
        ({"days": 0}, "days must be a number in"),
        ({"people": float("nan")}, "people must be a finite number above 0"),
        ({"columns": ("secret",)}, "columns must be declared in the table's schema"),
        ({"dialed": 2}, "question of the dial must be a number in"),
    ],
)
def test_what_cannot_be_set_gets_a_sentence(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidParameterError, match=said):
        setting(**wrong)  # type: ignore[arg-type]


@on_one_database
def test_a_room_needs_questions_and_an_account_on_its_terms(stage: Stage) -> None:
    with pytest.raises(InvalidParameterError, match="nothing to ask"):
        replace(stage.room.setting, plan=replace(stage.room.setting.plan, queries=()))
    with pytest.raises(AccountMismatchError, match="rule"):
        stage.rooms.open(setting(rule="concentrated", delta=1e-6), stage.account)


@on_one_database
def test_a_budget_of_zero_opens_no_account(place: Place) -> None:
    with pytest.raises(InvalidParameterError, match="budget epsilon must be a number in"):
        opened(place.open(), people_table(), epsilon=0.0)


def test_somebody_comes_back_by_their_key_alone(stage: Stage) -> None:
    whom, key = people.join(stage.rooms, stage.room, "  Blue   Heron ")
    assert whom.name == "Blue Heron"
    assert people.back(Rooms.of(stage.place.open()), key) == whom
    for other in ("", key[:-1], codes.new_key(), str(whom.id)):
        with pytest.raises(RoomError, match="Your place in the room was not found"):
            people.back(stage.rooms, other)
    assert key not in repr(stage.place.asked("SELECT * FROM workshop_participants"))


def test_a_name_is_taken_once(stage: Stage) -> None:
    stage.join("Blue Heron")
    for name in ("blue heron", "BLUE HERON", "Blue\u00a0Heron", "Ｂｌｕｅ Heron", "Blue\u200b Heron"):
        with pytest.raises(RoomError, match="has this name already"):
            stage.join(name)
    for name in ("B\u04cfue Heron", "Bl\u1d1ce \u041deron", "B1ue Heron"):
        with pytest.raises(RoomError, match="looks like this one"):
            stage.join(name)
    stage.join("Blue Hare")
    assert len(people.everybody(stage.rooms, stage.room)) == 2


def test_whoever_is_let_go_is_out_and_what_they_asked_stays_paid(stage: Stage) -> None:
    whom, key = people.join(stage.rooms, stage.room, "Robin")
    wren = stage.join("Wren")
    stage.at(GUESS)
    for one in (whom, wren):
        sayings.say(stage.rooms, one, "guess", number=0, value=1.0)
    room = stage.at(SPEND)
    for one in (whom, wren):
        asking.ask(stage.rooms, one, planned(), stage.table, number=0)
    for _ in range(2):
        people.let_go(stage.rooms, room, [whom])
    assert people.everybody(stage.rooms, room) == (wren,)
    assert [one.participant for one in sayings.said(stage.rooms, room, "guess")] == [wren.id]
    assert stage.rooms.room(room.id).version > room.version
    with pytest.raises(RoomError, match="the host removed you"):
        people.back(stage.rooms, key)
    with pytest.raises(RoomError, match="no longer in this room"):
        asking.ask(stage.rooms, whom, planned(), stage.table, number=1)
    assert len(asking.answers(stage.rooms, room)) == 2
    assert stage.account.spent == Guarantee(epsilon=2 * EACH)
    assert stage.join("Robin").id != whom.id


def test_of_many_with_one_name_one_gets_in(stage: Stage) -> None:
    def joins(_: int) -> bool:
        try:
            stage.join("Robin")
        except RoomError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(joins, range(16))) == 1


@on_one_database
def test_a_room_is_full_at_last(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MOST_PEOPLE", 3)
    for number in range(3):
        stage.join(f"bird {number}")
    with pytest.raises(RoomError, match="full: 3 people"):
        stage.join("one more")
    assert MOST_PEOPLE >= 100


@on_one_database
def test_nobody_does_anything_in_a_paused_or_closed_room(stage: Stage) -> None:
    whom = stage.join("Robin")
    room = stage.at(GUESS)
    for change, said in ((stage.rooms.pause, "paused"), (stage.rooms.close, "closed")):
        room = change(stage.rooms.room(room.id))
        with pytest.raises(RoomError, match=said):
            sayings.say(stage.rooms, whom, "guess", number=0, value=1.0)
        with pytest.raises(RoomError, match=said):
            stage.join("too late")
    stage.rooms.resume(room)
    sayings.say(stage.rooms, whom, "guess", number=0, value=1.0)
    assert len(sayings.said(stage.rooms, room, "guess")) == 1


def test_a_guess_stays_and_a_choice_may_change_in_its_round(stage: Stage) -> None:
    whom = stage.join("Robin")
    stage.at(GUESS)
    assert sayings.say(stage.rooms, whom, "guess", number=0, value=1.0).value == 1.0
    assert sayings.say(stage.rooms, whom, "guess", number=0, value=0.0).value == 1.0
    stage.at(GUESS, 1)
    with pytest.raises(RoomError, match="moved on"):
        sayings.say(stage.rooms, whom, "guess", number=1, value=1.0)
    for phase, number in ((0, 0), (2, 1)):
        stage.at(CHOOSE, phase)
        for value in (0.5, 0.25):
            sayings.say(stage.rooms, whom, "choice", number=number, value=value)
        with pytest.raises(RoomError, match="moved on"):
            sayings.say(stage.rooms, whom, "choice", number=1 - number, value=3.0)
        stage.at(CHOOSE, phase + 1)
        with pytest.raises(RoomError, match="moved on"):
            sayings.say(stage.rooms, whom, "choice", number=number, value=3.0)
    assert [(one.number, one.value) for one in sayings.said(stage.rooms, stage.room, "choice")] == [
        (0, 0.25),
        (1, 0.25),
    ]
    stage.at(CHECK)
    sayings.say(stage.rooms, whom, "check", number=2, value=1.0)
    stage.at(CHECK, 1)
    with pytest.raises(RoomError, match="moved on"):
        sayings.say(stage.rooms, whom, "check", number=1, value=1.0)


@on_one_database
def test_nonsense_is_not_kept(stage: Stage) -> None:
    whom = stage.join("Robin")
    stage.at(GUESS)
    nonsense = (("dance", 0, 1.0), ("guess", -1, 1.0), ("guess", 10**9, 1.0), ("guess", 0, float("nan")))
    unoffered = (("check", 0, 99.0), ("check", 99, 0.0), ("check", 0, 0.5), ("vote", 0, 3.0), ("choice", 0, -1.0))
    for kind, number, value in (*nonsense, *unoffered):
        with pytest.raises(InvalidParameterError):
            sayings.say(stage.rooms, whom, kind, number=number, value=value)


def test_a_room_is_gone_on_its_day_and_not_within_an_hour_of_its_last_use(open_stage: OpenStage) -> None:
    clock = Clock()
    stage = open_stage(clock=clock, days=1)
    whom = stage.join("Robin")
    clock.now += timedelta(days=1)
    with pytest.raises(RoomError, match="deleted on their last day"):
        stage.rooms.by_code(stage.room.code)
    stage.rooms.admit(stage.at(GUESS), shut=True, places=200)
    sayings.say(stage.rooms, whom, "guess", number=0, value=1.0)
    clock.now += timedelta(minutes=59)
    assert [room.id for room in stage.rooms.all()] == [stage.room.id]
    clock.now += timedelta(minutes=1)
    assert stage.rooms.all() == ()
    for table in ("rooms", "doors", "participants", "arrivals", "sayings", "asks", "requests"):
        assert stage.place.asked(f"SELECT * FROM workshop_{table}") == []
    with pytest.raises(RoomError):
        people.back(stage.rooms, "anything")


@on_one_database
def test_a_room_goes_on_its_day_though_nobody_opens_a_page(open_stage: OpenStage) -> None:
    clock = Clock()
    stage = open_stage(clock=clock, days=1)
    before = clock.looks
    heard: list[tuple[int, ...]] = []
    sweeping.begin(stage.rooms, lambda rooms: heard.append(tuple(room.id for room in rooms)), every=0.02)
    soon(lambda: clock.looks >= before + 2 and heard[-1:] == [(stage.room.id,)])
    assert stage.place.asked("SELECT count(*) FROM workshop_rooms") == [(1,)], "its first look is over, its day is not"
    clock.now += timedelta(days=1, hours=1)
    soon(lambda: stage.place.asked("SELECT count(*) FROM workshop_rooms") == [(0,)] and heard[-1] == ())


@on_one_database
def test_a_clock_that_jumps_and_comes_back_loses_nothing(open_stage: OpenStage) -> None:
    clock = Clock()
    stage = open_stage(clock=clock, days=1)
    whom = stage.join("Robin")
    clock.now += timedelta(days=400)
    with pytest.raises(RoomError, match="deleted on their last day"):
        stage.join("Kim")
    clock.now -= timedelta(days=400)
    assert [room.id for room in stage.rooms.all()] == [stage.room.id]
    clock.now -= timedelta(days=400)
    assert [room.id for room in stage.rooms.all()] == [stage.room.id]
    assert stage.rooms.by_code(stage.room.code).id == stage.room.id
    stage.at(GUESS)
    assert sayings.say(stage.rooms, whom, "guess", number=0, value=1.0).value == 1.0


@on_one_database
def test_a_room_about_real_people_does_not_start_over(stage: Stage) -> None:
    with pytest.raises(RoomError, match="a real budget never comes back"):
        stage.rooms.start_over(stage.room, stage.account)


@on_one_database
def test_people_may_ask_of_the_list_and_of_opened_columns_alone(open_stage: OpenStage) -> None:
    room = open_stage(columns=("ill",)).room.setting
    assert room.allows(planned())
    assert room.allows(planned(SumQuery("age"), 0.7))
    assert not room.allows(planned(SumQuery("age", where=room.plan.queries[0].query.where)))
