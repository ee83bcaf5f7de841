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
from dpengine.workshop import Participant, Room, Saying, Setting, guessing
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


def best_guesses(whom: Participant, count: int, room: Room = ROOM) -> list[Saying]:
    """What the best attacker says of somebody's rounds."""
    play = guessing.game(room, whom, ())
    said = [guessing.said_of(play.rules, present=play.round(n).best_guess) for n in range(count)]
    return [Saying(participant=whom.id, number=n, value=value) for n, value in enumerate(said)]


def test_everybody_has_rounds_of_their_own_and_the_same_after_a_restart() -> None:
    robin, wren = (guessing.game(ROOM, whom, ()) for whom in (ROBIN, WREN))
    assert [robin.round(n) for n in range(20)] != [wren.round(n) for n in range(20)]
    assert robin == guessing.game(ROOM, ROBIN, ())
    assert guessing.game(replace(ROOM, screen="other"), ROBIN, ()).seed != robin.seed


def test_the_next_round_follows_ones_own_guesses() -> None:
    said = [*best_guesses(ROBIN, 3), *best_guesses(WREN, 7)]
    assert guessing.next_round(guessing.game(ROOM, ROBIN, said)).number == 3
    assert guessing.own_score(guessing.game(ROOM, WREN, said)).rounds == 7


@each("epsilon", [None, 0.1, 3.0])
def test_all_wins_count_together_and_the_best_stay_near_the_bound(epsilon: float | None) -> None:
    room = replace(ROOM, epsilon=epsilon)
    bound = best_success(Guarantee(epsilon=epsilon or guessing.EPSILON), prior=0.5)
    everybody = [Participant(id=number, room=1, name=str(number)) for number in range(20)]
    wins = guessing.wins(room, [one for whom in everybody for one in best_guesses(whom, 100, room)])
    assert len(wins.won) == wins.score.rounds == 2000
    assert wins.players == 20
    assert wins.outcome is not None
    assert wins.outcome.bound == pytest.approx(bound)
    assert wins.outcome.rate == wins.score.wins / 2000 == pytest.approx(sum(wins.won) / 2000)
    assert bound - 0.06 < wins.outcome.rate < bound + 0.04
    lower, upper = wins.outcome.interval(0.9999)
    assert lower <= bound <= upper + 0.06


def test_the_longest_row_runs_over_all_players() -> None:
    room = replace(ROOM, epsilon=20.0)
    right = [*best_guesses(ROBIN, 4, room), *best_guesses(WREN, 3, room)]
    wrong = replace(right[2], value=-right[2].value)
    wins = guessing.wins(room, [*right[:2], wrong, *right[3:]])
    assert wins.won == (True, True, False, True, True, True, True)
    assert wins.score.longest == 4


def test_nobody_has_guessed() -> None:
    wins = guessing.wins(ROOM, ())
    assert (wins.won, wins.players, wins.outcome) == ((), 0, None)


def test_guesses_of_another_epsilon_are_not_measured_by_this_ones_bound() -> None:
    """What was guessed at epsilon 1 comes back with it; a guess that names none was made at the first."""
    chosen = replace(ROOM, epsilon=0.1)
    before, after = best_guesses(ROBIN, 30), best_guesses(WREN, 5, chosen)
    assert guessing.wins(ROOM, [*before, *after]).score.rounds == 30
    assert guessing.wins(chosen, [*before, *after]).score.rounds == 5
    nameless = [Saying(participant=1, number=n, value=0.0) for n in range(10)]
    assert guessing.wins(ROOM, nameless).score.rounds == 10


def test_an_epsilon_too_small_to_play_is_played_at_the_least() -> None:
    assert guessing.rules(replace(ROOM, epsilon=1e-6)).guarantee == Guarantee(epsilon=1e-3)


def test_a_room_that_has_chosen_since_still_knows_at_which_epsilon_it_played() -> None:
    said = best_guesses(ROBIN, 5)
    moved = replace(ROOM, epsilon=0.2)
    assert guessing.wins(moved, said).outcome is None
    assert guessing.wins(guessing.played(moved, said), said) == guessing.wins(ROOM, said)
    assert guessing.played(moved, ()) == moved
