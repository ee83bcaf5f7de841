"""Steps on the definition: ways to measure how far two worlds are apart, and where each of them fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpengine.beliefs import gaussian_log_likelihood_ratio, laplace_log_likelihood_ratio
from dpengine.charts import amount, at_most, definition_charts, tiny, tiny_at_most
from dpengine.charts.definition_charts import OneOutput
from dpengine.losses.definitions import TwoLaws, gaussian_loss_exceedance, one_after_another
from dpengine.mechanisms import GaussianMechanism, LaplaceMechanism
from dpengine.mechanisms.listed import (
    ListedMechanism,
    clamped_noisy_count,
    coin_flipped_answer,
    random_id,
    random_row,
    truncated_noisy_count,
)
from dpengine.privacy import Guarantee
from pages.ui import outputs
from pages.ui.lessons.lesson import Shown, choice, dial, formula, picture_and_words, whole_number

KEY = "definition"
CASES, PEOPLE = 40, 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A way to answer, what it puts out, and what it teaches about the definitions."""

    listed: Callable[[float], ListedMechanism]
    axis: str
    finding: str
    lesson: Callable[[TwoLaws], str]
    worlds: tuple[str, str] = ("with you", "without you")


def _of_random_row(laws: TwoLaws) -> str:
    return (
        f"One of {PEOPLE} rows, drawn by lot, is printed in full. The gap p is only {amount(laws.additive_gap)}, and "
        "yet somebody is exposed for certain. A far smaller p, such as 0.0001, would forbid this, but then all "
        f"{PEOPLE} people together could move no chance by more than {PEOPLE} × 0.0001: nothing would be learned."
    )


def _of_coin(laws: TwoLaws) -> str:
    twice = one_after_another(laws, [laws, laws])
    return (
        f"“Within 1 ± p” holds from p = {at_most(laws.multiplicative_gap)}, but 1 − p is not the mirror of 1 + p, and "
        f"two such answers need p = {at_most(twice.multiplicative_gap)}. With $e^{{\\varepsilon}}$ both are mended: "
        f"its mirror is $e^{{-\\varepsilon}}$, and two answers cost {at_most(laws.epsilon)} + "
        f"{at_most(laws.epsilon)} = {at_most(twice.epsilon)}."
    )


def _of_noise(laws: TwoLaws) -> str:
    return "Noise that may be of any size, only ever more rarely: no output is impossible in either world, so ε holds."


def _of_truncated(laws: TwoLaws) -> str:
    return (
        "Noise that is never beyond ± 8. The lowest output is possible without you alone, the highest with you alone: "
        "no ε holds. But they are rare, so (ε, δ) holds with a δ that no larger ε takes away."
    )


ATTEMPTS = {
    "One random row": Attempt(
        listed=lambda epsilon: random_row(people=PEOPLE),
        axis="what is printed",
        finding="A gap of 0.01, and still somebody is exposed for certain",
        lesson=_of_random_row,
        worlds=("with you", "with another"),
    ),
    "A coin-flipped answer": Attempt(
        listed=lambda epsilon: coin_flipped_answer(epsilon=epsilon),
        axis="what you say",
        finding="A bound on the ratio that is fair to both sides, and adds up",
        lesson=_of_coin,
        worlds=("your truth is yes", "it is no"),
    ),
    "A noisy count": Attempt(
        listed=lambda epsilon: clamped_noisy_count(epsilon=epsilon, answer=CASES),
        axis="published number of cases",
        finding="Noise without an end keeps the strictest promise",
        lesson=_of_noise,
    ),
    "Noise with an end": Attempt(
        listed=lambda epsilon: truncated_noisy_count(epsilon=epsilon, answer=CASES, reach=8),
        axis="published number of cases",
        finding="Noise with an end breaks every ε, and keeps a small δ",
        lesson=_of_truncated,
    ),
}


def attempts() -> Shown:
    """Four definitions of privacy, each held against the same way to answer."""
    name = choice("How is the answer made?", list(ATTEMPTS), key=f"{KEY}_attempt")
    attempt = ATTEMPTS[name]
    epsilon = dial(f"{KEY}_attempt_epsilon", start=0.5)
    listed = attempt.listed(epsilon)
    place, words = picture_and_words(f"{KEY}_attempt", picture=1.2)
    picture = definition_charts.two_worlds(
        outputs=listed.outputs,
        laws=listed.laws,
        axis=attempt.axis,
        palette=outputs.palette(),
        worlds=attempt.worlds,
    )
    outputs.chart(place, picture, key=f"{KEY}_attempt_chart")
    words.markdown(_verdicts(listed.laws, epsilon))
    words.markdown(attempt.lesson(listed.laws))
    return Shown(finding=attempt.finding, pictures=(picture,))


def _verdicts(laws: TwoLaws, epsilon: float) -> str:
    """From which number on each definition holds, with and without the person, for all sets of outputs."""
    rows = (
        ("difference at most p (additive)", f"p = {_held(laws.additive_gap)}"),
        ("ratio within 1 ± p (multiplicative)", f"p = {_held(laws.multiplicative_gap)}"),
        (r"ratio within $e^{\pm\varepsilon}$", f"ε = {_held(laws.epsilon)}"),
        (f"the same but for δ, at ε = {epsilon:g}", f"δ = {_held(laws.delta(epsilon))}"),
    )
    lines = (f"| {asked} | {'**never**' if 'no limit' in held else f'from {held}'} |" for asked, held in rows)
    return "| one world against the other | holds |\n|---|---|\n" + "\n".join(lines)


def _held(value: float) -> str:
    return at_most(value) if value == 0.0 or value >= 1e-3 else tiny_at_most(value)


NOISES = ("Laplace noise", "Gaussian noise")


def one_output() -> Shown:
    """The privacy loss of one output: how much likelier one world makes it, on a log scale."""
    noise = choice("Which noise?", NOISES, key=f"{KEY}_noise")
    place, words = picture_and_words(f"{KEY}_output")
    observed = whole_number(words, "The answer that came out", key=f"{KEY}_observed", span=(25, 55), start=43)
    view = _laplace(float(observed)) if noise == NOISES[0] else _gaussian(float(observed))
    picture = definition_charts.one_output(view, outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_output_chart")
    words.markdown(
        "Once an answer is out, compare how likely it was in both worlds, and take the logarithm: the **privacy loss** "
        "of this output. Above 0 it points to you, below 0 away from you, at 0 it says nothing."
        + formula(r"\ln\,\Pr(\text{output, with you})-\ln\,\Pr(\text{output, without you})")
        + "\n\n"
        + LOSSES[noise]
    )
    finding = f"An answer of {observed} speaks {_direction(view.loss)} you being there: loss {amount(view.loss)}"
    return Shown(finding=finding, pictures=(picture,))


LOSSES = {
    NOISES[0]: "Laplace noise of scale 2: wherever the answer falls, the loss stays within ± 0.5. That is ε = 0.5.",
    NOISES[
        1
    ]: "Gaussian noise of the same standard deviation: the farther out the answer, the larger the loss, without "
    "end. No ε holds for all outputs, so this noise needs a δ.",
}


def _direction(loss: float) -> str:
    return "for" if loss > 0 else "against" if loss < 0 else "neither for nor against"


LAPLACE = LaplaceMechanism(scale=2.0, l1_sensitivity=1.0)
GAUSSIAN = GaussianMechanism(standard_deviation=LAPLACE.standard_deviation, l2_sensitivity=1.0)
ANSWERS = np.linspace(25.0, 55.0, 201)


def _laplace(observed: float) -> OneOutput:
    loss = laplace_log_likelihood_ratio(observed, answer_with=CASES, answer_without=CASES - 1, scale=LAPLACE.scale)
    return _view(LAPLACE, observed, loss)


def _gaussian(observed: float) -> OneOutput:
    deviation = GAUSSIAN.standard_deviation
    loss = gaussian_log_likelihood_ratio(
        observed, answer_with=CASES, answer_without=CASES - 1, standard_deviation=deviation
    )
    return _view(GAUSSIAN, observed, loss)


def _view(noise: LaplaceMechanism | GaussianMechanism, observed: float, loss: float) -> OneOutput:
    return OneOutput(
        answers=ANSWERS,
        with_person=noise.density(ANSWERS - CASES),
        without_person=noise.density(ANSWERS - (CASES - 1)),
        observed=observed,
        loss=loss,
        unit="cases",
    )


IDS = 20


def sets() -> Shown:
    """Why delta is about sets of outputs, and what it means in words."""
    place, words = picture_and_words(f"{KEY}_sets")
    chosen = whole_number(words, "Look at so many ids at once", key=f"{KEY}_chosen", span=(1, IDS), start=6)
    listed = random_id(ids=IDS)
    gap = listed.laws.gap_of_chosen(chosen)
    picture = definition_charts.two_worlds(
        outputs=listed.outputs, laws=listed.laws, axis="published id", palette=outputs.palette(), chosen=chosen
    )
    outputs.chart(place, picture, key=f"{KEY}_sets_chart")
    gaussian = GaussianMechanism.from_guarantee(Guarantee(epsilon=1.0, delta=1e-6), l2_sensitivity=1.0)
    exceeded = gaussian_loss_exceedance(noise_multiplier=gaussian.event.noise_multiplier, epsilon=1.0)
    words.markdown(
        f"A silly way to answer: with you, one of {IDS} ids by lot; without you, one of {IDS} others. Each single id "
        f"has a gap of only {amount(100 * listed.laws.additive_gap_of_outputs)} of 100. All {IDS} together tell for "
        "certain. So a slack must be counted over **every set of outputs**."
        + formula(
            r"\Pr(S,\text{ with you})\le e^{\varepsilon}\,\Pr(S,\text{ without you})+\delta\ \text{ for every set }S"
        )
        + "\n\n**δ: beyond what ε allows, any event may still become more likely by at most δ.** It is not the chance "
        f"that the promise fails: Gaussian noise at ε = 1, δ = {tiny(1e-6)} has a loss above 1 with chance "
        f"{tiny_at_most(exceeded)}. Choose δ far below 1 over the number of people."
    )
    taken = "1 id" if chosen == 1 else f"these {chosen} ids"
    return Shown(finding=f"Taken together, {taken} have a gap of {amount(100 * gap)} of 100", pictures=(picture,))
