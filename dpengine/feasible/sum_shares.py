"""The whole per cent of epsilon for its sum at which a mean, or a share, of a private number of records costs least.

To first order in its noise the error is (noise of the sum + distance * noise of the count) / records, where the
distance is that of the answer from the middle of its bounds. That chooses the split where the records are many beside
the count's noise, and both noises are fine; elsewhere the law of the error itself is asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy.special import ndtri

from dpengine.accuracy import RatioError
from dpengine.accuracy.numerical.two_noises import OnGrid
from dpengine.calibration import HIGHEST_EPSILON
from dpengine.errors import UnsupportedEventError
from dpengine.feasible.asked import Asked
from dpengine.feasible.targets import Targets
from dpengine.feasible.wishes import LEAST_DELTA
from dpengine.losses.arrays import Array
from dpengine.privacy.amounts import attos_down
from dpengine.queries.total import SUM_SHARE

OWN = round(100 * SUM_SHARE)
"""The per cent of a question that is planned without one."""
_FACTORS: Mapping[str, Callable[[Array], Array]] = {
    "basic": np.ones_like,
    "concentrated": lambda share: np.hypot(share, 1.0 - share),
}
"""What an epsilon in two shares costs under each rule: of rho, which is of the second order, the root."""
_PERCENTS = np.arange(1, 100)
_MANY, _FINE = 8.0, 1.5
"""The first order is relied on where records are so many times the reach of the count's noise, and scales are so many
grid steps: there it was within two thousandths of the least cost in some hundred random cases."""
_SCANNED, _STEPS, _AROUND = (1, 10, 30, 50, 70, 90, 99), (8, 4, 2), range(-4, 5)
_HALVINGS = 30
_NOBODY = 1e-9
_APART = 1e-4
_WHERE = "the split between a sum and a count"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstOrder:
    """The best per cent to first order: the error at epsilon 1, and the cost of the question's own as a multiple.

    It is relied on from epsilon `least` to epsilon `most`: nowhere if that is less. Equal laws have the same one.
    """

    law: RatioError
    percent: int
    own_costs: float
    reach: float
    least: float
    most: float

    def share(self, error: float) -> float:
        """About the epsilon that keeps an error."""
        return self.reach / error

    def is_reliable(self, error: float) -> bool:
        """Whether its per cent is the best for an error, but for a thousandth of the cost; never beyond a bound."""
        within = error < min(-self.law.lowest, self.law.highest)
        return within and self.least <= self.share(error) and self.is_smooth(error)

    def is_smooth(self, error: float) -> bool:
        """Whether no single step of either grid shows in the error."""
        return self.share(error) <= self.most


def with_percent(asked: Asked, percent: int) -> Asked:
    """The question with this per cent for its sum."""
    return replace(asked, planned=replace(asked.planned, percent_for_sum=None if percent == OWN else percent))


def every_split(asked: Asked) -> Iterator[Asked]:
    """The question with each per cent for its sum; as it is where it has none."""
    if not asked.has_sum_and_count:
        return iter((asked,))
    return (with_percent(asked, percent) for percent in _allowed(asked))


def cost_factor(rule: str, percent: int) -> float:
    """Epsilons of two splits cost alike where these times their factors are equal; Gaussian noise: about alike."""
    return float(_FACTORS[rule](np.array(percent / 100.0)))


def first_order(asked: Asked, targets: Targets, *, rule: str) -> FirstOrder:
    """What the sizes of both noises at epsilon 1 say of the split."""
    law = asked.law(1.0)
    if not isinstance(law, RatioError):
        raise UnsupportedEventError(law, _WHERE)
    noise, level, own = asked.planned.mechanism, targets.level(asked.coordinates), OWN / 100.0
    total, count = _scale(law.numerator) * own, _scale(law.denominator) * (1.0 - own)
    moved = abs(law.ratio) * count * law.denominator_step / (total * law.numerator_step)
    allowed = _allowed(asked)
    reaches, costs = _by_percent(noise, moved, level, rule)
    percent = allowed[int(np.argmin(costs[allowed[0] - 1 : allowed[-1]]))]
    share, records = percent / 100.0, max(law.records, _NOBODY)
    counted = count / (1.0 - share)
    return FirstOrder(
        law=law,
        percent=percent,
        own_costs=float(costs[OWN - 1] / costs[percent - 1]),
        reach=float(reaches[percent - 1]) * total * law.numerator_step / records,
        least=_MANY * _reach_of_one(noise, level) * counted * law.denominator_step / records,
        most=min(total / share, counted) / _FINE,
    )


def seldomest_error(asked: Asked, targets: Targets, *, rule: str, cost: float, tried: Iterable[int]) -> int:
    """Of splits that cost the same, the per cent at which the error is above the accepted one least often, by the law.

    The best of those that are tried, the first where several are; from it on in smaller and smaller steps, and up to 4
    on each side. `cost` is an epsilon times its factor.
    """
    known: dict[int, float] = {}

    def chance(percent: int) -> float:
        if percent not in known:
            epsilon = min(cost / cost_factor(rule, percent), HIGHEST_EPSILON)
            known[percent] = float(with_percent(asked, percent).law(epsilon).tail(targets.error or math.inf))
        return known[percent]

    allowed = _allowed(asked)
    best = min((percent for percent in tried if percent in allowed), key=chance)
    for step in _STEPS:
        found = 0
        while found != best:
            found = best
            near = (percent for percent in (found - step, found + step) if percent in allowed)
            best = min([found, *near], key=chance)
    return min([best, *(best + step for step in _AROUND if best + step in allowed)], key=chance)


def cheapest_percent(
    asked: Asked, targets: Targets, *, rule: str, start: int, least: Callable[[int], float | None]
) -> int:
    """By the law of the error: the per cent whose least share costs least; `least` tells that share of a per cent."""
    best, share = start, least(start)
    cost = math.inf if share is None else share * cost_factor(rule, start)
    tried = [*_allowed(asked)] if share is None else [start, OWN, *_SCANNED]
    while True:
        found = seldomest_error(asked, targets, rule=rule, cost=cost, tried=tried)
        share = None if found == best else least(found)
        if share is None or share * cost_factor(rule, found) >= cost:
            return best
        best, cost, tried = found, share * cost_factor(rule, found), [found]


def _allowed(asked: Asked) -> range:
    """The per cents at which neither part gets less of the delta than noise is planned at."""
    delta = attos_down(asked.planned.used_delta)
    lowest = min(math.ceil(100 * LEAST_DELTA / delta), 100 - OWN) if delta else 1
    return range(lowest, 101 - lowest)


def _scale(noise: object) -> float:
    if not isinstance(noise, OnGrid):
        raise UnsupportedEventError(noise, _WHERE)
    return float(noise.scale)


@lru_cache(maxsize=1024)
def _by_percent(noise: str, moved: float, level: float, rule: str) -> tuple[Array, Array]:
    """How far both noises reach at each per cent, and what that costs; the count's moves so many times the sum's."""
    share = _PERCENTS / 100.0
    reaches = _reach(noise, 1.0 / share, moved / (1.0 - share), level)
    costs = reaches * _FACTORS[rule](share)
    reaches.flags.writeable = costs.flags.writeable = False
    return reaches, costs


@lru_cache(maxsize=1024)
def _reach_of_one(noise: str, level: float) -> float:
    return float(_reach(noise, np.ones(1), np.zeros(1), level)[0])


def _reach(noise: str, first: Array, second: Array, level: float) -> Array:
    """How far the sum of two noises of these scales goes, at the level."""
    if noise not in _REACHES:
        raise UnsupportedEventError(noise, _WHERE)
    return _REACHES[noise](first, second, level)


def _laplace_reach(first: Array, second: Array, level: float) -> Array:
    """By halving: P(|sum| > t) = (a^2 e^(-t / a) - c^2 e^(-t / c)) / (a^2 - c^2) of scales a and c."""
    larger = np.maximum(first, second)
    ratio = np.minimum(np.minimum(first, second) / larger, 1.0 - _APART)
    low, high = np.zeros_like(larger), np.full_like(larger, 2.0 - 2.0 * math.log(level))
    with np.errstate(divide="ignore", under="ignore"):
        for _ in range(_HALVINGS):
            middle = (low + high) / 2.0
            above = (np.exp(-middle) - ratio**2 * np.exp(-middle / ratio)) / (1.0 - ratio**2) > level
            low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(larger * high)


def _gaussian_reach(first: Array, second: Array, level: float) -> Array:
    return np.asarray(np.hypot(first, second) * -ndtri(level / 2.0))


_REACHES: Mapping[str, Callable[[Array, Array, float], Array]] = {
    "laplace": _laplace_reach,
    "gaussian": _gaussian_reach,
}
