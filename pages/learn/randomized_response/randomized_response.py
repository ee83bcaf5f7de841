"""The lesson on randomized response: an honest answer that gives nobody away."""

from __future__ import annotations

import numpy as np

from dpengine.accuracy.lessons.local_and_central import likely_estimates, running_estimates
from dpengine.beliefs import posterior
from dpengine.charts.privacy import belief_charts, response_charts
from dpengine.charts.privacy.response_charts import Converging
from dpengine.formatting import amount, at_most, beside, between_of_100, interval, number_in
from dpengine.mechanisms import RandomizedResponse
from pages.learn.randomized_response import randomized_response_local, randomized_response_survey
from pages.lesson import pickers
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import Lesson, Shown, Step, dial, picture_and_words
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "randomized_response"
TOLD = (0, 4, 10, 20, 30, 40, 50, 60, 70, 80, 90, 96, 98)
PRIORS = np.linspace(0.0, 1.0, 61)
BELIEFS = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99)


def _coin() -> Shown:
    place, words = picture_and_words(f"{KEY}_coin")
    told = pickers.stop(place, "People told to tell the truth, % (p)", TOLD, key=f"{KEY}_told", start=50)
    response = RandomizedResponse.from_coin(told / 100)
    truth = response.truth_probability
    picture = response_charts.hundred_people(told_share=told / 100, true_share=truth, palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_coin_chart")
    words.markdown(
        "“Did you ever take drugs?” Before you answer, you secretly flip a first coin. It tells you either to say the "
        "truth, or to flip a second, fair coin and answer yes for heads, no for tails. So any answer may be "
        "the second coin's.\n\n"
        f"Two numbers, easily mixed up: **p = {told}%** of people are told to say the truth. But the second coin is "
        f"right half the time, so **γ = {amount(100 * truth)}%** of reports are true.\n\n"
        f"How much a report reveals depends on γ alone: ε = {_three_digits(response.event.epsilon)}."
    )
    words.markdown(
        "More false reports than true ones (γ below 50%) would reveal just as much: anybody who knows γ can read them "
        "the other way round."
    )
    return Shown(finding=_coin_finding(truth, response.event.epsilon), pictures=(picture,), computed=OF_COIN)


OF_COIN = (
    formula("The share of true reports", r"\gamma=p+\tfrac{1-p}{2}")
    + formula("What a report reveals", r"\varepsilon=\ln\frac{\gamma}{1-\gamma}")
    + formula(
        "Two fair coins (p = 50%) give true reports in 3/4 of cases, false ones in 1/4",
        r"\varepsilon=\ln\frac{3/4}{1/4}=\ln 3\approx 1.0986",
    )
    + "p is the share of people told to say the truth, as a number from 0 to 1; ln is the natural logarithm. Below "
    "one half, ε is the same for γ as for 1 − γ. Source: Warner 1965."
)


def _coin_finding(truth: float, epsilon: float) -> str:
    if epsilon == 0.0:
        return "A report true in 50% of cases reveals nothing, and teaches nothing"
    return f"A report true in {amount(100 * truth)}% of cases satisfies ε = {_three_digits(epsilon)}"


def _three_digits(epsilon: float) -> str:
    """Never below it, and 1.10 with all its digits."""
    return f"{number_in(at_most(epsilon)):#.3g}" if epsilon else "0"


def _one_answer() -> Shown:
    epsilon = dial(f"{KEY}_one_epsilon", start=1.0, most=20.0)
    place, words = picture_and_words(f"{KEY}_one", picture=1.2)
    before = pickers.stop(
        place, "Belief in “yes” before the report, out of 100", BELIEFS, key=f"{KEY}_before", start=50
    )
    lower, upper = (posterior(PRIORS, log_likelihood_ratio=sign * epsilon) for sign in (-1.0, 1.0))
    after = _beliefs_after(before / 100, epsilon)
    picture = belief_charts.posterior(
        priors=PRIORS,
        lower=lower,
        upper=upper,
        prior=before / 100,
        after=after,
        at_half=_beliefs_after(0.5, epsilon),
        palette=outputs.palette(),
    )
    outputs.chart(place, picture, key=f"{KEY}_one_chart")
    no, yes = between_of_100(after)
    words.markdown(
        f"You report “yes”. Somebody who gave a true “yes” {before} out of 100 before now gives it at most "
        f"**{yes}** (posterior belief); had you reported “no”, at least {no}.\n\n{_odds_table(before / 100, after)}"
    )
    words.markdown(_ratio_of_reports(RandomizedResponse.from_epsilon(epsilon)))
    finding = f"One “yes” lifts a belief of {before} to at most {yes}"
    return Shown(finding=finding, pictures=(picture,), computed=ODDS)


ODDS = (
    formula("What multiplies or divides the odds", r"\frac{\gamma}{1-\gamma}=e^{\varepsilon}")
    + "γ is the share of true reports, and e is about 2.72. Odds are a belief over what is missing to "
    "100. Source: Bayes' rule."
)


def _ratio_of_reports(response: RandomizedResponse) -> str:
    return (
        f"A report is true with chance γ = {amount(response.truth_probability)}: it multiplies the odds by "
        "γ / (1 − γ), or divides them by it, exactly. It proves nothing, because a coin may have spoken."
    )


def _beliefs_after(before: float, epsilon: float) -> tuple[float, float]:
    """After a "no" and after a "yes"."""
    return posterior(before, log_likelihood_ratio=-epsilon), posterior(before, log_likelihood_ratio=epsilon)


def _odds_table(before: float, after: tuple[float, float]) -> str:
    return (
        "| for “yes” | odds |\n|---|---|\n"
        f"| before | {_odds(before, before)} |\n| after a “yes” | {_odds(after[1], before)} |\n"
        f"| after a “no” | {_odds(after[0], before)} |"
    )


def _odds(belief: float, before: float) -> str:
    """With three digits, and with as many more as tell them from the odds before."""
    one, other = (belief, before) if belief >= 0.5 else (1.0 - belief, 1.0 - before)
    odds, odds_before = one / (1.0 - one), other / (1.0 - other)
    gap = abs(odds - odds_before)
    shown = beside(odds, gap / 10.0) if 0.0 < gap < 0.01 * odds else amount(odds)
    return f"{shown} to 1" if belief >= 0.5 else f"1 to {shown}"


SHARE, SEED, CONFIDENCE = 0.3, 11, 0.95
GRID = np.unique(np.geomspace(10, 100_000, 180).round())


def _many() -> Shown:
    epsilon = dial(f"{KEY}_many_epsilon", start=1.0)
    place, words = picture_and_words(f"{KEY}_many", picture=1.5)
    people = pickers.stop(place, "People asked", pickers.PEOPLE, key=f"{KEY}_many_people", start=1000)
    poll = {"epsilon": epsilon, "share": SHARE}
    estimates = running_estimates(GRID, rng=np.random.default_rng(SEED), **poll)
    lower, upper = likely_estimates(GRID, confidence=CONFIDENCE, **poll)
    view = Converging(people=GRID, estimates=estimates, lower=lower, upper=upper, share=SHARE, here=people)
    picture = response_charts.converging(view, outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_many_chart")
    ends = [100 * float(end) for end in likely_estimates(people, confidence=CONFIDENCE, **poll)]
    nothing = ends[0] < 0.0 and ends[1] > 100.0
    written = [amount(end) for end in ends] if nothing else interval(*ends)
    low, high = (end.replace("-", "−") for end in written)
    response = RandomizedResponse.from_epsilon(epsilon)
    both, coins = response.variance_with_sampling(SHARE, people), response.variance(SHARE, people)
    words.markdown(
        "No single answer can be trusted, but all of them together can: on average the coins add a known share of "
        "false “yes” and remove a known share of true ones. Correct for that.\n\n"
        f"With {people:,} people, 95% of such polls end between **{low}% and {high}%**; the truth is 30%. "
        f"Standard error: {amount(100 * both**0.5)} percentage points, from the coins alone "
        f"{amount(100 * coins**0.5)}.\n\n*The wavy line is an illustration: invented people, one fixed draw. Moving "
        "the dial keeps the draw.* An estimate below 0% or above 100% is no mistake: to cut it off costs no privacy, "
        "but is biased."
    )
    finding = f"With {people:,} people, 95% of polls land between {low}% and {high}%"
    if nothing:
        finding = f"{people:,} people say nothing: 95% of polls land from {low}% to {high}%"
    return Shown(finding=finding, pictures=(picture,), computed=ESTIMATE)


ESTIMATE = (
    formula("The corrected share of “yes”", r"\text{estimate}=\frac{\text{reported share}-(1-\gamma)}{2\gamma-1}")
    + "γ is the chance that a report is true. Source: Warner 1965."
)


CHECK = Check(
    question="You throw a fair coin. Heads: you say the truth. Tails: you throw again and say “yes” for heads, “no” "
    "for tails. What ε does your report satisfy?",
    answers=(
        Answer(
            text="ε = 0: you say the truth half the time, and that reveals nothing.",
            feedback="Half the time you are told to say the truth (p). But the second coin is right half the time too: "
            "γ, the chance that the report is true, is 75%.",
        ),
        Answer(
            text="ε = 1.10, because true reports are three times as likely as false ones.",
            feedback="The report is true in 75% of cases and false in 25%. Three times as likely is what ε = 1.10 "
            "allows.",
            right=True,
        ),
        Answer(
            text="ε = 0.75, because 75% of reports are true.",
            feedback="γ is indeed 75%. But ε says how much likelier true is than false: three times, which is "
            "ε = 1.10.",
        ),
        Answer(
            text="No ε: half the time you say the plain truth.",
            feedback="That would be right if anybody could see the first coin. Nobody can, and any report may come "
            "from the second one.",
        ),
    ),
)
LESSON = Lesson(
    key=KEY,
    question="How can a question be answered honestly without giving oneself away?",
    steps=(
        Step(name="The coin", show=_coin),
        Step(name="One answer", show=_one_answer),
        Step(name="Many people", show=_many),
        Step(name="Whom to trust", show=randomized_response_local.trust),
        Step(name="The price", show=randomized_response_local.price),
        Step(name="Local Laplace", show=randomized_response_local.laplace),
        Step(name="Many options", show=randomized_response_local.options),
        Step(name="One survey", show=randomized_response_survey.one_survey),
        Step(name="Several facts", show=randomized_response_survey.several_facts),
    ),
    checks=(CHECK, randomized_response_local.CHECK, randomized_response_survey.CHECK),
)
