"""How fast the accountants are, beside dp-accounting 0.6.0 in the same run.

`python -m benchmarks.accounting_speed` prints medians of several repeats, each with its limit: all curves of the budget
page, single curves beside dp-accounting at the same numbers of runs, exact values of Laplace noise, and privacy
profiles. The peer is asked in the fastest way that it offers for the same digits: Gaussian noise by its closed form,
other noise step by step, on the coarsest grid that is as exact. The two take turns. All is computed in one thread, so
times are those of the processor, which other programs on the machine hardly change.
"""

from __future__ import annotations

import csv
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt
from dp_accounting.gaussian_mechanism import get_epsilon_gaussian
from dp_accounting.pld import privacy_loss_distribution as peer
from dp_accounting.pld.common import DifferentialPrivacyParameters

from benchmarks.command_line import size_asked_for
from benchmarks.limits import verdict
from dpengine.accounting import ACCOUNTANTS, drawn_curve, epsilon, epsilon_curve
from dpengine.errors import UnsupportedEventError
from dpengine.losses import delta_of
from dpengine.privacy import (
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
)

DELTA = 1e-6
EXACT_VALUES = Path(__file__).parents[1] / "tests" / "golden" / "laplace_composition.csv"
LIMITS = {"page": 60.0, "gaussian": 500.0, "optimal": 20.0, "laplace": 3.0, "error": 1e-4, "profile": 1.0}
LAPLACE_GRID = 0.005
"""The peer's losses of Laplace noise are multiples of it: its epsilons then lie up to 1.5e-5 above the truth."""
Runs = npt.NDArray[np.int_]


@dataclass(frozen=True, kw_only=True)
class Size:
    """Curves are asked for at 1, 2, ... `most_runs`; `turns` are those of two that are compared.

    Of the exact sums one in `apart` is looked at.
    """

    most_runs: int = 1000
    repeats: int = 9
    turns: int = 5
    apart: int = 1

    @property
    def runs(self) -> Runs:
        """Every number of runs."""
        return np.arange(1, self.most_runs + 1)

    @property
    def some_runs(self) -> Runs:
        """As many as the budget page asks the exact rule at, fewer towards the end."""
        return np.unique(np.rint(np.geomspace(1, self.most_runs, 76)).astype(int))


USUAL, SMALLEST = Size(), Size(most_runs=10, repeats=1, turns=1, apart=20)


def milliseconds(work: Callable[[], object], *, repeats: int) -> float:
    """The median processor time of some work, after one run that is not counted; once where it is not repeated."""
    if repeats > 1:
        work()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(1000 * (time.process_time() - start))
    return median(times)


def all_curves(event: Event, runs: Runs) -> None:
    """Every accountant's curve as the budget page draws it."""
    for name in ACCOUNTANTS:
        try:
            drawn_curve(event, repetitions=runs, delta=DELTA, accountant=name, exactly=[100])
        except UnsupportedEventError:
            continue


def page_curves(size: Size) -> bool:
    """All accountants' curves together."""
    print(f"\nAll accountants, k = 1..{size.most_runs}, delta {DELTA:g} (at most {LIMITS['page']:g} ms)")
    fine = True
    for epsilon_each in (0.1, 1.0):
        for event in (
            LaplaceEvent(noise_multiplier=1.0 / epsilon_each),
            DiscreteLaplaceEvent(noise_multiplier=1.0 / epsilon_each, sensitivity=1),
            DiscreteLaplaceEvent(noise_multiplier=1.0 / epsilon_each, sensitivity=1000),
            GaussianEvent(noise_multiplier=math.sqrt(2.0) / epsilon_each),
            DiscreteGaussianEvent(noise_multiplier=math.sqrt(2.0) / epsilon_each, sensitivity=1),
            DiscreteGaussianEvent(noise_multiplier=math.sqrt(2.0) / epsilon_each, sensitivity=1000),
        ):
            took = milliseconds(partial(all_curves, event, size.runs), repeats=size.repeats)
            fine &= took <= LIMITS["page"]
            print(f"  {event!s:<68}{took:8.1f} ms")
    return fine


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One curve, asked for here and there; at least so many times as fast here."""

    name: str
    here: Callable[[], npt.NDArray[np.float64]]
    there: Callable[[], Sequence[float]]
    limit: float

    def is_kept(self, size: Size) -> bool:
        """Print both times and their ratio; RuntimeError where the two do not say the same."""
        apart = float(np.max(np.abs(np.divide(self.there(), self.here()) - 1.0)))
        if apart > LIMITS["error"]:
            raise RuntimeError(f"{self.name}: dp-accounting's values lie {apart:.1e} apart.")
        times = [
            (milliseconds(self.here, repeats=size.repeats), milliseconds(self.there, repeats=1))
            for _ in range(size.turns)
        ]
        here, there = (median(each) for each in zip(*times, strict=True))
        ratio = f"{there / here:8.1f} times (at least {self.limit:g})"
        print(f"  {self.name:<44}{here:8.2f} ms {there:9.1f} ms {ratio}{apart:10.1e} apart", flush=True)
        return bool(there / here >= self.limit)


def comparisons(size: Size) -> list[Comparison]:
    """Curves of one accountant, and how the peer is asked for the same."""
    gaussian, tenth = GaussianEvent(noise_multiplier=20.0), PureEvent(epsilon=0.1)
    laplace = LaplaceEvent(noise_multiplier=10.0)
    return [
        Comparison(
            name=f"Gaussian, exact, k = 1..{size.most_runs}",
            here=lambda: epsilon_curve(gaussian, repetitions=size.runs, delta=DELTA, accountant="exact"),
            there=lambda: [get_epsilon_gaussian(20.0 / math.sqrt(k), DELTA) for k in size.runs.tolist()],
            limit=LIMITS["gaussian"],
        ),
        Comparison(
            name=f"equal shares of 0.1, optimal, k = 1..{size.most_runs}",
            here=lambda: epsilon_curve(tenth, repetitions=size.runs, delta=DELTA, accountant="optimal"),
            there=lambda: step_by_step(_of_shares(0.1), size.runs),
            limit=LIMITS["optimal"],
        ),
        Comparison(
            name=f"Laplace, exact, at {size.some_runs.size} k",
            here=lambda: epsilon_curve(laplace, repetitions=size.some_runs, delta=DELTA, accountant="exact"),
            there=lambda: step_by_step(_of_laplace(10.0), size.some_runs),
            limit=LIMITS["laplace"],
        ),
    ]


def step_by_step(one: peer.PrivacyLossDistribution, runs: Runs) -> list[float]:
    """The peer's epsilon at each number of runs: each adds to the one before, and equal steps are composed once."""
    steps = np.diff(runs, prepend=0).tolist()
    composed = {step: one.self_compose(step) for step in set(steps)}
    found, total = [], None
    for step in steps:
        total = composed[step] if total is None else total.compose(composed[step])
        found.append(float(total.get_epsilon_for_delta(DELTA)))
    return found


def _of_shares(epsilon_each: float) -> peer.PrivacyLossDistribution:
    """On a grid of nothing but plus and minus this epsilon, so that it is exact."""
    pure = DifferentialPrivacyParameters(epsilon_each, 0.0)
    return peer.from_privacy_parameters(pure, value_discretization_interval=epsilon_each)


def _of_laplace(noise: float) -> peer.PrivacyLossDistribution:
    return peer.from_laplace_mechanism(noise, value_discretization_interval=LAPLACE_GRID)


def check_exactness(size: Size) -> None:
    """How far above exact sums of 50 digits the exact rule is for Laplace noise; RuntimeError where it is too far."""
    with EXACT_VALUES.open(encoding="utf-8", newline="") as file:
        exact = [row for row in csv.DictReader(file) if row["epsilon"]][:: size.apart]
    errors = np.array([_relative_error(row) for row in exact])
    most, least = float(errors.max()), float(errors.min())
    found = f"Laplace, exact, against {len(exact)} sums of 50 digits: relative error {least:.1e} to {most:.1e}"
    if least < -1e-12 or most > LIMITS["error"]:
        raise RuntimeError(found)
    print(f"\n{found}")


def _relative_error(row: dict[str, str]) -> float:
    event = LaplaceEvent(noise_multiplier=1.0 / float(row["epsilon_each"]))
    found = epsilon({event: int(row["repetitions"])}, delta=float(row["delta"]), accountant="exact")
    true = float(row["epsilon"])
    return (found - true) / true if true else found


def profiles(size: Size) -> bool:
    """1,000 points of delta(epsilon) for one run of each kind of noise."""
    points, fine = np.linspace(0.0, 3.0, 1000), True
    print(f"\ndelta(epsilon) at 1,000 points (at most {LIMITS['profile']:g} ms)")
    for event in (
        LaplaceEvent(noise_multiplier=1.0),
        GaussianEvent(noise_multiplier=1.0),
        DiscreteLaplaceEvent(noise_multiplier=1.0, sensitivity=1),
        DiscreteLaplaceEvent(noise_multiplier=1.0, sensitivity=1000),
        DiscreteGaussianEvent(noise_multiplier=4.0, sensitivity=1),
        DiscreteGaussianEvent(noise_multiplier=4.0, sensitivity=1000),
        RandomizedResponseEvent(epsilon=1.0),
        TruncatedLaplaceEvent(noise_multiplier=1.0, truncation=20.0),
        BoundedRangeEvent(epsilon=1.0),
        ConcentratedEvent(rho=0.5),
    ):
        took = milliseconds(partial(delta_of, event, epsilon=points), repeats=3 * size.repeats)
        fine &= took <= LIMITS["profile"]
        print(f"  {event!s:<68}{took:8.3f} ms")
    return fine


def main(arguments: Sequence[str]) -> int:
    """Print all figures; 0 when each is within its limit."""
    size = size_asked_for(arguments, usual=USUAL, smallest=SMALLEST)
    within = {"curves of the page": page_curves(size)}
    within |= {one.name: one.is_kept(size) for one in comparisons(size)}
    within |= {"profiles": profiles(size)}
    check_exactness(size)
    return verdict([name for name, fine in within.items() if not fine], judged=size is not SMALLEST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
