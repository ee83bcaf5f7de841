"""How fast the reconstruction is, beside the program as it is stated, by the same solver in the same run.

`python -m benchmarks.reconstruction_speed` prints, for several numbers of people and counts, the processor time of our
linear program and, in turns with it, of the primal one (minimize the sum of u + v with groups x + u - v = answers,
sparse, by the interior point: of the ways to ask scipy's linprog for it that were tried the fastest, in a third to half
the time of -u <= groups x - answers <= u with dense matrices), their ratio and how far their optima lie apart; what the
page does at its default settings, beside the 2 seconds that it may take; and how soon a long attack ends after it was
stopped.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import csc_array, eye_array, hstack

from benchmarks.command_line import size_asked_for
from benchmarks.limits import verdict
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

RELATIVE_NOISE = (0.35, 1.4)
LIMITS = {"ratio": 1.5, "apart": 1e-6, "page": 2.0, "stopped": 0.5}
PATIENCE = 0.5


@dataclass(frozen=True, kw_only=True)
class Size:
    """People and counts of the programs that are compared, of the page's first attack and of its largest one."""

    compared: tuple[tuple[int, int], ...] = ((128, 512), (128, 1024), (256, 1024))
    usual: tuple[int, int] = (128, 512)
    largest: tuple[int, int] = (512, 4096)
    searched: int = 20
    repeats: int = 5


USUAL = Size()
SMALLEST = Size(compared=((16, 64),), usual=(16, 64), largest=(32, 128), searched=8, repeats=1)


def seconds(work: Callable[[], object], *, repeats: int) -> float:
    """The median time of some work, after one run that is not counted."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return median(times)


def in_turns(ours: Callable[[], object], theirs: Callable[[], object], *, turns: int) -> tuple[float, float]:
    """The median processor seconds of both, after one turn that is not counted."""
    times = []
    for _ in range(turns + 1):
        clock = [time.process_time()]
        for work in (ours, theirs):
            work()
            clock.append(time.process_time())
        times.append(np.diff(clock))
    here, there = np.median(times[1:], axis=0)
    return float(here), float(there)


def primal(published: Published) -> npt.NDArray[np.float64]:
    """The program as it is stated, with a surplus and a shortfall for each count."""
    questions, people = published.groups.shape
    each = eye_array(questions)
    found = linprog(
        np.concatenate([np.zeros(people), np.ones(2 * questions)]),
        A_eq=hstack([csc_array(published.groups.astype(np.float64)), each, -each], format="csc"),
        b_eq=published.answers,
        bounds=[(0.0, 1.0)] * people + [(0.0, np.inf)] * (2 * questions),
        method="highs-ipm",
    )
    return np.asarray(found.x, dtype=np.float64)[:people]


def missed(published: Published, fractions: npt.NDArray[np.float64]) -> float:
    """The sum of distances that a linear program makes small."""
    return float(np.abs(published.groups @ fractions - published.answers).sum())


def programs(size: Size) -> bool:
    """Both formulations on the same counts; the lowest ratio counts. RuntimeError where an optimum is none."""
    print(f"\n{'people':>8}{'counts':>8}{'noise':>9}{'here':>12}{'primal':>12}{'times':>8}{'apart':>10}")
    ratios = []
    for people, questions in size.compared:
        for relative in RELATIVE_NOISE:
            noise = noise_of_size(relative * math.sqrt(people))
            published = publish(GroupCounts(people=people, questions=questions, noise=noise), seed=1)
            ours, theirs = missed(published, linear_program(published)), missed(published, primal(published))
            apart = abs(ours - theirs) / theirs
            here, there = in_turns(partial(linear_program, published), partial(primal, published), turns=size.repeats)
            ratios.append(there / here)
            print(
                f"{people:>8}{questions:>8}{relative:>6.2f} √n{1000 * here:>9.1f} ms{1000 * there:>9.1f} ms"
                f"{ratios[-1]:>8.1f}{apart:>10.1e}",
                flush=True,
            )
            if apart > LIMITS["apart"]:
                raise RuntimeError(f"The optima lie {apart:.1e} apart.")
    print(f"ratio at least {LIMITS['ratio']:g}; optima apart at most {LIMITS['apart']:g}")
    return min(ratios) >= LIMITS["ratio"]


def page(size: Size) -> bool:
    """The default settings of the three acts, and the largest table."""
    people, questions = size.usual
    guarded = GroupCounts(
        people=people, questions=questions, noise=noise_for_budget(Guarantee(epsilon=1.0), questions=questions)
    )
    small = GroupCounts(people=people, questions=questions, noise=BoundedError(most=2))
    published, few = publish(small, seed=1), min(size.searched, 12)
    print(f"\nThe page's defaults (at most {LIMITS['page']:g} s)")
    fine = True
    for name, work in (
        (f"linear program, {people} people, {questions} counts", lambda: reconstruct(small, seed=1)),
        ("least squares, the same", lambda: least_squares(published)),
        (f"every table, {few} people, all groups", lambda: try_everything(people=few, most=1, seed=1)),
        (
            f"every table, {size.searched} people",
            lambda: try_everything(people=size.searched, most=1, errors=MISLEADING, seed=1),
        ),
        ("20 days under a total epsilon of 1", lambda: repeated(guarded, runs=20, seed=1)),
    ):
        took = seconds(work, repeats=min(size.repeats, 3))
        fine &= took <= LIMITS["page"]
        print(f"  {name:<46}{1000 * took:>9.1f} ms", flush=True)
    largest = largest_attack(size)
    took = seconds(lambda: reconstruct(largest, seed=1), repeats=1)
    name = f"linear program, {largest.people} people, {largest.questions:,} counts"
    print(f"  {name:<46}{took:>9.2f} s (shows progress, can be stopped)", flush=True)
    return fine


def largest_attack(size: Size) -> GroupCounts:
    """The one that takes longest on the page."""
    people, questions = size.largest
    return GroupCounts(people=people, questions=questions, noise=noise_of_size(6.0))


def stopped(size: Size) -> bool:
    """How long the largest attack goes on after somebody pressed Stop."""
    largest, start = largest_attack(size), time.perf_counter()
    try:
        reconstruct(largest, seed=2, watch=Watch(cancelled=lambda: time.perf_counter() - start > PATIENCE))
    except StoppedError:
        late = time.perf_counter() - start - PATIENCE
        print(f"\nStopped {1000 * late:.0f} ms after it was asked to (at most {1000 * LIMITS['stopped']:g} ms)")
        return late <= LIMITS["stopped"]
    print(f"\nEnded by itself within {PATIENCE:g} s")
    return True


def main(arguments: Sequence[str]) -> int:
    """Print all figures; 0 when each is within its limit."""
    size = size_asked_for(arguments, usual=USUAL, smallest=SMALLEST)
    within = {"linear program": programs(size), "page": page(size), "stopping": stopped(size)}
    return verdict([name for name, fine in within.items() if not fine], judged=size is not SMALLEST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
