"""Counts instead of rows: the third step of the attacks on published rows, how often one person's value is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dpengine.attacks import TwoValues, told_apart
from dpengine.charts import Chart
from dpengine.charts.attacks import protected_charts
from dpengine.charts.attacks.protected_charts import NoisyCells, WinRates
from dpengine.formatting import amount, out_of_100, upper_of_100
from pages import session
from pages.lesson.lesson import Shown, choice, dial, picture_and_words
from pages.widgets import outputs
from pages.widgets.computed import formula

TRIALS = 2_000
EPSILONS = np.geomspace(0.01, 30.0, 80)
MOST_EPSILON = 30.0
WINNING = (
    formula("The upper limit for any attacker, as a share of games", r"\frac{e^{\varepsilon}}{1+e^{\varepsilon}}")
    + formula("The scale of the noise on each count", r"\frac{2}{\varepsilon}")
    + "One person can change all counts together by 2 (sensitivity), and e is about 2.72. Source: Kairouz, Oh and "
    "Viswanath 2015, section 2; the interval: Clopper and Pearson 1934."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One row of the histogram: whose it is, the exact counts of its cells, and the two values of the doubt."""

    whose: str
    labels: Sequence[str]
    counts: Sequence[int] = field(repr=False)
    candidates: tuple[int, int]


def show(target: Target, *, key: str, instead: str) -> Shown:
    """The dial, then how often the attacker wins, or one published histogram; `instead` says what is published."""
    epsilon = dial(f"{key}_epsilon", start=1.0, most=MOST_EPSILON)
    view = choice("Show", ("How often it is right", "One published histogram"), key=f"{key}_view")
    day = int(str(session.remembered(f"{key}_day", 1)))
    game = TwoValues(epsilon=epsilon)
    outcome = told_apart(game, trials=TRIALS, seed=day)
    place, words = picture_and_words(key)
    picture = _wins(epsilon, game, day) if view == "How often it is right" else _cells(target, game, day)
    outputs.chart(place, picture, key=f"{key}_chart")
    low, high = outcome.interval()
    words.markdown(
        f"{instead}\n\nThe attacker is right in **{out_of_100(outcome.rate)} out of 100** guesses (95% interval "
        f"{100 * low:.1f} to {100 * high:.1f}, {TRIALS:,} guesses); pure chance: 50. Upper limit for any attacker, "
        f"whatever the noise that gives this ε: **{upper_of_100(game.bound)} out of 100**. Against this noise even the "
        "best attacker stays below it.\n\n"
        "Another disease in one record takes 1 from one count and adds 1 to another. To hide that, every count gets "
        f"noise of scale {amount(2.0 / epsilon)} (one person replaced). Without noise the attacker is always right."
    )
    words.button("Draw again", key=f"{key}_again", on_click=session.remember, args=(f"{key}_day", day + 1))
    finding = f"ε = {amount(epsilon)}: attackers guess {out_of_100(outcome.rate)} out of 100 right (chance: 50)"
    return Shown(finding=finding, pictures=(picture,), computed=WINNING)


def _wins(epsilon: float, game: TwoValues, day: int) -> Chart:
    games = [TwoValues(epsilon=float(one)) for one in EPSILONS]
    outcome = told_apart(game, trials=TRIALS, seed=day)
    view = WinRates(
        epsilons=EPSILONS,
        bound=np.array([one.bound for one in games]),
        best=np.array([one.best for one in games]),
        here=epsilon,
        rate=outcome.rate,
        interval=outcome.interval(),
        chance=outcome.baseline,
    )
    return protected_charts.wins(view, outputs.palette())


def _cells(target: Target, game: TwoValues, day: int) -> Chart:
    exact = np.array(target.counts, dtype=np.float64)
    published = game.noise.simulate(exact, np.random.default_rng(day)) if game.noise else exact
    view = NoisyCells(
        labels=target.labels,
        exact=[int(count) for count in target.counts],
        published=[float(count) for count in published],
        candidates=target.candidates,
        unit=target.whose,
    )
    return protected_charts.noisy_cells(view, outputs.palette())
