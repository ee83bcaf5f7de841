"""What a finding says: a hazard that cannot apply does not arise, and two kinds of silence are told apart."""

from __future__ import annotations

import math
from typing import Any

from dpengine.promises import HANDLING, NOT_LOOKED_UP, Handling, HazardFinding, Promise, Standing
from tests.running.cases import each


def found(key: str, **stated: Any) -> HazardFinding:
    kept = {name: stated.pop(name) for name in tuple(stated) if name in HANDLING}
    return next(one for one in Promise(**stated, handling=Handling(**kept)).hazards() if one.hazard.key == key)


@each(
    ("key", "cannot", "can"),
    [
        ("local", {"model": "central"}, {"model": "local", "epsilon": 0.5}),
        ("refill", {"every_days": math.inf}, {"every_days": 1.0, "for_days": 9.0, "rule": "basic", "epsilon": 0.1}),
        ("floats", {"noise": "randomized_response"}, {"sampler": "exact"}),
        ("raw", {"model": "local"}, {"raw_access": "guarded"}),
        ("channels", {"side_channels": "no_queries"}, {"side_channels": "guarded"}),
    ],
)
def test_a_hazard_that_cannot_apply_does_not_arise(key: str, cannot: dict[str, Any], can: dict[str, Any]) -> None:
    assert found(key, **cannot).standing is found(key, **can).standing is Standing.SOUND
    assert (found(key, **cannot).words, found(key, **can).words) == ("does not arise", "stated and sound")


def test_what_was_looked_up_and_what_was_not_are_told_apart() -> None:
    mixed = found("refill", every_days=1.0, rule=NOT_LOOKED_UP)
    assert mixed.standing is Standing.NOT_LOOKED_UP
    assert mixed.because == (
        "Nobody here has looked up how releases add up. The other part was looked up and is not said: how long that "
        "goes on."
    )
