"""Steps on properties: answers that depend on each other, separate parts of a table, and facts about everybody."""

from __future__ import annotations

import numpy as np

from dpengine.accounting.parallel import ParallelPart, parallel_guarantee
from dpengine.accuracy import chance_of_turned_order
from dpengine.beliefs import posterior_bounds
from dpengine.charts.accuracy import estimate_charts
from dpengine.charts.accuracy.estimate_charts import EstimateBar
from dpengine.charts.privacy import definition_charts, property_charts
from dpengine.formatting import at_most, between_of_100, lower_of_100
from dpengine.losses.definitions import one_after_another
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.mechanisms.listed import LARGEST_EPSILON, coin_flipped_answer
from dpengine.privacy import Guarantee, Neighbors
from pages.lesson.lesson import Shown, choice, dial, epsilon_slider, picture_and_words
from pages.widgets import outputs

KEY = "properties"


def adaptive() -> Shown:
    """Two questions, of which the second depends on the answer to the first."""
    place, words = picture_and_words(f"{KEY}_adaptive")
    first = epsilon_slider(words, "ε of the first question", key=f"{KEY}_first", start=0.5)
    second = epsilon_slider(words, "ε of the second question", key=f"{KEY}_second", start=0.3)
    one, then = coin_flipped_answer(epsilon=first), coin_flipped_answer(epsilon=second)
    joint = one_after_another(one.laws, [then.laws, then.laws])
    names = ("yes, yes", "yes, no", "no, yes", "no, no")
    picture = definition_charts.two_worlds(
        outputs=names,
        laws=joint,
        axis="noisy answers to both questions",
        palette=outputs.palette(),
        worlds=("with your data", "with another's"),
    )
    outputs.chart(place, picture, key=f"{KEY}_adaptive_chart")
    times_most = at_most(joint.ratio_range[1])
    words.markdown(
        "“Do you smoke?” If the noisy answer is yes, “Do you cough?” comes next, else “Do you run?”. The second "
        "question depends on the first answer (adaptive), and still the costs just **add up**: no pair of answers is "
        f"more than {times_most} times as likely for you as for another.\n\n"
        "Other rules (see Composition) may need all costs to be fixed before the first answer."
    )
    finding = f"{first:g} and {second:g} cost at most {at_most(joint.epsilon)}, whatever you ask second"
    return Shown(finding=finding, pictures=(picture,))


BANDS = ("under 18", "18 to 39", "40 to 64", "65 and over")
FIXED = (0.3, 0.2, 0.1)
RELATIONS = {"You are added or removed": Neighbors.ADD_REMOVE, "You are replaced": Neighbors.REPLACE_ONE}


def parallel() -> Shown:
    """Separate answers about separate parts, under both neighbor relations."""
    relation = RELATIONS[choice("Which two tables?", list(RELATIONS), key=f"{KEY}_relation")]
    place, words = picture_and_words(f"{KEY}_parallel")
    first = epsilon_slider(words, "ε of the count under 18", key=f"{KEY}_part", start=0.5)
    epsilons = np.array([first, *FIXED])
    counts = [Guarantee(epsilon=float(epsilon)) for epsilon in epsilons]
    together = parallel_guarantee([ParallelPart(add_remove=one, replace_one=one) for one in counts], neighbors=relation)
    added = relation is Neighbors.ADD_REMOVE
    touched = [int(part) for part in np.argsort(-epsilons, kind="stable")[: 1 if added else 2]]
    picture = property_charts.parts(
        labels=BANDS, epsilons=epsilons, touched=touched, together=together.epsilon, palette=outputs.palette()
    )
    outputs.chart(place, picture, key=f"{KEY}_parallel_chart")
    words.markdown(
        "Four counts, one for each age band. You have one age, so you are in one band.\n\n" + PARALLEL_WORDS[relation]
    )
    how = "the largest cost" if added else "the two largest costs together"
    return Shown(finding=f"Four counts cost {at_most(together.epsilon)}: {how}", pictures=(picture,))


PARALLEL_WORDS = {
    Neighbors.ADD_REMOVE: "Adding or removing you changes **one** count and no other, so only the largest ε counts "
    "(parallel composition).\n\nThe bands must be fixed without looking at the data, and each person must be in one "
    "band only. With rows in several bands, this fails.",
    Neighbors.REPLACE_ONE: "When somebody of another age replaces you, **two** counts change: yours and theirs. So the "
    "two largest ε add up.\n\nFor the same reason one person can change a list of counts by 1 if added or removed, and "
    "by 2 if replaced.",
}

CASES_BEFORE, CASES_AFTER, NEARLY_ALWAYS = 310, 92, 0.999


def not_hidden() -> Shown:
    """A fact about everybody shows through noise that hides each person."""
    epsilon = dial(f"{KEY}_fall_epsilon", start=0.1, most=LARGEST_EPSILON)
    noise = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1)
    missed = chance_of_turned_order(noise, difference=CASES_BEFORE - CASES_AFTER)
    place, words = picture_and_words(f"{KEY}_fall")
    half_width, palette = float(noise.error_quantile(0.95)), outputs.palette()
    rows = [
        EstimateBar(label=label, value=cases, half_width=half_width, color=color)
        for label, cases, color in (
            ("the year before", CASES_BEFORE, palette.answers),
            ("the year of the vaccine", CASES_AFTER, palette.answers),
        )
    ]
    picture = estimate_charts.estimates(rows, axis="mumps cases, as published", reach=(-100, 500), palette=palette)
    outputs.chart(place, picture, key=f"{KEY}_fall_chart")
    lowest, highest = between_of_100(posterior_bounds(0.5, epsilon=epsilon))
    seen = lower_of_100(min(1.0 - missed, NEARLY_ALWAYS))
    words.markdown(
        f"A hospital has {CASES_BEFORE} cases of mumps in one year and {CASES_AFTER} in the next (invented counts; the "
        "bars are 95% intervals, and you are counted in one year only). **The decline shows in at least "
        f"{seen}% of releases.** Yet a belief of 50 that you had mumps ends between {lowest} and {highest} out of "
        "100.\n\nEpsilon hides each person, and leaves visible what is true of all of them. A hospital that wants to "
        "hide the fall must not publish the counts: no ε that leaves them useful would hide it."
    )
    finding = f"The decline shows in at least {seen}% of releases"
    return Shown(finding=finding, pictures=(picture,))
