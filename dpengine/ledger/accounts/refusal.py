"""The sentence of a refusal: what was asked, what is left, and whether the other rule would have had room."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context

from dpengine.errors import BudgetExceededError
from dpengine.ledger.storage.amounts import COUNTED, RULE_NAMES, Amounts
from dpengine.privacy.amounts import NANO

_DIGITS = 4
"""Of a rho that is read: what is asked for rounded up, what is left down, so that they never read alike."""
_NO_DELTA = (
    "The budget has no delta, but Gaussian noise needs one: choose Laplace noise for this question, "
    "or plan a delta before an account is opened."
)


def refusal(asked: Amounts, *, spent: Amounts, granted: Amounts, rule: str) -> BudgetExceededError:
    """The error for a charge that does not fit; it depends on nothing but the ledger and the plan."""
    remaining = spent.left_of(granted)
    wanted = f"This question asks for {_read(asked, rule, ROUND_CEILING)}"
    whole = f"the budget of {_stated(granted, rule)} under the {RULE_NAMES[rule]} rule"
    left = f"{_left(remaining, asked, granted, rule)} is left of {whole}"
    advice = _NO_DELTA if asked.delta and not granted.delta else _elsewhere(spent + asked, granted, rule)
    sentence = f"{wanted}, but {left}; no row was read and nothing was charged. {advice}"
    return BudgetExceededError(asked=asked.under(rule), remaining=remaining.under(rule), sentence=sentence)


def _left(remaining: Amounts, asked: Amounts, granted: Amounts, rule: str) -> str:
    """A delta that was not asked for is no reason, and is left out."""
    told = remaining if asked.delta else replace(remaining, delta=0)
    if not any(getattr(told, name) for name in COUNTED[rule]):
        return "nothing"
    none_of_it = ", delta 0" if asked.delta and rule == "basic" and not told.delta else ""
    return f"only {_read(told, rule, ROUND_FLOOR)}{none_of_it}"


def _stated(granted: Amounts, rule: str) -> str:
    """A budget as it is counted, and as somebody set it."""
    return _read(granted, rule, ROUND_FLOOR) + (f" ({granted.in_words('basic')})" if rule == "concentrated" else "")


def _read(amounts: Amounts, rule: str, rounding: str) -> str:
    """What a rule counts, rho in few digits; an epsilon stands as it was typed."""
    if rule == "basic":
        return amounts.in_words(rule)
    rho = Context(prec=_DIGITS, rounding=rounding).divide(amounts.rho, NANO)
    return f"rho {rho.normalize():f}"


def _elsewhere(total: Amounts, granted: Amounts, rule: str) -> str:
    other = "concentrated" if rule == "basic" else "basic"
    if other == "concentrated" and not granted.rho:
        return "The concentrated rule needs a budget with a delta above 0, so it would not have helped."
    if total.within(granted, other):
        return f"An account opened with the same budget under the {RULE_NAMES[other]} rule would have had room for it."
    return f"The {RULE_NAMES[other]} rule would have had no room for it either."
