"""Steps on the definition: ways to measure how far two worlds are apart, and where each of them fails."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpengine.beliefs import gaussian_log_likelihood_ratio, laplace_log_likelihood_ratio
from dpengine.charts.privacy import definition_charts, loss_charts
from dpengine.charts.privacy.loss_charts import OneOutput
from dpengine.charts.privacy.ratio_charts import TwoDensities
from dpengine.formatting import amount, at_most, tiny_at_most
from dpengine.formatting.near_neutral import signed
from dpengine.losses.arrays import Array
from dpengine.losses.definitions import TwoLaws, one_after_another
from dpengine.mechanisms import GaussianMechanism, LaplaceMechanism
from dpengine.mechanisms.listed import (
    LARGEST_EPSILON,
    ListedMechanism,
    clamped_noisy_count,
    coin_flipped_answer,
    random_row,
    truncated_noisy_count,
)
from pages.learn.definition.definition_tables import at_most_times
from pages.lesson import pickers
from pages.lesson.lesson import Shown, choice, dial, picture_and_words, whole_number
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "definition"
CASES, PEOPLE = 40, 100
YES_OR_NO = ("your truth is yes", "it is no")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A way to answer, what it puts out, and what it teaches about the definitions; it may not know an epsilon."""

    listed: Callable[[float], ListedMechanism]
    axis: str
    finding: Callable[[TwoLaws], str]
    lesson: Callable[[TwoLaws], str]
    worlds: tuple[str, str] = ("with you", "without you")
    has_epsilon: bool = True
    up_to: float | None = None


def _of_random_row(laws: TwoLaws) -> str:
    gap, delta = laws.additive_gap, amount(laws.delta(LARGEST_EPSILON))
    return (
        f"One of {PEOPLE} rows, drawn at random, is printed in full. No chance changes by more than {amount(gap)} "
        f"({amount(100 * gap)}%), and yet somebody is exposed for certain. A far smaller p, such as 0.0001, would rule "
        f"this out, but then all {PEOPLE} people together could change no chance by more than {PEOPLE} × 0.0001, and "
        f"nothing would be learned.\n\nA δ of {delta} allows this, at every ε: **your whole row may come out with a "
        "chance of up to δ.** So δ must be far below 1 over the number of people."
    )


def _of_coin(laws: TwoLaws) -> str:
    twice = one_after_another(laws, [laws, laws])
    return (
        f"Why not “1 ± p times”? It holds for every p of {at_most(laws.multiplicative_gap)} or more, but 1 divided by "
        f"1 + p is not 1 − p, and two such answers need p = {at_most(twice.multiplicative_gap)}. Counting by ε solves "
        f"both: one limit holds in both directions, and two answers cost {at_most(laws.epsilon)} + "
        f"{at_most(laws.epsilon)} = {at_most(twice.epsilon)}."
    )


def _of_noise(laws: TwoLaws) -> str:
    return "Noise of any size is possible, larger noise more rarely: both worlds can give every answer, so ε holds."


def _of_truncated(laws: TwoLaws) -> str:
    return (
        "Noise that is never beyond ±8. The lowest answer is possible only without you, the highest only with you: no "
        "ε holds. But they are rare, so (ε, δ) holds. A larger ε cannot make this δ smaller."
    )


def _most(laws: TwoLaws) -> str:
    """The largest ratio of the two worlds, which some answer reaches."""
    return at_most_times(laws.ratio_range[1])


def _rare(laws: TwoLaws) -> str:
    """How many of 100 answers are possible in one world only."""
    return _held(100.0 * laws.delta(LARGEST_EPSILON))


ATTEMPTS = {
    "One random row": Attempt(
        listed=lambda epsilon: random_row(people=PEOPLE),
        axis="what is printed",
        finding=lambda laws: (
            f"Chances differ by at most {at_most(laws.additive_gap)}, and somebody is exposed for certain"
        ),
        lesson=_of_random_row,
        has_epsilon=False,
        worlds=("with you", "with another"),
        up_to=3.0,
    ),
    "A coin-flipped answer": Attempt(
        listed=lambda epsilon: coin_flipped_answer(epsilon=epsilon),
        axis="what you say",
        finding=lambda laws: f"Either answer is at most {_most(laws)} times as likely",
        lesson=_of_coin,
        worlds=YES_OR_NO,
    ),
    "A noisy count": Attempt(
        listed=lambda epsilon: clamped_noisy_count(epsilon=epsilon, answer=CASES),
        axis="published number of cases",
        finding=lambda laws: f"Noise without a limit: answers are at most {_most(laws)} times as likely",
        lesson=_of_noise,
    ),
    "Noise with a limit": Attempt(
        listed=lambda epsilon: truncated_noisy_count(epsilon=epsilon, answer=CASES, reach=8),
        axis="published number of cases",
        finding=lambda laws: f"Noise with a limit breaks every ε: {_rare(laws)}% of answers reveal you",
        lesson=_of_truncated,
    ),
}


def attempts() -> Shown:
    """Four definitions of privacy, each held against the same way to answer."""
    name = choice("How is the answer made?", list(ATTEMPTS), key=f"{KEY}_attempt")
    attempt = ATTEMPTS[name]
    epsilon = (
        dial(f"{KEY}_attempt_epsilon", start=0.5, most=LARGEST_EPSILON) if attempt.has_epsilon else LARGEST_EPSILON
    )
    listed = attempt.listed(epsilon)
    place, words = picture_and_words(f"{KEY}_attempt", picture=1.2)
    picture = definition_charts.two_worlds(
        outputs=listed.outputs,
        laws=listed.laws,
        axis=attempt.axis,
        palette=outputs.palette(),
        worlds=attempt.worlds,
        up_to=attempt.up_to,
    )
    outputs.chart(place, picture, key=f"{KEY}_attempt_chart")
    words.markdown(_verdicts(listed.laws, epsilon, has_epsilon=attempt.has_epsilon))
    words.markdown(attempt.lesson(listed.laws))
    return Shown(finding=attempt.finding(listed.laws), pictures=(picture,), computed=PROMISES)


PROMISES = (
    formula("No chance changes by more than p", r"|\Pr(S\text{ with you})-\Pr(S\text{ without you})|\le p")
    + formula("The promise by ε", r"\Pr(S\text{ with you})\le e^{\varepsilon}\,\Pr(S\text{ without you})")
    + formula("With δ on top", r"\Pr(S\text{ with you})\le e^{\varepsilon}\,\Pr(S\text{ without you})+\delta")
    + "Each for every set S of answers, and the other way round; e is about 2.72. Because 1 divided by the factor is "
    "the factor of −ε, and two factors multiply to the factor of 2ε, epsilons add up."
)


def _verdicts(laws: TwoLaws, epsilon: float, *, has_epsilon: bool) -> str:
    """The least number with which each definition holds, with and without the person, for all sets of outputs."""
    at = f"at ε = {epsilon:g}" if has_epsilon else "at every ε"
    holds = "**never**" if math.isinf(laws.epsilon) else f"for every ε of {_held(laws.epsilon)} or more"
    return (
        "| promise | holds |\n|---|---|\n"
        f"| no chance changes by more than p | for every p of {_held(laws.additive_gap)} or more |\n"
        f"| no answer gets likelier by more than ε allows | {holds} |\n"
        f"| the same, with δ on top (ε, δ) | {at}, for every δ of {_held(laws.delta(epsilon))} or more |"
    )


def _held(value: float) -> str:
    return at_most(value) if value == 0.0 or value >= 1e-3 else tiny_at_most(value)


PS = (1.0, 1.1, 1.5, 2.0, 3.0, 10.0, math.inf)
IN_WORDS = {1: "1 answer", 2: "2 answers", 3: "3 answers"}


def p_and_epsilon() -> Shown:
    """The second attempt, a factor p between two worlds, and why it is counted by its logarithm."""
    place, words = picture_and_words(f"{KEY}_factor")
    p = pickers.stop(words, "The factor p", PS, key=f"{KEY}_p", start=2.0, written=_factor)
    count = whole_number(words, "Answers about you", key=f"{KEY}_answers", span=(1, len(IN_WORDS)), start=2)
    one = coin_flipped_answer(epsilon=math.log(p))
    laws, names = one.laws, one.outputs
    for _ in range(count - 1):
        laws = one_after_another(laws, [one.laws] * len(names))
        names = tuple(f"{name} {then}" for name in names for then in one.outputs)
    picture = definition_charts.two_worlds(
        outputs=names, laws=laws, axis="what you say", palette=outputs.palette(), worlds=YES_OR_NO
    )
    outputs.chart(place, picture, key=f"{KEY}_factor_chart")
    words.markdown(
        "Second attempt: in one world, no answer is more than p times as likely as in the other, or less than 1 "
        "over p times. **p = 1: nothing can be learned. No limit: no privacy.**\n\n"
        "Two answers multiply: p × p. Counted by its logarithm, ε, they add up: ε + ε.\n\n"
        f"{_factors(one.laws)}"
    )
    return Shown(finding=_factor_finding(p, count, laws), pictures=(picture,), computed=FACTORS)


FACTORS = (
    formula("The promise by p", r"\frac1p\le\frac{\Pr(S\text{ with you})}{\Pr(S\text{ without you})}\le p")
    + formula("Its natural form", r"p=e^{\varepsilon},\qquad p\cdot p=e^{\varepsilon+\varepsilon}")
    + "For every set S of answers; e is about 2.72. Source: Dwork, McSherry, Nissim and Smith 2006."
)


def _factor(p: float) -> str:
    return "no limit" if math.isinf(p) else f"{p:g}"


def _factors(one: TwoLaws) -> str:
    """What the factor and epsilon come to with each further answer."""
    laws, rows = one, []
    for said in IN_WORDS.values():
        rows.append(f"| {said} | {_most(laws)} | {at_most(laws.epsilon)} |")
        laws = one_after_another(laws, [one] * len(laws.with_person))
    return "| together | p | ε |\n|---|---|---|\n" + "\n".join(rows)


def _factor_finding(p: float, count: int, laws: TwoLaws) -> str:
    if math.isinf(p):
        return "Without a limit, your answer gives you away for certain"
    if p == 1.0:
        return "p = 1: nothing can be learned, and nothing useful is said"
    if count == 1:
        return f"With p = {p:g}, no answer is more than {_most(laws)} times as likely"
    return f"{IN_WORDS[count]} with p = {p:g} need p = {_most(laws)} together"


NOISES = ("Laplace noise", "Gaussian noise")


def one_output() -> Shown:
    """The privacy loss of one output: how much likelier one world makes it, on a log scale."""
    noise = choice("Which noise?", NOISES, key=f"{KEY}_noise")
    place, words = picture_and_words(f"{KEY}_output")
    observed = pickers.half_steps(words, "The answer that came out", key=f"{KEY}_observed", span=(25, 55), start=43)
    view = _laplace(observed) if noise == NOISES[0] else _gaussian(observed)
    picture = loss_charts.one_output(view, outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_output_chart")
    words.markdown(
        "Once an answer is out, compare how likely it was in both worlds. Its **privacy loss** tells how far "
        "apart the two are: above 0 it suggests that you are in, below 0 that you are not, at 0 neither.\n\n"
        + LOSSES[noise]
    )
    finding = f"An answer of {observed:g} suggests {_direction(view.loss)}: loss {signed(view.loss)}"
    return Shown(finding=finding, pictures=(picture,), computed=ONE_LOSS)


ONE_LOSS = (
    formula("The privacy loss", r"\ln\,\Pr(\text{output, with you})-\ln\,\Pr(\text{output, without you})")
    + "Pr is the chance, or for noise with decimals the density, of this output; ln is the natural logarithm."
)
LOSSES = {
    NOISES[0]: "Laplace noise of scale 2: wherever the answer falls, the loss (lower curve) stays within ±0.5, the "
    "band. That is ε = 0.5.",
    NOISES[
        1
    ]: "Gaussian noise of the same standard deviation: the farther out the answer, the larger the loss, without "
    "limit. No ε holds for all answers, so this noise needs a δ.",
}


def _direction(loss: float) -> str:
    return "that you are in" if loss > 0 else "that you are not in" if loss < 0 else "nothing about you"


EPSILON = 0.5
LAPLACE = LaplaceMechanism.from_epsilon(EPSILON)
GAUSSIAN = GaussianMechanism(standard_deviation=LAPLACE.standard_deviation, l2_sensitivity=1.0)
ANSWERS = np.linspace(25.0, 55.0, 241)


def _laplace(observed: float) -> OneOutput:
    places = np.append(ANSWERS, observed)
    losses = laplace_log_likelihood_ratio(places, answer_with=CASES, answer_without=CASES - 1, scale=LAPLACE.scale)
    return _view(LAPLACE, observed, losses)


def _gaussian(observed: float) -> OneOutput:
    places, deviation = np.append(ANSWERS, observed), GAUSSIAN.standard_deviation
    losses = gaussian_log_likelihood_ratio(
        places, answer_with=CASES, answer_without=CASES - 1, standard_deviation=deviation
    )
    return _view(GAUSSIAN, observed, losses)


def _view(noise: LaplaceMechanism | GaussianMechanism, observed: float, losses: Array) -> OneOutput:
    """Both densities, the losses of all drawn answers, and last that of the one that came out."""
    densities = TwoDensities(
        answers=ANSWERS,
        with_person=noise.density(ANSWERS - CASES),
        without_person=noise.density(ANSWERS - (CASES - 1)),
        losses=losses[:-1],
        epsilon=EPSILON,
        unit="cases",
    )
    return OneOutput(densities=densities, observed=observed, loss=float(losses[-1]))
