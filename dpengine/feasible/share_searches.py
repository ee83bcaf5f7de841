"""The search for the least share of epsilon at which a question keeps its error, alone or beside many others."""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Sequence

from dpengine import calibration
from dpengine.feasible.asked import Asked
from dpengine.feasible.targets import Targets
from dpengine.plan import prepare

_SLOPES = (-2.0, -0.25)
"""What two points tell of a slope in logarithms is believed between these."""
_POWER, _POWERS, _STEPS = 1.5, (0.5, 4.0), 3
"""The power of a share that the logarithm of its tail is about, and how often a guess is mended by it."""
_JOINED = 4
"""Points that one curve goes through."""


class ShareSearch:
    """How much of a question's error is beyond its target, each share asked once, from a share near the least on."""

    def __init__(self, asked: Asked, targets: Targets, near: float | None) -> None:
        self._asked, self._error, self._near = asked, targets.error or math.inf, near
        self._level = targets.level(asked.coordinates)
        self._at: dict[float, Asked] = {}
        self._known: dict[float, float] = {}
        self._slope, self._before = _POWER, list[tuple[float, float]]()
        self._steps = 0 if near is None else _STEPS

    def next_shares(self) -> tuple[float, ...]:
        """What is asked of next, as far as that is known."""
        if self._near is None:
            return ()
        around = calibration.four_digits_around(self._near)
        return tuple(share for share in (around[:1] if self._steps else around) if share not in self._known)

    @property
    def near(self) -> float | None:
        """About the least share, with more digits than are planned, where the search came near it by steps."""
        return self._near

    def asked_at(self, share: float) -> Asked:
        """The question at a share."""
        if share not in self._at:
            self._at[share] = self._asked.at(share)
        return self._at[share]

    def step(self) -> None:
        """Nearer to the least share: the logarithm of what is beyond is about a power of the share."""
        if self._near is None or not self._steps:
            return
        share = calibration.four_digits_down(self._near)
        beyond = self._beyond(share)
        if not 0.0 < beyond < 1.0:
            self._steps = 0
            return
        miss = math.log(math.log(beyond) / math.log(self._level))
        if self._before and self._before[-1][0] != share:
            self._slope = (miss - self._before[-1][1]) / math.log(share / self._before[-1][0])
        self._before.append((share, miss))
        near = share * math.exp(-miss / min(max(self._slope, _POWERS[0]), _POWERS[1]))
        self._near = min(max(near, calibration.LOWEST_EPSILON), calibration.HIGHEST_EPSILON)
        self._steps -= 1

    def found(self) -> float | None:
        """The least share of four digits; None where not even the largest is enough."""
        while self._steps:
            self.step()
        return calibration.least_epsilon(lambda share: self._beyond(share) <= self._level, near=self._near)

    def _beyond(self, share: float) -> float:
        if share not in self._known:
            self._known[share] = float(self.asked_at(share).planned_law.tail(self._error))
        return self._known[share]


def step_together(searches: Sequence[ShareSearch]) -> None:
    """All near their least share, whose noise is then worked out: that of all questions at once, which is faster."""
    for _ in range(_STEPS + 1):
        prepare_all([one.asked_at(share) for one in searches for share in one.next_shares()])
        for one in searches:
            one.step()


def prepare_all(asked: Sequence[Asked]) -> None:
    """Work out together the noise of questions of one table."""
    if asked:
        prepare([one.planned for one in asked], asked[0].schema, asked[0].neighbors)


def extrapolated(points: Sequence[tuple[float, float]], at: float, *, slope: float) -> float | None:
    """About the value at another place, by the latest two in logarithms, or by the latest and a slope."""
    if not points:
        return None
    place, value = points[-1]
    if len(points) > 1 and points[-2][0] != place:
        slope = math.log(value / points[-2][1]) / math.log(place / points[-2][0])
    return value * math.exp(min(max(slope, _SLOPES[0]), _SLOPES[1]) * math.log(at / place))


def interpolated(points: Sequence[tuple[float, float]], at: float, *, slope: float) -> float | None:
    """About the value at another place, by a curve in logarithms through the nearest of the points, which are in order.

    Never beyond the values of both neighbors. Outside of all points, and by less than three, by a straight line.
    """
    if len(points) < _JOINED - 1 or not points[0][0] <= at <= points[-1][0]:
        nearer = points if points and at > points[-1][0] else points[::-1]
        return extrapolated(nearer, at, slope=slope)
    after = min(max(bisect(points, (at, 0.0)), 1), len(points) - 1)
    first = min(max(after - _JOINED // 2, 0), max(len(points) - _JOINED, 0))
    logs = [(math.log(place / at), math.log(value)) for place, value in points[first : first + _JOINED]]
    terms = (
        value * math.prod(-other / (place - other) for other, _ in logs if other != place) for place, value in logs
    )
    ends = sorted(math.log(value) for _, value in points[after - 1 : after + 1])
    return math.exp(min(max(sum(terms), ends[0]), ends[1]))
