"""What releases come to under each rule for adding up, as a range where the promise leaves it open."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from dpengine import accounting
from dpengine.beliefs import Odds, odds_out_of_100
from dpengine.errors import UnsupportedEventError
from dpengine.privacy import ApproximateEvent, ConcentratedEvent, Event, GaussianEvent, Guarantee, PureEvent
from dpengine.privacy.amounts import exact_decimal
from dpengine.privacy.rounding import decimal_up
from dpengine.promises.assumptions import Assumption

RULES = ("basic", "advanced", "optimal", "concentrated", "exact")
"""The accountants that a promise is judged by, from the one that knows least."""
SLACK = 1e-6
"""The share of delta that finer rules than naive may use on top of what the releases have themselves."""
_LAST_DIGITS = 1.0 + 2.0**-48


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A number that may be known from below only: `most` is infinite then."""

    least: int
    most: float

    @property
    def is_open(self) -> bool:
        """Whether nothing bounds it from above."""
        return math.isinf(self.most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """The loss of `runs` releases for somebody with `units` protected units in each.

    The truth that can be told lies between `least` at `least_delta` and `most` at the total `delta`; `most` is infinite
    where the promise allows any loss. `rules` are the epsilons of the most runs that are known, naive at its own delta.
    `own_delta` is what the releases have themselves: epsilon and delta alone give no finite figure below it. `assumed`
    is what the figures rest on.
    """

    runs: Span
    units: Span
    least: float
    most: float
    delta: float
    least_delta: float
    own_delta: float = 0.0
    rules: Mapping[str, float] = field(default_factory=dict)
    assumed: tuple[Assumption, ...] = ()

    @property
    def promises_nothing(self) -> bool:
        """Whether even the smallest loss that can be told is without limit."""
        return math.isinf(self.least)

    @property
    def odds(self) -> Odds:
        """An upper limit for any attacker, by the largest loss."""
        return _odds(self.most, self.delta)

    @property
    def least_odds(self) -> Odds:
        """The limit that holds if the smallest loss is the true one."""
        return _odds(self.least, self.least_delta)


def total_of(
    event: Event, *, runs: Span, units: Span, rule: str | None, delta: float | None, assumed: tuple[Assumption, ...]
) -> Total:
    """What so many runs of one event come to, by the rule that is stated, or by all that apply.

    Without a delta, each total has the releases' own one and SLACK, which naive does not need. Unless a rule is stated,
    known noise is added up exactly, a rho as a rho, and epsilon and delta alone give a range from the best rule to
    naive.
    """
    few, few_at, used = _by_rule(event, runs.least, units.least, rule, delta)
    least, many, most = _told(event, rule, few)[0], few, math.inf
    if not (runs.is_open or units.is_open):
        if (runs.most, units.most) != (runs.least, units.least):
            many, _, used = _by_rule(event, int(runs.most), int(units.most), rule, delta)
        if Assumption.DELTA_IS_ZERO not in assumed:
            most = _told(event, rule, many)[1]
    return Total(
        runs=runs,
        units=units,
        least=min(least, most),
        most=most,
        delta=used,
        least_delta=few_at,
        own_delta=_own_delta(event, runs, units),
        rules=many,
        assumed=assumed,
    )


def _told(event: Event, rule: str | None, known: Mapping[str, float]) -> tuple[float, float]:
    """The smallest and the largest loss by the rules that are known, the same where one of them decides."""
    if isinstance(event, ConcentratedEvent):
        decides: str | None = "concentrated"
    else:
        decides = None if isinstance(event, PureEvent | ApproximateEvent) else "exact"
    for one in (rule, decides):
        if one is not None and one in known:
            return known[one], known[one]
    return min(known.values()), known["basic"]


def _by_rule(
    event: Event, runs: int, units: int, rule: str | None, delta: float | None
) -> tuple[Mapping[str, float], float, float]:
    """Epsilon under each rule that covers this event, the total delta of the finer ones, and that of all."""
    events = accounting.events_for_group({event: runs}, units)
    summed, together = _own_deltas(events)
    fixed = not any(isinstance(one, GaussianEvent | ConcentratedEvent) for one in events)
    own = summed if fixed and rule == "basic" else together + SLACK * (1.0 - together)
    total = own if delta is None else delta
    if total >= 1.0:
        return dict.fromkeys(RULES, math.inf), 1.0, 1.0
    naive_at = total if delta is not None or not fixed else summed
    found = {"basic": math.inf if naive_at >= 1.0 else accounting.epsilon(events, delta=naive_at, accountant="basic")}
    if fixed and sum(events.values()) == 1:
        return found, naive_at, naive_at
    for finer in RULES[1:]:
        try:
            found[finer] = accounting.epsilon(events, delta=total, accountant=finer)
        except UnsupportedEventError:
            continue
    return found, total, max(total, naive_at) if naive_at < 1.0 else total


def _own_deltas(events: Mapping[Event, int]) -> tuple[float, float]:
    """What the runs' own deltas come to, added up, and multiplied out; neither below the truth."""
    own = [(one.delta, runs) for one, runs in events.items() if isinstance(one, ApproximateEvent)]
    if any(delta >= 1.0 for delta, _ in own):
        return 1.0, 1.0
    summed = decimal_up(sum((exact_decimal(delta) * runs for delta, runs in own), Fraction()))
    log_kept = math.fsum(runs * math.log1p(-delta) for delta, runs in own)
    return min(1.0, summed), min(1.0, -math.expm1(log_kept) * _LAST_DIGITS)


def _own_delta(event: Event, runs: Span, units: Span) -> float:
    """The same for the most runs that are known."""
    known = (runs.least, units.least) if runs.is_open or units.is_open else (int(runs.most), int(units.most))
    return _own_deltas(accounting.events_for_group({event: known[0]}, known[1]))[1]


def _odds(epsilon: float, delta: float) -> Odds:
    if math.isinf(epsilon):
        return Odds(without_data=0.0, with_data=100.0)
    return odds_out_of_100(Guarantee(epsilon=epsilon, delta=delta))
