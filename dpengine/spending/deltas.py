"""Where delta goes: what the questions' own noise takes of it, and what the theorem that adds them up takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpengine.accounting import ACCOUNTANTS
from dpengine.accounting.shares import SLIDING_PART, slides
from dpengine.plan.amounts import Amounts
from dpengine.privacy import Event, Guarantee
from dpengine.privacy.amounts import ATTO, NANO
from dpengine.privacy.rounding import rounded_up


@dataclass(frozen=True, slots=True, kw_only=True)
class DeltaUse:
    """How much of a budget's delta goes to the questions' own noise, and how much to the theorem that adds them up."""

    questions: float
    theorem: float


def delta_use(accountant: str, *, charges: Sequence[Amounts], events: Iterable[Event], delta: float) -> DeltaUse:
    """What an accountant does with a budget's delta; under "basic" the questions may ask for more than there is."""
    own = sum(charge.delta for charge in charges) / ATTO
    goes = ACCOUNTANTS[accountant].delta_goes
    if goes == "questions":
        return DeltaUse(questions=own, theorem=0.0)
    if goes == "once" or not any(map(slides, events)):
        return DeltaUse(questions=0.0, theorem=delta)
    return DeltaUse(questions=SLIDING_PART * delta, theorem=(1.0 - SLIDING_PART) * delta)


def promised_to_group(charges: Iterable[Amounts], size: int) -> Guarantee:
    """What the charges promise so many people together, each question by the generic theorem, and then added up.

    Epsilon is a whole number of billionths; delta is never below the truth.
    Source: Dwork and Roth 2014, Theorems 2.2 and 3.16, with the geometric sum kept exact.
    """
    each = Counter(charges)
    epsilon = size * sum(charge.epsilon * runs for charge, runs in each.items())
    delta = sum((Fraction(_group_delta(charge, size)) * runs for charge, runs in each.items()), Fraction())
    return Guarantee(epsilon=epsilon / NANO, delta=min(rounded_up(delta), 1.0))


def _group_delta(charge: Amounts, size: int) -> float:
    if not charge.delta:
        return 0.0
    epsilon, delta = rounded_up(Fraction(charge.epsilon, NANO)), rounded_up(Fraction(charge.delta, ATTO))
    return Guarantee(epsilon=epsilon, delta=delta).for_group(size).delta
