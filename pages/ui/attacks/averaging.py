"""The attack by asking again: each answer has noise, and the average of many has hardly any."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpengine.attacks import AveragingRules, averaged, measured_errors
from dpengine.charts import Chart, amount, averaging_charts, line_charts, lower_of_100, out_of_100, upper_of_100
from dpengine.charts.line_charts import Line, LineView
from dpengine.mechanisms import DiscreteLaplaceMechanism
from pages.ui import outputs
from pages.ui.attacks import averaging_bill
from pages.ui.attacks.averaging_stage import EPSILON, FIRST_SEED, KEY, MOST, SEED, TRIALS, count_in_words
from pages.ui.attacks.story import Act, story
from pages.ui.lessons import pickers
from pages.ui.lessons.check import Answer, Check
from pages.ui.lessons.lesson import Shown, picture_and_words, whole_number

SHOWN, NEARLY_ALL = 60, 0.9999


def _published() -> Shown:
    counted = count_in_words()
    place, words = picture_and_words(f"{KEY}_published", picture=1.8)
    day = whole_number(words, "Day", key=f"{KEY}_day", span=(1, 20), start=1)
    noise = DiscreteLaplaceMechanism.from_epsilon(EPSILON, l1_sensitivity=1)
    errors = noise.simulate(np.zeros(SHOWN), np.random.default_rng(FIRST_SEED + day))
    picture = averaging_charts.running_average(errors=errors, palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_published_chart")
    last = abs(float(errors.mean()))
    words.markdown(
        f"**{counted}**\n\nEach answer costs ε = {amount(EPSILON)} and is off by ±{amount(noise.standard_deviation)} "
        f"people (standard deviation). Drawn around 0: how far each is off.\n\n"
        f"The average of all {SHOWN} answers is off by **{amount(last)}**.\n\n"
        "**A tool that draws fresh noise at each move of a slider is this attack**: somebody who plays with it for a "
        "minute has asked a hundred times. That is why the other pages draw no noise around real answers."
    )
    finding = (
        f"Each answer is off by ±{amount(noise.standard_deviation)} people, the average of {SHOWN} by {amount(last)}"
    )
    return Shown(finding=finding, pictures=(picture,))


def _attack() -> Shown:
    place, words = picture_and_words(f"{KEY}_attack")
    answers = pickers.stop(place, "Times the question is asked", pickers.COUNTS, key=f"{KEY}_times", start=300)
    rules = AveragingRules(answers=answers, epsilon=EPSILON)
    picture, measured = _falling(rules)
    outputs.chart(place, picture, key=f"{KEY}_attack_chart")
    outcome = averaged(rules, trials=TRIALS, seed=SEED).outcome
    low, high = outcome.interval()
    words.markdown(
        f"Each further answer helps: the error of the average falls like $1/\\sqrt{{k}}$. Four times the answers, half "
        f"the error. After {answers:,}: **±{amount(rules.error)}** people by the law, ±{amount(measured)} measured.\n\n"
        "One person moves the count by 1. Is that person in? A coin decides, the attacker says which count is nearer "
        "to its average.\n\n"
        "| right, of 100 | |\n|---|---|\n"
        f"| measured, by averaging | **{out_of_100(outcome.rate)}** ({lower_of_100(low)} to {upper_of_100(high)}) |\n"
        f"| best attacker of all | {out_of_100(rules.optimum)} |\n"
        f"| at most, at a bill of {amount(answers * EPSILON)} | {_most(rules.bound)} |\n| without looking | 50 |"
    )
    words.caption(
        f"{outcome.trials:,} seeded trials. The best attacker counts votes: each answer votes for the nearer count."
    )
    won = out_of_100(outcome.rate)
    finding = f"{answers:,} answers: the error is down to ±{amount(rules.error)}, and {won} of 100 guesses are right"
    return Shown(finding=finding, pictures=(picture,))


def _most(bound: float) -> str:
    """A bound of hardly less than 100 is one of 100."""
    return upper_of_100(bound) if bound < NEARLY_ALL else "100"


def _falling(rules: AveragingRules) -> tuple[Chart, float]:
    """The error by its law and as measured, and the measured one at the chosen number."""
    errors, places = _measured(), np.unique(np.geomspace(1, MOST, 60).astype(int))
    law = np.array([AveragingRules(answers=int(k), epsilon=rules.epsilon).error for k in places])
    palette, here = outputs.palette(), float(errors[rules.answers - 1])
    drawn = [
        Line(label="by its law", values=law, here=rules.error, color=palette.attacker),
        Line(label="measured", values=errors[places - 1], here=here, color=palette.exact, dash="dot"),
    ]
    view = LineView(
        at=places.astype(np.float64),
        x_title="answers averaged",
        y_title="error of the average, people",
        here=float(rules.answers),
    )
    return line_charts.lines(view, drawn, palette), here


@st.cache_data(max_entries=1)
def _measured() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    noise = DiscreteLaplaceMechanism.from_epsilon(EPSILON, l1_sensitivity=1)
    return measured_errors(noise, most=MOST, trials=TRIALS, seed=SEED)


CHECK = Check(
    question="A web tool redraws its noisy answer each time somebody moves a slider, always at ε = 0.1. Is that fine?",
    answers=(
        Answer(
            text="Yes: every answer keeps ε = 0.1.",
            feedback="Each one does. Together, a hundred keep 10: the bill adds up, and the noise averages out.",
        ),
        Answer(
            text="No: moving the slider a hundred times costs ε = 10, and the noise averages out.",
            feedback="The tool should draw once, keep the answer, and charge for it.",
            right=True,
        ),
        Answer(
            text="Yes, if nobody can save the answers.",
            feedback="Whoever can see them can write them down. A promise that needs people to forget is none.",
        ),
    ),
)
LESSON = story(
    KEY,
    published=Act(
        words="A hospital answers a count with noise, each time anew, to everybody who asks. One answer hides a person "
        "well. Somebody asks the same question again and again.",
        show=_published,
    ),
    attack=Act(
        words="Nobody counts the questions. The attacker takes the average of all answers: ups and downs cancel. "
        "Choose how often it asks.",
        show=_attack,
    ),
    epsilon=Act(
        words="Every fresh answer costs ε again. See the error and the bill on the same scale, and what keeping the "
        "answer, or a ledger, changes.",
        show=averaging_bill.shown,
    ),
    asked="Can’t somebody just ask until the noise is gone?",
    answered="Yes, where nobody keeps accounts. Here the same answer is given again for the same request, and every "
    "fresh one is charged; once the budget is gone, there is no further answer, ever, so the error stops falling.",
    check=CHECK,
)
