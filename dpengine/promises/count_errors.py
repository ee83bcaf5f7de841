"""The error of one count at the same promise: by a trusted curator, and by coins that everybody flips alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch
from types import MappingProxyType

from dpengine.accuracy.lessons.one_survey import count_half_width, count_standard_error
from dpengine.errors import (
    InvalidParameterError,
    UnsupportedEventError,
    require_between,
    require_non_negative,
    require_one_of,
    require_whole,
)
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from dpengine.privacy import (
    ApproximateEvent,
    ConcentratedEvent,
    Event,
    GaussianEvent,
    Guarantee,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
)
from dpengine.promises.promise import Promise
from dpengine.promises.units import UNITS
from dpengine.promises.unsaid import Unsaid, stated

COUNTED, MOST_COUNTED = ("people", "events"), 10**12
BETWEEN = (
    "Reports are shuffled: the error lies between the two. How far depends on a proof that the promise does not give."
)
_CONFIDENCE = 0.95
_Noise = DiscreteLaplaceMechanism | DiscreteGaussianMechanism
_NAMES: Mapping[type[_Noise], str] = MappingProxyType(
    {DiscreteLaplaceMechanism: "laplace", DiscreteGaussianMechanism: "gaussian"}
)
_TOO_SMALL = "The promise is so small that no count would be readable."


@dataclass(frozen=True, slots=True, kw_only=True)
class CountNoise:
    """Half width of the 95% interval and standard deviation; `because` says how they come about, or why there are none.

    Both stem from the privacy noise alone, never from sampling.
    """

    half_width: float | None = None
    standard_deviation: float | None = None
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountError:
    """What noise does to one count of people or events, which one protected unit changes by at most `sensitivity`."""

    count: float
    counted: str
    people: int | None
    sensitivity: int | None
    by_curator: CountNoise
    by_everybody: CountNoise
    between: str = ""

    @property
    def central(self) -> float | None:
        """Half width of the 95% interval where a trusted institution adds the noise."""
        return self.by_curator.half_width

    @property
    def local(self) -> float | None:
        """The same where each person answers by randomized response."""
        return self.by_everybody.half_width


def count_error(promise: Promise, *, count: float, people: int | None = None, counted: str = "people") -> CountError:
    """The error of a count of about this size, at the same promise; `people` who report are the promise's own if None.

    Raises InvalidParameterError for more people counted than there are.
    """
    require_one_of("counted", counted, COUNTED)
    require_non_negative("count", count)
    people = stated(promise.people) if people is None else people
    if people is not None:
        require_whole("people", people)
        require_between("people", people, 1, MOST_COUNTED)
        if counted == "people" and count > people:
            raise InvalidParameterError("count", count, f"at most the number of people, {people:,}")
    sensitivity, open_because = _sensitivity(promise, counted)
    return CountError(
        count=count,
        counted=counted,
        people=people,
        sensitivity=sensitivity,
        by_curator=_central(promise, sensitivity, open_because),
        by_everybody=_local(promise, people, counted, sensitivity, open_because),
        between=BETWEEN if promise.model == "shuffled" else "",
    )


def _sensitivity(promise: Promise, counted: str) -> tuple[int | None, str]:
    """How far one protected unit moves the count, or why that is open."""
    unit = stated(promise.unit)
    if unit is None:
        return (
            None,
            f"Whom the promise protects was {_gap(promise.unit)}, so nobody knows how far one of them moves a count.",
        )
    of = UNITS[unit].of
    if of == "event" or (counted == "people" and of != "household"):
        return 1, ""
    most = stated(promise.contribution)
    if most is None:
        return None, f"How many {counted} {UNITS[unit].words} may count for was {_gap(promise.contribution)}."
    if math.isinf(most):
        return None, f"Nothing limits how many {counted} {UNITS[unit].words} counts for, so no noise covers it."
    return int(most), ""


def _gap(value: object) -> str:
    return value.value if isinstance(value, Unsaid) else ""


def _central(promise: Promise, sensitivity: int | None, open_because: str) -> CountNoise:
    if promise.event is None:
        return CountNoise(because="Neither ε nor ρ nor the noise is stated.")
    if sensitivity is None:
        return CountNoise(because=open_because)
    try:
        noises = _noises(promise.event, sensitivity)
    except InvalidParameterError:
        return CountNoise(because=_TOO_SMALL)
    named = [one for one in noises if _NAMES[type(one)] == promise.noise]
    if promise.noise == "gaussian" and not named:
        return CountNoise(because="Gaussian noise needs a δ above 0, and none is stated.")
    errors = [(one.error_quantile(_CONFIDENCE), one.standard_deviation, _NAMES[type(one)]) for one in named or noises]
    half_width, deviation, name = min(errors)
    own = _gap(promise.noise) or "of another kind"
    how = "the noise that is stated" if named else f"{name.capitalize()} noise in place of its own, which is {own}"
    return CountNoise(
        half_width=float(half_width),
        standard_deviation=deviation,
        because=f"By {how}. One protected unit changes the count by at most {sensitivity:,}.",
    )


@singledispatch
def _noises(event: Event, sensitivity: int) -> tuple[_Noise, ...]:
    """Noise in whole numbers that keeps the same promise for a count with this sensitivity.

    Source: Canonne, Kamath, Steinke 2020 (Gaussian and rho); Ghosh, Roughgarden, Sundararajan 2009 (Laplace).
    """
    raise UnsupportedEventError(event, "The error of a count")


@_noises.register
def _(event: LaplaceEvent, sensitivity: int) -> tuple[_Noise, ...]:
    return (DiscreteLaplaceMechanism(scale=event.noise_multiplier * sensitivity, l1_sensitivity=sensitivity),)


@_noises.register
def _(event: GaussianEvent, sensitivity: int) -> tuple[_Noise, ...]:
    deviation = event.noise_multiplier * sensitivity
    return (DiscreteGaussianMechanism(standard_deviation=deviation, l2_sensitivity=sensitivity),)


@_noises.register
def _(event: ConcentratedEvent, sensitivity: int) -> tuple[_Noise, ...]:
    deviation = math.nextafter(sensitivity / math.sqrt(2.0 * event.rho), math.inf)
    return (DiscreteGaussianMechanism(standard_deviation=deviation, l2_sensitivity=sensitivity),)


@_noises.register
def _(event: PureEvent | RandomizedResponseEvent, sensitivity: int) -> tuple[_Noise, ...]:
    return (DiscreteLaplaceMechanism.from_epsilon(event.epsilon, l1_sensitivity=sensitivity),)


@_noises.register
def _(event: ApproximateEvent, sensitivity: int) -> tuple[_Noise, ...]:
    guarantee = Guarantee(epsilon=event.epsilon, delta=event.delta)
    return (
        DiscreteLaplaceMechanism.from_epsilon(event.epsilon, l1_sensitivity=sensitivity),
        DiscreteGaussianMechanism.from_guarantee(guarantee, l2_sensitivity=sensitivity),
    )


def _local(
    promise: Promise, people: int | None, counted: str, sensitivity: int | None, open_because: str
) -> CountNoise:
    """By randomized response; a home of several shares one epsilon among its people."""
    epsilon = _local_epsilon(promise)
    for missing, because in (
        (epsilon is None, "Neither ε nor ρ nor the noise is stated."),
        (counted == "events", "Randomized response asks for a yes or no, so it counts people, not events."),
        (sensitivity is None, open_because),
        (people is None, "How many people report is not stated, and this error grows with them."),
    ):
        if missing:
            return CountNoise(because=because)
    each, many = (epsilon or 0.0) / (sensitivity or 1), people or 1
    try:
        deviation, half_width = count_standard_error(many, epsilon=each), count_half_width(many, epsilon=each)
    except InvalidParameterError:
        return CountNoise(because=_TOO_SMALL)
    return CountNoise(
        half_width=half_width,
        standard_deviation=deviation,
        because=f"By randomized response from each of {many:,} people.",
    )


def _local_epsilon(promise: Promise) -> float | None:
    """The stated epsilon, else one by which randomized response keeps the same rho.

    Source: Bun and Steinke 2016, Proposition 1.4: an epsilon costs at most epsilon^2 / 2.
    """
    event = promise.event
    if (epsilon := stated(promise.epsilon)) is not None:
        return epsilon
    if isinstance(event, ConcentratedEvent):
        return math.sqrt(2.0 * event.rho)
    return 1.0 / event.noise_multiplier if isinstance(event, LaplaceEvent | GaussianEvent) else None
