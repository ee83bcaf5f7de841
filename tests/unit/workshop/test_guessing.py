"""The room's game: everybody's own rounds, all wins together, nothing of a round before it is guessed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpengine.beliefs import best_success
from dpengine.data import sample_schema
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery
from dpengine.scenario import Scenario
from dpengine.workshop import Participant, Saying, Setting, guessing
from tests.examples.rooms import room_of
from tests.running.cases import each

SCHEMA = sample_schema("patients")
PLAN = Scenario(
    table_name="patients",
    schema=SCHEMA,
    neighbors=Neighbors.ADD_REMOVE,
    budget=Guarantee(epsilon=3.0),
    queries=(PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.1)),),
)
ROOM = room_of(Setting(title="A room", plan=PLAN))
ROBIN, WREN = (Participant(id=number, room=1, name=name) for number, name in ((1, "Robin"), (2, "Wren")))
MUCH, SOME, HARDLY_ANY = range(len(guessing.EPSILONS))


def best_guesses(whom: Participant, count: int, place: int = SOME) -> list[Saying]:
    """What the best attacker says of somebody's first rounds at one of the epsilons."""
    play, first = guessing.game(ROOM, whom, (), place), place * guessing.MOST_GUESSES
    numbers = range(first, first + count)
    said = [1.0 if play.round(number).best_guess else -1.0 for number in numbers]
    return [Saying(participant=whom.id, number=n, value=one) for n, one in zip(numbers, said, strict=True)]


def test_everybody_has_rounds_of_their_own_and_the_same_after_a_restart() -> None:
    robin, wren = (guessing.game(ROOM, whom, (), MUCH) for whom in (ROBIN, WREN))
    assert [robin.round(n) for n in range(20)] != [wren.round(n) for n in range(20)]
    assert robin == guessing.game(ROOM, ROBIN, (), MUCH)
    assert guessing.game(replace(ROOM, screen="other"), ROBIN, (), MUCH).seed != robin.seed


def test_the_next_round_follows_ones_own_guesses_at_this_epsilon() -> None:
    said = [*best_guesses(ROBIN, 3), *best_guesses(WREN, 7), *best_guesses(ROBIN, 5, MUCH)]
    following = guessing.next_round(guessing.game(ROOM, ROBIN, said, SOME), SOME)
    assert following is not None
    assert following.number == guessing.MOST_GUESSES + 3
    assert guessing.own_score(guessing.game(ROOM, WREN, said, SOME)).rounds == 7
    everything = best_guesses(ROBIN, guessing.MOST_GUESSES, MUCH)
    assert guessing.next_round(guessing.game(ROOM, ROBIN, everything, MUCH), MUCH) is None


@each("place", [MUCH, SOME, HARDLY_ANY])
def test_all_wins_count_together_and_the_best_stay_near_the_bound(place: int) -> None:
    bound = best_success(Guarantee(epsilon=guessing.EPSILONS[place]), prior=0.5)
    everybody = [Participant(id=number, room=1, name=str(number)) for number in range(20)]
    wins = guessing.wins(ROOM, [one for whom in everybody for one in best_guesses(whom, 100, place)], place)
    assert len(wins.won) == wins.score.rounds == 2000
    assert wins.players == 20
    assert wins.outcome is not None
    assert wins.outcome.bound == pytest.approx(bound)
    assert wins.outcome.rate == wins.score.wins / 2000 == pytest.approx(sum(wins.won) / 2000)
    assert bound - 0.06 < wins.outcome.rate < bound + 0.04
    lower, upper = wins.outcome.interval(0.9999)
    assert lower <= bound <= upper + 0.06


def test_the_longest_streak_is_one_persons_own_and_so_is_its_chance() -> None:
    """By hand: of 4 and 3 coins, somebody has 3 in a row with 1 - (1 - 3/16) (1 - 1/8)."""
    right = [
        replace(one, value=1.0 if guessing.game(ROOM, whom, (), SOME).round(one.number).present else -1.0)
        for whom, count in ((ROBIN, 4), (WREN, 3))
        for one in best_guesses(whom, count)
    ]
    wrong = replace(right[2], value=-right[2].value)
    wins = guessing.wins(ROOM, [*right[:2], wrong, *right[3:]], SOME)
    assert wins.won == (True, True, False, True, True, True, True)
    assert (wins.score.longest, wins.rounds) == (3, (4, 3))
    assert wins.chance_of_longest(0.5) == pytest.approx(1 - (1 - 3 / 16) * (1 - 1 / 8))


def test_nobody_has_guessed() -> None:
    wins = guessing.wins(ROOM, (), SOME)
    assert (wins.won, wins.players, wins.outcome) == ((), 0, None)


def test_guesses_of_another_epsilon_are_not_measured_by_this_ones_bound() -> None:
    said = [*best_guesses(ROBIN, 30), *best_guesses(WREN, 5, HARDLY_ANY)]
    assert [guessing.wins(ROOM, said, place).score.rounds for place in (MUCH, SOME, HARDLY_ANY)] == [0, 30, 5]


def test_a_room_that_has_chosen_an_epsilon_since_plays_at_the_same_ones() -> None:
    said = best_guesses(ROBIN, 5)
    assert guessing.wins(replace(ROOM, epsilon=0.2), said, SOME) == guessing.wins(ROOM, said, SOME)
