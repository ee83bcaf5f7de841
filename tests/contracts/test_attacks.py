"""What every attack owes: a seed decides, nothing protected loses, epsilon protects, and no bound is beaten."""

from __future__ import annotations

from functools import cache

import pytest

from dpengine.attacks import Outcome
from dpengine.errors import InvalidParameterError
from pages.lesson.lesson import ATTACKS
from tests.contracts.attack_examples import EXAMPLES, Ran
from tests.running.cases import each

SEED, OTHER = 11, 12
SURE = 1 - 1e-6


every_attack = each("name", EXAMPLES)


@cache
def ran(name: str, epsilon: float | None, seed: int = SEED) -> Ran:
    return EXAMPLES[name].run(epsilon, seed)


def test_every_attack_of_the_menu_has_an_example() -> None:
    missing = set(ATTACKS) - {example.page for example in EXAMPLES.values()}
    assert not missing, f"Add a line to EXAMPLES in tests/contracts/attack_examples.py for {sorted(missing)}."


@every_attack
def test_the_seed_decides(name: str) -> None:
    again = EXAMPLES[name].run(1.0, SEED)
    assert again == ran(name, 1.0)
    assert again.seen != ran(name, 1.0, OTHER).seen


@every_attack
def test_a_release_without_protection_is_beaten(name: str) -> None:
    outcome = ran(name, None).outcome
    assert outcome.beats_chance(SURE)
    assert outcome.bound == 1.0


@every_attack
def test_a_tiny_epsilon_leaves_it_to_chance(name: str) -> None:
    outcome = ran(name, EXAMPLES[name].tiny).outcome
    assert not outcome.beats_chance(0.999)
    assert outcome.bound - outcome.baseline < 0.05


@every_attack
@each("epsilon", [0.1, 1.0, 3.0])
def test_no_success_beats_its_bound(name: str, epsilon: float) -> None:
    outcome = ran(name, epsilon).outcome
    assert outcome.keeps_bound(SURE)
    assert outcome.baseline <= outcome.bound <= 1.0


@every_attack
def test_more_epsilon_never_lowers_the_bound(name: str) -> None:
    bounds = [ran(name, epsilon).outcome.bound for epsilon in (0.1, 1.0, 3.0)]
    assert bounds == sorted(bounds)


@every_attack
@each("epsilon", [None, 1.0])
def test_an_outcome_agrees_with_itself(name: str, epsilon: float | None) -> None:
    outcome = ran(name, epsilon).outcome
    assert 0 <= outcome.successes <= outcome.trials
    assert outcome.rate == outcome.successes / outcome.trials
    narrow, wide = outcome.interval(0.5), outcome.interval(0.999)
    assert 0.0 <= wide[0] <= narrow[0] <= outcome.rate <= narrow[1] <= wide[1] <= 1.0


def test_an_attack_that_ignores_its_bound_would_be_seen() -> None:
    """The wins against nothing, claimed against what keeps epsilon 1."""
    won = ran("guessing, Laplace", None).outcome
    claimed = Outcome(successes=won.successes, trials=won.trials, baseline=0.5, bound=0.7311)
    assert not claimed.keeps_bound(SURE)


@every_attack
def test_a_seed_that_is_none_gets_a_sentence(name: str) -> None:
    with pytest.raises(InvalidParameterError, match="seed must be"):
        EXAMPLES[name].run(1.0, -1)
