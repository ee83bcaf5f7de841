"""The exact answer from the laws themselves, as far as numbers can be exact: never below the truth."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpengine.accounting.advanced import AdvancedAccountant, least_form
from dpengine.accounting.basic import BasicAccountant
from dpengine.accounting.concentrated import ConcentratedAccountant, rho_of
from dpengine.accounting.numerical.numerical_composition import Runs, numerical_epsilon
from dpengine.accounting.optimal import OptimalAccountant
from dpengine.accounting.protocol import Accountant, Counts, DeltaGoes
from dpengine.accounting.renyi import RenyiAccountant
from dpengine.accounting.shares import most_generous
from dpengine.errors import UnsupportedEventError
from dpengine.losses import delta_of, gaussian_epsilon
from dpengine.losses.arrays import Array
from dpengine.losses.lattices import spacing
from dpengine.privacy import (
    BoundedRangeEvent,
    ConcentratedEvent,
    DiscreteGaussianEvent,
    DiscreteLaplaceEvent,
    Event,
    GaussianEvent,
)

_LEAST_COST, _BEYOND = 1e-300, 1e302
_SMALLEST_LOSS, _LARGEST_LOSS = 1e-12, 1e10
"""Of all runs together; outside, the closed forms alone answer."""
_LAST_DIGITS = 1e-14
_HALVINGS = 60
_OF_SHARES: tuple[Accountant, ...] = (BasicAccountant(), AdvancedAccountant())
_OF_THE_LAW: tuple[Accountant, ...] = (OptimalAccountant(), ConcentratedAccountant(), RenyiAccountant())
_SURELY_LESS = 1.0 - 1e-9


@dataclass(frozen=True, slots=True)
class ExactAccountant:
    """Gaussian runs by their closed form, everything else and every mix by its losses on a certified grid.

    Any mix of Gaussian runs is exactly one Gaussian run: squared shifts add up. Where only rho or the range of the
    losses is known, the best bound on the profile stands for the law. Never above a closed form.
    Source: Dong, Roth, Su 2022, Corollary 3.3; Zhu, Dong, Wang 2022, Theorem 10 (dominating pairs compose).
    """

    name: str = "exact"
    label: str = "Exact composition"
    sound: bool = True
    delta_goes: DeltaGoes = "once"
    asked_at_most: tuple[int, int] | None = (60, 240)
    never_above: tuple[str, ...] = ("basic", "advanced", "concentrated")

    def epsilon(self, counts: Counts, *, delta: float) -> Array:
        """Never below the truth: above it by rounding where all losses are on one grid, else seldom by 1 in 10,000.

        Raises UnsupportedEventError for a law that is not known.
        """
        for event in counts:
            spacing(event)
        silent = np.zeros(len(next(iter(counts.values()))))
        counts = {event: runs for event, runs in counts.items() if not _says_nothing(event)}
        if not counts:
            return silent
        if all(isinstance(event, GaussianEvent) for event in counts):
            return _gaussian_epsilon(counts, delta)
        least = _least(_OF_THE_LAW, counts, delta)
        columns, place = _distinct(counts)
        if 0.0 < delta < 1.0:
            least = np.minimum(least, np.maximum(_numerical(columns, delta), 0.0)[place])
        return np.where(delta == 1.0, 0.0, np.minimum(least, _by_shares(counts, delta, least)))


def _gaussian_epsilon(counts: Counts, delta: float) -> Array:
    cost = _squared_shifts(counts)
    noise = 1.0 / np.sqrt(np.clip(cost, _LEAST_COST, _BEYOND))
    return np.where(cost > 0.0, gaussian_epsilon(noise_multiplier=noise, delta=delta), 0.0)


def _squared_shifts(counts: Counts) -> Array:
    cost = np.zeros(len(next(iter(counts.values()))))
    for event, runs in counts.items():
        if isinstance(event, GaussianEvent):
            with np.errstate(over="ignore"):
                square = min(1.0 / event.noise_multiplier / event.noise_multiplier, _BEYOND)
                cost = cost + np.where(runs > 0.0, runs, 0.0) * square
    return cost


def _by_shares(counts: Counts, delta: float, known: Array) -> Array:
    """What the rules say that split delta among runs; infinite where that is surely more than what is known."""
    found = np.full(known.size, np.inf)
    wanted = np.flatnonzero(~(known < _SURELY_LESS * least_form(most_generous(counts, delta=delta))))
    ran = {event: runs[wanted] for event, runs in counts.items() if np.any(runs[wanted])}
    found[wanted] = _least(_OF_SHARES, ran, delta) if ran else 0.0
    return found


def _least(accountants: Iterable[Accountant], counts: Counts, delta: float) -> Array:
    found = np.full(len(next(iter(counts.values()))), np.inf)
    for accountant in accountants:
        try:
            found = np.minimum(found, accountant.epsilon(counts, delta=delta))
        except UnsupportedEventError:
            continue
    return found


def _distinct(counts: Counts) -> tuple[list[Runs], npt.NDArray[np.intp]]:
    """Different columns only, with all Gaussian runs of each joined into one, and all of which only rho is known."""
    table, place = np.unique(np.array(list(counts.values())), axis=1, return_inverse=True)
    return [_joined(zip(counts, column, strict=True)) for column in table.T], place.ravel()


def _joined(column: Iterable[tuple[Event, float]]) -> Runs:
    runs: dict[Event, float] = {}
    squared_shift = rho = 0.0
    for event, times in column:
        if isinstance(event, GaussianEvent):
            squared_shift += float(times) / event.noise_multiplier / event.noise_multiplier
        elif isinstance(event, ConcentratedEvent):
            rho += float(times) * event.rho
        elif times > 0.0:
            runs[event] = float(times)
    if squared_shift > 0.0:
        runs[GaussianEvent(noise_multiplier=1.0 / math.sqrt(min(squared_shift, _BEYOND)))] = 1.0
    if rho > 0.0:
        runs[ConcentratedEvent(rho=min(rho, _BEYOND))] = 1.0
    return runs


def _says_nothing(event: Event) -> bool:
    """Epsilon 0, and no delta: as if it had never been run."""
    return getattr(event, "epsilon", 1.0) == 0.0 and getattr(event, "delta", 0.0) == 0.0


def _numerical(columns: list[Runs], delta: float) -> Array:
    """Infinite where the numbers of this machine do not reach; an empty column costs nothing."""
    found = np.array([np.inf if runs else 0.0 for runs in columns])
    within = [j for j, runs in enumerate(columns) if _worth_composing(runs)]
    if within:
        found[within] = numerical_epsilon([columns[j] for j in within], delta)
    ranged = [
        j for j in within if len(columns[j]) > 1 and any(isinstance(event, BoundedRangeEvent) for event in columns[j])
    ]
    if ranged:
        by_rho = [_joined((_as_concentrated(event), runs) for event, runs in columns[j].items()) for j in ranged]
        found[ranged] = np.minimum(found[ranged], numerical_epsilon(by_rho, delta))
    for j in within:
        ((event, runs), *others) = columns[j].items()
        if runs == 1.0 and not others:
            found[j] = _of_one_run(event, delta, float(found[j]))
    return found


def _worth_composing(runs: Runs) -> bool:
    """Rho alone says no more than its closed form."""
    by_law = any(not isinstance(event, ConcentratedEvent) for event in runs)
    return by_law and _SMALLEST_LOSS < _size(runs) < _LARGEST_LOSS


def _as_concentrated(event: Event) -> Event:
    """Many runs of a bounded range cost less by their rho than by the worst pair of each level of the profile."""
    return ConcentratedEvent(rho=rho_of(event)) if isinstance(event, BoundedRangeEvent) else event


def _size(runs: Runs) -> float:
    """About how large the sum of all losses may be."""
    return sum(times * _largest(event) for event, times in runs.items())


def _largest(event: Event) -> float:
    if isinstance(event, ConcentratedEvent):
        return event.rho + math.sqrt(event.rho)
    if isinstance(event, GaussianEvent | DiscreteGaussianEvent):
        return 0.5 / event.noise_multiplier**2 + 1.0 / event.noise_multiplier
    if isinstance(event, DiscreteLaplaceEvent):
        return 1.0 / event.noise_multiplier
    return spacing(event) / 2.0 if math.isfinite(spacing(event)) else 0.0


def _of_one_run(event: Event, delta: float, upper: float) -> float:
    """The root of the profile itself, from an upper bound down; the private end of the last interval."""
    lower = 0.0
    if not math.isfinite(upper) or delta_of(event, epsilon=max(upper, 0.0)) > delta:
        return upper
    if delta_of(event, epsilon=0.0) <= delta * (1.0 - _LAST_DIGITS):
        return 0.0
    for _ in range(_HALVINGS):
        middle = (lower + upper) / 2.0
        lower, upper = (lower, middle) if delta_of(event, epsilon=middle) <= delta else (middle, upper)
    return upper * (1.0 + _LAST_DIGITS)
