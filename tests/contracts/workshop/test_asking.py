"""One intent one charge, and the budget and every cap to the last billionth, whoever presses when, whatever breaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from dpengine import accounting
from dpengine.data import And, Comparison, NumberColumn, Schema
from dpengine.errors import RefusedQueryError, RoomError
from dpengine.ledger import Amounts, Release
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery, SumQuery
from dpengine.workshop import GUESS, SPEND, Participant, Room, Rooms, asking, attacked, burning
from dpengine.workshop.room import Ask
from tests.contracts.workshop.conftest import EACH, ILL, OpenStage, Stage, on_one_database, planned, setting
from tests.examples.ledgers import SCHEMA, Crash, opened
from tests.examples.ledgers import people as people_table
from tests.servers.ledger_places import Place


def ask(stage: Stage, whom: object, number: int, **given: object) -> Ask:
    """The room's first question, unless told otherwise."""
    return asking.ask(stage.rooms, whom, given.get("planned", planned()), stage.table, number=number)  # type: ignore[arg-type]


def left_of_cap(stage: Stage, room: Room, whom: Participant) -> Amounts | None:
    """What the person may still spend; None without a cap."""
    return asking.left_after(room, asking.asks_of(stage.rooms, whom))


def test_the_same_number_again_is_the_same_answer_free(stage: Stage) -> None:
    whom = stage.join("Robin")
    stage.at(SPEND)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: ask(stage, whom, 0), range(8)))
    assert {one.id for one in found} == {found[0].id}
    assert stage.account.spent == Guarantee(epsilon=EACH)
    assert len(asking.answers(stage.rooms, stage.rooms.room(stage.room.id))) == 1


@on_one_database
def test_another_question_under_the_same_number_is_not_asked(stage: Stage) -> None:
    whom = stage.join("Robin")
    stage.at(SPEND)
    ask(stage, whom, 0)
    with pytest.raises(RoomError, match="asked something else a moment ago"):
        ask(stage, whom, 0, planned=planned(SumQuery("age"), 0.2))
    with pytest.raises(RoomError, match="behind what you asked elsewhere"):
        ask(stage, whom, 2)
    assert stage.account.spent == Guarantee(epsilon=EACH)


@on_one_database
def test_what_is_not_the_rooms_is_not_asked(open_stage: OpenStage) -> None:
    stage = open_stage(columns=("ill",))
    whom = stage.join("Robin")
    stage.at(SPEND)
    for other in (
        planned(epsilon=0.3),
        planned(CountQuery()),
        planned(CountQuery(where=Comparison("age", ">", 50))),
        planned(CountQuery(where=And((Comparison("ill", "=", value=True), Comparison("age", ">", 50))))),
        planned(SumQuery("age", where=Comparison("ill", "=", value=True))),
    ):
        with pytest.raises(RoomError, match="not one of this room's"):
            ask(stage, whom, 0, planned=other)
    own = planned(CountQuery(where=Comparison("ill", "=", value=False)))
    with pytest.raises(RoomError, match="costs something else now"):
        ask(stage, whom, 0, planned=own.at(EACH / 2))
    assert ask(stage, whom, 0, planned=own).state == "answered"
    assert stage.account.spent == Guarantee(epsilon=EACH)


@on_one_database
def test_the_rooms_epsilon_is_the_price_of_every_question(stage: Stage) -> None:
    whom = stage.join("Robin")
    room = stage.rooms.choose_epsilon(stage.at(SPEND), 0.25)
    with pytest.raises(RoomError, match="costs something else now"):
        ask(stage, whom, 0)
    assert ask(stage, whom, 0, planned=room.planned(0)).state == "answered"
    assert ask(stage, whom, 1, planned=room.planned(1)).state == "answered"
    assert stage.account.spent == Guarantee(epsilon=0.5)


@pytest.mark.parametrize("rule", ["basic", "concentrated"])
def test_a_cap_holds_exactly_with_many_hands_at_once(open_stage: OpenStage, rule: str) -> None:
    delta = 0.0 if rule == "basic" else 1e-6
    stage = open_stage(epsilon=50.0, cap=3 * EACH if rule == "basic" else 1.0, rule=rule, delta=delta)
    whom = stage.join("Robin")
    room = stage.at(SPEND)

    def presses(_: int) -> int:
        done = 0
        for number in range(5):
            try:
                done += ask(stage, whom, number).state == "answered"
            except RoomError:
                continue
        return done

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(presses, range(3)))
    granted, left = room.setting.granted_each(), left_of_cap(stage, room, whom)
    assert granted is not None
    assert left is not None
    paid = [one for one in asking.asks(stage.rooms, room) if one.state != "capped"]
    spent = sum(one.amounts.epsilon if rule == "basic" else one.amounts.rho for one in paid)
    most = granted.epsilon if rule == "basic" else granted.rho
    each = paid[0].amounts
    assert most - (each.epsilon if rule == "basic" else each.rho) < spent <= most
    assert len(paid) == len(stage.account.charges())
    assert ask(stage, stage.join("Wren"), 0).state == "answered"


@on_one_database
def test_what_a_cap_refuses_is_kept_once_in_a_row_and_never_burns(open_stage: OpenStage) -> None:
    stage = open_stage(epsilon=3 * EACH, cap=EACH)
    first, second = stage.join("Robin"), stage.join("Wren")
    room = stage.at(SPEND)
    assert [ask(stage, first, number).state for number in (0, 1)] == ["answered", "capped"]
    words = r"is left of the .* that each person here may spend. Nothing was charged."
    with pytest.raises(RoomError, match=words):
        ask(stage, first, 2)
    assert ask(stage, second, 0).state == "answered"
    stage.account.charge("elsewhere", planned())
    kept = asking.asks(stage.rooms, room)
    assert [one.state for one in kept] == ["answered", "capped", "answered"]
    burnt = burning(stage.account, kept, stage.account.charges(), schema=stage.account.schema)
    assert (len(burnt.questions), burnt.beyond, burnt.share) == (2, None, 1.0)
    assert left_of_cap(stage, room, second) == left_of_cap(stage, room, first)


def test_many_hands_at_once_spend_exactly_the_budget(stage: Stage) -> None:
    everybody = [stage.join(f"bird {number}") for number in range(15)]
    stage.at(SPEND)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda whom: ask(stage, whom, 0), everybody))
    assert sum(one.state == "answered" for one in found) == 10
    assert {one.state for one in found} == {"answered", "refused"}
    assert all("no row was read" in one.sentence for one in found if one.state == "refused")
    assert stage.account.spent == Guarantee(epsilon=1.0)
    assert len(stage.account.releases()) == 10
    stage.rooms.ledger.verify()


@on_one_database
def test_what_was_refused_does_not_count_against_a_cap(open_stage: OpenStage) -> None:
    stage = open_stage(epsilon=EACH, cap=2 * EACH)
    first, second = stage.join("Robin"), stage.join("Wren")
    room = stage.at(SPEND)
    assert [ask(stage, first, 0).state, ask(stage, second, 0).state] == ["answered", "refused"]
    left = left_of_cap(stage, room, second)
    assert left == room.setting.granted_each()


@pytest.mark.parametrize("charged", [False, True])
def test_a_server_killed_while_it_answers_loses_nothing_and_charges_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, charged: bool
) -> None:
    whom = stage.join("Robin")
    room = stage.at(SPEND)
    with monkeypatch.context() as broken:

        def stopped(*given: object, request_id: str, **_named: object) -> Release:
            if charged:
                stage.account.charge(request_id, planned())
            raise Crash

        broken.setattr(asking, "release", stopped)
        with pytest.raises(Crash):
            ask(stage, whom, 0)
    elsewhere = Rooms.of(stage.place.open())
    (waiting,) = asking.asks_of(elsewhere, whom)
    assert waiting.state == "waiting"
    assert len(stage.account.charges()) == charged
    again = asking.ask(elsewhere, whom, waiting.planned, stage.table, number=waiting.number)
    assert again.state == "answered"
    assert stage.account.spent == Guarantee(epsilon=EACH)
    assert len(asking.answers(elsewhere, room)) == 1


@on_one_database
def test_a_question_that_waits_counts_against_the_cap_and_its_first_end_stays(
    open_stage: OpenStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = open_stage(epsilon=3 * EACH, cap=EACH)
    whom = stage.join("Robin")
    room = stage.at(SPEND)

    def ending(error: BaseException) -> Callable[..., Release]:
        def raised(*_given: object, **_named: object) -> Release:
            raise error

        return raised

    with monkeypatch.context() as broken:
        broken.setattr(asking, "release", ending(Crash()))
        with pytest.raises(Crash):
            ask(stage, whom, 0)
    (waiting,) = asking.asks_of(stage.rooms, whom)
    assert (waiting.state, ask(stage, whom, 1).state) == ("waiting", "capped")
    assert asking.finish(stage.rooms, waiting, stage.table, stage.account, stage.room.setting).state == "answered"
    monkeypatch.setattr(asking, "release", ending(RefusedQueryError("too late")))
    assert asking.finish(stage.rooms, waiting, stage.table, stage.account, stage.room.setting).state == "answered"
    assert [one.state for one in asking.asks(stage.rooms, room)] == ["answered", "capped"]


@on_one_database
def test_another_table_is_not_asked_and_nothing_is_charged(stage: Stage) -> None:
    whom = stage.join("Robin")
    room = stage.at(SPEND)
    other = people_table(((1, "no"),))
    with pytest.raises(Exception, match="whose rows are different"):
        asking.ask(stage.rooms, whom, planned(), other, number=0)
    assert asking.asks(stage.rooms, room) == ()
    assert not stage.account.charges()


@on_one_database
def test_nothing_is_asked_before_its_step_or_in_a_room_that_is_gone(stage: Stage) -> None:
    whom = stage.join("Robin")
    stage.at(GUESS)
    with pytest.raises(RoomError, match="moved on"):
        ask(stage, whom, 0)
    stage.rooms.delete(stage.room.id)
    with pytest.raises(RoomError, match="no longer there"):
        ask(stage, whom, 0)
    assert not stage.account.charges()


@on_one_database
def test_the_budget_burns_as_it_was_charged(open_stage: OpenStage) -> None:
    stage = open_stage(epsilon=1.0, delta=1e-6)
    stage.account.charge("before the room", planned(epsilon=0.4))
    whom = stage.join("Robin")
    room = stage.at(SPEND)
    for number in range(8):
        ask(stage, whom, number)
    burnt = burning(stage.account, asking.asks(stage.rooms, room), stage.account.charges(), schema=stage.account.schema)
    assert [one.naive for one in burnt.questions] == pytest.approx([0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.0, 1.0])
    assert [one.refused for one in burnt.questions] == [False] * 6 + [True] * 2
    assert burnt.refusal is not None
    assert "asks for epsilon 0.1, but nothing is left" in burnt.refusal.sentence
    assert burnt.share == 1.0
    events = planned(epsilon=0.4).events(stage.table.schema, stage.account.neighbors)
    for count, one in enumerate(burnt.questions[:6], start=1):
        together = {**events, **dict.fromkeys(planned().events(stage.table.schema, stage.account.neighbors), count)}
        exact = accounting.epsilon(together, delta=1e-6, accountant="exact")
        assert exact <= one.advanced <= one.naive * (1 + 1e-9)
    assert room.setting.plan.queries[0].query == ILL


@on_one_database
@pytest.mark.parametrize(
    ("opening", "asked"),
    [
        (Schema(name="people", columns=SCHEMA.columns[:1]), planned()),
        (
            replace(SCHEMA, columns=(NumberColumn(name="age", lower=0, upper=10), SCHEMA.columns[1])),
            planned(SumQuery("age"), 0.2),
        ),
    ],
)
def test_a_room_reads_its_answers_as_its_table_is_declared_now(
    place: Place, opening: Schema, asked: PlannedQuery
) -> None:
    """The account may have been opened when a column was left out, or had other bounds."""
    ledger = place.open()
    account = opened(ledger, people_table(schema=opening))
    rooms = Rooms.of(ledger)
    stage = Stage(rooms=rooms, room=rooms.open(setting(), account), table=people_table(), account=account, place=place)
    whom, room = stage.join("Robin"), stage.at(SPEND)
    assert ask(stage, whom, 0, planned=asked).state == "answered"
    account = ledger.account(room.account)
    burnt = burning(account, asking.asks(rooms, room), account.charges(), schema=room.setting.plan.schema)
    assert burnt.questions[0].advanced <= burnt.questions[0].naive == asked.guarantee.epsilon
    (answer,) = asking.answers(rooms, room).values()
    found = attacked.findings(room, account, {"r": answer}, None)
    assert found is not None
    assert found.answers == 1
    read = [count.average for count in found.averages.counts]
    assert read == [pytest.approx(answer.values[0])] * (asked == planned())


def test_the_ledger_tells_nobody_who_asked(stage: Stage) -> None:
    """What is public for good names neither the person nor the order; only the room knows, while it is there."""
    robin, wren = stage.join("Robin"), stage.join("Wren")
    room = stage.at(SPEND)
    for number in range(2):
        for whom in (robin, wren):
            assert ask(stage, whom, number).state == "answered"
    names = [release.request_id for release in stage.account.releases()]
    assert len({*names}) == 4
    assert all(re.fullmatch(r"room-[A-Za-z0-9_-]{16,}", name) for name in names)
    assert [one.request_id for one in asking.asks(stage.rooms, room)] == names, "The control: the room knows."
    stage.rooms.delete(room.id)
    assert stage.place.asked("SELECT * FROM workshop_requests") == []
    assert [release.request_id for release in stage.account.releases()] == names


@on_one_database
def test_what_an_older_program_had_asked_keeps_its_name(stage: Stage) -> None:
    """Its charge stands in the ledger under it, and is found, not made again."""
    whom, room = stage.join("Robin"), stage.at(SPEND)
    assert ask(stage, whom, 0).state == "answered"
    stage.account.charge(name := f"room-{room.id}-{whom.id}-0", planned())
    stage.place.unguarded("DELETE FROM workshop_requests", "UPDATE workshop_asks SET state = 'waiting'")
    spent = stage.account.spent
    assert [one.request_id for one in asking.asks(stage.rooms, room)] == [name]
    assert ask(stage, whom, 0).state == "answered"
    assert stage.account.spent == spent
    assert name in asking.answers(stage.rooms, room)
