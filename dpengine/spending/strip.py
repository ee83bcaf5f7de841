"""One bar: what is spent, what this question takes, what stays; in the amounts that an account's rule counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dpengine.plan.amounts import COUNTED, Amounts
from dpengine.privacy.amounts import ATTO, NANO
from dpengine.spending.offers import Balance

_UNITS = {"epsilon": NANO, "delta": ATTO, "rho": NANO}


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """Amounts for reading, of "epsilon", "delta" or "rho"; `asked` may be more than is left."""

    quantity: str
    spent: float
    asked: float
    granted: float

    @property
    def left(self) -> float:
        """What stays once the question is answered; never below 0."""
        return max(self.granted - self.spent - self.asked, 0.0)

    @property
    def percents(self) -> tuple[float, float, float]:
        """Spent, asked and left as parts of 100; what does not fit is cut at the end of the bar."""
        spent = min(100.0 * self.spent / self.granted, 100.0)
        asked = min(100.0 * self.asked / self.granted, 100.0 - spent)
        return spent, asked, 100.0 - spent - asked


def strips(balance: Balance, charge: Amounts) -> Iterator[Strip]:
    """A bar for each amount that the rule counts; none for a delta that is not used."""
    for name in COUNTED[balance.rule]:
        spent, asked, granted = (getattr(one, name) for one in (balance.spent, charge, balance.granted))
        if granted and (name != "delta" or spent or asked):
            unit = _UNITS[name]
            yield Strip(quantity=name, spent=spent / unit, asked=asked / unit, granted=granted / unit)
