"""From two targets to the epsilons that meet both."""

from __future__ import annotations

from dataclasses import dataclass

from dpengine import calibration
from dpengine.feasible.asked import Asked
from dpengine.feasible.changes import SMALLEST_PLANNED, Changes, changes, enough
from dpengine.feasible.targets import Targets, most_epsilon


@dataclass(frozen=True, slots=True, kw_only=True)
class Feasible:
    """The epsilons from `least` to `most`, both of four digits.

    `least` keeps the error: None where none was asked for, or where not even epsilon 1000 does. `most` keeps the
    belief: None where none was asked for, or where the delta alone allows more. `changes` has something to say only
    where no epsilon meets the targets.
    """

    targets: Targets
    least: float | None
    most: float | None
    changes: Changes

    @property
    def error_is_kept(self) -> bool:
        """Whether some epsilon keeps the error, or none has to."""
        return self.targets.error is None or self.least is not None

    @property
    def belief_is_kept(self) -> bool:
        """Whether some epsilon keeps the belief, or none has to."""
        return self.targets.belief is None or self.most is not None

    @property
    def is_empty(self) -> bool:
        """Whether no epsilon meets what was asked for."""
        if not (self.error_is_kept and self.belief_is_kept):
            return True
        return self.least is not None and self.most is not None and self.least > self.most


def feasible_epsilons(asked: Asked, targets: Targets) -> Feasible:
    """All epsilons that meet both targets, solved on the law that is released; the planned epsilon does not matter."""
    most = None
    if targets.belief is not None:
        most = most_epsilon(asked.planned, prior=targets.prior, belief=targets.belief)
    least = _least(asked, targets, most)
    found = Feasible(targets=targets, least=least, most=most, changes=Changes())
    if not found.is_empty:
        return found
    allowed = most if targets.belief is not None else calibration.HIGHEST_EPSILON
    needed = changes(asked, targets, least=least, most=allowed)
    return Feasible(targets=targets, least=least, most=most, changes=needed)


def _least(asked: Asked, targets: Targets, most: float | None) -> float | None:
    """From 0.0001 on, or from the largest that the belief allows where that is smaller still and keeps the error."""
    if targets.error is None:
        return None
    if most is not None and SMALLEST_PLANNED <= most < calibration.LOWEST_EPSILON and enough(asked, targets, most):
        return most
    return calibration.least_epsilon(lambda epsilon: enough(asked, targets, epsilon))
