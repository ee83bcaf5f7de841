"""How fast the accountants are, beside dp-accounting 0.6.0 in the same run.

`python -m benchmarks.accounting_speed` prints medians of several repeats, each with its limit: all curves of the budget
page, single curves beside dp-accounting's loop over the same numbers of runs, exact values of Laplace noise, and
privacy profiles. Peers are asked for what they can be asked for: one number of runs at a time.
"""

from __future__ import annotations

import csv
import math
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from dp_accounting.pld import privacy_loss_distribution as peer

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
RUNS = np.arange(1, 1001)
SOME_RUNS = np.unique(np.rint(np.geomspace(1, 1000, 76)).astype(int))
EXACT_VALUES = Path(__file__).parents[1] / "tests" / "golden" / "laplace_composition.csv"
LIMITS = {"page": 60.0, "gaussian": 500.0, "optimal": 20.0, "laplace": 10.0, "error": 1e-4, "profile": 1.0}


def milliseconds(work: Callable[[], object], *, repeats: int) -> float:
    """The median time of some work, after one run that is not counted; once only where it is not repeated."""
    if repeats > 1:
        work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - start))
    return median(times)


def all_curves(event: Event) -> None:
    """Every accountant's curve as the budget page draws it."""
    for name in ACCOUNTANTS:
        try:
            drawn_curve(event, repetitions=RUNS, delta=DELTA, accountant=name, exactly=[100])
        except UnsupportedEventError:
            continue


def page_curves() -> bool:
    """All accountants' curves together, for k = 1..1000."""
    print(f"\nAll accountants, k = 1..1000, delta {DELTA:g} (at most {LIMITS['page']:g} ms)")
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
            took = milliseconds(partial(all_curves, event), repeats=9)
            fine &= took <= LIMITS["page"]
            print(f"  {event!s:<68}{took:8.1f} ms")
    return fine


def beside(name: str, ours: Callable[[], object], theirs: Callable[[], object], *, limit: float) -> bool:
    """Both times and their ratio."""
    here, there = milliseconds(ours, repeats=9), milliseconds(theirs, repeats=1)
    print(f"  {name:<52}{here:8.2f} ms {there:9.0f} ms {there / here:8.0f} times (at least {limit:g})")
    return there / here >= limit


def single_curves() -> bool:
    """Curves of one accountant; dp-accounting is asked at every number of runs, or at 60 of them where it is slow."""
    print(f"\n{'':<54}{'here':>8}{'dp-accounting':>16}")
    gaussian = GaussianEvent(noise_multiplier=20.0)
    tenth, laplace = PureEvent(epsilon=0.1), LaplaceEvent(noise_multiplier=10.0)
    answers_by_lot = peer.from_randomized_response(2.0 / (1.0 + math.exp(0.1)), 2)
    return all(
        [
            beside(
                "Gaussian, exact, k = 1..1000",
                lambda: epsilon_curve(gaussian, repetitions=RUNS, delta=DELTA, accountant="exact"),
                lambda: [_of_gaussian(20.0, int(k)) for k in RUNS],
                limit=LIMITS["gaussian"],
            ),
            beside(
                f"equal shares of 0.1, optimal, k = 1..1000 (theirs: {SOME_RUNS.size})",
                lambda: epsilon_curve(tenth, repetitions=RUNS, delta=DELTA, accountant="optimal"),
                lambda: [answers_by_lot.self_compose(int(k)).get_epsilon_for_delta(DELTA) for k in SOME_RUNS],
                limit=LIMITS["optimal"],
            ),
            beside(
                f"Laplace, exact, at {SOME_RUNS.size} k (theirs: steps of 0.001)",
                lambda: epsilon_curve(laplace, repetitions=SOME_RUNS, delta=DELTA, accountant="exact"),
                lambda: _of_laplace(10.0),
                limit=LIMITS["laplace"],
            ),
        ]
    )


def _of_gaussian(noise: float, runs: int) -> float:
    composed = peer.from_gaussian_mechanism(noise / math.sqrt(runs), value_discretization_interval=1e-3)
    return float(composed.get_epsilon_for_delta(DELTA))


def _of_laplace(noise: float) -> list[float]:
    one = peer.from_laplace_mechanism(noise, value_discretization_interval=1e-3)
    return [float(one.self_compose(int(k)).get_epsilon_for_delta(DELTA)) for k in SOME_RUNS]


def exactness() -> bool:
    """How far above exact sums of 50 digits the exact rule is for Laplace noise."""
    with EXACT_VALUES.open(encoding="utf-8", newline="") as file:
        exact = [row for row in csv.DictReader(file) if row["epsilon"]]
    errors = np.array([_relative_error(row) for row in exact])
    most, least = float(errors.max()), float(errors.min())
    print(f"\nLaplace, exact, against {len(exact)} sums of 50 digits: relative error {least:.1e} to {most:.1e}")
    return least >= -1e-12 and most <= LIMITS["error"]


def _relative_error(row: dict[str, str]) -> float:
    event = LaplaceEvent(noise_multiplier=1.0 / float(row["epsilon_each"]))
    found = epsilon({event: int(row["repetitions"])}, delta=float(row["delta"]), accountant="exact")
    true = float(row["epsilon"])
    return (found - true) / true if true else found


def profiles() -> bool:
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
        took = milliseconds(partial(delta_of, event, epsilon=points), repeats=25)
        fine &= took <= LIMITS["profile"]
        print(f"  {event!s:<68}{took:8.3f} ms")
    return fine


def main() -> int:
    """Print all figures; 0 when each is within its limit."""
    within = {
        "curves of the page": page_curves(),
        "beside dp-accounting": single_curves(),
        "exactness": exactness(),
        "profiles": profiles(),
    }
    missed = [name for name, fine in within.items() if not fine]
    print("\nAll within their limits." if not missed else f"\nMissed: {', '.join(missed)}.")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
