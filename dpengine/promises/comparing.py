"""Two promises for one person over the same days: which is stronger, or why nobody can tell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial

from dpengine.errors import InvalidParameterError, require_between, require_positive, require_whole
from dpengine.formatting import amount, tiny_at_most
from dpengine.promises.assumptions import Assumption
from dpengine.promises.common_ground import Judged, all_assumed, differences, names_of, relations
from dpengine.promises.promise import MOST_DAYS, Promise
from dpengine.promises.totals import SLACK, Total
from dpengine.promises.units import ONE_PERSON, Subject

MOST_EVENTS, MOST_DEVICES = 1e6, 1_000
MOST_DELTA = 0.1
"""Of somebody replaced: beyond it both are read at the delta of somebody added or removed."""
_LAST_DIGITS, _ALIKE = 1.0 + 1e-9, 1.0 + 1e-3
Pair = tuple[Total, Total]
OVERLAP = "These ranges overlap: neither is shown to be stronger."


class Stronger(Enum):
    """What a comparison finds."""

    FIRST = "first"
    SECOND = "second"
    ALIKE = "alike"
    NEITHER = "neither"
    BY_DELTA = "by delta"
    UNTOLD = "untold"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromiseComparison:
    """Two promises over so many days, each a Total at the same `delta`, None where it has no figure.

    `cannot` says why nobody can tell which is stronger, and is empty where somebody can; `assumed` what the figures
    rest on; `names` how both are called in these sentences.
    """

    names: tuple[str, str]
    days: float
    stronger: Stronger
    first: Total | None = None
    second: Total | None = None
    cannot: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    @property
    def delta(self) -> float:
        """The total delta at which both are read."""
        return max((one.delta for one in (self.first, self.second) if one), default=0.0)

    @property
    def finding(self) -> str:
        """One sentence of at most twelve words."""
        return _FINDINGS[self.stronger].format(first=self.names[0], second=self.names[1], over=f"over {self.in_days}")

    @property
    def in_days(self) -> str:
        """How long both are compared for."""
        return "1 day" if self.days == 1 else f"{amount(self.days, 6)} days"


_FINDINGS = {
    Stronger.FIRST: "{first} is the stronger promise {over}.",
    Stronger.SECOND: "{second} is the stronger promise {over}.",
    Stronger.ALIKE: "Both promise nearly the same {over}.",
    Stronger.NEITHER: "Neither promises anything {over}.",
    Stronger.BY_DELTA: "Which promise is stronger {over} depends on δ.",
    Stronger.UNTOLD: "Neither promise is shown to be stronger {over}.",
    Stronger.MISSING: "The two promises cannot be compared as they stand.",
}


def compared(
    one: Promise,
    other: Promise,
    *,
    days: float,
    subject: Subject = ONE_PERSON,
    one_events: float | None = None,
    other_events: float | None = None,
    devices: int | None = None,
) -> PromiseComparison:
    """Both promises for one subject; events a day of one person are asked for where a promise protects single events.

    Each range is compared at the total deltas of both (from SLACK on): a promise is stronger where it is nowhere above
    the other, whatever is left open, and somewhere clearly below. Devices are one person's.
    """
    require_between("days", days, 0.0, MOST_DAYS, open_at="lower")
    for name, events in (("one_events", one_events), ("other_events", other_events)):
        if events is not None:
            require_positive(name, events)
            require_between(name, events, 0.0, MOST_EVENTS)
    if devices is not None:
        require_whole("devices", devices)
        require_between("devices", devices, 1, MOST_DEVICES)
    names = names_of(one, other)
    both = (
        Judged(promise=one, name=names[0], days=days, subject=subject, events=one_events, devices=devices),
        Judged(promise=other, name=names[1], days=days, subject=subject, events=other_events, devices=devices),
    )
    return _judged(both)


def _judged(both: tuple[Judged, Judged]) -> PromiseComparison:
    one, other = both
    replaced, about_relations = relations(one, other)
    (first, lacks), (second, lacks_other) = (_own_total(each, replaced=replaced) for each in both)
    found = partial(PromiseComparison, names=(one.name, other.name), days=one.days)
    if first is None or second is None:
        return found(stronger=Stronger.MISSING, first=first, second=second, cannot=(*lacks, *lacks_other))
    own = [max(total.delta, SLACK) for total in (first, second)]
    deltas = sorted(set(own))
    pairs = [(one.total(replaced=replaced, delta=at), other.total(replaced=replaced, delta=at)) for at in deltas]
    first, second = pairs[-1]
    open_ends = (*one.open_ends(first), *other.open_ends(second))
    assumed = (*all_assumed(((one, first), (other, second))), *about_relations, *differences(one, other))
    assumed = (_read_at(first.delta, own, (one.name, other.name)), *assumed)
    stronger = _stronger(pairs)
    if why := _why_untold(stronger, (one.name, other.name), pairs):
        return found(stronger=stronger, first=first, second=second, cannot=(*open_ends, *why), assumed=assumed)
    return found(stronger=stronger, first=first, second=second, assumed=(*open_ends, *assumed))


def _read_at(delta: float, own: Sequence[float], names: tuple[str, str]) -> str:
    """The total delta of both, and whose it is."""
    start = f"Both are read at a total δ of {tiny_at_most(delta)}"
    if max(own) == SLACK:
        return f"{start}; neither needs a larger one."
    if own[0] == own[1]:
        return f"{start}, to which each of them comes by itself in this time."
    return f"{start}, the larger of the two: {names[own.index(max(own))]} comes to it by itself in this time."


def _own_total(judged: Judged, *, replaced: bool) -> tuple[Total | None, tuple[str, ...]]:
    """The total at the promise's own delta, or why there is none; a group of two may have a delta that is of no use."""
    if judged.missing:
        return None, judged.missing
    try:
        total = judged.total(replaced=replaced)
        return (judged.total(replaced=False) if replaced and total.delta > MOST_DELTA else total), ()
    except InvalidParameterError as error:
        return None, (f"{judged.name}: {error}",)


def _stronger(pairs: Sequence[Pair]) -> Stronger:
    """Over all deltas at which the two are read; by every rule for adding up where only the rules leave it open."""
    if all(math.isinf(total.least) for total in pairs[-1]):
        return Stronger.NEITHER
    first = [_clearly_below(*pair) for pair in pairs]
    second = [_clearly_below(other, one) for one, other in pairs]
    if any(first) and any(second):
        return Stronger.BY_DELTA
    if any(first) and all(_nowhere_above(*pair) for pair in pairs):
        return Stronger.FIRST
    if any(second) and all(_nowhere_above(other, one) for one, other in pairs):
        return Stronger.SECOND
    alike = all(_nowhere_above(one, other, _ALIKE) and _nowhere_above(other, one, _ALIKE) for one, other in pairs)
    return Stronger.ALIKE if alike else Stronger.UNTOLD


def _nowhere_above(one: Total, other: Total, allowed: float = _LAST_DIGITS) -> bool:
    return one.most <= other.least * allowed or all(a <= b * allowed for a, b in _by_rule(one, other))


def _clearly_below(one: Total, other: Total) -> bool:
    if one.most < other.least / _ALIKE:
        return True
    return _nowhere_above(one, other) and any(a < b / _ALIKE for a, b in _by_rule(one, other))


def _by_rule(one: Total, other: Total) -> list[tuple[float, float]]:
    """Both under each rule for adding up; nothing where more than the rule is open, which no rule settles.

    A rule that does not cover the first counts as its largest loss, one that does not cover the other as its smallest.
    """
    if not (_is_open_by_rules_alone(one) and _is_open_by_rules_alone(other)):
        return [(math.inf, 0.0)]
    ranges = [{} if total.least == total.most else total.rules for total in (one, other)]
    rules = {*ranges[0], *ranges[1]} or {"the only one"}
    return [(ranges[0].get(rule, one.most), ranges[1].get(rule, other.least)) for rule in rules]


def _is_open_by_rules_alone(total: Total) -> bool:
    surely = Assumption.DELTA_IS_ZERO not in total.assumed
    return surely and total.runs.least == total.runs.most and total.units.least == total.units.most


def _why_untold(stronger: Stronger, names: tuple[str, str], pairs: Sequence[Pair]) -> tuple[str, ...]:
    """Why neither is called stronger; nothing where one is, or where that is the finding."""
    if stronger is Stronger.UNTOLD:
        return (OVERLAP,)
    if stronger is not Stronger.BY_DELTA:
        return ()
    below = [names[0] if _clearly_below(*pair) else names[1] for pair in pairs]
    at = [tiny_at_most(pair[0].delta) for pair in pairs]
    return (f"At a total δ of {at[0]} the loss of {below[0]} is smaller, at {at[-1]} that of {below[-1]}.",)
