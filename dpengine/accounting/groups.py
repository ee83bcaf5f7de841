"""Groups: what holds for several people together, by the generic theorem and by each mechanism's own law."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import singledispatch

from dpengine.errors import InvalidParameterError, UnsupportedEventError, require_whole
from dpengine.privacy import (
    ApproximateEvent,
    BoundedRangeEvent,
    ConcentratedEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    Guarantee,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
    TruncatedLaplaceEvent,
    require_event,
    require_events,
    require_guarantee,
)
from dpengine.privacy.rounding import rounded_down, rounded_up


def for_group(event: Event, size: int) -> Event:
    """The event that one run is for tables that differ in `size` people; never below the truth.

    For noise whose law is known it costs far less than the generic theorem says.
    Raises UnsupportedEventError, and InvalidParameterError for a size that no number here can follow.
    """
    require_event("event", event)
    require_whole("size", size)
    return _for_group(event, int(size))


def events_for_group(events: Mapping[Event, int], size: int) -> dict[Event, int]:
    """The same for every event run its number of times.

    Each person has a bit of their own in randomized response, so a group of `size` is `size` runs of it.
    """
    require_events("events", events)
    require_whole("size", size)
    counts: Counter[Event] = Counter()
    for event, runs in events.items():
        if isinstance(event, RandomizedResponseEvent):
            counts[event] += int(size) * runs
        else:
            counts[for_group(event, size)] += runs
    return dict(counts)


def loose_group_guarantee(guarantee: Guarantee, size: int) -> Guarantee:
    """The form often quoted, size e^((size - 1) epsilon) delta: true, but never smaller than `Guarantee.for_group`.

    Source: Dwork and Roth 2014, section 2.3.
    """
    require_guarantee("guarantee", guarantee)
    tight = guarantee.for_group(size)
    if guarantee.delta == 0.0 or size == 1:
        return tight
    log_delta = math.log(guarantee.delta) + math.log(size) + (int(size) - 1) * guarantee.epsilon
    return Guarantee(epsilon=tight.epsilon, delta=max(tight.delta, 1.0 if log_delta >= 0.0 else math.exp(log_delta)))


@singledispatch
def _for_group(event: Event, size: int) -> Event:
    raise UnsupportedEventError(event, "Group privacy")


@_for_group.register
def _noise(event: LaplaceEvent | GaussianEvent, size: int) -> Event:
    """The same noise on answers `size` sensitivities apart."""
    return type(event)(noise_multiplier=_divided("noise_multiplier", event.noise_multiplier, size))


@_for_group.register
def _noise_on_a_grid(event: DiscreteLaplaceEvent | DiscreteGaussianEvent, size: int) -> Event:
    """The same noise, in grid steps, on answers `size` sensitivities apart."""
    noise = _divided("noise_multiplier", event.noise_multiplier, size)
    return type(event)(noise_multiplier=noise, sensitivity=event.sensitivity * size)


@_for_group.register
def _truncated(event: TruncatedLaplaceEvent, size: int) -> Event:
    """Scale and cut are both counted in sensitivities."""
    noise, cut = (_divided(name, getattr(event, name), size) for name in ("noise_multiplier", "truncation"))
    return TruncatedLaplaceEvent(noise_multiplier=noise, truncation=cut)


@_for_group.register
def _pure(event: PureEvent, size: int) -> Event:
    """Source: Dwork and Roth 2014, Theorem 2.2."""
    return PureEvent(epsilon=_multiplied("epsilon", event.epsilon, size))


@_for_group.register
def _randomized_response(event: RandomizedResponseEvent, size: int) -> Event:
    """Each of them has a bit: `size` runs, of which one event can say only their sum; see `events_for_group`."""
    return _pure(PureEvent(epsilon=event.epsilon), size)


@_for_group.register
def _bounded_range(event: BoundedRangeEvent, size: int) -> Event:
    """Along a path of neighbors the losses of an output add up, and so do the widths of their ranges."""
    return BoundedRangeEvent(epsilon=_multiplied("epsilon", event.epsilon, size))


@_for_group.register
def _concentrated(event: ConcentratedEvent, size: int) -> Event:
    """size^2 rho. Source: Bun and Steinke 2016, Proposition 1.9."""
    return ConcentratedEvent(rho=_multiplied("rho", event.rho, size * size))


@_for_group.register
def _approximate(event: ApproximateEvent, size: int) -> Event:
    """Source: Dwork and Roth 2014, Theorem 2.2, with the geometric sum kept exact."""
    group = Guarantee(epsilon=event.epsilon, delta=event.delta).for_group(size)
    return ApproximateEvent(epsilon=group.epsilon, delta=group.delta)


def _divided(name: str, noise: float, size: int) -> float:
    share = rounded_down(Fraction(noise) / size)
    if share == 0.0:
        raise InvalidParameterError("size", size, f"small enough for a {name} above 0")
    return share


def _multiplied(name: str, cost: float, factor: int) -> float:
    total = rounded_up(Fraction(cost) * factor)
    if math.isinf(total):
        raise InvalidParameterError("size", factor, f"small enough for a finite {name}")
    return total
