"""Privacy filters: a budget that holds although each next charge is chosen after the answers so far were seen.

Filters are values: a charge gives a new filter or is refused. Sums are exact, so ten times 0.1 fits in 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from dpengine.accounting.concentrated import rho_of
from dpengine.accounting.shares import share, slides
from dpengine.errors import (
    BudgetExceededError,
    InvalidParameterError,
    UnsupportedEventError,
    named,
    require_kind,
    require_whole,
)
from dpengine.losses import rho_from_guarantee
from dpengine.privacy import ConcentratedEvent, Event, Guarantee, exact_decimal
from dpengine.privacy.rounding import LARGEST

_NAME_IT = "Noise like this has no single (epsilon, delta): charge the ApproximateEvent that you name for it."
_NOTHING = Fraction()


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class BasicFilter:
    """Lets charges through while their epsilons and deltas add up to no more than the budget's.

    `epsilon` and `delta` are the exact sums so far.
    Source: Rogers, Roth, Ullman, Vadhan 2016, on filters by basic composition.
    """

    budget: Guarantee
    epsilon: Fraction = _NOTHING
    delta: Fraction = _NOTHING

    def __post_init__(self) -> None:
        require_kind("budget", self.budget, Guarantee)
        _require_amounts(epsilon=self.epsilon, delta=self.delta)

    @property
    def spent(self) -> Guarantee:
        """Everything charged so far, for reading."""
        return _reading(self.epsilon, self.delta)

    @property
    def remaining(self) -> Guarantee:
        """What is left of the budget, for reading; never below 0."""
        return _reading(
            exact_decimal(self.budget.epsilon) - self.epsilon, exact_decimal(self.budget.delta) - self.delta
        )

    def admits(self, event: Event, *, runs: int = 1) -> bool:
        """Whether so many runs fit. Raises UnsupportedEventError for noise that has many (epsilon, delta)."""
        epsilon, delta = _shares(event, runs)
        within = self.epsilon + epsilon <= exact_decimal(self.budget.epsilon)
        return within and self.delta + delta <= exact_decimal(self.budget.delta)

    def after(self, event: Event, *, runs: int = 1) -> BasicFilter:
        """The filter once so many runs are charged. Raises BudgetExceededError where they do not fit."""
        epsilon, delta = _shares(event, runs)
        if not self.admits(event, runs=runs):
            raise _refusal(_reading(epsilon, delta), self.remaining, self.budget)
        return replace(self, epsilon=self.epsilon + epsilon, delta=self.delta + delta)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class ConcentratedFilter:
    """Lets charges through while their rhos add up to no more than the largest rho that keeps the budget.

    `rho` is the exact sum so far. Raises InvalidParameterError for a budget whose delta is not inside (0, 1): no rho
    stands for it. Sources: Feldman and Zrnic 2021, on filters by Rényi divergence, at every order at once; Canonne,
    Kamath, Steinke 2020, Proposition 12.
    """

    budget: Guarantee
    rho: Fraction = _NOTHING

    def __post_init__(self) -> None:
        require_kind("budget", self.budget, Guarantee)
        rho_from_guarantee(self.budget)
        _require_amounts(rho=self.rho)

    @property
    def granted(self) -> ConcentratedEvent:
        """The budget as rho."""
        return ConcentratedEvent(rho=rho_from_guarantee(self.budget))

    @property
    def spent(self) -> ConcentratedEvent:
        """Everything charged so far, for reading."""
        return _rho_reading(self.rho)

    @property
    def remaining(self) -> ConcentratedEvent:
        """What is left of the granted rho, for reading; never below 0."""
        return _rho_reading(exact_decimal(self.granted.rho) - self.rho)

    def admits(self, event: Event, *, runs: int = 1) -> bool:
        """Whether so many runs fit. Raises UnsupportedEventError for what has no rho."""
        return self.rho + _rho(event, runs) <= exact_decimal(self.granted.rho)

    def after(self, event: Event, *, runs: int = 1) -> ConcentratedFilter:
        """The filter once so many runs are charged. Raises BudgetExceededError where they do not fit."""
        rho = _rho(event, runs)
        if not self.admits(event, runs=runs):
            raise _refusal(_rho_reading(rho), self.remaining, self.budget)
        return replace(self, rho=self.rho + rho)


def _shares(event: Event, runs: int) -> tuple[Fraction, Fraction]:
    require_whole("runs", runs, least=0)
    if slides(event):
        raise UnsupportedEventError(event, "A filter that adds up epsilon and delta", instead=_NAME_IT)
    epsilon, delta = share(event)
    return exact_decimal(min(epsilon, LARGEST)) * int(runs), exact_decimal(delta) * int(runs)


def _rho(event: Event, runs: int) -> Fraction:
    require_whole("runs", runs, least=0)
    return exact_decimal(min(rho_of(event), LARGEST)) * int(runs)


def _require_amounts(**amounts: Fraction) -> None:
    for name, amount in amounts.items():
        require_kind(name, amount, Fraction)
        if amount < 0:
            raise InvalidParameterError(name, amount, "at least 0")


def _reading(epsilon: Fraction, delta: Fraction) -> Guarantee:
    return Guarantee(epsilon=_plain(epsilon), delta=min(_plain(delta), 1.0))


def _rho_reading(rho: Fraction) -> ConcentratedEvent:
    return ConcentratedEvent(rho=_plain(rho))


def _plain(amount: Fraction) -> float:
    return float(min(max(amount, _NOTHING), Fraction(LARGEST)))


def _refusal(
    asked: Guarantee | ConcentratedEvent, remaining: Guarantee | ConcentratedEvent, budget: Guarantee
) -> BudgetExceededError:
    wanted, left = (
        f"rho {one.rho:g}" if isinstance(one, ConcentratedEvent) else str(one) for one in (asked, remaining)
    )
    sentence = f"This asks for {wanted}, but only {left} is left of the budget of {budget}. Nothing was charged."
    return BudgetExceededError(asked=asked, remaining=remaining, sentence=sentence)
