"""From reports back to shares: what every local mechanism for shares has in common."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from scipy.special import betainccinv, betaincinv

from dpengine.errors import InvalidParameterError, require_between, require_positive, require_whole
from dpengine.losses.arrays import Numbers, like, numbers

_LEAST_SQUARE = 1e-300


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRates:
    """How often an answer is reported: by a person who has it (`kept`), and by one who has another (`false`).

    `kept_missing` and `false_missing` are one minus these and `contrast` is kept - false, each with all its digits.
    Source: Wang, Blocki, Li, Jha 2017, section 3 (pure local protocols).
    """

    kept: float
    kept_missing: float
    false: float
    false_missing: float
    contrast: float

    def estimate(self, reported: Numbers) -> Numbers:
        """(reported share - false) / contrast; without bias, and outside [0, 1] at times.

        Raises InvalidParameterError where reports do not depend on the answers.
        """
        self._require_contrast()
        return like(reported, (numbers("reported share", reported, 0.0, 1.0) - self.false) / self.contrast)

    def variance(self, share: Numbers, people: int) -> Numbers:
        """[f kept (1 - kept) + (1 - f) false (1 - false)] / (people contrast^2): the coins alone."""
        self._require_contrast()
        require_whole("people", people)
        f = numbers("share", share, 0.0, 1.0)
        coins = f * (self.kept * self.kept_missing) + (1.0 - f) * (self.false * self.false_missing)
        return like(share, coins / people / self.contrast / self.contrast)

    def variance_with_sampling(self, share: Numbers, people: int) -> Numbers:
        """r (1 - r) / (people contrast^2) with the expected reported share r: people drawn at random, and coins."""
        self._require_contrast()
        require_whole("people", people)
        f = numbers("share", share, 0.0, 1.0)
        reported = f * self.kept + (1.0 - f) * self.false
        missing = f * self.kept_missing + (1.0 - f) * self.false_missing
        return like(share, reported * missing / people / self.contrast / self.contrast)

    def interval(self, reports: int, people: int, confidence: float) -> tuple[float, float]:
        """Clopper and Pearson's exact interval of the reported share, carried over to the true one and cut to [0, 1].

        Covers at least with this confidence when people are a random sample; no normal approximation.
        Source: Clopper and Pearson 1934.
        """
        self._require_contrast()
        require_whole("people", people)
        require_whole("reports", reports, least=0)
        require_between("reports", reports, 0, people)
        require_between("confidence", confidence, 0.0, 1.0, open_at="both")
        beyond = (1.0 - confidence) / 2.0
        lower = float(betaincinv(reports, people - reports + 1, beyond)) if reports > 0 else 0.0
        upper = float(betainccinv(reports + 1, people - reports, beyond)) if reports < people else 1.0
        ends = sorted((rate - self.false) / self.contrast for rate in (lower, upper))
        return min(max(ends[0], 0.0), 1.0), min(max(ends[1], 0.0), 1.0)

    def people_needed(self, standard_error: float, share: float) -> int:
        """Least number of people with variance_with_sampling at most standard_error^2; never below the truth."""
        require_positive("standard_error", standard_error)
        one_person = Fraction(self.variance_with_sampling(float(share), 1))
        return max(1, math.ceil(one_person / Fraction(float(standard_error)) ** 2))

    def _require_contrast(self) -> None:
        if self.contrast * self.contrast <= _LEAST_SQUARE:
            rule = "above 0 to estimate anything: at epsilon 0 (a truth probability of 1/2 for yes and no) the reports"
            raise InvalidParameterError("epsilon", 0.0, f"{rule} say nothing about the answers")
