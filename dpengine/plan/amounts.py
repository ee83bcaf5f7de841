"""What is charged and granted, as whole numbers under both rules; floats never enter a sum."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from dpengine.accounting import rho_from_guarantee
from dpengine.data import Schema
from dpengine.errors import RefusedQueryError
from dpengine.mechanisms.released import kind_of
from dpengine.plan.planned import PlannedQuery
from dpengine.plan.remembered import remembered
from dpengine.privacy import ConcentratedEvent, Guarantee, Neighbors, nanos_down
from dpengine.privacy.amounts import ATTO, NANO, attos_down

LARGEST_AMOUNT = 2**63 - 1
"""What a column of the ledger holds, and what its sums must stay within."""
COUNTED: Mapping[str, tuple[str, ...]] = {"basic": ("epsilon", "delta"), "concentrated": ("rho",)}
"""Which amounts add up under each rule. Sources: Rogers, Roth, Ullman, Vadhan 2016; Feldman and Zrnic 2021."""

RULE_NAMES: Mapping[str, str] = {"basic": "naive", "concentrated": "concentrated"}
"""What people read for each rule; plans, files for programs and the ledger keep its first name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """Epsilon and rho in billionths, delta in units of 1e-18: each what one rule or the other counts."""

    epsilon: int = 0
    delta: int = 0
    rho: int = 0

    def __add__(self, other: Amounts) -> Amounts:
        return Amounts(epsilon=self.epsilon + other.epsilon, delta=self.delta + other.delta, rho=self.rho + other.rho)

    def left_of(self, granted: Amounts) -> Amounts:
        """What remains of a grant once this is spent; never below 0."""
        return Amounts(
            epsilon=max(0, granted.epsilon - self.epsilon),
            delta=max(0, granted.delta - self.delta),
            rho=max(0, granted.rho - self.rho),
        )

    def within(self, granted: Amounts, rule: str) -> bool:
        """Whether everything that the rule counts is at most what was granted."""
        return all(getattr(self, name) <= getattr(granted, name) for name in COUNTED[rule])

    @property
    def storable(self) -> bool:
        """Whether the ledger's columns hold all of it, the part that the account's rule does not count included."""
        return max(self.epsilon, self.delta, self.rho) <= LARGEST_AMOUNT

    def require_storable(self) -> None:
        """Raise RefusedQueryError where a running total would leave the ledger's columns and break its sums."""
        if not self.storable:
            raise RefusedQueryError(
                "The ledger cannot hold so large a total. With earlier charges, this question would cost "
                f"{self.in_words('basic')} or {self.in_words('concentrated')}; "
                f"the largest possible total is {_decimal(LARGEST_AMOUNT, NANO)}. Nothing was charged. "
                "Ask at a smaller epsilon."
            )

    def under(self, rule: str) -> Guarantee | ConcentratedEvent:
        """What the rule counts, for reading: a Guarantee under basic, a ConcentratedEvent under concentrated."""
        if rule == "concentrated":
            return ConcentratedEvent(rho=_reading(self.rho, NANO))
        return Guarantee(epsilon=_reading(self.epsilon, NANO), delta=self.delta / ATTO)

    def in_words(self, rule: str) -> str:
        """Exact decimals, such as "epsilon 0.3, delta 0.000001"; delta only where there is one."""
        if rule == "concentrated":
            return f"rho {_decimal(self.rho, NANO)}"
        return f"epsilon {_decimal(self.epsilon, NANO)}" + (
            f", delta {_decimal(self.delta, ATTO)}" if self.delta else ""
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """What one question costs; `rule` says which of its exact amounts its account counts."""

    rule: str
    amounts: Amounts

    @property
    def epsilon(self) -> float:
        return _reading(self.amounts.epsilon, NANO)

    @property
    def delta(self) -> float:
        return self.amounts.delta / ATTO

    @property
    def rho(self) -> float:
        return _reading(self.amounts.rho, NANO)

    @property
    def counted(self) -> Guarantee | ConcentratedEvent:
        """The part of it that the account's rule adds up."""
        return self.amounts.under(self.rule)

    def __str__(self) -> str:
        return self.amounts.in_words(self.rule)


def granted_by(budget: Guarantee) -> Amounts:
    """A budget as whole numbers, rounded down; rho is that of the rounded budget, the one that an account states.

    0 where delta is, since no rho stands for a pure budget.

    Source: Canonne, Kamath, Steinke 2020, Proposition 12 (through `rho_from_guarantee`).
    """
    rounded = Amounts(epsilon=nanos_down(budget.epsilon), delta=attos_down(budget.delta))
    if not rounded.delta:
        return rounded
    stated = Guarantee(epsilon=rounded.epsilon / NANO, delta=rounded.delta / ATTO)
    return replace(rounded, rho=nanos_down(rho_from_guarantee(stated)))


@remembered
def cost_of(planned: PlannedQuery, schema: Schema, neighbors: Neighbors) -> Amounts:
    """What a question is charged under each rule, by exact arithmetic, rounded up.

    Epsilon and delta are what its parts were given; rho is what their noise really costs: epsilon^2 / 2 of a pure
    share, epsilon^2 / 8 of a choice by the exponential mechanism, l2^2 / (2 scale^2) of Gaussian noise.
    Sources: Bun and Steinke 2016, Proposition 1.4; Cesar and Rogers 2021 (bounded range); Canonne, Kamath, Steinke
    2020, Theorem 4.
    """
    shares, deltas = planned.shares(schema, neighbors), planned.delta_shares(schema, neighbors)
    mechanisms = planned.mechanisms(schema, neighbors)
    rhos = (kind_of(mechanism).rho(mechanism, share) for mechanism, share in zip(mechanisms, shares, strict=True))
    return Amounts(
        epsilon=math.ceil(sum(shares, Fraction(0)) * NANO),
        delta=math.ceil(sum(deltas, Fraction(0)) * ATTO),
        rho=math.ceil(sum(rhos, Fraction(0)) * NANO),
    )


def _reading(amount: int, units: int) -> float:
    """For reading only: an amount beyond every float reads as the largest one."""
    return min(amount, units * int(sys.float_info.max)) / units


def _decimal(amount: int, units: int) -> str:
    text = f"{Decimal(amount) / units:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
