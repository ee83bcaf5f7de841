"""What a mechanism tells the accountants: frozen data, no behavior, no rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpengine.errors import (
    InvalidParameterError,
    named,
    require_between,
    require_non_negative,
    require_positive,
    require_whole,
)


class Event:
    """One run of a mechanism, as far as privacy is concerned. Equal events cost the same."""

    __slots__ = ()


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class LaplaceEvent(Event):
    """Continuous Laplace noise; noise_multiplier is scale / l1 sensitivity, so one run costs 1 / noise_multiplier."""

    noise_multiplier: float

    def __post_init__(self) -> None:
        require_positive("noise_multiplier", self.noise_multiplier)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class GaussianEvent(Event):
    """Continuous Gaussian noise; noise_multiplier is standard deviation / l2 sensitivity."""

    noise_multiplier: float

    def __post_init__(self) -> None:
        require_positive("noise_multiplier", self.noise_multiplier)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class DiscreteLaplaceEvent(Event):
    """Two-sided geometric noise on a grid; noise_multiplier is scale / l1 sensitivity, sensitivity is in grid steps."""

    noise_multiplier: float
    sensitivity: int

    def __post_init__(self) -> None:
        require_positive("noise_multiplier", self.noise_multiplier)
        require_whole("sensitivity", self.sensitivity)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class DiscreteGaussianEvent(Event):
    """Discrete Gaussian noise on a grid; noise_multiplier is standard deviation / l2 sensitivity, in grid steps."""

    noise_multiplier: float
    sensitivity: int

    def __post_init__(self) -> None:
        require_positive("noise_multiplier", self.noise_multiplier)
        require_whole("sensitivity", self.sensitivity)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class RandomizedResponseEvent(Event):
    """A bit reported truthfully with probability e^epsilon / (1 + e^epsilon)."""

    epsilon: float

    def __post_init__(self) -> None:
        require_non_negative("epsilon", self.epsilon)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class PureEvent(Event):
    """Anything that is epsilon-differentially private, of which nothing more is known."""

    epsilon: float

    def __post_init__(self) -> None:
        require_non_negative("epsilon", self.epsilon)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class ApproximateEvent(Event):
    """Anything that is (epsilon, delta)-differentially private, of which nothing more is known."""

    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        require_non_negative("epsilon", self.epsilon)
        require_between("delta", self.delta, 0.0, 1.0)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class TruncatedLaplaceEvent(Event):
    """Laplace noise cut off and renormalized; truncation is in units of the l1 sensitivity. Never pure."""

    noise_multiplier: float
    truncation: float

    def __post_init__(self) -> None:
        require_positive("noise_multiplier", self.noise_multiplier)
        require_positive("truncation", self.truncation)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedRangeEvent(Event):
    """The exponential mechanism: losses of any two outputs differ by at most epsilon."""

    epsilon: float

    def __post_init__(self) -> None:
        require_non_negative("epsilon", self.epsilon)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class ConcentratedEvent(Event):
    """Anything that is rho-zero-concentrated differentially private."""

    rho: float

    def __post_init__(self) -> None:
        require_non_negative("rho", self.rho)


def require_event(name: str, event: Any) -> None:
    """Refuse what is no event."""
    if not isinstance(event, Event):
        raise InvalidParameterError(name, event, "an event, such as PureEvent(epsilon=0.1)")


def require_events(name: str, events: Any) -> None:
    """Refuse what does not tell events and how often each is run."""
    if not isinstance(events, Mapping):
        rule = "events and how often each is run, such as {PureEvent(epsilon=0.1): 3}"
        raise InvalidParameterError(name, events, rule)
    for event in events:
        require_event(name, event)
