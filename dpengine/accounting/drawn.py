"""Curves for pictures: a rule that is dear to ask is asked at some places only, and never runs below the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from dpengine.accounting.composition import ACCOUNTANTS, ask, checked, counts_of
from dpengine.accounting.protocol import Counts
from dpengine.errors import UnsupportedEventError, require_one_of
from dpengine.losses.arrays import Array, whole_numbers
from dpengine.privacy import DiscreteGaussianEvent, Event, GaussianEvent, require_event

Places = npt.NDArray[np.intp]

DEAREST = "exact"
_AT_LEAST, _FIRST, _DENSER = 20, 8, 1.7


def drawn_curve(
    event: Event, *, repetitions: npt.ArrayLike, delta: float, accountant: str, exactly: Sequence[int] = ()
) -> Array:
    """Like `epsilon_curve`, but a dear rule is asked at about 60 numbers of repetitions, `exactly` among them.

    Any other number takes the value of the next one that was asked: never below the truth.
    """
    require_event("event", event)
    return drawn_repeated({event: 1}, repetitions=repetitions, delta=delta, accountant=accountant, exactly=exactly)


def drawn_repeated(
    events: Mapping[Event, int],
    *,
    repetitions: npt.ArrayLike,
    delta: float,
    accountant: str,
    exactly: Sequence[int] = (),
) -> Array:
    """The same for a planned question with all its events, like `repeated`."""
    runs = whole_numbers("repetitions", repetitions, least=0)
    distinct, place = np.unique(runs, return_inverse=True)
    wanted = np.flatnonzero(np.isin(distinct, np.asarray(exactly, dtype=np.float64)))
    counts = checked({event: column[0] * distinct for event, column in counts_of([events]).items()})
    curve = drawn(counts, delta, accountant, columns=distinct.size, exactly=wanted)
    return curve[place].reshape(runs.shape)


def drawn_consumption(
    steps: Sequence[Mapping[Event, int]], *, delta: float, accountant: str, exactly: Sequence[int] = ()
) -> Array:
    """Like `consumption`, but a dear rule is asked after some steps only, `exactly` (from 1) among them.

    Any other step takes the value of the next one after which it was asked: never below the truth.
    """
    counts = cumulated(steps)
    wanted = np.array([number - 1 for number in exactly if 0 < number <= len(steps)], dtype=np.intp)
    return drawn(counts, delta, accountant, columns=len(steps), exactly=wanted)


def cumulated(steps: Sequence[Mapping[Event, int]]) -> Counts:
    """What was run after the 1st, 2nd, ... step."""
    return {event: np.cumsum(runs) for event, runs in counts_of(steps).items()}


def drawn(
    counts: Counts,
    delta: float,
    accountant: str,
    *,
    columns: int,
    exactly: Places,
    said: dict[int, float] | None = None,
) -> Array:
    """Epsilon of collections that only grow from column to column; `said` keeps what the rule said of some of them."""
    require_one_of("accountant", accountant, ACCOUNTANTS)
    if not counts:
        return np.zeros(columns)
    places = asked_places(counts, accountant, columns)
    if places.size == columns:
        return ask(counts, delta, accountant, columns=columns)
    places = np.union1d(places, exactly)
    values = ask_at(places.tolist(), counts, delta, accountant, {} if said is None else said)
    least_from_here = np.minimum.accumulate(values[::-1])[::-1]
    curve = least_from_here[np.searchsorted(places, np.arange(columns))]
    for cap in caps(counts, accountant):
        curve = np.minimum(curve, where_understood(counts, delta, cap, columns))
    return curve


def ask_at(places: Sequence[int], counts: Counts, delta: float, accountant: str, said: dict[int, float]) -> Array:
    """Epsilon of some columns; of what was said already nothing is asked again."""
    unknown = [place for place in places if place not in said]
    if unknown:
        columns = {event: runs[unknown] for event, runs in counts.items()}
        said.update(zip(unknown, ask(columns, delta, accountant, columns=len(unknown)).tolist(), strict=True))
    return np.array([said[place] for place in places])


def asked_places(counts: Counts, accountant: str, columns: int) -> Places:
    """The columns at which a rule is asked: all where it is cheap, else fewer towards the end, the last one always."""
    at_most = ACCOUNTANTS[DEAREST if _is_dear(accountant, counts) else accountant].asked_at_most
    most, shared = at_most or (columns, 0)
    closed = accountant == DEAREST and all(isinstance(event, GaussianEvent) for event in counts)
    many = columns if closed or not shared else max(min(most, shared // max(len(counts), 1)), _AT_LEAST)
    if many >= columns:
        return np.arange(columns)
    spread = np.rint(columns * (np.arange(1, many - _FIRST + 1) / (many - _FIRST)) ** _DENSER)
    return np.union1d(np.arange(_FIRST), np.maximum(spread.astype(np.intp), 1) - 1)


def caps(counts: Counts, accountant: str) -> list[str]:
    """Cheap rules that a dear one is never above."""
    return [cap for cap in ACCOUNTANTS[accountant].never_above if not _is_dear(cap, counts)]


def _is_dear(accountant: str, counts: Counts) -> bool:
    """Whether it must split delta among discrete Gaussian runs, and find the epsilon of each part by its law."""
    splits = ACCOUNTANTS[accountant].delta_goes != "once"
    return splits and any(isinstance(event, DiscreteGaussianEvent) for event in counts)


def where_understood(counts: Counts, delta: float, accountant: str, columns: int) -> Array:
    """What a rule says; infinite where it does not understand an event."""
    try:
        return ask(counts, delta, accountant, columns=columns)
    except UnsupportedEventError:
        return np.full(columns, np.inf)
