"""The lesson on composition: what many answers cost together, by every rule at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from dpengine.accounting import Repetition, Validity
from dpengine.charts import Chart, at_most, composition_charts
from dpengine.charts.composition_charts import Totals, Turn
from dpengine.mechanisms import (
    DiscreteLaplaceMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    RandomizedResponse,
)
from dpengine.privacy import Event
from pages.ui import inputs, outputs, rules, session
from pages.ui.lessons.check import Answer, Check
from pages.ui.lessons.lesson import Lesson, Shown, Step, choice, formula, picture_and_words, whole_number

KEY = "composition"
MOST, START = 1000, 300


def _laplace(epsilon: float) -> LaplaceMechanism:
    return LaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1.0)


NOISES: Mapping[str, Callable[[float], Event]] = {
    "Noise on a count": lambda epsilon: DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1).event,
    "Laplace noise": lambda epsilon: _laplace(epsilon).event,
    "Gaussian noise": lambda epsilon: (
        GaussianMechanism(standard_deviation=_laplace(epsilon).standard_deviation, l2_sensitivity=1.0).event
    ),
    "A coin-flipped answer": lambda epsilon: RandomizedResponse.from_epsilon(epsilon).event,
}
OF_NOISE = {
    "Noise on a count": "Whole-number noise on a count gives away as much as any noise with this ε: that is why "
    "**exact** and **optimal** agree here.",
    "Laplace noise": "Smooth Laplace noise seldom loses its full ε: **exact** is below what ε alone allows.",
    "Gaussian noise": "Gaussian noise has no ε of its own; it is as large here (in standard deviation) as Laplace "
    "noise of this ε. Rules that only know ε must split δ among the answers, and pay dearly.",
    "A coin-flipped answer": "A coin-flipped answer is the worst that an ε allows: **exact** and **optimal** agree.",
}


def _all_rules() -> Shown:
    noise = choice("Which noise?", list(NOISES), key=f"{KEY}_noise")
    repetition = _repetition(NOISES[noise], key=f"{KEY}_all")
    with st.container(border=True, key=f"card_{KEY}_all"):
        offered = [name for name in rules.RULES if name in repetition.at_chosen]
        picture = _picture(repetition, rules.chosen(offered, key=f"{KEY}_rules"))
        outputs.chart(st.container(), picture, key=f"{KEY}_all_chart")
    st.markdown(f"{OF_NOISE[noise]} {_turns_in_words(repetition)}")
    st.markdown(_table(repetition))
    return Shown(finding=_finding(repetition), pictures=(picture,))


def _repetition(noise: Callable[[float], Event], *, key: str) -> Repetition:
    """The settings of a step: epsilon of each answer, how many answers, and delta."""
    with st.container(border=True, key=f"card_dial_{key}"):
        left, middle, right = st.columns([2.5, 1, 1.2], gap="medium", vertical_alignment="center")
        with left:
            epsilon = inputs.dial(key=f"{key}_epsilon", kept=_kept(f"{key}_epsilon", 0.5))
        chosen = whole_number(middle, "Answers published", key=f"{key}_chosen", span=(1, MOST), start=START)
        delta = inputs.delta_dial(right, key=f"{key}_delta", kept=_kept(f"{key}_delta", 1e-6))
    return Repetition(event=noise(epsilon), delta=delta, chosen=chosen, most=MOST)


def _kept(key: str, start: float) -> float:
    """The last sensible value of a dial in this session."""
    return float(str(session.remembered(f"{key}_good", start)))


def _picture(repetition: Repetition, shown: Sequence[str]) -> Chart:
    palette = outputs.palette()
    curves = {name: repetition.curve(name) for name in shown}
    lines = rules.lines(curves, repetition.validity, palette)
    turns = []
    wins, false = repetition.crossover.advanced, repetition.first_false
    if "advanced" in shown and wins is not None and wins <= MOST:
        words = f"advanced wins from {wins}"
        turns.append(
            Turn(answers=wins, epsilon=float(curves["advanced"][wins - 1]), words=words, color=palette.advanced)
        )
    if "textbook" in shown and false is not None:
        words = f"textbook fails at {false}"
        turns.append(
            Turn(answers=false, epsilon=float(curves["textbook"][false - 1]), words=words, color=palette.attacker)
        )
    return composition_charts.totals(Totals(lines=lines, chosen=repetition.chosen, turns=turns), palette)


def _table(repetition: Repetition) -> str:
    """All rules at the chosen number, the tightest first; the textbook formula last where it is false."""
    false = repetition.validity[repetition.chosen - 1] in (Validity.FALSE, Validity.UNPROVED)
    said = dict(repetition.at_chosen)
    if false:
        said["textbook"] = said.pop("textbook")
    lines = (
        f"| {rules.RULES[name].label} | "
        + (f"~~{at_most(value)}~~ " if false and name == "textbook" else f"**{at_most(value)}** ")
        + f"| {rules.RULES[name].needs} |"
        for name, value in said.items()
    )
    return (
        f"| {repetition.chosen:,} answers, added up by | ε together | what the rule needs to know |\n|---|---|---|\n"
        + "\n".join(lines)
    )


def _finding(repetition: Repetition) -> str:
    said, count = repetition.at_chosen, repetition.chosen
    answers = f"{count:,} answer{'' if count == 1 else 's'}"
    if at_most(said["exact"]) == at_most(said["basic"]):
        return f"{answers} cost ε = {at_most(said['exact'])} together: nothing is gained over adding up yet"
    return f"{answers} cost ε = {at_most(said['exact'])} together, not {at_most(said['basic'])}"


def _turns_in_words(repetition: Repetition) -> str:
    wins = repetition.crossover.advanced
    if not repetition.delta:
        return "Without a δ no rule beats adding up."
    if wins is None:
        return f"Advanced adding never beats naive adding here. {_textbook_in_words(repetition)}"
    return f"Advanced adding is below naive adding from **{wins:,}** answers on. {_textbook_in_words(repetition)}"


def _textbook_in_words(repetition: Repetition) -> str:
    first, always = repetition.first_false, repetition.false_from
    if first is None:
        return f"The textbook formula is never wrong up to {MOST:,} answers here."
    again = f" and is false from {always:,} on" if always is not None and always != first else ""
    return (
        f"The textbook formula **first fails at {first:,}** answers{again}: there it promises less than answers with "
        "this ε can really lose."
    )


def _textbook() -> Shown:
    repetition = _repetition(NOISES["A coin-flipped answer"], key=f"{KEY}_textbook")
    place, words = picture_and_words(f"{KEY}_textbook")
    picture = _picture(repetition, ("optimal", "textbook", "basic"))
    outputs.chart(place, picture, key=f"{KEY}_textbook_chart")
    words.markdown(
        "Many course notes state this formula for any number k of answers:"
        + formula(r"\varepsilon\sqrt{8k\ln(1/\delta)}")
        + "\n\nIt is a theorem only where its own value is at most 8 ln(1/δ) (or k is). Beyond, it leaves out what the "
        "answers lose **on average**, which grows with k itself, while the formula grows with √k only.\n\n"
        f"The **optimal** line is the least that holds for every noise with this ε. {_textbook_in_words(repetition)} "
        f"At {repetition.chosen:,}: {repetition.validity[repetition.chosen - 1].sentence} "
        "The sound advanced rule keeps the average loss in."
        + formula(r"k\,\varepsilon\tanh(\varepsilon/2)+\varepsilon\sqrt{2k\ln(1/\delta)}")
    )
    first = repetition.first_false
    finding = "The textbook formula holds here" if first is None else f"The textbook formula fails at {first:,} answers"
    return Shown(finding=finding, pictures=(picture,))


CHECK = Check(
    question="A registry publishes 400 counts about the same people, each with ε = 0.1 and noise of its own. What does "
    "it cost each person, at most, with δ = 10⁻⁶?",
    answers=(
        Answer(
            text="ε = 0.1: every count has its own noise.",
            feedback="Every count tells a little more about the same person, and 400 little hints are a large one. "
            "The noise of one count does not hide what another gives away.",
        ),
        Answer(
            text="ε = 40, and there is no way around it.",
            feedback="40 is true, but not the least: hints that point to you and hints that point away mostly cancel, "
            "so that about the root of 400 counts. The price is a small δ.",
        ),
        Answer(
            text="About ε = 12, with that small δ: hints for you and against you mostly cancel.",
            feedback="As long as each answer gives away little, many together give away about the root of their "
            "number times as much. The δ pays for the rare case in which nearly all hints point one way.",
            right=True,
        ),
        Answer(
            text="It depends on how the 400 questions overlap, so nothing can be said.",
            feedback="The rules hold for any questions, even ones chosen to hurt you most. Only where the people asked "
            "about are known to be different does it get cheaper (parallel composition).",
        ),
    ),
)
LESSON = Lesson(
    key=KEY,
    question="What do many answers cost together?",
    steps=(Step(name="All rules", show=_all_rules), Step(name="The textbook formula", show=_textbook)),
    check=CHECK,
)
