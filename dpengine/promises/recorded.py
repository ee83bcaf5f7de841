"""The deployments of `dpengine.deployments` as promises, each stated field with the page where it was read."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dpengine.deployments import DEPLOYMENTS, Deployment, SourcePage
from dpengine.errors import InvalidParameterError
from dpengine.privacy import Neighbors
from dpengine.promises.handling import HANDLING, Handling
from dpengine.promises.promise import Promise
from dpengine.promises.units import MONTH
from dpengine.promises.unsaid import NOT_LOOKED_UP, NOT_SAID, stated

FIELDS = (*(one.name for one in fields(Promise) if one.name not in ("name", "by", "handling")), *HANDLING)
"""What can be read about a deployment: the fields of a Promise and of its Handling, in their order."""
_EMPTY = {"not_said": NOT_SAID, "not_looked_up": NOT_LOOKED_UP}
_TIMES = {"day": 1.0, "month": MONTH, "three months": 3 * MONTH, "never": math.inf}
_SPELLED: Mapping[str, Mapping[str, Any]] = {
    "every_days": _TIMES,
    "for_days": _TIMES,
    "neighbors": {one.value: one for one in Neighbors},
}
"""Fields that the file may give as a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One deployment as a promise: `pages` by each stated field, and a `note` on what no field can hold."""

    promise: Promise
    deployment: Deployment
    pages: Mapping[str, SourcePage]
    note: str

    @property
    def in_full(self) -> str:
        """What it is, by whom and since when: the name under which it is found in lists."""
        return f"{self.deployment.name} ({self.deployment.by}, {self.deployment.year})"


def read(text: str) -> Mapping[str, Recorded]:
    """What a TOML file says about every deployment, by its short name.

    Raises InvalidParameterError unless each field of each deployment is stated once, or its silence explained once.
    """
    said = tomllib.loads(text)
    _require_names("the file", said, {"pages", "promises"})
    _require_names("promises", said["promises"], {one.short for one in DEPLOYMENTS})
    for key, page in said["pages"].items():
        _require_names(key, page, {one.name for one in fields(SourcePage)})
    pages = {key: SourcePage(**page) for key, page in said["pages"].items()}
    _require_names("pages", pages, {page for one in said["promises"].values() for page in one["said"]})
    return MappingProxyType({one.short: _recorded(one, said["promises"][one.short], pages) for one in DEPLOYMENTS})


def comparable(promise: Promise) -> tuple[Recorded, ...]:
    """Deployments that promise for the same unit and the same time, from the smallest epsilon.

    None where the unit or the time is not stated: nothing is known to be of the same kind then.
    """
    unit, every = stated(promise.unit), stated(promise.every_days)
    if unit is None or every is None:
        return ()
    alike = [
        one
        for one in RECORDED.values()
        if one.promise.unit == unit and math.isclose(stated(one.promise.every_days) or 0.0, every, rel_tol=1e-6)
    ]
    return tuple(sorted(alike, key=lambda one: (one.deployment.epsilon, one.deployment.name)))


def _recorded(deployment: Deployment, said: Mapping[str, Any], pages: Mapping[str, SourcePage]) -> Recorded:
    _require_names(deployment.short, said, {"note", "said", *_EMPTY})
    read_on = [(field, value, pages[page]) for page, facts in said["said"].items() for field, value in facts.items()]
    silent = [(field, why) for key, why in _EMPTY.items() for field in said[key]]
    if sorted([*(field for field, _, _ in read_on), *(field for field, _ in silent)]) != sorted(FIELDS):
        raise InvalidParameterError(deployment.short, sorted(said), "each field exactly once: " + ", ".join(FIELDS))
    held: dict[str, Any] = dict(silent) | {field: _value(field, value) for field, value, _ in read_on}
    handling = Handling(**{field: held.pop(field) for field in HANDLING})
    return Recorded(
        promise=Promise(name=deployment.name, by=deployment.by, handling=handling, **held),
        deployment=deployment,
        pages=MappingProxyType({field: page for field, _, page in read_on}),
        note=said["note"],
    )


def _value(field: str, value: Any) -> Any:
    if not isinstance(value, str) or field not in _SPELLED:
        return value
    if value not in _SPELLED[field]:
        raise InvalidParameterError(field, value, "one of " + ", ".join(_SPELLED[field]))
    return _SPELLED[field][value]


def _require_names(where: str, said: Mapping[str, Any], expected: set[str]) -> None:
    if unlike := said.keys() ^ expected:
        raise InvalidParameterError(where, sorted(unlike), "exactly these: " + ", ".join(sorted(expected)))


RECORDED: Mapping[str, Recorded] = read(Path(__file__).with_name("recorded.toml").read_text(encoding="utf-8"))
"""Each deployment by its short name."""
