"""How the numbers of a brief were found, in short paragraphs for a reader who has to defend them."""

from __future__ import annotations

from dpengine.accuracy import VarianceError
from dpengine.plan.amounts import RULE_NAMES
from dpengine.reports.briefs.brief_input import Explored
from dpengine.reports.labels.label import RULES

_RELEASE = (
    "A release would first charge a ledger, then count exactly, in whole steps of a public grid, and add exact "
    "discrete noise from the OpenDP library."
)
_EXACT = "Errors were computed from the exact distribution of the noise; no answer was drawn."
_SIMULATED = "Errors were found by simulating the noise, because no formula is known for them."
_BELIEFS = (
    "Beliefs follow Bayes' rule with the largest weight that epsilon allows one answer. The limit for any "
    "attacker is (e to the power of epsilon + delta) / (1 + e to the power of epsilon). Both are worst cases, rounded "
    "away from privacy: they hold whatever the attacker knows and computes."
)
_SYMBOLS = (
    "Epsilon (ε) bounds how much more likely one person's data can make any answer: at most e to the power of epsilon "
    "times as likely. Delta (δ) comes on top: any event may be more likely than epsilon allows by up to this much."
)
_AGAIN = (
    "The same plan can be saved as a Python script or a notebook. Both compute its noise twice: with dpengine, "
    "and with OpenDP alone."
)


def method(explored: Explored) -> tuple[str, ...]:
    """One paragraph for each thing that a careful reader asks."""
    simulated = isinstance(explored.law(explored.planned, explored.place), VarianceError)
    adds_up = (
        f"Several answers about the same people add up: under the {RULE_NAMES[explored.plan.rule]} rule, "
        f"{RULES[explored.plan.rule]}. This does not cover settings chosen after seeing exact values."
    )
    return (f"{_RELEASE} {_SIMULATED if simulated else _EXACT}", _BELIEFS, _SYMBOLS, adds_up, _AGAIN)
