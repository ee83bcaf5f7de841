"""The step on why many answers cost less than their sum: hints for and against a person mostly cancel."""

from __future__ import annotations

import numpy as np

from dpengine.accounting import Repetition
from dpengine.charts.budget import walk_charts
from dpengine.charts.budget.walk_charts import WalkView
from dpengine.formatting import amount, at_most, tiny, upper_of_100
from dpengine.formatting.numbers import interval
from dpengine.losses.walks import HintWalk
from pages.learn.composition.composition_settings import KEY, NOISES, epsilon_and_repetition
from pages.lesson.lesson import Shown, picture_and_words
from pages.phrasing import rules
from pages.widgets import outputs

SEED, WALKS, MOST_PLACES, SHARE = 7, 100, 41, 0.95


def why_less() -> Shown:
    """One hundred made-up rows of hints, the band that holds 95 of 100, and what three rules say of their end."""
    epsilon, repetition = epsilon_and_repetition(NOISES["Noise on a count"], key=f"{KEY}_why")
    view = _view(epsilon, repetition)
    place, words = picture_and_words(f"{KEY}_why")
    picture = walk_charts.walks(view, outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_why_chart")
    words.markdown(_words(view, repetition))
    return Shown(finding=_finding(view, repetition), pictures=(picture,), computed=rules.COMPUTED)


def _view(epsilon: float, repetition: Repetition) -> WalkView:
    walk, count = HintWalk(epsilon=epsilon), repetition.chosen
    at = np.unique(np.linspace(0, count, min(count + 1, MOST_PLACES)).astype(np.int64))
    lower, upper = walk.between(at, share=SHARE)
    walks = walk.simulate(count, walks=WALKS, rng=np.random.default_rng(SEED))[:, at]
    exact, advanced = (np.concatenate([[0.0], repetition.curve(rule)[at[1:] - 1]]) for rule in ("exact", "advanced"))
    return WalkView(answers=at, walks=walks, lower=lower, upper=upper, exact=exact, advanced=advanced, each=epsilon)


def _finding(view: WalkView, repetition: Repetition) -> str:
    count, naive = repetition.chosen, at_most(repetition.at_chosen["basic"])
    low, high = interval(float(view.lower[-1]), float(view.upper[-1]))
    hints = "1 hint" if count == 1 else f"{count:,} hints"
    if high == naive:
        return f"{hints} about you may add up to {naive}"
    ends = f"{low} and {high}".replace("-", "−")
    return f"{hints} mostly cancel: between {ends}, where naive counts {naive}"


def _words(view: WalkView, repetition: Repetition) -> str:
    said, chance = repetition.at_chosen, HintWalk(epsilon=view.each).chance_for
    held = int(view.inside.sum())
    return (
        f"Each noisy count is a hint about you: **+{amount(view.each)}** where it suggests that you are in the table, "
        f"**−{amount(view.each)}** where it suggests that you are not (its privacy loss). If you are in it, "
        f"up to {upper_of_100(chance)} out of 100 hints say so.\n\n"
        f"Each gray line adds up {repetition.chosen:,} such hints. The band holds at least 95% of such lines; of the "
        f"{len(view.walks)} drawn here, {held} end in it (made up, always the same ones).\n\n"
        "- **Naive**, just added up (naive composition), assumes that all hints agree: "
        f"{at_most(said['basic'])}.\n"
        "- **Advanced** (advanced composition) uses that hints mostly cancel, whatever the noise: "
        f"{at_most(said['advanced'])}.\n"
        f"- **Exact** uses the exact noise distribution: {at_most(said['exact'])}. "
        + (
            f"δ = {tiny(repetition.delta)} is used for the rare larger losses."
            if repetition.delta
            else "Without a δ even the rarest case counts."
        )
    )
