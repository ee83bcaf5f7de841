"""What is known of each deployment, as promises: what the record does not hold was not looked up."""

from __future__ import annotations

import math
from collections.abc import Mapping

from dpengine.deployments import DEPLOYMENTS, Deployment
from dpengine.promises import MONTH, NOT_LOOKED_UP, Handling, Promise, Unsaid

_EVERY = {"each day": 1.0, "each month": MONTH, "one release": math.inf}
_UNITS = {
    "a user's day": "person-day",
    "a person": "person",
    "a victim": "person",
    "a member": "person-month",
    "a housing unit": "household",
    "one hire": "event",
    "a device's app use in six hours": "device-six-hours",
}
BY_NAME: Mapping[str, Deployment] = {f"{one.name} ({one.by}, {one.year})": one for one in DEPLOYMENTS}


def as_promise(one: Deployment) -> Promise:
    """A deployment as far as its record goes."""
    unread: Mapping[str, Unsaid] = dict.fromkeys(Handling.__dataclass_fields__, NOT_LOOKED_UP)
    return Promise(
        name=one.name,
        by=one.by,
        epsilon=one.epsilon,
        delta=one.delta or NOT_LOOKED_UP,
        rho=NOT_LOOKED_UP,
        noise=NOT_LOOKED_UP,
        noise_multiplier=NOT_LOOKED_UP,
        unit=_UNITS.get(one.unit, NOT_LOOKED_UP),
        neighbors=one.neighbors or NOT_LOOKED_UP,
        every_days=_EVERY.get(one.span, NOT_LOOKED_UP),
        for_days=NOT_LOOKED_UP,
        rule=NOT_LOOKED_UP,
        model=one.model,
        contribution=NOT_LOOKED_UP,
        people=NOT_LOOKED_UP,
        handling=Handling(**unread),
    )
