"""How often subtracting is right, against epsilon: the law, the bounds, and what was measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dpengine.attacks import DifferencingRules, Outcome
from dpengine.charts import Chart, Palette
from dpengine.charts.attacks import success_charts
from dpengine.charts.attacks.success_charts import Measured, SuccessLine, SuccessView
from dpengine.formatting import out_of_100

EPSILONS = np.geomspace(0.01, 10.0, 91)
Chance = Callable[[DifferencingRules], float]


def success(rules: DifferencingRules, outcome: Outcome, palette: Palette) -> Chart:
    """The picture for the epsilon and the prior of these rules."""
    lower, upper = outcome.interval()
    lines = (
        _line("best possible, by subtracting", rules, lambda at: at.optimum, color=palette.attacker),
        _line("upper limit for any attacker", rules, lambda at: at.knowing_the_others, color=palette.text, dash="dash"),
    )
    words = f"measured {out_of_100(outcome.rate)}% in {outcome.trials:,} trials"
    view = SuccessView(
        epsilons=EPSILONS,
        epsilon=rules.epsilon or 0.0,
        lines=lines,
        chance=rules.baseline,
        measured=Measured(rate=outcome.rate, lower=lower, upper=upper, words=words),
        success="right",
        blind="without looking",
    )
    return success_charts.success(view, palette)


def _line(label: str, rules: DifferencingRules, chance: Chance, *, color: str, dash: str = "solid") -> SuccessLine:
    chances = np.array([chance(replace(rules, epsilon=float(epsilon))) for epsilon in EPSILONS])
    return SuccessLine(label=label, chances=chances, here=chance(rules), color=color, dash=dash)
