"""The attack by asking again: each answer has noise, and the average of many has hardly any."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import streamlit as st

from dpengine.attacks import AveragingRules, Outcome, answers_needed, averaged, measured_errors
from dpengine.charts import Chart
from dpengine.charts.attacks import averaging_charts
from dpengine.charts.attacks.averaging_charts import AveragingWins, Closing
from dpengine.charts.tables import line_charts
from dpengine.charts.tables.line_charts import Line, LineView
from dpengine.formatting import amount, at_most, lower_of_100, upper_of_100
from dpengine.losses.arrays import Array
from dpengine.mechanisms import DiscreteLaplaceMechanism
from pages import session
from pages.attack.averaging import averaging_bill
from pages.attack.averaging.averaging_stage import (
    AVERAGED,
    FIRST_EPSILON,
    FIRST_SEED,
    KEY,
    MOST,
    MOST_EPSILON,
    SEED,
    TRIALS,
    asked,
    most_of_100,
    times_asked,
)
from pages.lesson import pickers
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import Shown, dial, picture_and_words
from pages.lesson.story import ATTACK, EPSILON, PUBLISHED, Act, story
from pages.widgets import outputs

SHOWN, CONFIDENCE, ATTACKERS, MOST_KEPT = 60, 0.95, 4, 4
FAIRLY_SURE = 0.75


def _published() -> Shown:
    epsilon = dial(f"{KEY}_published_epsilon", start=FIRST_EPSILON, most=MOST_EPSILON)
    place, words = picture_and_words(f"{KEY}_published", picture=1.8)
    with words:
        question = asked()
    noise = _noise(epsilon)
    drawn = int(str(session.remembered(f"{KEY}_drawn", 1)))
    seed = FIRST_SEED + drawn
    answers = question.center + noise.simulate(np.zeros(SHOWN), np.random.default_rng(seed))
    picture = averaging_charts.answers_given(answers=answers, center=question.center, palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_published_chart")
    around = "" if question.center else " The picture is drawn around 0: it shows how far off each answer is."
    reach = noise.error_quantile(CONFIDENCE)
    half, near = at_most(reach), int(np.sum(np.abs(answers - question.center) <= reach))
    words.markdown(
        f"**{question.words}** Each answer satisfies ε = {amount(epsilon)}: in the long run 95% fall within "
        f"±{half} people of the count (95% interval); of the {SHOWN} drawn here, {near} do.{around}\n\n"
        "**A tool that draws fresh noise at each move of a slider publishes "
        "exactly this:** a minute of play is a hundred answers. That is why other pages draw no noise around real "
        "answers."
    )
    words.button("Draw again", key=f"{KEY}_day", on_click=session.remember, args=(f"{KEY}_drawn", drawn + 1))
    finding = f"In the long run, 95% of answers fall within ±{half} people"
    return Shown(finding=finding, pictures=(picture,), computed=AVERAGED)


def _attack() -> Shown:
    epsilon = dial(f"{KEY}_attack_epsilon", start=FIRST_EPSILON, most=MOST_EPSILON)
    place, words = picture_and_words(f"{KEY}_attack", picture=1.45)
    look = pickers.pills(place, "Look at", list(LOOKS), key=f"{KEY}_look")
    rules = AveragingRules(answers=times_asked(words), epsilon=epsilon)
    picture = LOOKS[look](rules.answers, epsilon)
    outputs.chart(place, picture, key=f"{KEY}_look_{list(LOOKS).index(look)}_chart")
    outcome = averaged(rules, trials=TRIALS, seed=SEED).outcome
    low, high = outcome.interval()
    measured, won = amount(float(_measured(epsilon)[rules.answers - 1])), amount(100 * outcome.rate)
    words.markdown(
        f"Standard deviation of the average: **±{amount(rules.error)}** people in theory, ±{measured} measured. Four "
        "times the answers halve it.\n\n"
        f"{_needed(epsilon)} Each trial puts one person in the table or leaves them out, 50:50; the attacker picks the "
        "nearer count.\n\n"
        "| attacker | right, out of 100 |\n|---|---|\n"
        f"| measured, by averaging | **{won}** ({lower_of_100(low)} to {upper_of_100(high)}) |\n"
        f"| best possible attacker against this noise | {upper_of_100(rules.optimum)} |\n"
        f"| upper limit for any attacker, whatever the noise | {most_of_100(rules.bound)} |\n"
        "| pure chance | 50 |"
    )
    words.caption(
        f"{outcome.trials:,} simulated trials, the same for everybody; 95% interval. The best attacker lets each "
        "answer vote for the nearer count, so one far off counts no more than another. The upper limit holds for any "
        f"noise: all answers together cost ε {at_most(rules.answers * epsilon)} (naive: just added up)."
    )
    many = "1 answer" if rules.answers == 1 else f"{rules.answers:,} answers averaged"
    return Shown(finding=f"{many}: {won} out of 100 guesses are right", pictures=(picture,), computed=AVERAGED)


def _needed(epsilon: float) -> str:
    """How many answers make the best attacker fairly sure."""
    answers = answers_needed(epsilon, right=FAIRLY_SURE)
    if answers is None:
        needed = "more than a million answers"
    else:
        needed = "one answer" if answers == 1 else f"{answers:,} answers"
    return f"To be right {100 * FAIRLY_SURE:g} out of 100 times, the best possible attacker needs **{needed}**."


def _noise(epsilon: float) -> DiscreteLaplaceMechanism:
    return DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1)


def _closing(answers: int, epsilon: float) -> Chart:
    """Some attackers' averages so far; the same attackers whatever the number of answers."""
    noise = _noise(epsilon)
    errors = noise.simulate(np.zeros((ATTACKERS, MOST)), np.random.default_rng(FIRST_SEED))[:, :answers]
    so_far = np.arange(1.0, answers + 1.0)
    law = noise.standard_deviation / np.sqrt(so_far)
    closing = Closing(averages=np.cumsum(errors, axis=1) / so_far, law=law)
    return averaging_charts.closing_in(closing, outputs.palette())


def _right(answers: int, epsilon: float) -> Chart:
    """How often one person is told, after each number of answers that the slider offers."""
    measured = _told(epsilon)
    each = [AveragingRules(answers=k, epsilon=epsilon) for k in pickers.COUNTS]
    lower, upper = np.array([outcome.interval() for outcome in measured]).T
    wins = AveragingWins(
        asked=np.array(pickers.COUNTS, dtype=np.float64),
        measured=np.array([outcome.rate for outcome in measured]),
        lower=lower,
        upper=upper,
        optimum=np.array([one.optimum for one in each]),
        bound=np.array([one.bound for one in each]),
        here=answers,
    )
    return averaging_charts.guesses_right(wins, outputs.palette())


@st.cache_data(max_entries=MOST_KEPT)
def _told(epsilon: float) -> tuple[Outcome, ...]:
    """Wins after each number of answers that the slider offers."""
    each = (AveragingRules(answers=k, epsilon=epsilon) for k in pickers.COUNTS)
    return tuple(averaged(rules, trials=TRIALS, seed=SEED).outcome for rules in each)


def _falling(answers: int, epsilon: float) -> Chart:
    """The standard deviation of the average by its law and as measured."""
    errors, places = _measured(epsilon), np.unique(np.geomspace(1, MOST, 60).astype(int))
    deviation, palette = _noise(epsilon).standard_deviation, outputs.palette()
    law, here = deviation / np.sqrt(places), float(errors[answers - 1])
    drawn = [
        Line(label="in theory", values=law, here=deviation / math.sqrt(answers), color=palette.attacker),
        Line(label="measured", values=errors[places - 1], here=here, color=palette.exact, dash="dot"),
    ]
    view = LineView(
        at=places.astype(np.float64),
        x_title="answers averaged",
        y_title="standard deviation, people",
        here=float(answers),
    )
    return line_charts.lines(view, drawn, palette)


@st.cache_data(max_entries=MOST_KEPT)
def _measured(epsilon: float) -> Array:
    """Of many attackers: the standard deviation of the average of 1, 2, ... answers, in people."""
    return measured_errors(_noise(epsilon), most=MOST, trials=TRIALS, seed=SEED)


LOOKS: Mapping[str, Callable[[int, float], Chart]] = {
    "Guesses right": _right,
    "Averages close in": _closing,
    "Error falls": _falling,
}
CHECK = Check(
    question="A web tool redraws its noisy answer each time somebody moves a slider, always at ε = 0.1. Is that fine?",
    answers=(
        Answer(
            text="Yes: every answer satisfies ε = 0.1.",
            feedback="Each one does. A hundred of them cost ε = 10 together (naive), and the noise averages out.",
        ),
        Answer(
            text="No: moving the slider a hundred times costs ε = 10 (naive), and the noise averages out.",
            feedback="The tool should draw once, keep the answer, and charge for it.",
            right=True,
        ),
        Answer(
            text="Yes, if nobody can save the answers.",
            feedback="Anybody who sees them can write them down. A promise that needs people to forget is no promise.",
        ),
    ),
)
LESSON = story(
    KEY,
    acts={
        PUBLISHED: Act(
            words="A hospital answers a count with fresh noise each time somebody asks. One answer hides a person "
            "well. Somebody asks the same question again and again.",
            show=_published,
        ),
        ATTACK: Act(
            words="Here nothing limits how often somebody asks. The attacker averages all answers, so the noise "
            "cancels. Choose how often.",
            show=_attack,
        ),
        EPSILON: Act(
            words="Two things stop averaging: giving the same answer again, or a ledger that charges every fresh "
            "answer and refuses once its budget is spent. The attacker guesses whether one person is counted: "
            "by chance right in 50 out of 100.",
            show=averaging_bill.shown,
        ),
    },
    asked="Can’t they just ask again?",
    answered="Yes, where nobody keeps accounts. A ledger, as behind *Release*, gives the same request the same "
    "answer again, and charges every fresh one. When the budget is spent, no further question is answered, ever, so "
    "the error stops falling.",
    checks=(CHECK,),
)
