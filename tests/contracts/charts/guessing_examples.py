"""Charts of the guessing game, as examples for the contract of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from dpengine.attacks import GuessingRules, best_attacker_plays, hits_and_false_alarms, threshold_rates
from dpengine.beliefs import receiver_operating_curve
from dpengine.charts import Chart, Palette
from dpengine.charts.attacks import guessing_charts, success_charts
from dpengine.charts.attacks.guessing_charts import BeliefPath, Track
from dpengine.charts.attacks.success_charts import HitsView, Measured, SuccessLine, SuccessView
from dpengine.privacy import Guarantee

RULES = GuessingRules(without=120, guarantee=Guarantee(epsilon=1.0), prior=0.3, answers=2)
GAUSSIAN = GuessingRules(without=120, guarantee=Guarantee(epsilon=0.1, delta=1e-6), noise="gaussian", answers=3)


def _counted(without: int) -> Callable[[Palette], Chart]:
    return lambda palette: guessing_charts.counted(without=without, person="Ana", unit="patients", palette=palette)


def _track(rounds: int) -> Callable[[Palette], Chart]:
    wins = tuple(number % 3 > 0 for number in range(rounds))
    track = Track(players=(("you", wins), ("the best possible attacker", wins[::-1])), chance=0.5, bound=0.7310586)
    return lambda palette: guessing_charts.score_track(track, palette)


def _beliefs(palette: Palette) -> Chart:
    beliefs = RULES.beliefs([121, 117])
    path = BeliefPath(beliefs=beliefs, lower=beliefs / 2, upper=np.sqrt(beliefs), person="Ana")
    return guessing_charts.belief_path(path, palette)


def _success(palette: Palette) -> Chart:
    outcome = best_attacker_plays(RULES, rounds=200, seed=1).outcome
    low, high = outcome.interval()
    line = SuccessLine(label="best", chances=np.linspace(0.7, 1.0, 9), here=RULES.optimum, color=palette.exact)
    view = SuccessView(
        epsilons=np.geomspace(0.01, 10.0, 9),
        epsilon=0.001,
        lines=[line],
        chance=RULES.baseline,
        measured=Measured(rate=outcome.rate, lower=low, upper=high, words="measured 81 in 200 rounds"),
    )
    return success_charts.success(view, palette)


def _hits(rules: GuessingRules) -> Callable[[Palette], Chart]:
    view = HitsView(
        curve=hits_and_false_alarms(rules),
        worst=receiver_operating_curve(rules.promise or Guarantee(epsilon=0.0)),
        point=threshold_rates(rules),
        label="this noise",
    )
    return lambda palette: success_charts.hits(view, palette)


EXAMPLES: Mapping[str, Callable[[Palette], Chart]] = {
    "counted": _counted(120),
    "counted, nobody else": _counted(0),
    "counted, very many": _counted(1_234_567),
    "score, not begun": _track(0),
    "score": _track(7),
    "score, many rounds": _track(3000),
    "belief path": _beliefs,
    "success": _success,
    "hits": _hits(RULES),
    "hits, Gaussian": _hits(GAUSSIAN),
}
