"""A promise that somebody makes: how large, for whom, how often, and how it is kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from dpengine.beliefs import Odds
from dpengine.errors import (
    InvalidParameterError,
    named,
    require_between,
    require_fields,
    require_one_of,
    require_whole,
)
from dpengine.losses import delta_of
from dpengine.privacy import (
    ApproximateEvent,
    ConcentratedEvent,
    Event,
    GaussianEvent,
    LaplaceEvent,
    Neighbors,
    PureEvent,
    RandomizedResponseEvent,
)
from dpengine.promises.assumptions import Assumption
from dpengine.promises.handling import Handling
from dpengine.promises.totals import RULES, Span, Total, total_of
from dpengine.promises.units import ONE_PERSON, SAME, UNITS, Subject, periods_touched
from dpengine.promises.unsaid import NOT_SAID, Unsaid, stated

if TYPE_CHECKING:
    from dpengine.promises.hazards import HazardFinding

MODELS = ("central", "shuffled", "local")
NOISES = ("laplace", "gaussian", "randomized_response", "another")
MOST_DAYS, MOST_RUNS, MOST_EPSILON, _LEAST_DELTA = 36_525.0, 10_000_000, 1e6, 1e-300
"""A hundred years; more releases than four each minute in five years; an epsilon beyond which nothing is
told, and a delta below which nobody says one."""
MOST_COUNTED, LONGEST_NAME = 10**12, 120
"""More people than ever lived, more events than anybody has; letters of a name."""


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What somebody promises; a field that holds nothing says whether it was not said or not looked up.

    `epsilon` and `delta`, or `rho`, hold for one `unit` (a key of UNITS) and for what is published until the same
    budget is spent anew: after `every_days` days, math.inf for never. `for_days` is how long that goes on, math.inf
    without an end. `noise_multiplier` is the noise's scale, or its standard deviation, over what one unit can change.
    `contribution` is the most rows or events of one unit that count, math.inf where none is dropped; `people` how many
    units the data have. `rule` is the accountant by which the promise itself adds up.
    Raises InvalidParameterError for a promise that contradicts itself.
    """

    name: str = "A promise"
    by: str = ""
    epsilon: float | Unsaid = NOT_SAID
    delta: float | Unsaid = NOT_SAID
    rho: float | Unsaid = NOT_SAID
    noise: str | Unsaid = NOT_SAID
    noise_multiplier: float | Unsaid = NOT_SAID
    unit: str | Unsaid = NOT_SAID
    neighbors: Neighbors | Unsaid = NOT_SAID
    every_days: float | Unsaid = NOT_SAID
    for_days: float | Unsaid = NOT_SAID
    rule: str | Unsaid = NOT_SAID
    model: str | Unsaid = NOT_SAID
    contribution: float | Unsaid = NOT_SAID
    people: int | Unsaid = NOT_SAID
    handling: Handling = field(default_factory=Handling)

    def __post_init__(self) -> None:
        require_fields(self)
        for name in ("name", "by"):
            _require_readable(name, getattr(self, name))
        for name, allowed in (("noise", NOISES), ("unit", tuple(UNITS)), ("rule", RULES), ("model", MODELS)):
            if not isinstance(getattr(self, name), Unsaid):
                require_one_of(name, getattr(self, name), allowed)
        self._require_sizes()
        self._require_sense()

    @property
    def event(self) -> Event | None:
        """What one release reveals: by its noise if that is stated, else by rho, else by epsilon and delta.

        None where nothing is stated; a delta that is not stated counts as 0, which `over` tells as an assumption.
        """
        multiplier = stated(self.noise_multiplier)
        if multiplier is not None and self.noise in ("laplace", "gaussian"):
            return (LaplaceEvent if self.noise == "laplace" else GaussianEvent)(noise_multiplier=multiplier)
        if (rho := stated(self.rho)) is not None:
            return ConcentratedEvent(rho=rho)
        epsilon, delta = stated(self.epsilon), stated(self.delta) or 0.0
        if epsilon is None:
            return None
        if delta:
            return ApproximateEvent(epsilon=epsilon, delta=delta)
        return (RandomizedResponseEvent if self.noise == "randomized_response" else PureEvent)(epsilon=epsilon)

    def release(self, *, subject: Subject = ONE_PERSON, delta: float | None = None) -> Total | None:
        """The promise as it stands: what one release tells of one protected unit of each person.

        None where the promise has no size.
        """
        if self.event is None:
            return None
        return self._total(Span(least=1, most=1), self._units(0.0, subject), subject, delta)

    def over(
        self, *, days: float, subject: Subject = ONE_PERSON, delta: float | None = None, replaced: bool = False
    ) -> Total | None:
        """What all releases of so many days tell of somebody; None where the promise has no size.

        The first is on the first day. Where it is not stated how often, the least has each protected period once.
        With `replaced`, of somebody who is replaced: a promise about adding or removing somebody, or one that does not
        say, is then worth a range, up to twice as many units. Raises InvalidParameterError for more than a hundred
        years or MOST_RUNS releases. Without a `delta`, a rho and Gaussian noise are told at the delta that is stated.
        Source of the range: Dwork and Roth 2014, section 2.3 (a group of two).

        >>> year = Promise(epsilon=1.5, delta=1e-5, unit="person-day", every_days=1).over(days=365)
        >>> year.least, year.most
        (444.78, 547.5)
        """
        require_between("days", days, 0.0, MOST_DAYS, open_at="lower")
        if self.event is None:
            return None
        lasting = min(days, stated(self.for_days) or days)
        most = 2 if replaced and self.relation is not Neighbors.REPLACE_ONE else 1
        return self._total(self._runs(lasting), self._units(lasting, subject), subject, delta, most=most)

    def whole(self, *, subject: Subject = ONE_PERSON, delta: float | None = None) -> Total | None:
        """The same for the whole time that is stated; None where none is, or it has no end."""
        lasting = stated(self.for_days)
        if lasting is None and self.every_days == math.inf and self._is_whole:
            return self.release(subject=subject, delta=delta)
        return self.over(days=lasting, subject=subject, delta=delta) if lasting and math.isfinite(lasting) else None

    def odds(self, *, days: float | None = None, subject: Subject = ONE_PERSON) -> Odds | None:
        """An upper limit for any attacker, after one release or after so many days.

        >>> Promise(epsilon=1.1, delta=0.0, unit="person").odds().with_data
        75.03
        """
        total = self.release(subject=subject) if days is None else self.over(days=days, subject=subject)
        return total.odds if total else None

    def to_json(self) -> str:
        """Versioned JSON, the same text for equal promises."""
        from dpengine.promises import saved  # noqa: PLC0415 - it makes promises

        return saved.to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Promise:
        """The promise back; a text that holds none raises ScenarioError with a sentence."""
        from dpengine.promises import saved  # noqa: PLC0415

        return saved.from_json(text)

    def to_link(self) -> str:
        """The same in few letters that fit an address."""
        from dpengine.promises import saved  # noqa: PLC0415

        return saved.to_link(self)

    @classmethod
    def from_link(cls, text: str) -> Promise:
        """The promise of a link; a damaged one raises ScenarioError with a sentence."""
        from dpengine.promises import saved  # noqa: PLC0415

        return saved.from_link(text)

    def hazards(self) -> tuple[HazardFinding, ...]:
        """How it stands before each hazard, by what it states alone."""
        from dpengine.promises.hazards import hazards_of  # noqa: PLC0415 - hazards judge promises

        return hazards_of(self)

    @property
    def _is_whole(self) -> bool:
        unit = stated(self.unit)
        return unit is None or UNITS[unit].is_whole

    @property
    def relation(self) -> Neighbors | Unsaid:
        """The neighbors; in the local model any two inputs of one person are compared, whatever else is said."""
        return Neighbors.REPLACE_ONE if self.model == "local" else self.neighbors

    def _total(self, runs: Span, units: Span, subject: Subject, delta: float | None, *, most: int = 1) -> Total:
        if delta is not None:
            require_between("delta", delta, 0.0, 1.0)
        assumed = self._assumed(runs, units, subject)
        units = Span(least=units.least, most=most * units.most)
        event = self.event
        if event is None:
            raise InvalidParameterError("epsilon", self.epsilon, "stated, or rho, or the noise")
        if delta is None and isinstance(event, GaussianEvent | ConcentratedEvent):
            delta = stated(self.delta) or None
        return total_of(event, runs=runs, units=units, rule=stated(self.rule), delta=delta, assumed=assumed)

    def _runs(self, lasting: float) -> Span:
        every = stated(self.every_days)
        if every is None:
            return Span(least=self._fewest_runs(lasting), most=math.inf)
        releases = lasting / every / SAME
        if releases > MOST_RUNS:
            raise InvalidParameterError("every_days", every, f"so long that at most {MOST_RUNS:,} releases add up")
        count = max(1, math.ceil(releases))
        return Span(least=count, most=count)

    def _fewest_runs(self, lasting: float) -> int:
        """One release of each protected period, which costs least."""
        period = UNITS[unit].days if (unit := stated(self.unit)) else math.inf
        return periods_touched(lasting, period, every=lasting)[0]

    def _units(self, days: float, subject: Subject) -> Span:
        """How many protected units of a subject a release has that is one of so many days.

        A range where no bound on a person is stated, or a release may have parts of protected periods.
        """
        people, events = subject.people, subject.events
        unit, every = stated(self.unit), stated(self.every_days)
        if unit is None:
            return Span(least=1, most=math.inf)
        if UNITS[unit].of == "event":
            bound = stated(self.contribution) or math.inf
            count = people * int(min(events, bound))
            return Span(least=count, most=count)
        people = 1 if UNITS[unit].of == "household" else people
        fewest, most = (1, 1) if every is None else periods_touched(min(every, days), UNITS[unit].days, every=every)
        return Span(least=people * fewest, most=people * most * self._counted(events))

    def _counted(self, events: int) -> int:
        """As how many units somebody may count in what protects one: as one where a bound is stated."""
        return 1 if math.isfinite(stated(self.contribution) or math.inf) else events

    def _assumed(self, runs: Span, units: Span, subject: Subject) -> tuple[Assumption, ...]:
        unit, counted = UNITS.get(stated(self.unit) or ""), self._counted(subject.events)
        holds = {
            Assumption.DELTA_IS_ZERO: isinstance(self.event, PureEvent | RandomizedResponseEvent)
            and isinstance(self.delta, Unsaid),
            Assumption.RELEASES_UNKNOWN: runs.is_open,
            Assumption.UNIT_UNKNOWN: unit is None,
            Assumption.NEW_NOISE: runs.most > 1,
            Assumption.PERIODS_APART: unit is not None and not unit.is_whole and unit.of != "event" and runs.most > 1,
            Assumption.BOUND_UNKNOWN: unit is not None and unit.of != "event" and counted > 1,
            Assumption.PERIODS_CUT: unit is not None and unit.of != "event" and units.most > units.least * counted,
            Assumption.ONE_DEVICE: unit is not None and unit.of == "device",
            Assumption.EVENTS_OF_A_RELEASE: unit is not None and unit.of == "event",
            Assumption.ONE_HOUSEHOLD: unit is not None and unit.of == "household" and subject.people > 1,
        }
        return tuple(one for one in Assumption if holds.get(one))

    def _require_sizes(self) -> None:
        checks: tuple[tuple[str, Callable[[str, float], None]], ...] = (
            ("noise_multiplier", partial(require_between, lower=1.0 / MOST_EPSILON, upper=math.inf, open_at="upper")),
            ("rho", partial(require_between, lower=0.0, upper=MOST_EPSILON, open_at="lower")),
            ("epsilon", partial(require_between, lower=0.0, upper=MOST_EPSILON)),
            ("delta", _require_delta),
            ("people", _require_count),
            *((name, _require_days) for name in ("every_days", "for_days")),
            ("contribution", _require_count),
        )
        for name, check in checks:
            if (value := stated(getattr(self, name))) is not None:
                check(name, value)

    def _require_sense(self) -> None:
        """Refuse what contradicts itself, in a sentence that says why."""
        if self.delta == 1.0:
            raise InvalidParameterError("delta", self.delta, "below 1: at 1 nothing is promised, whatever epsilon is")
        if self.epsilon == 0.0:
            raise InvalidParameterError("epsilon", self.epsilon, "above 0: at 0 no answer depends on the data at all")
        if self.people == 1:
            raise InvalidParameterError("people", 1, "at least 2: one protected unit would be the whole table")
        if isinstance(self.noise_multiplier, Unsaid) or isinstance(self.epsilon, Unsaid):
            return
        event = self.event
        if isinstance(event, LaplaceEvent | GaussianEvent):
            lost = delta_of(event, epsilon=self.epsilon * SAME)
            if lost > (stated(self.delta) or 0.0) * SAME and (
                isinstance(event, LaplaceEvent) or not isinstance(self.delta, Unsaid)
            ):
                raise InvalidParameterError(
                    "noise_multiplier", self.noise_multiplier, "large enough for the epsilon and delta that are stated"
                )


def _require_delta(name: str, value: float) -> None:
    require_between(name, value, lower=0.0, upper=1.0)
    if 0.0 < value < _LEAST_DELTA:
        raise InvalidParameterError(name, value, f"0, or at least {_LEAST_DELTA:g}")


def _require_days(name: str, value: float) -> None:
    """Infinite is an answer here: never again, or without an end."""
    if not (0.0 < value <= MOST_DAYS or value == math.inf):
        raise InvalidParameterError(name, value, f"above 0 and at most {MOST_DAYS:,.0f} days, or without an end")


def _require_count(name: str, value: float) -> None:
    """A whole number from 1; infinite where nothing is dropped."""
    if value == math.inf:
        return
    require_whole(name, value)  # type: ignore[arg-type]
    require_between(name, value, 1, MOST_COUNTED)


def _require_readable(name: str, text: str) -> None:
    """No book, and no half of a sign, which no file takes."""
    if len(text) > LONGEST_NAME or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise InvalidParameterError(name, text, f"at most {LONGEST_NAME} whole letters")
