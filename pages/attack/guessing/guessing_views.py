"""The game under epsilon: the score, beliefs, many rounds at once, hits against false alarms, who knows less."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.attacks import Game, GuessingRules, best_attacker_plays, hits_and_false_alarms, threshold_rates
from dpengine.beliefs import likely_posterior_bounds, receiver_operating_curve
from dpengine.charts import Chart
from dpengine.charts.attacks import guessing_charts, success_charts
from dpengine.charts.attacks.guessing_charts import BeliefPath
from dpengine.charts.attacks.success_charts import HitsView
from dpengine.formatting import amount, lower_of_100, nearest_of_100, out_of_100, tiny, upper_of_100
from dpengine.privacy import Guarantee
from pages.attack.guessing import guessing_crowd, guessing_panel
from pages.attack.guessing.guessing_stage import KEY, GuessingStage, stage
from pages.lesson import pickers
from pages.lesson.lesson import Shown, dial, whole_number
from pages.widgets import inputs, outputs
from pages.widgets.computed import formula

NOISES = {"Laplace": "laplace", "Gaussian (needs a δ)": "gaussian"}
EXAMPLE = 1_000_000
"""A round that nobody comes to play: showing the beliefs of the open one would give it away."""
ROUNDS, SEED, MOST_EPSILON, UNLIKELY = 10_000, 20, 20.0, 0.001


CHANCES = (
    formula("The upper limit for any attacker, for a fair coin", r"\frac{e^{\varepsilon}+\delta}{1+e^{\varepsilon}}")
    + formula(
        "The weight of an answer (log-likelihood ratio)",
        r"\ln\frac{\Pr(\text{answer with the record})}{\Pr(\text{answer without it})}",
    )
    + "Weights add up, and are added to the natural logarithm (ln) of the odds before. Sources: Kairouz, Oh and "
    "Viswanath 2015, section 2; the best guess: Neyman and Pearson 1933."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One look at the game: its picture, the finding for the title, and the words below the picture."""

    picture: Chart
    finding: str
    words: str


def noisy_game() -> Shown:
    """The game with noise, and one look at it beside it."""
    epsilon = dial(f"{KEY}_epsilon", start=1.0, most=MOST_EPSILON)
    left, right = st.columns([1.0, 1.35], gap="medium")
    board = left.container()
    with left:
        guarantee, noise, prior, answers = _rules(epsilon)
        chosen = stage()
    rules = GuessingRules(
        without=chosen.without, step=chosen.step, guarantee=guarantee, noise=noise, prior=prior, answers=answers
    )
    game = guessing_panel.play(board, rules, chosen, key="noisy")
    with right.container(border=True, key=f"card_{KEY}_view"):
        name = pickers.pills(st.container(), "Look at", list(VIEWS), key=f"{KEY}_look")
        view = VIEWS[name](game, chosen, st.container())
        outputs.chart(st.container(), view.picture, key=f"{KEY}_{list(VIEWS).index(name)}_chart")
        st.markdown(view.words)
    return Shown(finding=view.finding, pictures=(view.picture,), computed=CHANCES)


def _rules(epsilon: float) -> tuple[Guarantee, str, float, int]:
    """The coin in sight, the noise and the number of answers behind a button."""
    place = st.container()
    chance = whole_number(place, "Belief before any answer, out of 100", key=f"{KEY}_prior", span=(1, 99), start=50)
    with st.popover("Change the noise, or ask several times"):
        noise = NOISES[pickers.pills(st.container(), "Noise", list(NOISES), key=f"{KEY}_noise")]
        delta = (
            pickers.delta(st.container(), does=inputs.CHANGES_THE_NOISE, key=f"{KEY}_delta", start=1e-6)
            if noise == "gaussian"
            else 0.0
        )
        answers = whole_number(
            st.container(), "Answers about the same person", key=f"{KEY}_answers", span=(1, 5), start=1
        )
        st.caption("Changing these starts a new score. Each answer costs ε again.")
    return Guarantee(epsilon=epsilon, delta=delta), noise, chance / 100.0, answers


def _score(game: Game, chosen: GuessingStage, place: DeltaGenerator) -> View:
    rules = game.rules
    best = upper_of_100(rules.optimum)
    words = (
        f"In the long run the best possible attacker wins **{best} out of 100** rounds against this noise. The upper "
        f"limit for any attacker, at {_promise(rules)}, is **{upper_of_100(rules.bound)}**. Guessing without looking "
        f"wins {out_of_100(rules.baseline)}. In a few rounds, luck moves the score up or down."
    )
    asked = f"ε = {amount(_epsilon(rules))}" if rules.answers == 1 else f"{rules.answers} answers"
    finding = f"{asked}: any attacker wins at most {upper_of_100(rules.bound)} out of 100"
    return View(picture=guessing_panel.track(game), finding=finding, words=words)


def _beliefs(game: Game, chosen: GuessingStage, place: DeltaGenerator) -> View:
    rules = game.rules
    last = game.round(game.guesses[-1].number if game.guesses else EXAMPLE)
    seen = range(rules.answers + 1)
    lower, upper = (np.array(ends) for ends in zip(*(_allowed(rules, after) for after in seen), strict=True))
    path = BeliefPath(beliefs=np.array(last.beliefs), lower=lower, upper=upper, person=chosen.person, edge=_edge(rules))
    weights = rules.log_likelihood_ratios(last.answers)
    rows = "\n".join(
        f"| {answer:,} | {weight:+.3g} | {nearest_of_100(belief, rules.prior)} out of 100 |"
        for answer, weight, belief in zip(last.answers, weights, last.beliefs[1:], strict=True)
    )
    words = (
        f"{'The last round you played' if game.guesses else 'A round as an example'}: every answer adds its weight to "
        f"the odds, and its ε to the cost: {_promise(rules)} together.\n\n"
        f"| answer | its weight | belief after it |\n|---|---|---|\n{rows}"
    )
    belief = nearest_of_100(last.beliefs[-1], rules.prior)
    finding = f"After {_answers(rules)}: {belief} out of 100 that {chosen.person} is in"
    return View(picture=guessing_charts.belief_path(path, outputs.palette()), finding=finding, words=words)


def _allowed(rules: GuessingRules, seen: int) -> tuple[float, float]:
    """Least and largest belief after so many answers; under a delta for all but one in a thousand."""
    if not seen:
        return rules.prior, rules.prior
    promise = replace(rules, answers=seen).promise or Guarantee(epsilon=0.0)
    lower, upper = likely_posterior_bounds(rules.prior, guarantee=promise, failure_probability=UNLIKELY)
    return float(lower), float(upper)


def _edge(rules: GuessingRules) -> str:
    return "the most that ε allows" if rules.noise == "laplace" else "limit in all but 1 in 1,000 cases"


def _many(game: Game, chosen: GuessingStage, place: DeltaGenerator) -> View:
    rules = game.rules
    outcome = best_attacker_plays(rules, rounds=ROUNDS, seed=SEED).outcome
    palette, (lower, upper) = outputs.palette(), outcome.interval()
    lines = (
        guessing_crowd.line("best possible attacker", rules, lambda one: one.optimum, color=palette.exact),
        guessing_crowd.line(
            "upper limit for any attacker", rules, lambda one: one.bound, color=palette.text, dash="dash"
        ),
    )
    picture = success_charts.success(guessing_crowd.view(rules, lines, outcome), palette)
    words = (
        f"The best possible attacker played {ROUNDS:,} rounds and won **{outcome.successes:,}** (95% interval: "
        f"{lower_of_100(lower)}% to {upper_of_100(upper)}%). In theory it wins "
        f"**{upper_of_100(rules.optimum)} out of 100**; the promise allows at most "
        f"**{upper_of_100(rules.bound)}**. {_reached(rules)}"
    )
    finding = (
        f"{ROUNDS:,} rounds: the best possible attacker won {100 * outcome.rate:.1f}%, "
        f"chance {out_of_100(rules.baseline)}%"
    )
    return View(picture=picture, finding=finding, words=words)


def _reached(rules: GuessingRules) -> str:
    if rules.bound - rules.optimum < 1e-6:
        return "This noise leaves the attacker all that ε allows."
    return "This noise leaves the attacker less than the promise would allow."


def _alarms(game: Game, chosen: GuessingStage, place: DeltaGenerator) -> View:
    rules = game.rules
    point = threshold_rates(rules)
    worst = receiver_operating_curve(rules.promise or Guarantee(epsilon=0.0))
    view = HitsView(curve=hits_and_false_alarms(rules), worst=worst, point=point, label="this noise")
    words = (
        f"The dot: with this belief beforehand, the best possible attacker says “in” in **{out_of_100(point[1])}%** of "
        f"rounds with {chosen.person} (hits) and in **{out_of_100(point[0])}%** of rounds without (false alarms). "
        "Change the belief, and the dot moves along the curve. The promise rules out everything above the dashed line "
        "(receiver operating curve)."
    )
    finding = f"{out_of_100(point[1])}% hits come with {out_of_100(point[0])}% false alarms"
    return View(picture=success_charts.hits(view, outputs.palette()), finding=finding, words=words)


def _promise(rules: GuessingRules) -> str:
    promise = rules.promise or Guarantee(epsilon=0.0)
    return f"ε = {amount(promise.epsilon)}" + (f", δ = {tiny(promise.delta)}" if promise.delta else "")


def _answers(rules: GuessingRules) -> str:
    return "one answer" if rules.answers == 1 else f"{rules.answers} answers"


def _epsilon(rules: GuessingRules) -> float:
    return rules.guarantee.epsilon if rules.guarantee else 0.0


def _knows_less(game: Game, chosen: GuessingStage, place: DeltaGenerator) -> View:
    found = guessing_crowd.knows_less(game.rules, place)
    return View(picture=found.picture, finding=found.finding, words=found.words)


VIEWS: Mapping[str, Callable[[Game, GuessingStage, DeltaGenerator], View]] = {
    "Your score": _score,
    "Beliefs": _beliefs,
    f"{ROUNDS:,} rounds": _many,
    "False alarms": _alarms,
    "Knows less": _knows_less,
}
