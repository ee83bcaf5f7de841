"""The lesson on composition: what many answers cost together, by every rule at once."""

from __future__ import annotations

import math

import streamlit as st

from dpengine.accounting import Repetition, Validity
from dpengine.formatting import amount, at_least, at_most, tiny_from_log
from pages import session
from pages.learn.composition.composition_deltas import OF_ITS_USE, own_deltas
from pages.learn.composition.composition_settings import KEY, MOST, NOISES, epsilon_and_repetition, picture
from pages.learn.composition.composition_walks import why_less
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import Lesson, Shown, Step, choice, picture_and_words
from pages.phrasing import rules

PROTECTS_NOBODY, FAILS_SOON = 10.0, 0.5
WHICH_DECIDES = (
    "Ways to add up privacy loss. An account charges by **naive**, or by **concentrated** if that was chosen when "
    "it was opened; the others need a list of questions fixed in advance, or are for comparison."
)
OF_NOISE = {
    "Noise on a count": "Whole-number noise on a count reveals as much as any noise with this ε, so **exact** and "
    "**optimal** agree here.",
    "Laplace noise": "Laplace noise with decimals seldom loses its full ε, so **exact** is below what ε alone allows.",
    "Gaussian noise": "Gaussian noise has no ε of its own. Here its standard deviation is that of Laplace noise with "
    "this ε. Rules that use only ε must split δ among the answers, and cost much more.",
    "A coin-flipped answer": "A coin-flipped answer is the worst that an ε allows: **exact** and **optimal** agree.",
}


def _all_rules() -> Shown:
    noise = choice("Which noise?", list(NOISES), key=f"{KEY}_noise")
    epsilon, repetition = epsilon_and_repetition(NOISES[noise], key=f"{KEY}_all")
    with st.container(border=True, key=f"card_{KEY}_all"):
        offered = [name for name in rules.RULES if name in repetition.at_chosen]
        wanted = rules.chosen(offered, key=f"{KEY}_rules", label=WHICH_DECIDES)
        chart = picture(repetition, wanted, key=f"{KEY}_all_chart")
    steps = repetition.steps_between if "exact" in wanted else 0
    st.markdown(
        f"{_protection(repetition)}{OF_NOISE[noise]} {_turns_in_words(repetition, epsilon)}{_steps_in_words(steps)}"
    )
    st.markdown(_table(repetition))
    return Shown(finding=_finding(repetition), pictures=(chart,), computed=rules.COMPUTED)


def _protection(repetition: Repetition) -> str:
    """What a large total means, where it is one."""
    total = repetition.at_chosen["exact"]
    if total <= PROTECTS_NOBODY or not math.isfinite(total):
        return ""
    odds = tiny_from_log(total, 1, at_least)
    return (
        f"**ε = {at_most(total)} protects nobody**: some answers may be {odds} times as likely with you as without.\n\n"
    )


def _steps_in_words(steps: int) -> str:
    return (
        f" **Exact** is drawn in steps: computed at {steps} numbers of answers, never below the truth." if steps else ""
    )


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
    return f"| rule for {repetition.chosen:,} answers | ε together | what the rule uses |\n|---|---|---|\n" + "\n".join(
        lines
    )


def _finding(repetition: Repetition) -> str:
    said, count = repetition.at_chosen, repetition.chosen
    answers = f"{count:,} answer{'' if count == 1 else 's'}"
    if at_most(said["exact"]) == at_most(said["basic"]):
        return f"{answers} cost ε = {at_most(said['exact'])}: no rule costs less than naive"
    return f"{answers}: naive adds up to ε = {at_most(said['basic'])}, exact to {at_most(said['exact'])}"


def _turns_in_words(repetition: Repetition, epsilon: float) -> str:
    wins = repetition.crossover.advanced
    if not repetition.delta:
        return "Without a δ no rule costs less than naive (just added up)."
    textbook = _textbook_in_words(repetition, epsilon)
    if wins is None:
        return f"Advanced never costs less than naive (just added up) here. {textbook}"
    return f"Advanced costs less than naive (just added up) from **{wins:,}** answers on. {textbook}"


def _textbook_in_words(repetition: Repetition, epsilon: float) -> str:
    first, formula_here = repetition.first_false, f"At ε = {amount(epsilon)}, the textbook formula"
    if first is None:
        return f"{formula_here} holds up to {MOST:,} answers, the most that are shown."
    where = f"at {first:,} answers" if repetition.false_from is None else f"from {first:,} answers on"
    return f"{formula_here} **promises too much {where}**{_but(repetition)}: such answers can reveal more."


def _but(repetition: Repetition) -> str:
    """It may hold again above the first number at which it fails."""
    again = repetition.holds_again
    if not again:
        return ""
    return f" (all but {again[0]:,})" if len(again) == 1 else f" (all but {len(again)} of them)"


def _at_chosen(repetition: Repetition) -> str:
    """What is known of the textbook formula at the chosen number; nothing where it is proved from the first on."""
    verdict = repetition.validity[repetition.chosen - 1]
    proved = verdict is Validity.PROVED
    return "" if proved else f" At {repetition.chosen:,} answers: {verdict.sentence}"


def _proved(repetition: Repetition) -> str:
    """How far the proof of the textbook formula reaches; the numbers that it covers are the first ones."""
    last = sum(verdict is Validity.PROVED for verdict in repetition.validity)
    return f"Here it is proved up to {last:,} answers{' or more' if last == MOST else ''}."


def _textbook() -> Shown:
    st.markdown(
        "Many course notes state one formula for any number of answers. No account charges by it: naive or "
        "concentrated decides."
    )
    name = f"{KEY}_textbook"
    epsilon, repetition = epsilon_and_repetition(NOISES["A coin-flipped answer"], key=name)
    place, words = picture_and_words(f"{KEY}_textbook")
    with place:
        chart = picture(repetition, ("optimal", "textbook", "basic"), key=f"{KEY}_textbook_chart")
    words.markdown(
        f"{_proved(repetition)} It ignores what the answers lose **on average**: that loss doubles with twice the "
        "answers, but the formula doubles only with four times as many.\n\n"
        "The **optimal** line is what answers with the dial's ε can lose at worst, whatever the noise. "
        f"{_textbook_in_words(repetition, epsilon)}{_at_chosen(repetition)} **Advanced** counts that loss, too."
    )
    first = repetition.first_false
    if first is None and epsilon < FAILS_SOON:
        words.markdown("At a larger ε it soon fails: it says less than answers can lose.")
        said, box = f"Set ε to {FAILS_SOON:g}", f"{name}_epsilon_box"
        words.button(said, key=f"{KEY}_fails", on_click=session.move, args=(box, FAILS_SOON))
    finding = f"The textbook formula holds at ε = {amount(epsilon)} up to {MOST:,} answers"
    if first is not None:
        finding = f"At ε = {amount(epsilon)}, the textbook formula fails at {first:,} answers"
    return Shown(finding=finding, pictures=(chart,), computed=rules.COMPUTED)


CHECK = Check(
    question="A registry publishes 400 counts about the same people, each with ε = 0.1 and its own noise. What do they "
    "cost each person at most, with δ = 10⁻⁶?",
    answers=(
        Answer(
            text="ε = 0.1: every count has its own noise.",
            feedback="Every count is one more hint about the same person, and 400 small hints make a large one. The "
            "noise of one count cannot hide what another reveals.",
        ),
        Answer(
            text="ε = 40, and there is no way around it.",
            feedback="40 holds, but so does less: hints that you are in and hints that you are not mostly cancel. The "
            "price is a small δ.",
        ),
        Answer(
            text="About ε = 11, with that small δ.",
            feedback="Hints that you are in and hints that you are not mostly cancel: 400 of them add up to about 2 "
            "where they typically end, and about five times that covers all but the rare large losses that δ is used "
            "for.",
            right=True,
        ),
        Answer(
            text="It depends on how the 400 questions overlap, so nothing can be said.",
            feedback="The rules hold for any questions, even those chosen to hurt you most. It costs less only where "
            "each question is known to be about different people (parallel composition).",
        ),
    ),
)
OF_DELTAS = Check(
    question="300 answers with Gaussian noise satisfy ε = 0.1 and δ = 10⁻⁸ each. Advanced adds up their ε, with a δ of "
    "10⁻⁶ for rare large sums. What is the δ of all together?",
    answers=(
        Answer(
            text="10⁻⁶.",
            feedback="That is what advanced uses for itself. What each answer may reveal beyond its ε comes on top.",
        ),
        Answer(
            text="3·10⁻⁶.",
            feedback="That is what the answers bring, 300 × 10⁻⁸. Advanced uses 10⁻⁶ more for rare large sums.",
        ),
        Answer(
            text="4·10⁻⁶.",
            feedback="300 × 10⁻⁸ is 3·10⁻⁶ for the answers, and 10⁻⁶ for advanced comes on top.",
            right=True,
        ),
        Answer(
            text="10⁻⁸: δ does not add up.",
            feedback="It does: each of the 300 answers has its own rare cases. Only ε adds up to less than its sum.",
        ),
    ),
)
LESSON = Lesson(
    key=KEY,
    question="What do many answers cost together?",
    steps=(
        Step(name="Why less than the sum", show=why_less),
        Step(name="All rules", show=_all_rules),
        Step(name="The textbook formula", show=_textbook),
        Step(name="A δ of their own", show=own_deltas),
    ),
    checks=(CHECK, OF_DELTAS, OF_ITS_USE),
)
