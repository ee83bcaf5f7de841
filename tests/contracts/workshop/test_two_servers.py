"""One ask that two servers finish at once: what is refused is charged by nobody, and what is charged counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dpengine.data import Table, read_table
from dpengine.errors import EngineError, MaskedError, ReleaseFailedError
from dpengine.ledger import Release
from dpengine.privacy import Guarantee
from dpengine.workshop import SPEND, Rooms, asking
from tests.contracts.workshop.conftest import EACH, OpenStage, Stage, on_one_database, planned, setting
from tests.examples.ledgers import SCHEMA, Crash, opened
from tests.examples.ledgers import people as people_table
from tests.servers.ledger_places import Place


@pytest.fixture
def stage(open_stage: OpenStage) -> Stage:
    return open_stage(cap=EACH)


class Elsewhere(Table):
    """The same rows at another server, where something happens before it is known whether they can be reached."""

    __slots__ = ("_away", "_meanwhile")

    def __init__(self, meanwhile: Callable[[], object], *, away: bool) -> None:
        super().__init__(people_table()._opened, schema=SCHEMA)
        self._meanwhile, self._away = meanwhile, away

    def require_engine(self) -> None:
        self._meanwhile()
        if self._away:
            raise EngineError


def test_what_another_server_charges_meanwhile_is_not_said_to_be_refused(stage: Stage) -> None:
    whom = stage.join("Robin")
    room = stage.at(SPEND)

    def charges() -> None:
        (waiting,) = asking.asks_of(stage.rooms, whom)
        stage.account.charge(waiting.request_id, planned())

    charged = Elsewhere(charges, away=True)
    with pytest.raises(ReleaseFailedError):
        asking.ask(stage.rooms, whom, planned(), charged, number=0)
    own = asking.asks_of(stage.rooms, whom)
    left = asking.left_after(room, own)
    assert left is not None
    assert ([one.state for one in own], left.epsilon) == (["waiting"], 0)
    assert asking.ask(stage.rooms, whom, planned(), stage.table, number=0).state == "answered"
    assert stage.account.spent == Guarantee(epsilon=EACH)


def test_what_another_server_refuses_meanwhile_is_not_charged(stage: Stage) -> None:
    """Else their cap would have let them ask something else by then."""
    whom = stage.join("Robin")
    stage.at(SPEND)
    refuses = Elsewhere(lambda: None, away=True)
    answers = Elsewhere(lambda: asking.ask(stage.rooms, whom, planned(), refuses, number=0), away=False)
    found = asking.ask(stage.rooms, whom, planned(), answers, number=0)
    assert (found.state, found.sentence[:30]) == ("refused", "The rows of this table cannot ")
    assert stage.account.charges() == ()
    assert asking.ask(stage.rooms, whom, planned(), stage.table, number=1).state == "answered", "The control."


@on_one_database
def test_who_is_charged_behind_a_question_that_fails_is_answered_once_the_table_is_brought_anew(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their own question has read no row."""
    ledger, table = place.open(), brought()
    account, rooms = opened(ledger, table), Rooms.of(ledger)
    stage = Stage(rooms=rooms, room=rooms.open(setting(), account), table=table, account=account, place=place)
    fails, waits = stage.join("Robin"), stage.join("Wren")
    stage.at(SPEND)

    def charged_alone(*_given: object, request_id: str, **_named: object) -> Release:
        account.charge(request_id, planned())
        raise Crash

    def failing(*_: object) -> None:
        raise MaskedError

    with monkeypatch.context() as cut:
        cut.setattr(asking, "release", charged_alone)
        with pytest.raises(Crash):
            asking.ask(rooms, waits, planned(), table, number=0)
    with monkeypatch.context() as broken:
        broken.setattr(Table, "_totals", failing)
        failed = asking.ask(rooms, fails, planned(), table, number=0)
    assert (failed.state, failed.sentence) == ("answered", asking.FAILED)
    with pytest.raises(ReleaseFailedError):
        asking.ask(rooms, waits, planned(), table, number=0)
    (own,) = asking.asks_of(rooms, waits)
    assert own.state == "waiting"
    answered = asking.ask(rooms, waits, planned(), brought(), number=0)
    assert (answered.state, answered.sentence) == ("answered", "")
    assert [*asking.answers(rooms, rooms.room(stage.room.id))] == [own.request_id]


def brought() -> Table:
    """A table that no other test has, brought anew each time."""
    return read_table(b"age,ill\n17,yes\n71,no\n", schema=SCHEMA, format="csv")
