"""The lesson on properties: what follows from the promise, and what does not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dpengine.accounting.groups import for_group
from dpengine.accuracy import guess_from_rows
from dpengine.accuracy.lessons.post_processing import largest, rounded_to, share_of, sum_of, without_negatives
from dpengine.beliefs import Odds, odds_of, odds_out_of_100
from dpengine.charts.privacy import property_charts
from dpengine.charts.privacy.property_charts import GroupLine
from dpengine.data import Between, load_sample
from dpengine.data.samples.patients import DISEASES
from dpengine.formatting import at_most, tiny, tiny_at_most, upper_of_100
from dpengine.mechanisms import DiscreteLaplaceMechanism, GaussianMechanism, LaplaceMechanism
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import HistogramQuery
from pages.learn.properties import properties_together
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import Lesson, Shown, Step, choice, picture_and_words, whole_number
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "properties"
Array = NDArray[np.float64]
EPSILON, SEED, STEP = 0.2, 3, 10
PROCESSES: dict[str, Callable[[Array], Array]] = {
    "no negative counts": without_negatives,
    "rounded to tens": lambda counts: rounded_to(counts, step=STEP),
    "both": lambda counts: rounded_to(without_negatives(counts), step=STEP),
}


@st.cache_data(max_entries=1)
def _released() -> Array:
    """Noisy counts of the invented hospital's patients from 65 on: public rows, and one fixed seed."""
    table, schema = load_sample("patients")
    query = HistogramQuery("disease", where=Between("age", 65, 120))
    exact = guess_from_rows(query, schema, Neighbors.ADD_REMOVE, table).answers
    noise = DiscreteLaplaceMechanism.from_epsilon(EPSILON, l1_sensitivity=1)
    return np.asarray(noise.simulate(np.array(exact), np.random.default_rng(SEED)))


def _afterwards() -> Shown:
    process = choice("What is done to it?", list(PROCESSES), key=f"{KEY}_process")
    released = _released()
    processed = PROCESSES[process](released)
    place, words = picture_and_words(f"{KEY}_after", picture=1.3)
    picture = property_charts.before_and_after(
        labels=DISEASES,
        released=released,
        processed=processed,
        process=process,
        unit="people",
        palette=outputs.palette(),
    )
    outputs.chart(place, picture, key=f"{KEY}_after_chart")
    place.markdown(
        ":gray[An illustration: invented patients from age 65 on, noise drawn once with a fixed seed. A small count "
        "may fall below 0 by its noise; set to 0 it comes nearer the truth, though sums grow a little.]"
    )
    words.markdown(
        f"The noisy counts cost ε = {EPSILON:g}, once. **Anything computed from them without looking at the rows again "
        "costs nothing more**: no calculation can undo the promise.\n\n"
        f"| worked out from it | answer | costs |\n|---|---|---|\n{_worked_out(processed)}\n\n"
        "This is called post-processing."
    )
    finding = "One noisy table answers any number of questions at no further cost"
    return Shown(finding=finding, pictures=(picture,), computed=WORKED_OUT)


WORKED_OUT = (
    r"If the noisy table $M$ is $(\varepsilon,\delta)$-private, what is worked out from it, $f(M)$, is "
    r"$(\varepsilon,\delta)$-private too, for every $f$ that does not look at the data again: what $f$ makes of two "
    "tables cannot be told apart better than the tables themselves. Source: Dwork and Roth 2014, Proposition 2.1."
)


def _worked_out(counts: Array) -> str:
    flu, mumps, diabetes = (DISEASES.index(name) for name in ("flu", "mumps", "diabetes"))
    rows = (
        ("flu or mumps", f"{sum_of(counts, (flu, mumps)):,.0f}"),
        ("most frequent", DISEASES[largest(counts)]),
        ("share with diabetes", f"{100 * share_of(counts, diabetes):.0f}%"),
    )
    return "\n".join(f"| {words} | {answer} | 0 |" for words, answer in rows)


LARGEST_GROUP = 50
ALONE = Guarantee(epsilon=0.1, delta=1e-6)


def _groups() -> Shown:
    place, words = picture_and_words(f"{KEY}_groups")
    size = whole_number(words, "Family size", key=f"{KEY}_size", span=(1, LARGEST_GROUP), start=5)
    sizes = np.arange(1, LARGEST_GROUP + 1)
    lines = _group_lines(sizes)
    picture = property_charts.groups(sizes=sizes, lines=lines, size=size, palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_groups_chart")
    together = ALONE.for_group(size)
    words.markdown(
        f"One person is promised ε = {ALONE.epsilon:g}, δ = {tiny(ALONE.delta)}. If {size} people are in the table or "
        f"out of it together, as a family is, their promise is weaker: **ε = {at_most(together.epsilon)}, "
        f"δ = {tiny_at_most(together.delta)}**.\n\n"
        "A large group is seen, and has to be: that is how anything can be learned. This promise covers the worst "
        "noise; a known noise does better."
    )
    most = upper_of_100(float(lines[0].shares[size - 1]))
    whom = "One person alone" if size == 1 else f"{size} people together"
    finding = f"{whom}: at most {most} out of 100 guesses are right"
    return Shown(finding=finding, pictures=(picture,), computed=OF_GROUPS)


OF_GROUPS = (
    formula(
        "The promise to k people together (group privacy)",
        r"\varepsilon_k=k\,\varepsilon,\quad\delta_k=\delta\,\frac{e^{k\varepsilon}-1}{e^{\varepsilon}-1}",
    )
    + "ε and δ are those of one person; e is about 2.72. Source: Dwork and Roth 2014, Theorem 2.2, with the sum of the "
    "steps from one person to the next in full."
)


def _group_lines(sizes: NDArray[np.int64]) -> list[GroupLine]:
    gaussian, laplace = _noises()
    odds: tuple[tuple[str, str, Callable[[int], Odds]], ...] = (
        ("any noise", "solid", lambda size: odds_out_of_100(ALONE.for_group(size))),
        ("Laplace", "dash", lambda size: odds_of(for_group(laplace.event, size))),
        ("Gaussian", "dot", lambda size: odds_of(for_group(gaussian.event, size))),
    )
    color = outputs.palette().attacker
    return [GroupLine(label=label, dash=dash, color=color, shares=_shares(sizes, of)) for label, dash, of in odds]


@st.cache_data(max_entries=1)
def _noises() -> tuple[GaussianMechanism, LaplaceMechanism]:
    gaussian = GaussianMechanism.from_guarantee(ALONE, l2_sensitivity=1.0)
    return gaussian, LaplaceMechanism.from_epsilon(ALONE.epsilon)


def _shares(sizes: NDArray[np.int64], odds: Callable[[int], Odds]) -> Array:
    return np.array([odds(int(size)).with_data / 100 for size in sizes])


CHECK = Check(
    question="A noisy table was released at ε = 0.5. You set its negative counts to 0, round the rest, and publish 300 "
    "shares worked out from it. What did all this cost together?",
    answers=(
        Answer(
            text="ε = 150: each of the 300 shares costs 0.5.",
            feedback="It would, if each share had been computed from the rows, with its own noise. These only use what "
            "was already public.",
        ),
        Answer(
            text="ε = 0.5: only the release looked at the rows.",
            feedback="Everything after the noise is post-processing, and free, for one share or 300.",
            right=True,
        ),
        Answer(
            text="More than 0.5: setting negative counts to 0 takes noise away.",
            feedback="It makes the counts better without looking at the rows. Any attacker could do the same at home, "
            "so it reveals nothing new.",
        ),
        Answer(
            text="Nothing: shares are no longer counts of people.",
            feedback="They were worked out from counts that cost 0.5 when they were released.",
        ),
    ),
)
LESSON = Lesson(
    key=KEY,
    question="What follows from the promise, and what does not?",
    steps=(
        Step(name="Afterwards", show=_afterwards),
        Step(name="Groups", show=_groups),
        Step(name="One after another", show=properties_together.adaptive),
        Step(name="Side by side", show=properties_together.parallel),
        Step(name="Not hidden", show=properties_together.not_hidden),
    ),
    checks=(CHECK,),
)
