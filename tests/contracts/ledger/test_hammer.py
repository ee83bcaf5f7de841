"""Many processes, two of them at each request, killed at random: sums to the last billionth, and one answer each.

A lock that is left out shows within a few requests; under -m slow there are many times as many, and a hundred kills.
"""

from collections import Counter
from fractions import Fraction

import pytest

from dpengine.ledger.storage import chain, high_water
from tests.contracts.ledger.conftest import apart, place_of
from tests.contracts.ledger.hammering import EACH, hammer
from tests.contracts.ledger.laws import unmarked
from tests.examples.ledgers import opened, people


def hammered(place, folder, *, workers, requests, kills, seed, budget):
    """What the workers were told, once all of them are done, and that the mark is as high as the ledger."""
    ledger = place.open()
    account = opened(ledger, people(), epsilon=budget)
    ledger.close()
    killed, failed = apart(hammer, place.url, place.marker, folder, workers, requests, kills, seed)
    assert killed == kills
    assert not failed
    with high_water.opened(place.marker) as mark, unmarked(place).store.reading() as connection:
        assert mark.link == chain.newest(connection)
    told = [line.split() for path in folder.glob("told *") for line in path.read_text().splitlines()]
    return account, told


def check(place, account, told, *, requests):
    charges = place.asked("SELECT account, request_id, epsilon FROM charges")
    assert {one[0] for one in charges} == {account.id}
    assert set(Counter(one[1] for one in charges).values()) == {1}
    spent = sum((Fraction(one[2], 10**9) for one in charges), Fraction(0))
    granted = Fraction(account.terms.granted.epsilon, 10**9)
    assert spent == granted
    kept = {entry.request_id: str(entry.noisy[0][0]) for entry in account.charges() if entry.noisy is not None}
    answered = {name: value for name, value in told if value != "None"}
    assert {(name, value) for name, value in told if value != "None"} == set(answered.items())
    assert answered.items() <= kept.items()
    assert len({name for name, _ in told}) == requests
    assert {name for name, value in told if value == "None"}
    place.open().verify()


@pytest.mark.parametrize(
    "kind, workers, requests, kills",
    [
        pytest.param("sqlite", 6, 20, 4, id="sqlite"),
        pytest.param("postgresql", 4, 16, 3, id="postgresql"),
        pytest.param("sqlite", 8, 1000, 100, id="sqlite for longer", marks=pytest.mark.slow),
        pytest.param("postgresql", 8, 500, 60, id="postgresql for longer", marks=pytest.mark.slow),
    ],
)
def test_nothing_is_overspent_lost_or_drawn_twice(databases, tmp_path, kind, workers, requests, kills):
    place = place_of(kind, databases, tmp_path)
    different = workers // 2 * requests
    budget = round(different * 3 // 4 * EACH, 9)
    account, told = hammered(
        place, tmp_path, workers=workers, requests=requests, kills=kills, seed=20261122, budget=budget
    )
    check(place, account, told, requests=different)
