"""How losses add up: one file per accountant, one protocol, one dispatch by name."""

from dpengine.accounting.composition import (
    ACCOUNTANTS,
    BILLIONTH,
    MOST_REPETITIONS,
    affordable,
    consumption,
    epsilon,
    epsilon_curve,
    first_beyond,
    repeated,
)
from dpengine.accounting.concentrated import rho_of
from dpengine.accounting.protocol import Accountant
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
    "Validity",
    "affordable",
    "consumption",
    "crossover",
    "epsilon",
    "epsilon_curve",
    "first_beyond",
    "repeated",
    "rho_from_guarantee",
    "rho_of",
    "textbook_validity",
    "textbook_validity_curve",
    "textbook_validity_of_steps",
]
