"""A list of questions by the ledger's own whole numbers: what they add up to, and which one it refuses first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from dpengine.accounting import MOST_REPETITIONS
from dpengine.errors import require_one_of
from dpengine.losses import concentrated_epsilon
from dpengine.plan.amounts import COUNTED, Amounts
from dpengine.privacy.amounts import ATTO, NANO


@dataclass(frozen=True, kw_only=True)
class Counted:
    """Charges in their order against a grant, under "basic" or "concentrated"; exactly what an account would decide."""

    rule: str
    granted: Amounts
    charges: Sequence[Amounts]

    def __post_init__(self) -> None:
        require_one_of("rule", self.rule, tuple(COUNTED))

    @cached_property
    def totals(self) -> Sequence[Amounts]:
        """Everything charged after each question."""
        return list(accumulate(self.charges))

    @cached_property
    def first_refused(self) -> int | None:
        """Place of the first question that does not fit, from 0; None if all do."""
        return next((place for place, total in enumerate(self.totals) if not self._fits(total)), None)

    def lacking(self, place: int) -> str:
        """What is not enough for the question at a place: "epsilon", "delta" or "rho"; empty where all is."""
        total = self.totals[place]
        return next((name for name in COUNTED[self.rule] if getattr(total, name) > getattr(self.granted, name)), "")

    def room_for(self, charge: Amounts) -> int:
        """How many more such questions fit after all of these, up to MOST_REPETITIONS."""
        spent = self.totals[-1] if self.totals else Amounts()
        if not self._fits(spent):
            return 0
        left = spent.left_of(self.granted)
        priced = [(getattr(left, name), getattr(charge, name)) for name in COUNTED[self.rule]]
        return int(min([MOST_REPETITIONS, *(have // price for have, price in priced if price)]))

    def readings(self, name: str) -> NDArray[np.float64]:
        """What is spent of "epsilon", "delta" or "rho" after each question, as it adds up."""
        unit = ATTO if name == "delta" else NANO
        return np.array([getattr(total, name) / unit for total in self.totals])

    def epsilons(self, delta: float) -> NDArray[np.float64]:
        """Epsilon after each question: the sum of the epsilons, or what the sum of the rhos is worth at delta.

        Never below the truth; infinite where the deltas add up to more than is granted.
        """
        if self.rule == "concentrated":
            rhos = np.array([total.rho for total in self.totals], dtype=np.float64) / NANO
            return np.where(rhos > 0.0, concentrated_epsilon(np.nextafter(rhos, np.inf), delta), 0.0)
        granted = self.granted.delta
        return np.array([total.epsilon / NANO if total.delta <= granted else np.inf for total in self.totals])

    def _fits(self, total: Amounts) -> bool:
        return total.storable and total.within(self.granted, self.rule)
