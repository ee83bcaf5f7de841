"""A real process killed at each of the eight points of a release: nothing overspent, nothing lost, no second answer."""

import signal

import pytest

from dpengine.privacy import Guarantee
from dpengine.release import release
from tests.contracts.ledger.conftest import KINDS, apart, place_of
from tests.contracts.ledger.crashing import EACH, POINTS, ended
from tests.contracts.ledger.laws import again
from tests.examples.ledgers import asking, opened, people

TABLE = people()
CHARGED = tuple(POINTS)[2:]
ANSWERED = tuple(POINTS)[6:]


@pytest.fixture(scope="module", params=KINDS)
def crashed(request, databases, tmp_path_factory):
    """A place where eight processes died, one at each point, and how each of them ended."""
    place = place_of(request.param, databases, tmp_path_factory.mktemp("crashes"))
    ledger = place.open()
    opened(ledger, TABLE, epsilon=2.0)
    ledger.close()
    assert apart(ended, place.url, place.marker, tuple(POINTS)) == [signal.SIGKILL] * len(POINTS)
    ledger = place.open()
    account = again(place)
    entries = {entry.request_id: entry for entry in account.charges()}
    return ledger, account, entries, (ledger.head, account.spent)


def test_all_that_was_committed_is_there_and_nothing_else(crashed):
    ledger, _, entries, (head, spent) = crashed
    assert tuple(entries) == CHARGED
    assert tuple(point for point, entry in entries.items() if entry.noisy is not None) == ANSWERED
    assert spent == Guarantee(epsilon=round(len(CHARGED) * EACH, 9))
    assert entries[ANSWERED[-1]].head == head
    ledger.verify()


@pytest.mark.parametrize("point", POINTS)
def test_the_request_is_answered_once_at_one_charge(crashed, point):
    ledger, account, entries, _ = crashed
    before = account.exact_spent().epsilon
    answer = release(asking(EACH), TABLE, account, request_id=point)
    again = release(asking(EACH), TABLE, account, request_id=point)
    assert again == answer
    if point in ANSWERED:
        assert answer.noisy == entries[point].noisy
    assert account.exact_spent().epsilon - before in ((0,) if point in CHARGED else (0, 10**8))
    assert [entry.request_id for entry in account.charges()].count(point) == 1
    ledger.verify()
