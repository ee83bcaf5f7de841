"""Chances of winning over epsilon: of the worst-case attacker, and of one who does not know everybody else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from dpengine.attacks import Crowd, GuessingRules, Outcome, crowd_success, realistic_attacker_plays
from dpengine.charts import Chart
from dpengine.charts.attacks import success_charts
from dpengine.charts.attacks.success_charts import Measured, SuccessLine, SuccessView
from dpengine.formatting import amount, out_of_100, upper_of_100
from dpengine.privacy import Guarantee
from pages.attack.guessing.guessing_stage import KEY
from pages.lesson import pickers
from pages.widgets import outputs

STRANGERS, SHARES = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000), (1, 2, 5, 10, 20, 30, 40, 50)
ROUNDS, SEED = 10_000, 21
EPSILONS = np.geomspace(0.01, 10.0, 31)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The picture of the attacker who knows less, the finding, and the words."""

    picture: Chart
    finding: str
    words: str


def line(
    label: str, rules: GuessingRules, chance: Callable[[GuessingRules], float], *, color: str, dash: str = "solid"
) -> SuccessLine:
    """A chance under the same rules at every epsilon of the axis, and at its own."""
    delta = rules.guarantee.delta if rules.guarantee else 0.0
    kept = (Guarantee(epsilon=float(epsilon), delta=delta) for epsilon in EPSILONS)
    chances = np.array([chance(replace(rules, guarantee=guarantee)) for guarantee in kept])
    return SuccessLine(label=label, chances=chances, here=chance(rules), color=color, dash=dash)


def view(rules: GuessingRules, lines: Sequence[SuccessLine], outcome: Outcome) -> SuccessView:
    """The lines with what a simulation found, with its exact interval, where the dial stands."""
    lower, upper = outcome.interval()
    words = f"measured {out_of_100(outcome.rate)}% in {outcome.trials:,} rounds"
    return SuccessView(
        epsilons=EPSILONS,
        epsilon=rules.guarantee.epsilon if rules.guarantee else 0.0,
        lines=lines,
        chance=rules.baseline,
        measured=Measured(rate=outcome.rate, lower=lower, upper=upper, words=words),
    )


def knows_less(rules: GuessingRules, place: DeltaGenerator) -> Found:
    """How far below the worst case somebody stays to whom so many people are strangers."""
    left, right = place.columns(2)
    people = pickers.stop(
        left, "People whose records the attacker does not know", STRANGERS, key=f"{KEY}_strangers", start=500
    )
    share = pickers.stop(right, "Share of them who are counted, %", SHARES, key=f"{KEY}_share", start=5)
    crowd, one = Crowd(people=people, rate=share / 100.0), replace(rules, answers=1)
    chance = crowd_success(one, crowd)
    outcome = realistic_attacker_plays(one, crowd, rounds=ROUNDS, seed=SEED).outcome
    palette = outputs.palette()
    lines = (
        line("knows everybody else", one, lambda at: at.optimum, color=palette.exact),
        line("knows less", one, lambda at: crowd_success(at, crowd), color=palette.attacker),
        line("upper limit for any attacker", one, lambda at: at.bound, color=palette.text, dash="dash"),
    )
    picture = success_charts.success(view(one, lines, outcome), palette)
    least = crowd_success(replace(one, guarantee=None), crowd)
    words = (
        f"How many of these strangers are counted varies by ±{amount(crowd.standard_deviation)} (standard deviation). "
        f"At this ε the attacker wins **{out_of_100(chance)}%** of rounds with one answer, and only "
        f"**{out_of_100(least)}%** even without noise. **That is no promise:** the next attacker may know more, from a "
        "nurse, a leaked list, or last week’s count. The dashed line holds for all of them."
    )
    promised = upper_of_100(one.bound)
    finding = f"{people:,} strangers: {out_of_100(chance)}% won, where the promise allows {promised} out of 100"
    return Found(picture=picture, finding=finding, words=words)
