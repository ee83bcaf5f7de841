"""What dear accountants said of runs, kept: a share that moves leaves the questions before it as they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpengine import accounting
from dpengine.accounting.composition import ask
from dpengine.accounting.drawn import asked_places, cumulated
from dpengine.errors import UnsupportedEventError
from dpengine.privacy import Event, Guarantee

MOST_KEPT = 20_000
Array = NDArray[np.float64]
_Runs = frozenset[tuple[Event, float]]
_Items = tuple[tuple[Event, int], ...]
_SAID: dict[tuple[str, float, _Runs], float] = {}
_UNDERSTOOD: dict[tuple[str, frozenset[type]], bool] = {}


def consumption(steps: Sequence[Mapping[Event, int]], *, budget: Guarantee, accountant: str) -> Array:
    """Epsilon after each step; a dear accountant is asked after about 60, the one that its budget stops at among them.

    Never below the truth. What is kept are public amounts of noise, never rows.
    """
    counts = cumulated(steps)
    if is_cheap(counts, accountant, len(steps)):
        return _kept(counts, len(steps), budget.delta, accountant)
    return accounting.drawn_to_budget(steps, budget=budget, accountant=accountant)


def is_cheap(counts: Mapping[Event, Array], accountant: str, columns: int) -> bool:
    """Whether so many places are soon asked after, each of them."""
    return asked_places(counts, accountant, columns).size == columns


def after(counts: Mapping[Event, Array], places: Sequence[int], *, delta: float, accountant: str) -> Array:
    """Epsilon after some places of a list whose runs are added up already; what was asked before is not asked again."""
    here = list(places)
    return _kept({event: runs[here] for event, runs in counts.items()}, len(here), delta, accountant)


def _kept(counts: Mapping[Event, Array], columns: int, delta: float, accountant: str) -> Array:
    """What is known already is not asked again; what is not is asked all at once."""
    keys = [(accountant, delta, _runs(counts, column)) for column in range(columns)]
    said = {key: _SAID[key] for key in keys if key in _SAID}
    unknown = [column for column, key in enumerate(keys) if key not in said]
    if unknown:
        asked = {event: runs[unknown] for event, runs in counts.items()}
        values = ask(asked, delta, accountant, columns=len(unknown))
        said |= {keys[column]: float(value) for column, value in zip(unknown, values, strict=True)}
        _keep(said)
    return np.array([said[key] for key in keys])


def _runs(counts: Mapping[Event, Array], column: int) -> _Runs:
    return frozenset((event, float(runs[column])) for event, runs in counts.items() if runs[column])


def _keep(said: Mapping[tuple[str, float, _Runs], float]) -> None:
    if len(_SAID) > MOST_KEPT:
        _SAID.clear()
    _SAID.update(said)


@lru_cache(maxsize=MOST_KEPT)
def room(events: _Items, after: _Items, budget: Guarantee, accountant: str) -> int:
    """How often a question still fits in a budget, on top of what was run before it."""
    return accounting.affordable(dict(events), budget=budget, accountant=accountant, after=dict(after))


@lru_cache(maxsize=MOST_KEPT)
def together(events: _Items, delta: float, accountant: str) -> float:
    """Epsilon after all of these runs."""
    return accounting.epsilon(dict(events), delta=delta, accountant=accountant)


def understood(events: Sequence[Event], *, delta: float, accountant: str) -> bool:
    """Whether an accountant can say anything about runs of these; only the optimal one minds how large they are."""
    kinds = (accountant, frozenset(map(type, events)))
    if accountant == "optimal" or kinds not in _UNDERSTOOD:
        try:
            accounting.epsilon(dict.fromkeys(events, 1), delta=delta, accountant=accountant)
        except UnsupportedEventError:
            _UNDERSTOOD[kinds] = False
        else:
            _UNDERSTOOD[kinds] = True
    return _UNDERSTOOD[kinds]
