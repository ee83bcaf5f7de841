"""What an epsilon means: the same number as a ratio, as its small-number rule, and as odds."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpengine.beliefs.odds import Odds, odds_out_of_100
from dpengine.errors import require_between
from dpengine.privacy import Guarantee

_LARGEST_EPSILON = 700.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EpsilonMeaning:
    """How an epsilon reads in other words; the worst case over all mechanisms that keep it. At most 700."""

    epsilon: float

    def __post_init__(self) -> None:
        require_between("epsilon", self.epsilon, 0.0, _LARGEST_EPSILON)

    @property
    def ratio(self) -> float:
        """e^epsilon: how many times as likely an answer may be."""
        return math.exp(self.epsilon)

    @property
    def small_number_rule(self) -> float:
        """1 + epsilon: near the ratio where epsilon is small, and always below it."""
        return 1.0 + self.epsilon

    @property
    def odds(self) -> Odds:
        """Of 100 answers, how many may point at the person: without them, and with them."""
        return odds_out_of_100(Guarantee(epsilon=self.epsilon))
