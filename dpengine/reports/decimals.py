"""Amounts of budget as the decimals that they exactly are."""

from __future__ import annotations

from decimal import Decimal

from dpengine.ledger import Amounts
from dpengine.privacy.amounts import ATTO, NANO

_UNITS = {"epsilon": NANO, "delta": ATTO, "rho": NANO}
NAMES = tuple(_UNITS)
_BEYOND = Decimal(10) ** 30


def decimals(amounts: Amounts) -> dict[str, Decimal]:
    """Epsilon, delta and rho, by name.

    >>> decimals(Amounts(epsilon=300_000_000, delta=10**12))["epsilon"]
    Decimal('0.3')
    """
    return {name: _decimal(getattr(amounts, name), units) for name, units in _UNITS.items()}


def amounts_of(texts: dict[str, str]) -> Amounts:
    """The amounts back from their decimals as text; raises ValueError for what is no such amount."""
    return Amounts(**{name: _whole(Decimal(texts[name]) * units) for name, units in _UNITS.items()})


def _decimal(amount: int, units: int) -> Decimal:
    exact = Decimal(f"{amount}e-{len(str(units)) - 1}")
    return Decimal(f"{exact.normalize():f}")


def _whole(amount: Decimal) -> int:
    if not amount.is_finite() or not 0 <= amount < _BEYOND or amount != int(amount):
        raise ValueError(amount)
    return int(amount)
