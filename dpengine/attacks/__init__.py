"""What goes wrong without protection: one file per attack, one result; never through a ledger, never a release.

An attack is seeded and runs on numpy noise: it shows what an attacker could do, and nothing that it draws may leave.
"""

from dpengine.attacks.guessing import (
    GuessingRules,
    SimulatedGame,
    guessing,
    hits_and_false_alarms,
    least_telling_answer,
    threshold_rates,
)
from dpengine.attacks.guessing_crowd import Crowd, crowd_success, guessing_in_a_crowd
from dpengine.attacks.guessing_game import BEST_ATTACKER, Game, Guess, Round, Score
from dpengine.attacks.outcome import Outcome
from dpengine.attacks.watch import UNWATCHED, Watch

__all__ = [
    "BEST_ATTACKER",
    "UNWATCHED",
    "Crowd",
    "Game",
    "Guess",
    "GuessingRules",
    "Outcome",
    "Round",
    "Score",
    "SimulatedGame",
    "Watch",
    "crowd_success",
    "guessing",
    "guessing_in_a_crowd",
    "hits_and_false_alarms",
    "least_telling_answer",
    "threshold_rates",
]
