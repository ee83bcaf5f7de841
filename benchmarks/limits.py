"""A figure beside its limit: what a benchmark prints of each, and whether one was missed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

WIDTH = 58


@dataclass(frozen=True, kw_only=True)
class Figure:
    """What was measured so and so often; the limit, where there is one, is on the 95th percentile of all of it."""

    name: str
    values: Sequence[float]
    unit: str = "ms"
    limit: float | None = None

    @property
    def is_missed(self) -> bool:
        """Whether the 95th percentile lies above the limit."""
        return self.limit is not None and float(np.percentile(self.values, 95)) > self.limit

    def row(self) -> str:
        """One line of the table."""
        median, p95 = (_short(float(value)) for value in np.percentile(self.values, [50, 95]))
        limit = "" if self.limit is None else f"{_short(self.limit)}{'  MISSED' if self.is_missed else ''}"
        return f"{f'{self.name}, {self.unit}':<{WIDTH}}{len(self.values):>6}{median:>10}{p95:>10}{'':>4}{limit}"


def printed(figures: Iterable[Figure], *, judged: bool) -> int:
    """Print a table, each row as soon as it is known; the exit code of the benchmark, 1 where a limit is missed."""
    print(f"{load()}\n{'':<{WIDTH}}{'times':>6}{'median':>10}{'p95':>10}{'':>4}p95 at most", flush=True)
    missed = []
    for figure in figures:
        print(figure.row(), flush=True)
        missed += [figure.name] if figure.is_missed else []
    print(load())
    return verdict(missed, judged=judged)


def verdict(missed: Sequence[str], *, judged: bool) -> int:
    """Print the last line; the exit code of the benchmark, which at its smallest size is not judged by its times."""
    if not judged:
        print("\nIt runs. At this size no time is judged.")
        return 0
    print("\nAll within their limits." if not missed else f"\nMissed: {'; '.join(missed)}.")
    return int(bool(missed))


def load() -> str:
    """How busy the machine is besides: times on the clock grow with it, processor time hardly does."""
    return f"Load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores."


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
