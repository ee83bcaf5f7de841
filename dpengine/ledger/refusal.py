"""The sentence of a refusal: what was asked, what is left, and whether the other rule would have had room."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dpengine.errors import BudgetExceededError
from dpengine.ledger.amounts import COUNTED, RULE_NAMES, Amounts, Charge
from dpengine.losses import concentrated_epsilon
from dpengine.privacy.amounts import ATTO, NANO

_STEPS = 10_000
"""Of one epsilon, to which a rho is converted: to be read, never to be charged."""
_NO_DELTA = (
    "The budget has no delta, and Gaussian noise cannot do without one: choose Laplace noise for this question, "
    "or plan a delta before an account is opened."
)


def refusal(asked: Amounts, *, spent: Amounts, granted: Amounts, rule: str) -> BudgetExceededError:
    """The error for a charge that does not fit; it depends on nothing but the ledger and the plan."""
    remaining = spent.left_of(granted)
    wanted = f"This question asks for {asked.in_words(rule)}{_in_epsilon(asked, granted, rule, math.ceil)}"
    whole = f"the budget of {_stated(granted, rule)} under the {RULE_NAMES[rule]} rule"
    left = f"{_left(remaining, asked, granted, rule)} is left of {whole}"
    advice = _NO_DELTA if asked.delta and not granted.delta else _elsewhere(spent + asked, granted, rule)
    sentence = f"{wanted}, but {left}; no row was read. {advice}"
    return BudgetExceededError(asked=asked.under(rule), remaining=remaining.under(rule), sentence=sentence)


def _left(remaining: Amounts, asked: Amounts, granted: Amounts, rule: str) -> str:
    """A delta that was not asked for is no reason, and is left out."""
    told = remaining if asked.delta else replace(remaining, delta=0)
    if not any(getattr(told, name) for name in COUNTED[rule]):
        return "nothing"
    none_of_it = ", delta 0" if asked.delta and rule == "basic" and not told.delta else ""
    return f"only {told.in_words(rule)}{none_of_it}{_in_epsilon(told, granted, rule, math.floor)}"


def _stated(granted: Amounts, rule: str) -> str:
    """A budget as it is counted, and as somebody set it."""
    return granted.in_words(rule) + (f" ({granted.in_words('basic')})" if rule == "concentrated" else "")


def _in_epsilon(amounts: Amounts, granted: Amounts, rule: str, rounded: Callable[[float], int]) -> str:
    """The budget in epsilon that a rho takes up, at the account's delta; one that is whole reads as it was set."""
    if rule == "basic":
        return ""
    epsilon = granted.epsilon
    if amounts.rho != granted.rho:
        rho = np.asarray(Charge(rule=rule, amounts=amounts).rho)
        converted = float(concentrated_epsilon(rho, granted.delta / ATTO))
        if not math.isfinite(converted):
            return ""
        epsilon = rounded(converted * _STEPS) * (NANO // _STEPS)
    return f" (all of a budget of {replace(granted, epsilon=epsilon).in_words('basic')})"


def _elsewhere(total: Amounts, granted: Amounts, rule: str) -> str:
    other = "concentrated" if rule == "basic" else "basic"
    if other == "concentrated" and not granted.rho:
        return "The concentrated rule needs a budget with a delta above 0, so it could not have helped."
    if total.within(granted, other):
        return f"An account opened with the same budget under the {RULE_NAMES[other]} rule would have had room for it."
    return f"The {RULE_NAMES[other]} rule would have had no room for it either."
