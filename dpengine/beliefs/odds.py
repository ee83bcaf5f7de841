"""One attacker's guess in numbers that people understand: advantage, and odds out of a hundred."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import expit

from dpengine.losses import delta_of, equal_error_rate
from dpengine.privacy import ApproximateEvent, Event, Guarantee, require_guarantee


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """Out of 100 such situations, how often an attacker says "their data was used": without it, and with it.

    At the point where false alarms and misses are equally frequent, so the two add up to 100. Not rounded.
    """

    without_data: float
    with_data: float

    @property
    def nearest(self) -> tuple[int, int]:
        """Whole numbers for "about": 27 vs 73."""
        low = round(self.without_data)
        return low, 100 - low

    @property
    def at_most(self) -> tuple[int, int]:
        """Whole numbers for "at most": rounded away from privacy, never understating what the attacker learns."""
        low = math.floor(self.without_data)
        return low, 100 - low


def advantage(guarantee: Guarantee) -> float:
    """Best (true positive - false positive) rate against anything that keeps the guarantee; at most 1.

    tanh(epsilon / 2) + 2 delta / (e^epsilon + 1). Source: Kairouz, Oh, Viswanath 2015, section 2 (hypothesis testing).
    """
    require_guarantee("guarantee", guarantee)
    return min(1.0, math.tanh(guarantee.epsilon / 2.0) + 2.0 * guarantee.delta * float(expit(-guarantee.epsilon)))


def advantage_of(event: Event) -> float:
    """The same for a named mechanism: its total variation distance, delta at epsilon 0."""
    return delta_of(event, epsilon=0.0)


def odds_out_of_100(guarantee: Guarantee) -> Odds:
    """The worst odds over all mechanisms that keep the guarantee; a named mechanism has its own, see odds_of.

    Source: Nanayakkara, Smart, Cummings, Kaptchuk, Redmiles 2023.
    """
    require_guarantee("guarantee", guarantee)
    return odds_of(ApproximateEvent(epsilon=guarantee.epsilon, delta=guarantee.delta))


def odds_of(event: Event) -> Odds:
    """The odds for one run of a named mechanism. Raises UnsupportedEventError for a law that is not known."""
    rate = equal_error_rate(event)
    return Odds(without_data=100.0 * rate, with_data=100.0 * (1.0 - rate))
