"""How fast the reconstruction is, beside a plain dense formulation for scipy's linprog in the same run.

`python -m benchmarks.reconstruction_speed` prints, for several numbers of people and counts, the time of our linear
program and of the plain one (minimize the sum of u with -u <= groups x - answers <= u, dense matrices), their ratio and
how far their optima lie apart; what the page does at its default settings, beside the 2 seconds that it may take; and
how soon a long attack ends after it was stopped.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from statistics import median

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

from dpengine.attacks import Watch
from dpengine.attacks.reconstruction import (
    MISLEADING,
    BoundedError,
    GroupCounts,
    Published,
    least_squares,
    linear_program,
    noise_for_budget,
    noise_of_size,
    publish,
    reconstruct,
    repeated,
    try_everything,
)
from dpengine.errors import StoppedError
from dpengine.privacy import Guarantee

SIZES = ((128, 512), (128, 1024), (256, 1024))
RELATIVE_NOISE = (0.35, 1.4)
LIMITS = {"ratio": 3.0, "apart": 1e-6, "page": 2.0, "stopped": 0.5}
PATIENCE = 0.5


def seconds(work: Callable[[], object], *, repeats: int = 5) -> float:
    """The median time of some work, after one run that is not counted."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return median(times)


def plain(published: Published) -> npt.NDArray[np.float64]:
    """The program as it stands in the textbook, with dense matrices."""
    groups = published.groups.astype(np.float64)
    questions, people = groups.shape
    each = np.eye(questions)
    found = linprog(
        np.concatenate([np.zeros(people), np.ones(questions)]),
        A_ub=np.block([[groups, -each], [-groups, -each]]),
        b_ub=np.concatenate([published.answers, -published.answers]),
        bounds=[(0.0, 1.0)] * people + [(0.0, np.inf)] * questions,
    )
    return np.asarray(found.x, dtype=np.float64)[:people]


def missed(published: Published, fractions: npt.NDArray[np.float64]) -> float:
    """The sum of distances that a linear program makes small."""
    return float(np.abs(published.groups @ fractions - published.answers).sum())


def programs() -> bool:
    """Both formulations on the same counts; the slowest ratio counts."""
    print(f"\n{'people':>8}{'counts':>8}{'noise':>9}{'here':>12}{'plain':>12}{'times':>8}{'apart':>10}")
    ratios, apart = [], []
    for people, questions in SIZES:
        for relative in RELATIVE_NOISE:
            noise = noise_of_size(relative * math.sqrt(people))
            published = publish(GroupCounts(people=people, questions=questions, noise=noise), seed=1)
            ours, theirs = missed(published, linear_program(published)), missed(published, plain(published))
            apart.append(abs(ours - theirs) / theirs)
            here = seconds(lambda given=published: linear_program(given))  # type: ignore[misc]
            there = seconds(lambda given=published: plain(given), repeats=2)  # type: ignore[misc]
            ratios.append(there / here)
            print(
                f"{people:>8}{questions:>8}{relative:>6.2f} √n{1000 * here:>9.1f} ms{1000 * there:>9.1f} ms"
                f"{ratios[-1]:>8.1f}{apart[-1]:>10.1e}"
            )
    print(f"ratio at least {LIMITS['ratio']:g}; optima apart at most {LIMITS['apart']:g}")
    return min(ratios) >= LIMITS["ratio"] and max(apart) <= LIMITS["apart"]


def page() -> bool:
    """The default settings of the three acts, and the largest table."""
    guarded = GroupCounts(noise=noise_for_budget(Guarantee(epsilon=1.0), questions=512))
    small = GroupCounts(noise=BoundedError(most=2))
    published = publish(small, seed=1)
    print(f"\nThe page's defaults (at most {LIMITS['page']:g} s)")
    fine = True
    for name, work in (
        (
            "linear program, 128 people, 512 counts",
            lambda: reconstruct(small, seed=1),
        ),
        ("least squares, the same", lambda: least_squares(published)),
        ("every table, 12 people, all 4,096 groups", lambda: try_everything(people=12, most=1, seed=1)),
        ("every table, 20 people", lambda: try_everything(people=20, most=1, errors=MISLEADING, seed=1)),
        ("20 days under a total epsilon of 1", lambda: repeated(guarded, runs=20, seed=1)),
    ):
        took = seconds(work, repeats=3)
        fine &= took <= LIMITS["page"]
        print(f"  {name:<46}{1000 * took:>9.1f} ms")
    largest = GroupCounts(people=512, questions=4096, noise=noise_of_size(6.0))
    took = seconds(lambda: reconstruct(largest, seed=1), repeats=1)
    print(f"  {'linear program, 512 people, 4,096 counts':<46}{took:>9.2f} s (shows progress, can be stopped)")
    return fine


def stopped() -> bool:
    """How long the largest attack goes on after somebody pressed Stop."""
    largest = GroupCounts(people=512, questions=4096, noise=noise_of_size(6.0))
    start = time.perf_counter()
    try:
        reconstruct(largest, seed=2, watch=Watch(cancelled=lambda: time.perf_counter() - start > PATIENCE))
    except StoppedError:
        late = time.perf_counter() - start - PATIENCE
        print(f"\nStopped {1000 * late:.0f} ms after it was asked to (at most {1000 * LIMITS['stopped']:g} ms)")
        return late <= LIMITS["stopped"]
    print(f"\nEnded by itself within {PATIENCE:g} s")
    return True


def main() -> int:
    """Print all figures; 0 when each is within its limit."""
    within = {"linear program": programs(), "page": page(), "stopping": stopped()}
    missing = [name for name, fine in within.items() if not fine]
    print("\nAll within their limits." if not missing else f"\nMissed: {', '.join(missing)}.")
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main())
