"""What is promised: neighboring tables, guarantees, sensitivities, and the events that cost something."""

from dpengine.privacy.amounts import exact_decimal, nanos_down, nanos_up
from dpengine.privacy.events import (
    ApproximateEvent,
    BoundedRangeEvent,
    ConcentratedEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
    LaplaceEvent,
    PureEvent,
    RandomizedResponseEvent,
    TruncatedLaplaceEvent,
    require_event,
    require_events,
)
from dpengine.privacy.guarantee import Guarantee, require_guarantee
from dpengine.privacy.neighbors import Neighbors
from dpengine.privacy.sensitivity import Sensitivity

__all__ = [
    "ApproximateEvent",
    "BoundedRangeEvent",
    "ConcentratedEvent",
    "DiscreteGaussianEvent",
    "DiscreteLaplaceEvent",
    "Event",
    "GaussianEvent",
    "Guarantee",
    "LaplaceEvent",
    "Neighbors",
    "PureEvent",
    "RandomizedResponseEvent",
    "Sensitivity",
    "TruncatedLaplaceEvent",
    "exact_decimal",
    "nanos_down",
    "nanos_up",
    "require_event",
    "require_events",
    "require_guarantee",
]
