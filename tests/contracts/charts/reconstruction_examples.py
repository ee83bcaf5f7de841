"""Charts of the reconstruction, as examples for the contract of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from dpengine.attacks.reconstruction import BoundedError, GroupCounts, publish, reconstruct, try_everything
from dpengine.charts import Chart, Palette
from dpengine.charts.attacks import hiding_charts, reconstruction_charts
from dpengine.charts.attacks.hiding_charts import NoiseAndSample
from dpengine.charts.attacks.reconstruction_charts import ShareLine, ShareView

COUNTS = GroupCounts(people=40, questions=80, noise=BoundedError(most=3))
PUBLISHED, FOUND = publish(COUNTS, seed=1), reconstruct(COUNTS, seed=1)
TRIED = try_everything(people=10, most=1, errors="to mislead", seed=3)


def groups(palette: Palette) -> Chart:
    """Nine of 80 groups."""
    return reconstruction_charts.groups(members=PUBLISHED.groups, answers=PUBLISHED.answers, palette=palette)


def recovered(palette: Palette) -> Chart:
    """Forty squares."""
    return reconstruction_charts.recovered(secret=FOUND.secret, guessed=FOUND.guessed, palette=palette)


def tables_left(palette: Palette) -> Chart:
    """Bars up to the guarantee."""
    return reconstruction_charts.tables_left(wrong=TRIED.wrong, people=10, guarantee=TRIED.guarantee, palette=palette)


def shares(palette: Palette) -> Chart:
    """A line with whiskers and one without, a mark inside and one outside."""
    falling = np.array([0.99, 0.7, 0.52])
    view = ShareView(
        at=np.array([0.1, 1.0, 10.0]),
        x_title="noise, √n",
        y_title="recovered, %",
        chance=0.5,
        marks=((0.5, "sampling error", palette.sampling), (64.0, "your dial: 64", palette.with_person)),
    )
    lines = (
        ShareLine(label="program", shares=falling, color=palette.attacker, least=falling - 0.05, most=falling + 0.01),
        ShareLine(label="bound", shares=np.array([1.0, 0.9, 0.6]), color=palette.exact),
    )
    return reconstruction_charts.shares(view, lines, palette)


def worst_tables(palette: Palette) -> Chart:
    """Errors of two kinds, up to 2 among 10 people."""
    worst = {"errors to mislead": np.array([0.0, 4.0, 8.0]), "errors at random": np.array([0.0, 0.0, 1.0])}
    return hiding_charts.worst_tables(people=10, worst=worst, palette=palette)


def noise_and_sample(palette: Palette) -> Chart:
    """Both errors from 100 people to 10,000, measured at one place."""
    view = NoiseAndSample(
        people=np.array([100.0, 10_000.0]),
        noise=np.array([4.0, 40.0]),
        sampling=np.array([5.0, 50.0]),
        measured_at=np.array([1024.0]),
        measured=np.array([12.5]),
    )
    return hiding_charts.noise_and_sample(view, palette)


EXAMPLES: Mapping[str, Callable[[Palette], Chart]] = {
    "published groups": groups,
    "recovered bits": recovered,
    "tables left": tables_left,
    "shares": shares,
    "worst tables": worst_tables,
    "noise and sample": noise_and_sample,
}
