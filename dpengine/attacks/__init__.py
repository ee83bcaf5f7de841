"""What goes wrong without protection: one file per attack, one result; never through a ledger, never a release.

An attack is seeded and runs on numpy noise: it shows what an attacker could do, and nothing that it draws may leave.
"""

from dpengine.attacks.auditing import Denial, Evasion, Question, denial, grid, pair, tracker
from dpengine.attacks.averaging import (
    AveragingBill,
    AveragingRules,
    AveragingRun,
    answers_needed,
    averaged,
    error_until_refused,
    measured_errors,
)
from dpengine.attacks.differencing import (
    Differenced,
    DifferencingRules,
    TwoCounts,
    differenced,
    noisy_counts,
    two_counts,
)
from dpengine.attacks.guessing import (
    GuessingRules,
    SimulatedGame,
    best_attacker_plays,
    hits_and_false_alarms,
    least_telling_answer,
    threshold_rates,
)
from dpengine.attacks.guessing_crowd import Crowd, crowd_success, realistic_attacker_plays
from dpengine.attacks.guessing_game import BEST_ATTACKER, Game, GuessMade, Round, Score
from dpengine.attacks.k_anonymity.anonymity import AnonymityTarget, Anonymized, Ask, anonymized
from dpengine.attacks.k_anonymity.governor import GOVERNOR, insurance_records, town_voters
from dpengine.attacks.k_anonymity.hierarchies import Hierarchy, hierarchies
from dpengine.attacks.k_anonymity.homogeneity import (
    Exposed,
    PublishedCrowd,
    Sharpest,
    exposed,
    guessed,
    people_by_values,
    published_crowds,
    sharpest,
)
from dpengine.attacks.k_anonymity.linkage import Linked, linked, narrowed
from dpengine.attacks.k_anonymity.local_recoding import LocallyRecoded, locally_recoded
from dpengine.attacks.k_anonymity.recoding import Cuts, Recoding, coarsened
from dpengine.attacks.k_anonymity.rows_at_hand import RowsAtHand, values_in
from dpengine.attacks.k_anonymity.uniqueness import FEW, MOST_CHOSEN, Uniqueness, uniqueness
from dpengine.attacks.k_anonymity.voters import hospital_table, voter_list
from dpengine.attacks.outcome import Outcome
from dpengine.attacks.published_counts import TwoValues, told_apart
from dpengine.attacks.watch import UNWATCHED, Watch

__all__ = [
    "BEST_ATTACKER",
    "FEW",
    "GOVERNOR",
    "MOST_CHOSEN",
    "UNWATCHED",
    "AnonymityTarget",
    "Anonymized",
    "Ask",
    "AveragingBill",
    "AveragingRules",
    "AveragingRun",
    "Crowd",
    "Cuts",
    "Denial",
    "Differenced",
    "DifferencingRules",
    "Evasion",
    "Exposed",
    "Game",
    "GuessMade",
    "GuessingRules",
    "Hierarchy",
    "Linked",
    "LocallyRecoded",
    "Outcome",
    "PublishedCrowd",
    "Question",
    "Recoding",
    "Round",
    "RowsAtHand",
    "Score",
    "Sharpest",
    "SimulatedGame",
    "TwoCounts",
    "TwoValues",
    "Uniqueness",
    "Watch",
    "anonymized",
    "answers_needed",
    "averaged",
    "best_attacker_plays",
    "coarsened",
    "crowd_success",
    "denial",
    "differenced",
    "error_until_refused",
    "exposed",
    "grid",
    "guessed",
    "hierarchies",
    "hits_and_false_alarms",
    "hospital_table",
    "insurance_records",
    "least_telling_answer",
    "linked",
    "locally_recoded",
    "measured_errors",
    "narrowed",
    "noisy_counts",
    "pair",
    "people_by_values",
    "published_crowds",
    "realistic_attacker_plays",
    "sharpest",
    "threshold_rates",
    "told_apart",
    "town_voters",
    "tracker",
    "two_counts",
    "uniqueness",
    "values_in",
    "voter_list",
]
