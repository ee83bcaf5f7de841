"""Asking an accountant: one collection of runs, a curve over repetitions, or a plan that is consumed step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from dpengine.accounting.advanced import AdvancedAccountant
from dpengine.accounting.advanced_2010 import Advanced2010Accountant
from dpengine.accounting.basic import BasicAccountant
from dpengine.accounting.concentrated import ConcentratedAccountant
from dpengine.accounting.exact import ExactAccountant
from dpengine.accounting.optimal import OptimalAccountant
from dpengine.accounting.protocol import Accountant, Counts
from dpengine.accounting.renyi import RenyiAccountant
from dpengine.accounting.textbook import TextbookAccountant
from dpengine.errors import InvalidParameterError, named, require_between, require_one_of, require_whole
from dpengine.losses.arrays import Array, whole_numbers
from dpengine.privacy import Event, require_event, require_events

_ALL: tuple[Accountant, ...] = (
    BasicAccountant(),
    TextbookAccountant(),
    Advanced2010Accountant(),
    AdvancedAccountant(),
    OptimalAccountant(),
    ConcentratedAccountant(),
    RenyiAccountant(),
    ExactAccountant(),
)
ACCOUNTANTS: Mapping[str, Accountant] = MappingProxyType({accountant.name: accountant for accountant in _ALL})


@named
def epsilon(events: Mapping[Event, int], *, delta: float, accountant: str) -> float:
    """Epsilon at the total delta of every event run its number of times, for runs fixed in advance.

    Never negative; math.inf where nothing holds. Raises UnsupportedEventError for what the accountant cannot handle.
    """
    return float(ask(counts_of([events]), delta, accountant, columns=1)[0])


@named
def epsilon_curve(event: Event, *, repetitions: npt.ArrayLike, delta: float, accountant: str) -> Array:
    """Epsilon at the total delta after each number of repetitions; the same shape as `repetitions`."""
    require_event("event", event)
    runs = whole_numbers("repetitions", repetitions, least=0)
    return ask(checked({event: runs.ravel()}), delta, accountant, columns=runs.size).reshape(runs.shape)


@named
def consumption(steps: Sequence[Mapping[Event, int]], *, delta: float, accountant: str) -> Array:
    """Epsilon at the total delta after the 1st, 2nd, ... step of a list of planned questions.

    Each value is what holds if the plan is cut there beforehand, not a running promise for a plan still open.
    """
    each = counts_of(steps)
    return ask({event: np.cumsum(runs) for event, runs in each.items()}, delta, accountant, columns=len(steps))


@named
def repeated(events: Mapping[Event, int], *, repetitions: npt.ArrayLike, delta: float, accountant: str) -> Array:
    """Epsilon at the total delta after a planned question, with all its events, was asked each number of times.

    The same shape as `repetitions`.
    """
    runs = whole_numbers("repetitions", repetitions, least=0)
    counts = {event: column[0] * runs.ravel() for event, column in counts_of([events]).items()}
    return ask(checked(counts), delta, accountant, columns=runs.size).reshape(runs.shape)


def counts_of(columns: Sequence[Mapping[Event, int]]) -> Counts:
    """One row per event that is run at all, one column per collection; refuses by name what is no such list."""
    if not isinstance(columns, Sequence) or isinstance(columns, str):
        raise InvalidParameterError("steps", columns, "a list, such as [{PureEvent(epsilon=0.1): 3}]")
    counts: dict[Event, Array] = {}
    for j, column in enumerate(columns):
        require_events("events", column)
        for event, runs in column.items():
            require_whole("the number of runs", runs, least=0)
            counts.setdefault(event, np.zeros(len(columns)))[j] = runs
    return checked(counts)


def checked(counts: Counts) -> Counts:
    """The events that are run at all."""
    return {event: runs for event, runs in counts.items() if np.any(runs > 0.0)}


def ask(counts: Counts, delta: float, accountant: str, *, columns: int) -> Array:
    """Epsilon at the total delta of each of so many collections of runs; the only place that asks an accountant."""
    require_between("delta", delta, 0.0, 1.0)
    require_one_of("accountant", accountant, ACCOUNTANTS)
    return ACCOUNTANTS[accountant].epsilon(counts, delta=delta) if counts else np.zeros(columns)
