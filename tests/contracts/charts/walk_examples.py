"""Charts of hints that wander, as examples for the contract of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from dpengine.charts import Chart, Palette
from dpengine.charts.budget import walk_charts
from dpengine.charts.budget.walk_charts import WalkView
from dpengine.losses.walks import HintWalk


def view(epsilon: float, count: int) -> WalkView:
    """One hundred walks of so many hints."""
    walk, at = HintWalk(epsilon=epsilon), np.unique(np.linspace(0, count, min(count + 1, 41)).astype(np.int64))
    lower, upper = walk.between(at, share=0.95)
    walks = walk.simulate(count, walks=100, rng=np.random.default_rng(3))[:, at]
    return WalkView(
        answers=at, walks=walks, lower=lower, upper=upper, exact=upper * 2.0, advanced=upper * 2.2, each=epsilon
    )


def _drawn(epsilon: float, count: int) -> Callable[[Palette], Chart]:
    return lambda palette: walk_charts.walks(view(epsilon, count), palette)


EXAMPLES: Mapping[str, Callable[[Palette], Chart]] = {"walks": _drawn(0.1, 300), "walks of one hint": _drawn(2.0, 1)}
