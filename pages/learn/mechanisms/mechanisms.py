"""The lesson on mechanisms: which noise, and why it works."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from dpengine.accuracy.lessons.many_answers import (
    answers_where_gaussian_wins,
    gaussian_error_of_many,
    laplace_error_of_many,
)
from dpengine.beliefs import gaussian_log_likelihood_ratio, laplace_log_likelihood_ratio
from dpengine.charts.privacy import ratio_charts
from dpengine.charts.privacy.ratio_charts import TwoDensities
from dpengine.charts.tables import line_charts
from dpengine.charts.tables.line_charts import Line, LineView
from dpengine.formatting import amount, at_most, tiny
from dpengine.losses import loss_distribution
from dpengine.losses.arrays import Array
from dpengine.mechanisms import GaussianMechanism, LaplaceMechanism
from dpengine.privacy import Guarantee
from pages.learn.mechanisms import (
    mechanisms_choices,
    mechanisms_counts,
    mechanisms_formula,
    mechanisms_gallery,
    mechanisms_pairs,
    mechanisms_reach,
    mechanisms_scores,
)
from pages.lesson import pickers
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import Lesson, Shown, Step, choice, dial, picture_and_words
from pages.widgets import inputs, outputs
from pages.widgets.computed import formula

KEY = "mechanisms"
ErrorsOfMany = Callable[..., Array]
LAPLACE, GAUSSIAN = "Laplace noise", "Gaussian noise"
MEAN_SLIP = (
    "A slip to know: some notes say that this noise costs ε = 1/b on a mean, too. It costs Δ/b, and one person who is "
    "replaced changes a mean of n values, from a range of width w, by up to Δ = w/n. At b = 1 and n = 1,000, ages from "
    "0 to 120 cost ε = 0.12, but incomes from 0 to 100,000 cost ε = 100."
)
NOISES = {
    LAPLACE: formula(
        "The density of the noise at x, and its scale b",
        r"\frac{1}{2b}\,e^{-|x|/b},\quad b=\frac{\Delta}{\varepsilon}",
    )
    + "Δ is what one person can change, here 1. The lower curve is the natural logarithm of the ratio of both tents. "
    f"Source: Dwork, McSherry, Nissim and Smith 2006.\n\n{MEAN_SLIP}",
    GAUSSIAN: formula(
        "The lower curve: the natural logarithm of the ratio of both bells, at the answer x",
        r"\frac{\Delta}{\sigma^2}\,(x-\text{middle})",
    )
    + "Δ is what one person can change, here 1; σ is the standard deviation; the middle lies between the two counts. "
    "The smallest σ for ε and δ: Balle and Wang 2018.",
}
WITH_YOU, WITHOUT_YOU = 1000.0, 999.0
CONFIDENCE = 0.95


def _why() -> Shown:
    noise = choice("Which noise?", list(NOISES), key=f"{KEY}_why_noise")
    epsilon = dial(f"{KEY}_why_epsilon", start=0.5)
    place, words = picture_and_words(f"{KEY}_why")
    finding, sentences, view = (_why_laplace if noise == LAPLACE else _why_gaussian)(words, epsilon)
    picture = ratio_charts.densities_and_losses(view, outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_why_chart")
    words.markdown(sentences)
    return Shown(finding=finding, pictures=(picture,), computed=NOISES[noise])


def _why_laplace(words: DeltaGenerator, epsilon: float) -> tuple[str, str, TwoDensities]:
    noise = LaplaceMechanism.from_epsilon(epsilon)
    answers = _answers(noise)
    losses = laplace_log_likelihood_ratio(answers, answer_with=WITH_YOU, answer_without=WITHOUT_YOU, scale=noise.scale)
    sentences = (
        "A count is 1,000 with you and 999 without you. The noise is the same in both worlds, so the two tents are one "
        "person apart, and **no answer is much likelier under one than under the other**.\n\n"
        "The lower curve says how strongly each answer suggests that you are in (its privacy loss): flat at −ε on the "
        "left, flat at +ε on the right, and sloping only between the two counts. It never leaves the band, however far "
        f"out: ε = {amount(epsilon)}, and no δ.\n\n"
        f"The tent is as wide as it must be (its scale, {amount(noise.scale)}): what one person can change "
        "(sensitivity, here 1) divided by ε."
    )
    finding = f"The privacy loss of any answer is at most ε = {at_most(epsilon)}"
    return finding, sentences, _view(noise, answers, losses, epsilon)


def _why_gaussian(words: DeltaGenerator, epsilon: float) -> tuple[str, str, TwoDensities]:
    delta = pickers.delta(words, does=inputs.CHANGES_THE_NOISE, key=f"{KEY}_why_delta", start=1e-3)
    noise = GaussianMechanism.from_guarantee(Guarantee(epsilon=epsilon, delta=delta))
    answers = _answers(noise)
    losses = gaussian_log_likelihood_ratio(
        answers, answer_with=WITH_YOU, answer_without=WITHOUT_YOU, standard_deviation=noise.standard_deviation
    )
    beyond = _of_100(float(loss_distribution(noise.event).exceedance(epsilon)))
    sentences = (
        "Bells instead of tents: how strongly an answer suggests that you are in (its privacy loss) is a straight line "
        "**without a limit**. The farther out an answer, the more it reveals, so no ε holds for all answers.\n\n"
        f"With you in the table, {beyond}% of answers fall where the line is above ε. ε covers part of their chance; "
        f"the rest is δ = {tiny(delta)}. Delta comes on top: any event may be more likely than epsilon allows by up to "
        f"this much.\n\nThe bell's standard deviation is {amount(noise.standard_deviation)}; one person can change the "
        "count by 1 (sensitivity)."
    )
    finding = f"Gaussian noise: {beyond}% of answers have a privacy loss above ε"
    return finding, sentences, _view(noise, answers, losses, epsilon)


def _of_100(share: float) -> str:
    return tiny(float(f"{100.0 * share:.2g}")) if 0.0 < share < 1e-5 else amount(100.0 * share)


def _answers(noise: LaplaceMechanism | GaussianMechanism) -> Array:
    reach = max(3.6 * noise.standard_deviation, 2.0)
    return np.linspace(WITHOUT_YOU - reach, WITH_YOU + reach, 301)


def _view(noise: LaplaceMechanism | GaussianMechanism, answers: Array, losses: Array, epsilon: float) -> TwoDensities:
    return TwoDensities(
        answers=answers,
        with_person=noise.density(answers - WITH_YOU),
        without_person=noise.density(answers - WITHOUT_YOU),
        losses=losses,
        epsilon=epsilon,
        unit="people",
    )


OF_MANY = (
    formula("The scale b of Laplace noise for d answers", r"b=\frac{d\,\Delta}{\varepsilon}")
    + formula(
        "The standard deviation of Gaussian noise grows like", r"\sigma\propto\frac{\sqrt{d}\,\Delta}{\varepsilon}"
    )
    + "Δ is what one person can change in each answer, here 1. Laplace noise has to hide all changes added up (L1 "
    "sensitivity), Gaussian noise the root of their summed squares (L2 sensitivity)."
)
GAUSSIAN_ALONE = "Changes Gaussian noise alone; Laplace noise uses none."
ANSWERS = np.unique(np.geomspace(1, 1000, 120).round())


def _many() -> Shown:
    epsilon = dial(f"{KEY}_many_epsilon", start=1.0)
    place, words = picture_and_words(f"{KEY}_many")
    count = pickers.stop(place, "Answers about the same people", pickers.COUNTS, key=f"{KEY}_many_count", start=20)
    delta = pickers.delta(words, does=GAUSSIAN_ALONE, key=f"{KEY}_many_delta", start=1e-6)
    guarantee = Guarantee(epsilon=epsilon, delta=delta)
    laplace = _line("Laplace", laplace_error_of_many, guarantee, count, outputs.palette().text)
    gaussian = _line("Gaussian", gaussian_error_of_many, guarantee, count, outputs.palette().advanced)
    first = answers_where_gaussian_wins(guarantee=guarantee, confidence=CONFIDENCE)
    view = LineView(
        at=ANSWERS,
        x_title="answers about the same people",
        y_title="95% interval of each answer, ± people",
        here=float(count),
        crossing=float(first),
        crossing_words=f"Gaussian errs less<br>from {first:,} answers on",
    )
    picture = line_charts.lines(view, (laplace, gaussian), outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_many_chart")
    words.markdown(
        f"{_answers_in_words(count).capitalize()}, together ε = {amount(epsilon)}. Laplace noise divides ε among the "
        f"answers, so its noise grows with their number: 95% interval **±{at_most(laplace.here)}**. Gaussian noise "
        f"uses δ, and only doubles with four times as many: **±{at_most(gaussian.here)}**.\n\n"
        "A table of counts with each person in one group costs only as much as one answer. With a δ, Laplace noise "
        "does better where costs are not just added up (see Composition)."
    )
    better = "Gaussian" if gaussian.here < laplace.here else "Laplace"
    finding = f"For {_answers_in_words(count)} {better} noise errs less: ±{at_most(min(laplace.here, gaussian.here))}"
    return Shown(finding=finding, pictures=(picture,), computed=OF_MANY)


def _line(name: str, errors: ErrorsOfMany, guarantee: Guarantee, count: int, color: str) -> Line:
    values = errors(ANSWERS, guarantee=guarantee, confidence=CONFIDENCE)
    here = errors(count, guarantee=guarantee, confidence=CONFIDENCE)
    return Line(label=name, values=values, here=float(here), color=color)


def _answers_in_words(count: int) -> str:
    return "one answer" if count == 1 else f"{count:,} answers"


CHECK = Check(
    question="You publish one count with ε = 1. Somebody proposes Gaussian noise at ε = 1, δ = 10⁻⁶, “because its "
    "tails are thinner”. A good idea?",
    answers=(
        Answer(
            text="Yes: thinner tails mean smaller errors.",
            feedback="Only at equal width. For this promise the bell must be wide: 95% interval ±8.3, against ±3 for "
            "Laplace noise.",
        ),
        Answer(
            text="No: for a single answer Laplace noise errs less, and needs no δ.",
            feedback="Its 95% interval is ±3, against ±8.3. Gaussian noise pays off for many answers about the same "
            "people: here from 8 on.",
            right=True,
        ),
        Answer(
            text="It makes no difference: the same ε means the same error.",
            feedback="ε says how much an answer may reveal. How wrong it is depends on the noise: here ±3 for Laplace "
            "and ±8.3 for Gaussian noise.",
        ),
        Answer(
            text="No: Gaussian noise is never private.",
            feedback="It satisfies ε = 1 together with δ = 10⁻⁶, which is a sound promise. Only δ = 0 is out of reach.",
        ),
    ),
)
CHECK_REACH = Check(
    question="A count is released with ε = 0.1, so the scale of its noise is 10. How often is it off by more than 10?",
    answers=(
        Answer(
            text="Never: 10 is the largest error.",
            feedback="10 is the average error of the Laplace curve, and its tails never end: 4.73% of such counts are "
            "off by more than 30.",
        ),
        Answer(
            text="In about 5% of releases: that is what a 95% interval means.",
            feedback="The 95% interval is ±30 here, three times as wide as the scale.",
        ),
        Answer(
            text="In about a third of releases.",
            feedback="35% of such counts are off by more than 10; of the Laplace curve 36.8% lies beyond. So a count "
            "of 1,000 is useful, and a count of 5 is not.",
            right=True,
        ),
        Answer(
            text="In half of them: 10 is the average error.",
            feedback="A few large errors pull the average up: half of the errors are 7 or less.",
        ),
    ),
)
LESSON = Lesson(
    key=KEY,
    question="Which noise, and why does it work?",
    steps=(
        Step(name="Why it works", show=_why),
        Step(name="How far out", show=mechanisms_reach.how_far),
        Step(name="Worst of many", show=mechanisms_reach.worst_of_many),
        Step(name="One noise", show=mechanisms_gallery.one_noise),
        Step(name="Side by side", show=mechanisms_pairs.side_by_side),
        Step(name="Several counts", show=mechanisms_counts.several_counts),
        Step(name="Many answers", show=_many),
        Step(name="The notes' formula", show=mechanisms_formula.notes_formula),
        Step(name="Choosing", show=mechanisms_choices.choosing),
        Step(name="Scoring all", show=mechanisms_scores.scoring_all),
    ),
    checks=(CHECK, CHECK_REACH, mechanisms_formula.FORMULA_CHECK),
)
