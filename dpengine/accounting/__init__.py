"""How losses add up: one file per accountant, one protocol, one dispatch by name."""

from dpengine.accounting.advanced_2010 import composed_delta
from dpengine.accounting.composition import ACCOUNTANTS, consumption, epsilon, epsilon_curve, repeated
from dpengine.accounting.concentrated import rho_of
from dpengine.accounting.drawn import drawn_consumption, drawn_curve, drawn_repeated
from dpengine.accounting.fitting import (
    BILLIONTH,
    MOST_REPETITIONS,
    affordable,
    drawn_to_budget,
    first_beyond,
    first_refused,
    last_within,
)
from dpengine.accounting.groups import events_for_group, for_group, loose_group_guarantee
from dpengine.accounting.parallel import ParallelPart, parallel_guarantee
from dpengine.accounting.protocol import Accountant
from dpengine.accounting.repetition import Repetition
from dpengine.accounting.validity import (
    Crossover,
    Validity,
    crossover,
    textbook_validity,
    textbook_validity_curve,
    textbook_validity_of_steps,
)
from dpengine.losses import rho_from_guarantee

__all__ = [
    "ACCOUNTANTS",
    "BILLIONTH",
    "MOST_REPETITIONS",
    "Accountant",
    "Crossover",
    "ParallelPart",
    "Repetition",
    "Validity",
    "affordable",
    "composed_delta",
    "consumption",
    "crossover",
    "drawn_consumption",
    "drawn_curve",
    "drawn_repeated",
    "drawn_to_budget",
    "epsilon",
    "epsilon_curve",
    "events_for_group",
    "first_beyond",
    "first_refused",
    "for_group",
    "last_within",
    "loose_group_guarantee",
    "parallel_guarantee",
    "repeated",
    "rho_from_guarantee",
    "rho_of",
    "textbook_validity",
    "textbook_validity_curve",
    "textbook_validity_of_steps",
]
