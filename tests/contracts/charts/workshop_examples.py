"""Charts of a workshop's first two steps, as examples for the contract of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dpengine.charts import Chart, Palette
from dpengine.charts.rooms import workshop_charts
from dpengine.charts.rooms.workshop_charts import Chosen, RoomTrack

Drawing = Callable[[Palette], Chart]


def track(guesses: int, before: Sequence[tuple[str, float]] = ()) -> RoomTrack:
    """Two of three guesses right, in an interval that narrows."""
    places = np.unique(np.linspace(1, max(guesses, 1), 400).astype(int))[:guesses]
    shares = np.floor(2 * places / 3) / places
    wide = 1.0 / np.sqrt(places)
    low, high = np.maximum(shares - wide, 0.0), np.minimum(shares + wide, 1.0)
    return RoomTrack(guesses=places, shares=shares, lower=low, upper=high, chance=0.5, bound=0.7310586, before=before)


def chosen(name: str, *epsilons: float) -> Chosen:
    """A round whose median is its middle choice."""
    ordered = sorted(epsilons)
    return Chosen(name=name, epsilons=ordered, median=ordered[len(ordered) // 2], lower=ordered[0], upper=ordered[-1])


def _track(guesses: int, *before: tuple[str, float]) -> Drawing:
    return lambda palette: workshop_charts.room_track(track(guesses, before), palette)


def _choices(*rounds: Chosen) -> Drawing:
    return lambda palette: workshop_charts.choices(rounds, palette)


FIRST, SECOND = chosen("first round", 0.01, 0.5, 0.5, 10.0), chosen("second round", 0.4, 0.5, 0.5, 0.5, 1.0)
EXAMPLES: Mapping[str, Drawing] = {
    "guesses of a room, none": _track(0),
    "guesses of a room, one": _track(1),
    "guesses of a room, very many": _track(10_000),
    "guesses of a room, at a third epsilon": _track(90, ("ε 0.1", 0.525), ("ε 1", 0.7310586)),
    "choices, one person": _choices(chosen("first round", 0.3)),
    "choices, far off the dial": _choices(chosen("first round", 1e-5, 0.3, 2e3)),
    "choices, two rounds": _choices(FIRST, SECOND),
    "choices, a full room that agrees": _choices(chosen("first round", *[0.5] * 200)),
}
