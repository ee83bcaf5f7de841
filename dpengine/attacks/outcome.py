"""What an attack achieved: how often it won, beside the chance line and the most that anybody could win."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.special import betaincinv

from dpengine.errors import InvalidParameterError, require_between, require_whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Wins of an attacker among independent trials of equal kind.

    `baseline` is the chance of winning without looking at what was published, `bound` the largest chance of any
    attacker against what protects it: 1 where nothing does. Raises InvalidParameterError for numbers that contradict
    each other.
    """

    successes: int
    trials: int
    baseline: float
    bound: float = 1.0

    def __post_init__(self) -> None:
        require_whole("trials", self.trials)
        require_whole("successes", self.successes, least=0)
        if self.successes > self.trials:
            raise InvalidParameterError("successes", self.successes, f"at most the {self.trials} trials")
        require_between("baseline", self.baseline, 0.0, 1.0)
        require_between("bound", self.bound, self.baseline, 1.0)

    @property
    def rate(self) -> float:
        """The share of trials that were won."""
        return self.successes / self.trials

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Where the attacker's chance of winning lies; covers it at least so often, whatever it is.

        Source: Clopper and Pearson 1934.
        """
        require_between("confidence", confidence, 0.0, 1.0, open_at="both")
        beside, lost = (1.0 - confidence) / 2.0, self.trials - self.successes
        least = float(betaincinv(self.successes, lost + 1, beside)) if self.successes else 0.0
        most = float(betaincinv(self.successes + 1, lost, 1.0 - beside)) if lost else 1.0
        return least, most

    def beats_chance(self, confidence: float = 0.95) -> bool:
        """Whether it wins more often than one who does not look, beyond what luck explains."""
        return self.interval(confidence)[0] > self.baseline

    def keeps_bound(self, confidence: float = 0.95) -> bool:
        """Whether the wins agree with the bound; False would mean that the protection fails, or its proof."""
        return self.interval(confidence)[0] <= self.bound
