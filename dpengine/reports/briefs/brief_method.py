"""How the numbers of a brief were found, in short paragraphs for a reader who has to defend them."""

from __future__ import annotations

from dpengine.accuracy import VarianceError
from dpengine.plan.amounts import RULE_NAMES
from dpengine.reports.briefs.brief_input import Explored
from dpengine.reports.labels.label import RULES

_RELEASE = (
    "A release would count exactly, in whole steps of a public grid, add exact discrete noise from the OpenDP library, "
    "and charge a ledger before any row is read."
)
_EXACT = "Errors were worked out from the exact law of the noise that would be released; no answer was drawn for this."
_SIMULATED = "Errors were found by simulating the noise that would be released, because no formula is known for them."
_BELIEFS = (
    "Beliefs follow Bayes' rule with the largest weight that epsilon allows one answer; odds are those of the best "
    "test there is that errs as often one way as the other. Both are worst cases, rounded away from privacy: they hold "
    "whatever the attacker knows and computes."
)
_SYMBOLS = (
    "Epsilon (ε) bounds how much more likely one person's data can make any answer: at most e to the power of epsilon "
    "times as likely. Delta (δ) is how much more often than epsilon allows anything may happen."
)
_AGAIN = (
    "The same plan can be kept as a Python script and as a notebook. Both find the same noise twice: with dpengine, "
    "and with OpenDP alone."
)


def method(explored: Explored) -> tuple[str, ...]:
    """One paragraph for each thing that a careful reader asks."""
    simulated = isinstance(explored.law(explored.planned, explored.place), VarianceError)
    adds_up = (
        f"Several answers about the same people add up: under the {RULE_NAMES[explored.plan.rule]} rule, "
        f"{RULES[explored.plan.rule]}. Settings that are chosen after seeing exact values are not covered by it."
    )
    return (f"{_RELEASE} {_SIMULATED if simulated else _EXACT}", _BELIEFS, _SYMBOLS, adds_up, _AGAIN)
