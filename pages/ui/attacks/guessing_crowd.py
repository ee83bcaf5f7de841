"""Chances of winning over epsilon: of the worst-case attacker, and of one who does not know everybody else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from dpengine.attacks import Crowd, GuessingRules, Outcome, crowd_success, realistic_attacker_plays
from dpengine.charts import Chart, amount, out_of_100, success_charts, upper_of_100
from dpengine.charts.success_charts import Measured, SuccessLine, SuccessView
from dpengine.losses.arrays import Array
from dpengine.privacy import Guarantee
from pages.ui import outputs
from pages.ui.attacks.guessing_stage import KEY
from pages.ui.lessons import pickers

STRANGERS, SHARES = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000), (1, 2, 5, 10, 20, 30, 40, 50)
ROUNDS, SEED = 10_000, 21


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The picture of the attacker who knows less, the finding, and the words."""

    picture: Chart
    finding: str
    words: str


def over(rules: GuessingRules, epsilons: Array, chance: Callable[[GuessingRules], float]) -> Array:
    """A chance under the same rules at other epsilons; shape of `epsilons`."""
    delta = rules.guarantee.delta if rules.guarantee else 0.0
    kept = (Guarantee(epsilon=float(epsilon), delta=delta) for epsilon in epsilons)
    return np.array([chance(replace(rules, guarantee=guarantee)) for guarantee in kept])


def measured(outcome: Outcome, rounds: int) -> Measured:
    """What a simulation found, with its exact interval."""
    lower, upper = outcome.interval()
    words = f"measured {out_of_100(outcome.rate)} in {rounds:,} rounds"
    return Measured(rate=outcome.rate, lower=lower, upper=upper, words=words)


def knows_less(rules: GuessingRules, place: DeltaGenerator, epsilons: Array) -> Found:
    """How far below the worst case somebody stays to whom so many people are strangers."""
    left, right = place.columns(2)
    people = pickers.stop(left, "People whose rows it does not know", STRANGERS, key=f"{KEY}_strangers", start=500)
    share = pickers.stop(right, "Of 100 strangers, so many are counted", SHARES, key=f"{KEY}_share", start=5)
    crowd, one = Crowd(people=people, rate=share / 100.0), replace(rules, answers=1)
    chance = crowd_success(one, crowd)
    outcome = realistic_attacker_plays(one, crowd, rounds=ROUNDS, seed=SEED).outcome
    palette = outputs.palette()
    lines = (
        SuccessLine(
            label="knows everybody else",
            chances=over(one, epsilons, lambda at: at.optimum),
            here=one.optimum,
            color=palette.exact,
        ),
        SuccessLine(
            label="knows less",
            chances=over(one, epsilons, lambda at: crowd_success(at, crowd)),
            here=chance,
            color=palette.attacker,
        ),
        SuccessLine(
            label="nobody wins more",
            chances=over(one, epsilons, lambda at: at.bound),
            here=one.bound,
            color=palette.text,
            dash="dash",
        ),
    )
    epsilon = one.guarantee.epsilon if one.guarantee else 0.0
    view = SuccessView(
        epsilons=epsilons, epsilon=epsilon, lines=lines, chance=one.baseline, measured=measured(outcome, ROUNDS)
    )
    least = crowd_success(replace(one, guarantee=None), crowd)
    words = (
        f"The strangers’ own number scatters by ±{amount(crowd.standard_deviation)} (standard deviation). At this ε "
        f"the attacker wins **{out_of_100(chance)}** of 100 rounds with one answer, and only **{out_of_100(least)}** "
        "even without any noise. **That is no promise:** the next attacker may know more, from a nurse, a leaked list, "
        "or last week’s count. The dashed line holds for all of them."
    )
    promised = upper_of_100(one.bound)
    finding = f"{people:,} strangers: {out_of_100(chance)} wins of 100, where the promise says at most {promised}"
    return Found(picture=success_charts.success(view, palette), finding=finding, words=words)
