"""One release of a promise, and all over the time by which it is judged, as words within a sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

from dpengine.formatting import amount, at_least, at_most, tiny_at_most
from dpengine.privacy import ConcentratedEvent, GaussianEvent, Guarantee
from dpengine.promises.promise import MOST_DAYS, MOST_RUNS, Promise
from dpengine.promises.totals import Total
from dpengine.promises.units import MONTH, WEEK, YEAR
from dpengine.promises.unsaid import stated

READ_OFF = (ConcentratedEvent, GaussianEvent)
"""Events without an epsilon of their own, and without a delta at which whole rows come out."""
_STRETCHES: Mapping[float, str] = MappingProxyType({1.0: "a day", WEEK: "a week", MONTH: "a month", YEAR: "a year"})
_SAME = Fraction(1 + 1e-9)
"""Twelve months are a year, in spite of their last digits."""


def days_judged(promise: Promise) -> float | None:
    """The days over which several releases are judged: those that are stated, else a year; None for one release."""
    every, lasting = stated(promise.every_days), stated(promise.for_days) or math.inf
    if every is None or math.isinf(every) or lasting <= every:
        return None
    return min(lasting if math.isfinite(lasting) else max(YEAR, 2.0 * every), MOST_DAYS)


def runs_judged(promise: Promise, days: float | None = None) -> int:
    """How many releases those days have, or so many days."""
    days, every = days or days_judged(promise), stated(promise.every_days)
    return max(1, math.ceil(Fraction(days) / Fraction(every) / _SAME)) if days and every and every < math.inf else 1


def releases_judged(promise: Promise) -> str:
    """How many releases there are in which time, for a promise that has several."""
    runs, days = runs_judged(promise), days_judged(promise) or YEAR
    count = f"{runs:,}" if runs <= MOST_RUNS else f"more than {MOST_RUNS:,}"
    return f"{count} releases in {days_in_words(days)}"


@lru_cache(maxsize=64)
def total_judged(promise: Promise, days: float | None = None) -> Total | None:
    """What those releases come to, or those of so many days; None where they are too many to add up."""
    lasting = min(days or days_judged(promise) or YEAR, MOST_DAYS)
    few = runs_judged(promise, lasting) <= MOST_RUNS
    return promise.over(days=lasting, delta=reading_delta(promise)) if few else None


def reading_delta(promise: Promise) -> float | None:
    """The stated delta where it only reads an epsilon off a rho or Gaussian noise, so that all epsilons have one delta.

    None where none is stated, or where each release has a delta of its own.
    """
    return stated(promise.delta) or None if isinstance(promise.event, READ_OFF) else None


def coming_to(promise: Promise) -> str:
    """The releases of those days and their total, as the end of a sentence; nothing where it has no size."""
    if promise.event is None:
        return ""
    start, total = f"; {releases_judged(promise)}", total_judged(promise)
    if total is None:
        return f"{start} are too many to add up"
    if total.promises_nothing:
        return f"{start} together promise nothing"
    if math.isinf(total.most):
        return f"{start} come to an ε of {at_least(total.least)} or more"
    return f"{start} come to an ε of at most {at_most(total.most)}{at_delta(promise, total)}"


def at_delta(promise: Promise, total: Total) -> str:
    """The total's delta; nothing where epsilons without any delta are just added up."""
    if not total.delta or (promise.delta == 0.0 and total.most == total.rules.get("basic")):
        return ""
    return f" at a δ of {tiny_at_most(total.delta)}"


def one_release(promise: Promise) -> Guarantee | None:
    """The stated epsilon, else that of a rho or a known noise at the stated or the usual delta."""
    epsilon, delta = stated(promise.epsilon), stated(promise.delta)
    if epsilon is not None:
        return Guarantee(epsilon=epsilon, delta=delta or 0.0)
    total = promise.release(delta=delta or None)
    return Guarantee(epsilon=total.least, delta=total.delta) if total else None


def days_in_words(days: float) -> str:
    """A stretch of time in words, whole days in full."""
    return _STRETCHES.get(days, f"{int(days):,} days" if float(days).is_integer() else f"{amount(days)} days")
